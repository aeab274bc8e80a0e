"""Recognise scanned pages and pictures with the tesseract program, if it is installed.

Turned pages are tried in all four directions.
"""

import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leadline.documents.formats.pdfium import Box, PdfPage

_DOTS_PER_INCH = 300
_MOST_PIXELS = 30_000_000
_POOR = 70.0
_UNSURE, _FEW_WORDS = 60.0, 2
"""A photograph gives a few unsure words that stand nowhere."""
_MOST_LANGUAGES = 4
_SCRIPTS = {
    "Latin": ("eng", "fra", "deu", "spa", "ita", "por", "nld", "pol", "tur", "vie"),
    "Han": ("chi_sim", "chi_tra", "eng"),
    "Japanese": ("jpn", "eng"),
    "Korean": ("kor", "eng"),
    "Hangul": ("kor", "eng"),
    "Arabic": ("ara", "fas", "urd", "eng"),
    "Cyrillic": ("rus", "ukr", "eng"),
    "Greek": ("ell", "eng"),
    "Hebrew": ("heb", "eng"),
    "Devanagari": ("hin", "eng"),
    "Thai": ("tha", "eng"),
}


@dataclass(frozen=True, slots=True)
class _Words:
    text: str = ""
    count: int = 0
    confidence: float = 0.0

    @property
    def score(self) -> float:
        return self.count * max(0.0, self.confidence - 40)


@dataclass(frozen=True, slots=True)
class Tesseract:
    """The program and the languages it has data for."""

    program: str
    languages: tuple[str, ...]

    def read(self, page: "PdfPage", seconds: float) -> str:
        """The text of one page, in paragraphs that blank lines separate."""
        image = _picture(page, 0)
        languages = self._languages(image, seconds)
        best = self._recognise(image, languages, seconds)
        if best.confidence < _POOR or best.count < 3:
            for rotation in (180, 90, 270):
                turned = self._recognise(_picture(page, rotation), languages, seconds)
                best = max(best, turned, key=lambda words: words.score)
        return best.text

    def read_image(self, image: bytes, seconds: float) -> str:
        """The words of a picture (PNG, JPEG ...) in paragraphs; "" when it hardly seems to hold any."""
        found = self._recognise(image, self._languages(image, seconds), seconds)
        return found.text if found.count >= _FEW_WORDS and found.confidence >= _UNSURE else ""

    def read_part(self, page: "PdfPage", box: "Box", seconds: float) -> str:
        """The same for a part of a page: left, bottom, right and top in points."""
        return self.read_image(_picture(page, 0, box), seconds)

    def _languages(self, image: bytes, seconds: float) -> str:
        """All that are installed if they are few, else those of the script that the page shows."""
        if len(self.languages) <= _MOST_LANGUAGES:
            return "+".join(self.languages)
        shown = self._run(image, ["--psm", "0"], seconds)
        script = next(
            (line.split(":")[1].strip() for line in shown.split("\n") if line.startswith("Script:")), "Latin"
        )
        fitting = [name for name in _SCRIPTS.get(script, ()) if name in self.languages]
        return "+".join((fitting or list(self.languages))[:_MOST_LANGUAGES])

    def _recognise(self, image: bytes, languages: str, seconds: float) -> _Words:
        return words_of(self._run(image, ["-l", languages, "--psm", "3", "tsv"], seconds))

    def _run(self, image: bytes, arguments: list[str], seconds: float) -> str:
        # One thread each: the pool already runs as many workers as there is room for.
        command = ["env", "OMP_THREAD_LIMIT=1", self.program, "stdin", "stdout", *arguments]
        try:
            done = subprocess.run(
                command, input=image, capture_output=True, timeout=max(1.0, seconds), check=False
            )
        except (subprocess.TimeoutExpired, OSError):
            return ""
        return done.stdout.decode("utf-8", "replace")


@cache
def find() -> Tesseract | None:
    """Tesseract with its languages, None when it is not installed or has no language data."""
    program = shutil.which("tesseract")
    if program is None:
        return None
    try:
        listed = subprocess.run(
            [program, "--list-langs"], capture_output=True, timeout=20, check=False
        ).stdout
    except (subprocess.TimeoutExpired, OSError):
        return None
    names = [line.strip() for line in listed.decode("utf-8", "replace").split("\n")[1:]]
    languages = sorted(
        (n for n in names if n and n not in {"osd", "equ"} and "/" not in n), key=lambda n: (n != "eng", n)
    )
    return Tesseract(program, tuple(languages)) if languages else None


def _picture(page: "PdfPage", rotation: int, box: "Box | None" = None) -> bytes:
    """The page, or a part of it, as a grey PGM image, large enough to recognise and no larger than is safe."""
    width, height = page.get_size()
    left, bottom, right, top = box or (0.0, 0.0, width, height)
    scale = _DOTS_PER_INCH / 72
    area = max(1.0, (right - left) * (top - bottom))
    if area * scale * scale > _MOST_PIXELS:
        scale = (_MOST_PIXELS / area) ** 0.5
    crop = (left, bottom, width - right, height - top)
    bitmap = page.render(scale=scale, rotation=rotation, crop=crop, grayscale=True)
    data = bytes(bitmap.buffer)
    if bitmap.stride != bitmap.width:
        data = b"".join(
            data[row * bitmap.stride : row * bitmap.stride + bitmap.width] for row in range(bitmap.height)
        )
    return b"P5\n%d %d\n255\n" % (bitmap.width, bitmap.height) + data


def words_of(table: str) -> _Words:
    """Tesseract's table of words as paragraphs, and how sure it is of them."""
    paragraphs: dict[tuple[str, str], dict[str, list[str]]] = {}
    sure: list[float] = []
    for row in table.split("\n")[1:]:
        cells = row.split("\t")
        if len(cells) < 12 or not cells[11].strip():
            continue
        block, paragraph, line, confidence, word = (
            cells[2],
            cells[3],
            cells[4],
            float(cells[10]),
            cells[11].strip(),
        )
        paragraphs.setdefault((block, paragraph), {}).setdefault(line, []).append(word)
        if len(word) > 1 and any(c.isalnum() for c in word):
            sure.append(confidence)
    text = "\n\n".join(
        "\n".join(" ".join(words) for words in lines.values()) for lines in paragraphs.values()
    )
    return _Words(text, len(sure), sum(sure) / len(sure) if sure else 0.0)
