"""Where a claim rests, and what a fact loop gathers: statements with the places that bear them out."""

from dataclasses import dataclass
from typing import Literal

BlockKind = Literal["paragraph", "table", "code", "list", "figure"]


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a claim rests: `quote` stands at `document.text[start:end]`, under the table header `context` if any.

    Of a page of the web, `published` is the day it names, `accessed` the day it was read (ISO dates, "" where not
    known); `snippet` where only what a search engine shows of it could be read.
    """

    document_id: str
    chunk_id: str
    source: str
    title: str
    quote: str
    start: int
    end: int
    page: int | None = None
    heading_path: tuple[str, ...] = ()
    via: str = ""
    kind: BlockKind = "paragraph"
    context: str = ""
    published: str = ""
    accessed: str = ""
    snippet: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement that can be verified, found in `round`; each of `citations` quotes a place that bears it out.

    `against` are the places (from 1, among a run's facts) of those that contradict it.
    """

    statement: str
    citations: tuple[Citation, ...]
    round: int = 1
    against: tuple[int, ...] = ()

    @property
    def published(self) -> str:
        """The newest day that one of its sources names, "" where none does."""
        return max((each.published for each in self.citations), default="")
