"""A report as a PDF, set by Typst.

paragraphs -> fonts -> lines with right-to-left text: broken, drawn as shapes, covered with characters -> pages

Shaped Arabic does not read back from a PDF: a ligature or a letter with marks is one glyph of several characters or
several glyphs of one. So such a line is drawn as shapes, and over them stand its characters, one by one, unseen.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

import typst

from leadline.citing.report.blank import FAMILY, blank_font
from leadline.citing.report.breaking import Widths, broken, words
from leadline.citing.report.directions import RIGHT_TO_LEFT, letters, runs_right_to_left, written
from leadline.citing.report.fonts import Fonts, fonts_for, is_han, printable
from leadline.citing.report.outline import Report
from leadline.citing.report.paragraphs import MARGIN, SOFT, WARNING, WIDE, Paragraph, Style, Table, paragraphs
from leadline.scratch import Scratch

_SIZE = re.compile(rb'<svg[^>]*? width="([\d.]+)pt" height="([\d.]+)pt"')
_LONG = 36
"""Characters of a word that may be broken anywhere, as an address is."""
_PART = re.compile(r"[^/?&=.#_%]{1,20}[/?&=.#_%]*|[/?&=.#_%]{1,20}")

Data = dict[str, Any]
Look = tuple[tuple[str, ...], float, int]
"""Fonts, size and weight: what the width of a word depends on."""


def render_pdf(report: Report) -> bytes:
    """A document of A4 pages. `ConfigError` when no font has a glyph for one of its characters."""
    blocks = [_printable(block) for block in paragraphs(report)]
    whole = list(_each(blocks))
    fonts = fonts_for(text for part in whole for text in (part.text, part.note))
    with Scratch("report") as folder:
        return _Setting(fonts, folder.path).pages(printable(report.title), blocks, whole)


def _printable(block: Paragraph | Table) -> Paragraph | Table:
    if isinstance(block, Table):
        return Table(tuple((_clean(left), _clean(right)) for left, right in block.rows))
    return _clean(block)


def _clean(part: Paragraph) -> Paragraph:
    """What can be printed, with the marks of a line that is covered with characters among its text."""
    part = replace(part, text=printable(part.text), note=printable(part.note))
    if not RIGHT_TO_LEFT.search(f"{part.text}{part.note}"):
        return part
    marks = "".join(f"[{number}]" for number in part.marks)
    text = " ".join(each for each in (part.text, marks, part.note) if each)
    return replace(part, text=text, marks=(), note="")


def _each(blocks: Iterable[Paragraph | Table]) -> Iterator[Paragraph]:
    for block in blocks:
        if isinstance(block, Table):
            yield from (cell for row in block.rows for cell in row)
        else:
            yield block


@dataclass(frozen=True, slots=True)
class _Setting:
    """One report being set, with files in `folder`."""

    fonts: Fonts
    folder: Path

    def pages(self, title: str, blocks: Sequence[Paragraph | Table], whole: Sequence[Paragraph]) -> bytes:
        turned = [part for part in whole if RIGHT_TO_LEFT.search(part.text)]
        lines = self._lines(turned) if turned else {}
        data = {
            "title": title,
            "margin": MARGIN,
            "wide": WIDE,
            "plain": self.fonts.plain,
            "han": self.fonts.han,
            "region": self.fonts.language,
            "blank": FAMILY,
            "blocks": [self._block(block, lines) for block in blocks],
        }
        return self._compiled("report", data, "pdf")[0]

    def _block(self, block: Paragraph | Table, lines: Mapping[Paragraph, list[Data]]) -> Data:
        if isinstance(block, Table):
            return {"rows": [[self._part(cell, lines) for cell in row] for row in block.rows]}
        return self._part(block, lines)

    def _part(self, part: Paragraph, lines: Mapping[Paragraph, list[Data]]) -> Data:
        return {
            **asdict(part.style),
            "pieces": _pieces(part.text),
            "marks": part.marks,
            "note": part.note,
            "note-fill": WARNING if part.warned else SOFT,
            "link": part.link,
            "target": part.target,
            "han": is_han(part.text),
            "right": runs_right_to_left(part.text),
            "lines": lines.get(part, []),
        }

    def _lines(self, turned: Sequence[Paragraph]) -> dict[Paragraph, list[Data]]:
        """Every line of these paragraphs, as shapes and as letters."""
        widths = self._widths(turned)
        flat = [
            (part, text)
            for part in dict.fromkeys(turned)
            for text in broken(part.text, part.style, widths[self._look(part)])
        ]
        drawn = self._compiled("lines", [self._line(part, text) for part, text in flat], "svg")
        blank_font("".join(written(text) for _, text in flat), self.folder)
        found: dict[Paragraph, list[Data]] = {}
        for (part, text), shapes in zip(flat, drawn, strict=True):
            found.setdefault(part, []).append(_shaped(text, shapes, part.style))
        return found

    def _line(self, part: Paragraph, text: str) -> Data:
        style = part.style
        look = {"fonts": self._look(part)[0], "size": style.size, "weight": style.weight, "fill": style.fill}
        return {**look, "text": text, "right": runs_right_to_left(part.text)}

    def _look(self, part: Paragraph) -> Look:
        family = self.fonts.han if is_han(part.text) else self.fonts.plain
        return family, part.style.size, part.style.weight

    def _widths(self, turned: Sequence[Paragraph]) -> dict[Look, Widths]:
        used: dict[Look, set[str]] = {}
        for part in turned:
            used.setdefault(self._look(part), set()).update(word for word, _ in words(part.text))
        groups = [
            {"fonts": look[0], "size": look[1], "weight": look[2], "words": sorted(each)}
            for look, each in used.items()
        ]
        measured = self._asked("measure", groups, "<widths>")
        return {
            look: Widths(group["space"], dict(zip(sorted(each), group["words"], strict=True)))
            for (look, each), group in zip(used.items(), measured, strict=True)
        }

    def _compiler(self, name: str, data: object) -> typst.Compiler:
        source = self.folder / f"{name}.typ"
        source.write_text(files("leadline.citing.report").joinpath(f"{name}.typ").read_text("utf-8"), "utf-8")
        paths = [str(self.folder), *self.fonts.paths]
        found = typst.Fonts(
            include_system_fonts=self.fonts.everywhere, include_embedded_fonts=False, font_paths=paths
        )
        inputs = {"data": json.dumps(data, ensure_ascii=False)}
        return typst.Compiler(source, root=self.folder, font_paths=found, sys_inputs=inputs)

    def _compiled(self, name: str, data: object, kind: str) -> list[bytes]:
        made = cast("bytes | list[bytes]", self._compiler(name, data).compile(format=cast(Any, kind)))
        return made if isinstance(made, list) else [made]

    def _asked(self, name: str, data: object, label: str) -> list[Data]:
        return json.loads(self._compiler(name, data).query(label, field="value", one=True))


def _shaped(text: str, shapes: bytes, style: Style) -> Data:
    size = _SIZE.search(shapes)
    if size is None:
        raise AssertionError("a drawn line says how large it is")
    return {
        "text": text,
        "shapes": shapes.decode(),
        "width": float(size[1]),
        "height": float(size[2]),
        "room": style.room - style.indent,
        "letters": letters(text),
    }


def _pieces(text: str) -> list[Data]:
    """The text as pieces that typeset alike. `kept` ones are not broken: readers take a hyphen at the end of a line for
    one of the typesetter's and join the word without it. A line may also end before and after a part of a long word."""
    pieces: list[Data] = []
    for word, spaced in words(text):
        if spaced:
            pieces.append({"text": " ", "kept": False, "gap": False})
        long = len(word) > _LONG
        for part in _parts(word) if long else (word,):
            pieces.append({"text": part, "kept": long or "-" in part, "gap": long})
    joined: list[Data] = []
    for piece in pieces:
        if joined and not (piece["kept"] or piece["gap"] or joined[-1]["kept"] or joined[-1]["gap"]):
            joined[-1]["text"] += piece["text"]
        else:
            joined.append(piece)
    return joined


def _parts(word: str) -> list[str]:
    parts: list[str] = []
    for part in _PART.findall(word):
        if parts and parts[-1].endswith("-") and len(parts[-1]) < _LONG:
            parts[-1] += part
        else:
            parts.append(part)
    return parts
