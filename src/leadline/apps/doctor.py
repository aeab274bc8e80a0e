"""What can be wrong with an installation, and what to do about it. Changes nothing.

configuration -> Python -> readers -> data folder -> disk -> embedding -> reranker -> models -> web -> store -> collections -> tools
"""

import asyncio
import importlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import entry_points
from pathlib import Path

from leadline.analysis.scripts import script
from leadline.apps.cli.output import many
from leadline.apps.doctor_check import Check
from leadline.apps.doctor_models import models
from leadline.apps.doctor_web import web
from leadline.config import Settings
from leadline.documents.reading import READERS
from leadline.embeddings.base import Embedder
from leadline.embeddings.cache import VectorCache
from leadline.encoders import Encoders
from leadline.errors import ConfigError, EmbeddingMismatch, LeadlineError
from leadline.ingest.coverage import blind
from leadline.ingest.coverage import remedy as remedy_of
from leadline.registry import BUILTIN
from leadline.reranking.choosing import NONE, chosen
from leadline.run import Run
from leadline.store.base import Reaching
from leadline.types import Collection
from leadline.workspace import Workspace

LOW_SPACE = 1 << 30
SAMPLE = 20
PROBE = 200


async def examine(settings: Settings | ConfigError) -> list[Check]:
    """Every check, in an order in which the first failure is the one to see to."""
    checks = [python(sys.version_info[:3])]
    if isinstance(settings, ConfigError):
        return [*checks, Check("configuration", "fail", str(settings), "Correct it and run this again.")]
    checks += [Check("configuration", "ok", "valid"), *await asyncio.to_thread(readers)]
    checks += [data_folder(settings.data), disk(settings.data)]
    # What is looked at in a collection is whether it can be searched; the reranker has a check of its own.
    async with await Workspace.open(settings.model_copy(update={"reranker": NONE})) as workspace:
        checks += [await _embedding(workspace), await reranker(settings), *await models(settings)]
        checks += await web(settings)
        listed, store = await _store(workspace)
        checks += [*store, *await _server(workspace), *vector_cache(workspace.encoders.cache)]
        for collection in listed:
            embedder, same = await same_embedding(collection, workspace.encoders)
            checks += [same, *await _inside(workspace, collection, embedder)]
    return [*checks, await asyncio.to_thread(tesseract), *plugins()]


def python(version: Sequence[int]) -> Check:
    """Whether this Python is new enough."""
    found = ".".join(map(str, version))
    if tuple(version) < (3, 11):
        return Check("python", "fail", f"{found} is too old", "Install Python 3.11 or newer.")
    return Check("python", "ok", found)


def readers() -> list[Check]:
    """Whether what reads files and pages can be imported: it is loaded only when the first of its kind comes."""
    failed: list[Check] = []
    for name in sorted(set(READERS.values())):
        try:
            importlib.import_module(f"leadline.documents.formats.{name}")
        except ImportError as error:
            kinds = ", ".join(kind for kind, reader in READERS.items() if reader == name)
            said = f"{kinds} cannot be read: {error}"
            remedy = "Install Leadline again with what it depends on (`pip install --force-reinstall`)."
            failed.append(Check("readers", "fail", said, remedy))
    return failed or [Check("readers", "ok", f"of {len(READERS)} kinds of files and pages")]


def data_folder(data: Path) -> Check:
    """Whether it, or the folder it will be made in, can be written to."""
    there = data if data.exists() else next((p for p in data.absolute().parents if p.exists()), Path("/"))
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        remedy = "Make it writable, or name another folder with --data."
        return Check("data folder", "fail", f"{data} cannot be written: {error.strerror}", remedy)
    return Check("data folder", "ok", f"{data}{'' if data.exists() else ' (made by the first load)'}")


def disk(data: Path, low: int = LOW_SPACE) -> Check:
    """Whether there is room for an index."""
    there = next(p for p in (data.absolute(), *data.absolute().parents) if p.exists())
    free = shutil.disk_usage(there).free
    found = f"{free / (1 << 30):.1f} GiB free"
    if free < low:
        return Check("disk space", "note", found, "Free some space before a large load.")
    return Check("disk space", "ok", found)


async def same_embedding(collection: Collection, encoders: Encoders) -> tuple[Embedder | None, Check]:
    """Whether there is what a collection was embedded with, and that encoder."""
    name = f"collection {collection.name}"
    try:
        embedder = await encoders.of(collection)
    except LeadlineError as error:
        remedy = 'Search by keyword works meanwhile with `embedding = "none"`.'
        return None, Check(name, "fail", str(error), remedy)
    if embedder is not None and collection.dimension not in (0, embedder.dimension):
        found = (
            f"its vectors have {collection.dimension} dimensions, {embedder.name} gives {embedder.dimension}"
        )
        return None, Check(
            name, "fail", found, f"Embed it again: `leadline reindex --collection {collection.name}`."
        )
    return embedder, Check(
        name, "ok", f"{many(collection.documents, 'document')}, embedding {collection.embedding}"
    )


def covered(name: str, scripts: Sequence[str], embedder: Embedder | None) -> Check:
    """Whether the embedding knows the scripts of a collection; keyword search knows them all."""
    what = f"scripts of {name}"
    found = ", ".join(scripts) or "no text"
    if unknown := blind(embedder, scripts):
        said = f"{found}; the embedding does not know {', '.join(unknown)}"
        return Check(what, "note", said, remedy_of(name))
    return Check(what, "ok", found)


def vector_cache(cache: VectorCache) -> list[Check]:
    """How large the cache of vectors is, where there is one."""
    if not cache.size:
        return []
    found = f"{cache.size / (1 << 20):.1f} of at most {cache.limit >> 20} MiB; hashes and vectors, no text"
    return [Check("vector cache", "ok", found)]


def tesseract() -> Check:
    """Whether scans can be read, and in which languages."""
    program = shutil.which("tesseract")
    if program is None:
        remedy = "Install tesseract and its language packs to read scans; everything else works without."
        return Check("tesseract", "note", "not installed", remedy)
    try:
        done = subprocess.run(
            [program, "--list-langs"], capture_output=True, text=True, timeout=20, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        return Check("tesseract", "fail", f"does not run: {error}", "Install it again.")
    return Check("tesseract", "ok", ", ".join(done.stdout.split("\n")[1:]).strip(", ") or "no languages")


def plugins() -> list[Check]:
    """Whether every installed plugin can be imported."""
    checks: list[Check] = []
    for family in BUILTIN:
        for entry in entry_points(group=f"leadline.{family}"):
            try:
                entry.load()
            except Exception as error:  # noqa: BLE001 - a plugin may fail in any way, and this is what is asked
                remedy = "Install what it needs, or uninstall it."
                checks.append(
                    Check(f"plugin {entry.name}", "fail", f"{type(error).__name__}: {error}", remedy)
                )
            else:
                checks.append(Check(f"plugin {entry.name}", "ok", family))
    return checks


async def _embedding(workspace: Workspace) -> Check:
    try:
        embedder = await workspace.embedder()
        if embedder is None:
            return Check("embedding", "ok", "none: keyword search only")
        vectors = await asyncio.to_thread(embedder.embed_queries, ["harbour"])
    except (LeadlineError, OSError, ValueError) as error:
        remedy = 'Correct that, or set `embedding = "static"`, which needs nothing.'
        return Check("embedding", "fail", str(error), remedy)
    return Check("embedding", "ok", f"{embedder.name}, {vectors.shape[1]} dimensions")


async def reranker(settings: Settings) -> Check:
    """Whether the configured reranker can be had, and tells a passage that answers from one that does not."""
    remedy = 'Correct that, or set `reranker = "none"`; answers work without one.'
    try:
        found = await chosen(settings)
        if found is None:
            return Check("reranker", "ok", "none: passages stay in the order of the search")
        passages = ["The lighthouse was lit in 1889.", "Tickets are refunded within 14 days."]
        work = found.rerank("When was the lighthouse lit?", passages, Run())
        right, wrong = await asyncio.wait_for(work, settings.reranker_seconds)
    except TimeoutError:
        return Check("reranker", "fail", f"no reply in {settings.reranker_seconds:g} s", remedy)
    except (LeadlineError, OSError, ValueError) as error:
        return Check("reranker", "fail", str(error), remedy)
    told = f"{found.name}, for {', '.join(sorted(found.scripts)) if found.scripts else 'all scripts'}"
    if right <= wrong:
        remedy = "Is it made for ranking? Compare `leadline search` with and without it before relying on it."
        return Check("reranker", "note", f"{told}; it did not put a passage that answers first", remedy)
    return Check("reranker", "ok", told)


async def _store(workspace: Workspace) -> tuple[list[Collection], list[Check]]:
    try:
        status = await workspace.status()
    except (LeadlineError, OSError, RuntimeError) as error:
        remedy = "Restore a damaged data folder from a copy, or remove it and load the files again."
        return [], [Check("store", "fail", str(error), remedy)]
    sizes = (
        (len(status.collections), "collection"),
        (status.documents, "document"),
        (status.chunks, "chunk"),
    )
    found = ", ".join(many(count, one) for count, one in sizes)
    checks = [Check("store", "ok", found)]
    if status.writer:
        remedy = "If nothing is being loaded, end that process; a lock whose process is gone is taken over."
        checks.append(Check("lock", "note", status.writer, remedy))
    return list(status.collections), checks


async def _server(workspace: Workspace) -> list[Check]:
    """Whether the rows of a store that has them elsewhere can be reached, and what that server cannot do."""
    try:
        store = await workspace.reading()
        if not isinstance(store, Reaching):
            return []
        found = await store.reach()
        limits = await store.notices()
    except (LeadlineError, OSError) as error:
        remedy = 'Search needs it; `store = "lance"` keeps everything in the data folder.'
        return [Check("store server", "fail", str(error), remedy)]
    return [Check("store server", "ok", found), *(Check("store server", "note", each) for each in limits)]


async def _inside(workspace: Workspace, collection: Collection, embedder: Embedder | None) -> list[Check]:
    """Whether a passage can be read, and in which scripts they are."""
    try:
        texts = await workspace.beginnings(collection.name, SAMPLE)
        for text in texts[:1]:
            await workspace.search(text[:PROBE], 1, collections=[collection.name])
    except EmbeddingMismatch:
        return []
    except (LeadlineError, OSError, RuntimeError) as error:
        remedy = f"Run `leadline collections drop {collection.name}` and load its files again."
        return [Check(f"reading {collection.name}", "fail", str(error), remedy)]
    return [covered(collection.name, sorted({script(text) for text in texts}), embedder)]
