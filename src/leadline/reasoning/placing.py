"""A piece of a document as the citation of it; of a page of the web, with its days."""

from leadline.types import Chunk, Citation
from leadline.web.base import FETCHED, PUBLISHED, SNIPPET


def citation_of(
    chunk: Chunk, quote: str, start: int, end: int, *, via: str = "", context: str = ""
) -> Citation:
    """What is quoted of the chunk's document, at `start:end` of it."""
    return Citation(
        document_id=chunk.document_id,
        chunk_id=chunk.id,
        source=chunk.source,
        title=chunk.title,
        quote=quote,
        start=start,
        end=end,
        page=chunk.page,
        heading_path=chunk.heading_path,
        via=via,
        kind=chunk.kind,
        context=context,
        published=_day(chunk, PUBLISHED) if FETCHED in chunk.metadata else "",
        accessed=_day(chunk, FETCHED),
        snippet=is_snippet(chunk),
    )


def is_snippet(chunk: Chunk) -> bool:
    """Whether it is what a search engine shows of a page, and not the page."""
    return chunk.metadata.get(SNIPPET) is True


def _day(chunk: Chunk, key: str) -> str:
    return str(chunk.metadata.get(key, ""))[:10]
