"""The lines of a PDF page, in logical order, with where they stand and how large they are.

pdfium already turns right-to-left text round. Two things it gets wrong are put right here: the two letters of a
lam-alef ligature come out swapped, and the gap between an Arabic and a Latin word gets lost.
"""

import ctypes
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from leadline.documents.formats.pdfium import Box, PdfPage, raw

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_PRESENTATION = re.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+")
_BEFORE_MARK = re.compile(" (?=[\u064b-\u0652\u0670])")
_ALEFS = frozenset("اأإآٱ")
_LAM = "ل"
_LINE_END = frozenset("\r\n")
_HYPHENS = frozenset("\x02\ufffe\u00ad")
_LONGEST_ROW = 400
_LOOSE = 0.47
"""A letter of prose, the blanks counted, is narrower than this share of its line's height."""
NARROW = 0.75
"""A gap wider than this share of a line's height parts two cells."""
_BOLD = re.compile(r"bold|black|heavy|semibold", re.IGNORECASE)


Cell = tuple[float, float, str]
"""Left and right edge of what stands between two wide gaps of a line, and its text."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text; `hyphen` says that its last word goes on in the next. The origin is the lower left corner.

    pdfium joins a hyphenated word and with it two lines: `end` is the bottom of the last of them. `cells` are only
    looked for in a line that is wide for its text and runs from left to right.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    end: float
    bold: bool = False
    hyphen: bool = False
    cells: tuple[Cell, ...] = ()

    @property
    def size(self) -> float:
        return self.top - self.bottom

    @property
    def width(self) -> float:
        return self.right - self.left


class TextPage:
    """The characters of one page."""

    def __init__(self, page: PdfPage) -> None:
        self._page = page.get_textpage()
        count = self._page.count_chars()
        codes = [raw.FPDFText_GetUnicode(self._page, i) for i in range(count)]
        self.characters = [chr(code) if code < 0x110000 else "\ufffd" for code in codes]
        for i, (first, second) in enumerate(pairwise(codes)):
            if 0xD800 <= first < 0xDC00 <= second < 0xE000:
                # pdfium counts a character outside the basic plane as two; the second place stays, and is empty.
                self.characters[i] = chr(0x10000 + ((first - 0xD800) << 10) + second - 0xDC00)
                self.characters[i + 1] = ""
        self.turned = bool(_RIGHT_TO_LEFT.search("".join(self.characters)))

    def lines(self) -> Iterator[Line]:
        """The lines from first to last, as pdfium orders them."""
        start = 0
        for i, character in enumerate([*self.characters, "\n"]):
            if character in _LINE_END:
                if any(not c.isspace() for c in self.characters[start:i]):
                    yield self._line(start, i)
                start = i + 1

    def _line(self, start: int, end: int) -> Line:
        hyphen = self.characters[end - 1] in _HYPHENS
        seen = [
            i
            for i in range(start, end)
            if not self.characters[i].isspace() and self.characters[i] not in _HYPHENS
        ]
        seen = seen or [start]
        first, last, middle = self._box(seen[0]), self._box(seen[-1]), self._loose(seen[len(seen) // 2])
        text = self._turned(start, end) if self.turned else "".join(self.characters[start:end])
        return Line(
            text=plain_letters(text),
            left=min(first[0], last[0]),
            right=max(first[2], last[2]),
            bottom=middle[1],
            top=middle[3],
            end=self._loose(seen[-1])[1],
            bold=self._is_bold(seen[len(seen) // 2]),
            hyphen=hyphen,
            cells=self._cells(seen, last[2] - first[0], middle[3] - middle[1]),
        )

    def _cells(self, seen: list[int], width: float, size: float) -> tuple[Cell, ...]:
        """The parts of a line that wide gaps divide; () for a line of prose."""
        length = seen[-1] - seen[0] + 1
        if self.turned or length > _LONGEST_ROW or width < _LOOSE * size * length:
            return ()
        cells: list[Cell] = []
        start = seen[0]
        for here, after in pairwise([*seen, -1]):
            gap = self._box(after)[0] - self._box(here)[2] if after - here > 1 else 0.0
            if after < 0 or gap > NARROW * size:
                text = plain_letters("".join(self.characters[start : here + 1]))
                cells.append((self._box(start)[0], self._box(here)[2], text))
                start = after
        return tuple(cells)

    def _turned(self, start: int, end: int) -> str:
        characters = self.characters[start:end]
        for i in range(len(characters) - 1):
            if (
                characters[i] in _ALEFS
                and characters[i + 1] == _LAM
                and self._box(start + i) == self._box(start + i + 1)
            ):
                characters[i], characters[i + 1] = characters[i + 1], characters[i]
        parts = characters[:1]
        for i in range(1, len(characters)):
            a, b = characters[i - 1], characters[i]
            if a.isalpha() and b.isalpha() and bool(_RIGHT_TO_LEFT.match(a)) != bool(_RIGHT_TO_LEFT.match(b)):
                parts.append(" " * self._is_apart(start + i - 1, start + i))
            parts.append(b)
        return _BEFORE_MARK.sub("", "".join(parts))

    def _is_apart(self, first: int, second: int) -> bool:
        a, b = self._box(first), self._box(second)
        return max(a[0] - b[2], b[0] - a[2]) > 0.1 * max(a[3] - a[1], b[3] - b[1])

    def _box(self, i: int) -> Box:
        return self._page.get_charbox(i)

    def _loose(self, i: int) -> Box:
        return self._page.get_charbox(i, loose=True)

    def _is_bold(self, i: int) -> bool:
        if raw.FPDFText_GetFontWeight(self._page, i) >= 600:
            return True
        buffer, flags = ctypes.create_string_buffer(128), ctypes.c_int()
        raw.FPDFText_GetFontInfo(self._page, i, buffer, 128, flags)
        return bool(_BOLD.search(buffer.value.decode("utf-8", "replace")))


def plain_letters(text: str) -> str:
    """Arabic and Hebrew letters as such: a PDF may name the shape a letter takes inside a word."""
    return _PRESENTATION.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)


def is_legible(text: str) -> bool:
    """Whether a page's text layer says anything: fonts without a character map give private or unknown characters."""
    letters = [c for c in text if not c.isspace()]
    unknown = sum(c == "\ufffd" or "\ue000" <= c <= "\uf8ff" or c < " " for c in letters)
    return len(letters) >= 3 and unknown * 3 < len(letters)
