"""Documents ready to be stored, whose terms are the words of their text and whose vectors are axes."""

from collections.abc import Sequence

import numpy as np

from leadline.embeddings.base import Vectors
from leadline.store.base import Entry, Scored
from leadline.types import Block, Chunk, Collection, Document, Heading, Metadata, Page, Section

DIMENSION = 8
PLAIN = Collection("plain")
"""Without vectors."""

VECTORS = Collection("vectors", "with vectors", "fake", DIMENSION)


def entry(
    source: str, *texts: str, metadata: Metadata | None = None, vectors: Sequence[int] | None = None
) -> Entry:
    """One document with a chunk per text, each in the document's one section.

    Terms are the words of the text. `vectors` names the axis each chunk's vector lies along.
    """
    held = dict(metadata or {})
    whole = "\n".join(texts)
    section = Section(f"{source}-s", source, 0, 0, len(whole), ("Top", source))
    chunks: list[Chunk] = []
    start = 0
    for number, text in enumerate(texts):
        chunks.append(
            Chunk(
                id=f"{source}-{number}",
                document_id=source,
                section_id=section.id,
                ordinal=number,
                start=start,
                end=start + len(text),
                text=text,
                source=source,
                title=source.upper(),
                heading_path=section.heading_path,
                page=1 if number else None,
                kind="table" if number else "paragraph",
                context="header row" if number else "",
                terms=text,
                metadata=held,
            )
        )
        start += len(text) + 1
    document = Document(
        id=source,
        source=source,
        text=whole,
        title=source.upper(),
        content_hash=f"hash of {whole}",
        metadata=held,
        pages=(Page(1, 0, len(whole)),),
        headings=(Heading(1, "Top", 0, 0),),
        blocks=(Block("table", 0, len(whole)),),
    )
    axes = None if vectors is None else np.eye(DIMENSION, dtype=np.float32)[list(vectors)]
    return Entry(document, (section,), tuple(chunks), axes, f"print of {whole}")


def axis(number: int, lean: int | None = None) -> Vectors:
    """The unit vector along an axis, or leaning a little towards another one."""
    vector = np.zeros(DIMENSION, dtype=np.float32)
    vector[number] = 1.0
    if lean is not None:
        vector[lean] = 0.5
    return vector / np.linalg.norm(vector).astype(np.float32)


def ids(found: Sequence[Scored] | Sequence[Chunk]) -> list[str]:
    return [one.chunk.id if isinstance(one, Scored) else one.id for one in found]
