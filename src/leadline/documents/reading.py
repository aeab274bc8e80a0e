"""Read one file: find its kind, load the reader of that family, give back normalised text with positions.

Blocking and unprotected: a hostile file can hang or crash whoever calls this, so it runs in a worker (see pool.py).
"""

import importlib
import io
import re
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import cast

from leadline.documents.base import Extracted, HeldPicture
from leadline.documents.kinds import (
    HEAD,
    NOT_DOCUMENTS,
    WEBPAGE,
    inside_zip,
    kind_of_name,
    looks_like_text,
    signature,
)
from leadline.documents.sources import Source
from leadline.errors import DocumentError

LARGEST_BYTES = 512 * 1024 * 1024
LARGEST_TEXT_BYTES = 96 * 1024 * 1024
DEEPEST = 3
"""A mail in a mail in a mail is read; what that one holds is not."""

_MEANINGLESS = re.compile(
    r"untitled.*|slide \d+|powerpoint presentation|presentation|document\d*|microsoft word - .*|\(?anonymous\)?|title|"
    r".*\.(?:docx?|pdf|pptx?|xlsx?|indd|tex|dvi)|adobe photoshop pdf",
    re.IGNORECASE,
)
"""Titles that programs put in by themselves."""

READERS: dict[str, str] = {
    "text": "plain",
    "code": "code",
    "markdown": "markdown",
    "csv": "tables",
    "tsv": "tables",
    "json": "records",
    "jsonl": "records",
    "notebook": "notebook",
    "rst": "restructured",
    "latex": "latex",
    "vtt": "captions",
    "srt": "captions",
    "xml": "xml",
    "html": "html",
    "webpage": "webpage",
    "epub": "epub",
    "eml": "mail",
    "mbox": "mail",
    "msg": "outlook",
    "docx": "docx",
    "pptx": "pptx",
    "xlsx": "xlsx",
    "odt": "opendocument",
    "ods": "opendocument",
    "odp": "opendocument",
    "rtf": "rtf",
    "pdf": "pdf",
    "doc": "legacy",
    "ppt": "legacy",
    "xls": "legacy",
}
_CONTAINERS = {"docx", "pptx", "xlsx", "odt", "ods", "odp", "epub"}
_BINARY = {*_CONTAINERS, "pdf", "doc", "ppt", "xls", "msg"}
_OFFICE = {"doc": "docx", "ppt": "pptx", "xls": "xlsx"}


def read(
    path: Path,
    *,
    passwords: tuple[str, ...] = (),
    ocr: bool = True,
    seconds: float = 3600.0,
    pictures: bool = False,
) -> Extracted:
    """The text of the file at `path`; slow work ends after `seconds`. Raises DocumentError with a reason and a remedy.

    With `pictures`, those inside it come with the text, which is marked where they stand.
    """
    try:
        size = path.stat().st_size
        if size > LARGEST_BYTES:
            raise DocumentError(
                f"is too large ({size >> 20} MB)", f"Split it; the limit is {LARGEST_BYTES >> 20} MB."
            )
        data = path.read_bytes()
    except OSError as error:
        raise DocumentError(
            f"cannot be read ({error.strerror or error})", "Check the path and its permissions."
        ) from error
    held: dict[str, HeldPicture] | None = {} if pictures else None
    found = _read(Source(path.name, data, "", passwords, ocr, time.monotonic() + seconds, held), 0)
    return replace(found, pictures=tuple(held.values())) if held else found


def _read(source: Source, depth: int) -> Extracted:
    kind = settle_kind(source.name, source.data)

    def nested(name: str, data: bytes) -> Extracted | None:
        if depth >= DEEPEST:
            return None
        try:
            return _read(replace(source, name=name, data=data), depth + 1)
        except Exception:  # noqa: BLE001 - one broken attachment must not lose the mail around it; the caller notes it
            return None

    if not source.data.strip():
        return Extracted(text="", kind=kind, notes=("The file is empty.",))
    reader = cast(
        Callable[[Source], Extracted],
        importlib.import_module(f"leadline.documents.formats.{READERS[kind]}").read,
    )
    try:
        found = reader(replace(source, kind=kind, nested=nested))
    except (zipfile.BadZipFile, UnicodeError) as error:
        raise damaged(kind, str(error)) from error
    except RecursionError as error:
        raise DocumentError(
            "is nested too deeply to be read", "Save it again from the program that made it."
        ) from error
    return replace(found, kind=kind, title="" if _MEANINGLESS.fullmatch(found.title) else found.title)


def settle_kind(name: str, data: bytes) -> str:
    """The kind to read a file as: what its bytes show wins over what its name says."""
    if name == WEBPAGE:
        return "webpage"
    head = data[:HEAD]
    named, shown = kind_of_name(name), signature(head)
    if shown == "ole":
        return named if named in {"doc", "ppt", "xls", "msg", *_OFFICE.values()} else _inside_ole(data)
    if shown == "zip":
        return _inside_zip(named, data)
    if shown in {"pdf", "rtf"}:
        return shown
    if named in _BINARY:
        return _not_as_named(named, shown, data)
    if named:
        _check_text(named, data)
        return named
    known = Path(name).suffix.lower() in NOT_DOCUMENTS
    kind = shown or ("text" if looks_like_text(head) and not known else "")
    if not kind:
        raise DocumentError("is not a kind of document Leadline reads", "Convert it to PDF, DOCX or text.")
    return kind


def _not_as_named(named: str, shown: str, data: bytes) -> str:
    """A file named like a binary format that does not start like one."""
    if shown:
        return named if named.startswith("od") and shown == "xml" else shown
    if data.strip():
        raise damaged(named, "it does not start like one")
    return named


def _check_text(named: str, data: bytes) -> None:
    if not looks_like_text(data[:HEAD]) and named != "eml":
        raise DocumentError("is not text although its name says so", "Check the file, or exclude it.")
    if len(data) > LARGEST_TEXT_BYTES:
        raise DocumentError(f"is too large a text ({len(data) >> 20} MB)", "Split it into smaller files.")


def _inside_zip(named: str, data: bytes) -> str:
    found = inside_zip(io.BytesIO(data))
    if found and (found != named):
        return found
    if named in _CONTAINERS:
        return named
    raise DocumentError("is an archive, not a document", "Unpack it and load what it holds.")


def _inside_ole(data: bytes) -> str:
    """The names of an OLE file's streams are UTF-16 in its directory: enough to tell the four kinds apart."""
    marks = (
        ("WordDocument", "doc"),
        ("PowerPoint Document", "ppt"),
        ("Workbook", "xls"),
        ("Book", "xls"),
        ("__substg1.0_", "msg"),
    )
    for mark, kind in marks:
        if mark.encode("utf-16-le") in data:
            return kind
    raise DocumentError("is a binary file of an unknown kind", "Convert it to PDF, DOCX or text.")


def damaged(kind: str, why: str) -> DocumentError:
    """The error for a file that breaks the rules of its own format."""
    return DocumentError(
        f"is damaged, or not {kind.upper()} ({why})", "Save it again from the program that made it."
    )
