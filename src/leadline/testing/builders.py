"""Chunks, documents, hits and evidence with everything but the text filled in."""

import hashlib
from collections.abc import Sequence

from leadline.analysis.terms import chunk_terms
from leadline.types import Chunk, Document, Evidence, Found, Hit, Verdict


def document(text: str, source: str = "a.md", title: str = "") -> Document:
    """A document of `source`; its id follows from the source, its title is the source's stem if not given."""
    return Document(
        id=_short(source),
        source=source,
        text=text,
        title=title or source.rsplit("/", 1)[-1].rsplit(".", 1)[0],
        content_hash=_short(text),
    )


def chunk(
    text: str,
    source: str = "a.md",
    *,
    title: str = "",
    ordinal: int = 0,
    start: int = 0,
    page: int | None = None,
) -> Chunk:
    """A chunk at `start` of the document that `document(..., source)` builds, in a section of its own."""
    whole = document(text, source, title)
    return Chunk(
        id=f"{whole.id}-{ordinal}",
        document_id=whole.id,
        section_id=f"{whole.id}-s{ordinal}",
        ordinal=ordinal,
        start=start,
        end=start + len(text),
        text=text,
        source=source,
        title=whole.title,
        page=page,
        terms=chunk_terms(text, title=whole.title),
    )


def chunks(*documents: Document) -> list[Chunk]:
    """One chunk for each document, holding all of it."""
    return [chunk(each.text, each.source, title=each.title) for each in documents]


def hit(of: Chunk, score: float = 1.0, *, query: str = "", path: str = "keyword", rank: int = 1) -> Hit:
    """A hit found by one path."""
    return Hit(of, score, (Found(path, rank, score, query),))


def hits(of: Sequence[Chunk], query: str = "") -> list[Hit]:
    """Hits in the given order, scores falling from 1."""
    return [hit(one, 1 / rank, query=query, rank=rank) for rank, one in enumerate(of, start=1)]


def evidence(of: Chunk, score: float = 1.0, reason: str = "kept by the test") -> Evidence:
    """A hit that a judge kept."""
    return Evidence(hit(of, score), Verdict(True, score, reason))


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
