"""From the lines of all pages to paragraphs and headings: what is larger, bold or named in the outline is a heading."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from leadline.documents.composing import Composer
from leadline.documents.figures import is_caption
from leadline.documents.formats.pdflines import Line
from leadline.documents.formats.pdfpictures import PagePictures
from leadline.documents.formats.pdftables import tables
from leadline.documents.normalising import one_line

_LONGEST_HEADING = 160
_SENTENCE_END = re.compile(r"[.!?:;。！？؟…][\"'”’)\]]*$")
_WIDE_SCRIPT = re.compile("[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_ITEM = re.compile(r"[*•▪◦●·–—-]\s|\(?\d{1,3}[.)]\s|\(?[a-z][.)]\s")
_RUNNING_SHARE = 0.6
_RUNNING_PAGES = 4

Outline = Mapping[int, Mapping[str, int]]
"""Page index -> words of an entry, squeezed -> its level."""


class Layout:
    """What is usual in a document: body size, heading sizes, running heads."""

    def __init__(self, pages: Sequence[Sequence[Line]], outline: Outline) -> None:
        self.outline = outline
        lines = [line for page in pages for line in page]
        sizes = Counter[float]()
        for line in lines:
            sizes[_rounded(line.size)] += len(line.text)
        self.body = sizes.most_common(1)[0][0] if sizes else 10.0
        widths = sorted(line.width for line in lines)
        self.wide = widths[len(widths) * 4 // 5] if widths else 1.0
        larger = sorted({_rounded(line.size) for line in lines if self._is_larger(line)}, reverse=True)
        self.levels = {size: min(i + 1, 4) for i, size in enumerate(larger)}
        self.trusted = sum(map(len, outline.values())) >= 3
        self.running = _running(pages)
        self._shown: set[str] = set()
        self._heading: list[str] = []
        self._open = 0
        self._pictures = PagePictures()

    def write(
        self, composer: Composer, lines: Sequence[Line], index: int, pictures: PagePictures | None = None
    ) -> None:
        """One page; pictures without a caption come last."""
        composer.page()
        self._pictures = pictures or PagePictures()
        kept = [line for i, line in enumerate(lines) if not self._is_repeated(line, i, len(lines))]
        found = tables(kept)
        group: list[Line] = []
        at = 0
        while at < len(kept):
            if at in found:
                self._close_heading(composer)
                self._end(composer, group)
                at, rows = found[at]
                composer.table(rows)
            else:
                self._line(composer, group, kept[at - 1] if at else None, kept[at], index)
                at += 1
        self._close_heading(composer)
        self._end(composer, group)
        for picture in self._pictures.pictures:
            composer.figure(picture.alt, picture.words)
        for alt in self._pictures.alts:
            composer.figure(alt)

    def _line(
        self, composer: Composer, group: list[Line], previous: Line | None, line: Line, index: int
    ) -> None:
        """One line: part of a heading, or of the paragraph that gathers in `group`."""
        level = self.level(line, previous, index)
        if level:
            self._end(composer, group)
            if not (previous is not None and _same_heading(previous, line) and self._open == level):
                self._close_heading(composer)
            self._open = level
            self._heading.append(line.text)
            return
        self._close_heading(composer)
        if group and self._starts_paragraph(group[-1], line):
            self._end(composer, group)
        group.append(line)

    def _close_heading(self, composer: Composer) -> None:
        if self._heading:
            composer.heading(self._open, " ".join(self._heading))
        self._heading, self._open = [], 0

    def level(self, line: Line, previous: Line | None, index: int) -> int:
        """The level of a line that is a heading, else 0."""
        if len(line.text) > _LONGEST_HEADING or not any(c.isalpha() for c in line.text):
            return 0
        named = self.outline.get(index, {}).get(squeezed(line.text), 0)
        if named or self.trusted:
            return named
        if self._is_larger(line):
            return self.levels.get(_rounded(line.size), 0)
        apart = previous is None or previous.end - line.top > 0.3 * line.size or not previous.bold
        short = line.width < 0.8 * self.wide or len(line.text) < 60
        if (
            line.bold
            and apart
            and short
            and line.size >= 0.95 * self.body
            and not line.text.rstrip().endswith((".", ",", ";"))
        ):
            return min(len(self.levels) + 1, 5)
        return 0

    def _is_larger(self, line: Line) -> bool:
        return line.size >= 1.15 * self.body and len(line.text) <= _LONGEST_HEADING

    def _is_repeated(self, line: Line, i: int, count: int) -> bool:
        """A running head or foot after its first time: in the middle of a sentence it only breaks it."""
        key = _numberless(line.text)
        if key not in self.running or 2 <= i < count - 2:
            return False
        repeated = key in self._shown
        self._shown.add(key)
        return repeated

    def _starts_paragraph(self, previous: Line, line: Line) -> bool:
        if is_caption(line.text.strip()):
            return True
        if abs(previous.size - line.size) > 0.15 * max(previous.size, line.size):
            return True
        drop = previous.end - line.bottom
        if drop < -line.size:
            return self._is_short(previous) or bool(_SENTENCE_END.search(previous.text.rstrip()))
        return drop > 1.9 * line.size

    def _is_short(self, line: Line) -> bool:
        return line.width < 0.8 * self.wide

    def _end(self, composer: Composer, group: list[Line]) -> None:
        text = ""
        for i, line in enumerate(group):
            text = self._joined(text, group[i - 1], line) if i else line.text.strip()
        if group and is_caption(text):
            composer.figure(*self._pictures.beside(group), caption=text)
        else:
            composer.paragraph(text)
        group.clear()

    def _joined(self, text: str, previous: Line, line: Line) -> str:
        following = line.text.strip()
        if previous.hyphen or (text.endswith("-") and text[-2:-1].isalpha() and following[:1].islower()):
            return text.rstrip("-\u00ad\x02\ufffe") + following
        if _ITEM.match(following) or _is_figures(previous.text) or _is_figures(following):
            return f"{text}\n{following}"
        beside = abs(previous.end - line.bottom) < 0.3 * line.size
        if not beside and self._is_short(previous):
            return f"{text}\n{following}"
        if _WIDE_SCRIPT.match(text[-1:]) and _WIDE_SCRIPT.match(following[:1]):
            return text + following
        return f"{text} {following}"


def _is_figures(text: str) -> bool:
    """A row of a table rather than a line of prose."""
    letters = text.replace(" ", "")
    return sum(c.isdigit() for c in letters) * 4 > len(letters)


def _same_heading(previous: Line, line: Line) -> bool:
    return _rounded(previous.size) == _rounded(line.size) and 0 < previous.end - line.bottom < 2 * line.size


def _rounded(size: float) -> float:
    return round(size * 2) / 2


def squeezed(text: str) -> str:
    """Letters and digits only: how an outline entry and a heading are compared."""
    return "".join(c for c in one_line(text).casefold() if c.isalnum())


def _numberless(text: str) -> str:
    return re.sub(r"\d+", "#", " ".join(text.split()))


def _running(pages: Sequence[Sequence[Line]]) -> frozenset[str]:
    """First and last lines that most pages share, page numbers aside."""
    filled = [page for page in pages if page]
    if len(filled) < _RUNNING_PAGES:
        return frozenset()
    counts = Counter[str]()
    for page in filled:
        counts.update({_numberless(line.text) for line in (*page[:2], *page[-2:])})
    return frozenset(key for key, count in counts.items() if count >= _RUNNING_SHARE * len(filled))
