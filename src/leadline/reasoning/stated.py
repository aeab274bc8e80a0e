"""What passages say about a subject: which documents are about it, and which sentences name it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from leadline.analysis.fold import bare
from leadline.analysis.sentences import sentences
from leadline.reasoning.base import Passage
from leadline.reasoning.placing import citation_of
from leadline.types import Citation, Evidence

_WORD = re.compile(r"[^\W_]+")
_BRACKETS = re.compile(r"\s*[(（][^)）]*[)）]\s*")
_ARTICLE = re.compile(r"^(?:the|a|an) (?=\S)")
_POSSESSIVE = re.compile(r"['’]s?(?=\W|$)", re.IGNORECASE)
_CELL = re.compile(r"[^|\n]+")
SHOWN = 300
"""A sentence longer than this is cited by the part around its value."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """`passage.text[start:end]`, number `order` (from 0) of its passage.

    `about` where its document is about the subject; else `at` is where it names the subject.
    """

    passage: Passage
    start: int
    end: int
    order: int
    about: bool
    at: int = 0

    @property
    def text(self) -> str:
        return self.passage.text[self.start : self.end]

    @property
    def is_row(self) -> bool:
        """Whether it is the row of a table."""
        return self.text.startswith("|")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row, at `start` of the passage, under its column's header."""

    header: str
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Value:
    """`value` as operands hold it, `shown` as the text does, at `start:end` of the sentence's passage."""

    value: str
    shown: str
    sentence: Sentence
    start: int
    end: int
    unit: str = ""
    event: str = ""

    @property
    def document_id(self) -> str:
        return self.sentence.passage.document_id

    @property
    def place(self) -> tuple[str, int, int]:
        """Where it stands; two subjects can't have one figure between them."""
        return (
            self.document_id,
            self.sentence.passage.start + self.start,
            self.sentence.passage.start + self.end,
        )


def flat(text: str) -> str:
    """A text as words between spaces, without case, accents, punctuation and a leading article.

    >>> flat("The Lilac-Sunbonnet's") == flat("lilac sunbonnet")
    True
    """
    words = " ".join(_WORD.findall(_POSSESSIVE.sub("", bare(text))))
    return f" {_ARTICLE.sub('', words)} "


@lru_cache(maxsize=4_000)
def key(name: str) -> str:
    """`flat`, remembered: for names and titles, which come again and again."""
    return flat(name)


def about(subject: str, passages: Sequence[Passage]) -> Iterator[Sentence]:
    """The sentences of documents about the subject, then those that name it elsewhere; best passages first."""
    named = _titled(subject, passages)
    for passage in named:
        for index, (start, end) in enumerate(sentences(passage.text)):
            yield Sentence(passage, start, end, index, True)
    own = key(_BRACKETS.sub(" ", subject))
    if len(own) < 4:
        return
    for passage in passages:
        if passage not in named and own.strip() in flat(passage.text):
            yield from _naming(own, passage)


def holds(name: str, text: str) -> int:
    """Where in `text` the name ends, as far as that can be told; -1 where it is not named."""
    own = name.strip()
    folded = bare(text)
    if own not in flat(text):
        return -1
    at = folded.find(own)
    return min(at + len(own), len(text)) if at >= 0 else 0


def _naming(own: str, passage: Passage) -> Iterator[Sentence]:
    for index, (start, end) in enumerate(sentences(passage.text)):
        said = passage.text[start:end]
        if own in flat(said) or (not own.isascii() and own.strip() in flat(said)):
            yield Sentence(passage, start, end, index, False, max(holds(own, said), 0))


def _titled(subject: str, passages: Sequence[Passage]) -> list[Passage]:
    """Passages of documents whose title is the subject: with what it has in brackets, without, or among other words.

    The last only where one document alone has such a title: "Corin" is the "Corin Lighthouse" unless there is a "Corin Quay".
    """
    whole, plain = key(subject), key(_BRACKETS.sub(" ", subject))
    if len(plain) < 3:
        return []
    exact = [one for one in passages if key(_title(one)) == whole]
    if exact:
        return exact
    bare_titles = [
        one for one in passages if plain in {key(_title(one)), key(_BRACKETS.sub(" ", _title(one)))}
    ]
    if bare_titles:
        return bare_titles
    longer = [one for one in passages if plain in key(_title(one))]
    return longer if len({one.document_id for one in longer}) == 1 else []


def _title(passage: Passage) -> str:
    return passage.evidence[0].chunk.title


def cells(row: Sentence) -> list[Cell]:
    """The cells of a row, each with the header of its column as the table's first line has it."""
    head = ""
    for line in reversed(row.passage.text[: row.start].rstrip("\n").split("\n")):
        if not line.startswith("|"):
            break
        head = line
    names = _CELL.findall(head or row.passage.evidence[0].chunk.context)
    return [
        Cell(name.strip(), cell.group(), row.start + cell.start())
        for name, cell in zip(names, _CELL.finditer(row.text), strict=False)
    ]


def cite(sentence: Sentence, value: tuple[int, int] | None = None) -> Citation:
    """The sentence, or of a long one the part around the value; `value` counts in the passage."""
    start, end = sentence.start, sentence.end
    passage = sentence.passage
    if value and end - start > SHOWN:
        start, end = _around(passage.text, start, end, value)
    chunk = _nearest(passage, passage.start + start).chunk
    return citation_of(chunk, passage.text[start:end], passage.start + start, passage.start + end)


def _around(text: str, start: int, end: int, value: tuple[int, int]) -> tuple[int, int]:
    low = max(start, value[1] - SHOWN * 2 // 3)
    high = min(end, low + SHOWN)
    if low > start:
        low = text.find(" ", low, value[0]) + 1 or value[0]
    if high < end:
        high = text.rfind(" ", value[1], high) if " " in text[value[1] : high] else value[1]
    return low, high


def _nearest(passage: Passage, at: int) -> Evidence:
    return min(
        passage.evidence,
        key=lambda item: abs(item.chunk.start - at) if not item.chunk.start <= at < item.chunk.end else -1,
    )
