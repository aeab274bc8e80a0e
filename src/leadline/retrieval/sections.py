"""From a hit to the section it stands in, bounded: what a person or a reasoner reads around a chunk."""

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.retrieval.base import Context
from leadline.types import Chunk, Hit

SECTION_SIZE = 6_000
_ENDS = ("\n\n", "\n", ". ", "。", "؟ ", " ")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SectionText:
    """The section around the chunk `chunk_id`: `text` is `document.text[start:end]` of `document_id`.

    `whole` is False when the section goes on beyond it.
    """

    chunk_id: str
    document_id: str
    start: int
    end: int
    text: str
    heading_path: tuple[str, ...] = ()
    whole: bool = True


def section_texts(
    hits: Sequence[Hit], context: Context, longest: int = SECTION_SIZE
) -> tuple[SectionText, ...]:
    """The section of each hit in their order; hits whose document has vanished are left out."""
    return tuple(
        _section(hit.chunk, context, longest) for hit in hits if hit.chunk.document_id in context.documents
    )


def _section(chunk: Chunk, context: Context, longest: int) -> SectionText:
    text = context.documents[chunk.document_id].text
    section = context.sections.get(chunk.section_id)
    low, high = (section.start, section.end) if section else (chunk.start, chunk.end)
    start, end = window(text, (low, high), (chunk.start, chunk.end), longest)
    path = section.heading_path if section else chunk.heading_path
    whole = (start, end) == (low, high)
    return SectionText(chunk.id, chunk.document_id, start, end, text[start:end], path, whole)


def window(text: str, section: Span, kept: Span, longest: int) -> Span:
    """At most `longest` characters of a section around what must be kept, cut between lines or sentences.

    >>> text = "One. Two. Three. Four. Five."
    >>> start, end = window(text, (0, 28), (10, 16), 18)
    >>> text[start:end]
    'Two. Three. Four.'
    """
    low, high = min(section[0], kept[0]), max(section[1], kept[1])
    if high - low <= longest:
        return low, high
    spare = max(0, longest - (kept[1] - kept[0]))
    after = min(high - kept[1], max(spare - spare // 2, spare - (kept[0] - low)))
    start, end = max(low, kept[0] - (spare - after)), kept[1] + after
    return (
        start if start == low else _later(text, start, kept[0]),
        end if end == high else _earlier(text, kept[1], end),
    )


def _later(text: str, start: int, last: int) -> int:
    """The next place from `start` on where something begins, `last` at the latest."""
    for mark in _ENDS:
        at = text.find(mark, max(0, start - len(mark)), last - len(mark) + 1)
        if at >= 0 and at + len(mark) - start <= (last - start) // 2:
            return at + len(mark)
    return last


def _earlier(text: str, first: int, end: int) -> int:
    """The last place before `end` where something ends, `first` at the earliest."""
    for mark in _ENDS:
        at = text.rfind(mark, first, end + len(mark) - len(mark.rstrip()))
        if at >= 0 and end - at <= (end - first) // 2:
            return at + len(mark.rstrip())
    return first
