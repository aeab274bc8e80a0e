"""Jupyter notebooks: Markdown cells, code cells and what they printed. Nothing is run."""

import base64
import binascii
import json
import re
from functools import partial
from typing import Any, cast

from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.decoding import decode
from leadline.documents.formats.markdown import structure, without_pictures
from leadline.documents.formats.pictures import LARGEST_BYTES, Pictures
from leadline.documents.formats.plain import plain
from leadline.documents.normalising import normalise
from leadline.documents.sources import Source

_LONGEST_OUTPUT = 20_000
_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_STANDING_IN = re.compile(
    r"<(?:Figure size|matplotlib|AxesSubplot|IPython\.core\.display\.Image)[^\n]*>|\[?<[^\n]* at 0x\w+>\]?"
)
"""What a program prints in place of a picture."""


def read(source: Source) -> Extracted:
    """The cells in order (version 3 keeps them in worksheets)."""
    text = decode(source.data)
    try:
        notebook = json.loads(text)
        cells = notebook.get("cells") or [
            c for sheet in notebook.get("worksheets", []) for c in sheet.get("cells", [])
        ]
        composer = Composer(source.kind)
        pictures = Pictures(source)
        for cell in cells:
            _cell(composer, cell, pictures)
        composer.notes += pictures.notes()
    except (ValueError, AttributeError, TypeError):
        return plain(
            normalise(text), source.kind, ("It is not a valid notebook; its text was kept as it is.",)
        )
    found = composer.build()
    composer.title = next((h.text for h in found.headings if h.level == 1), "")
    return composer.build()


def _cell(composer: Composer, cell: dict[str, Any], pictures: Pictures) -> None:
    text = normalise(_joined(cell.get("source", cell.get("input", ""))))
    kind = cell.get("cell_type")
    if kind == "markdown":
        pictures.held = partial(_attached, cell.get("attachments") or {})
        text, read_in = without_pictures(text, pictures)
        headings, blocks = structure(text, read_in)
        composer.include(Extracted(text=text, headings=headings, blocks=blocks))
    elif kind == "heading":
        composer.heading(int(cell.get("level", 1)), text)
    elif kind == "code":
        composer.code(text)
        for output in cell.get("outputs", []):
            _output(composer, output, pictures)
    else:
        composer.paragraph(text)


def _output(composer: Composer, output: dict[str, Any], pictures: Pictures) -> None:
    """The plain-text form of an output, and the words in its picture; tracebacks say nothing worth quoting."""
    data = output.get("data", output)
    picture = _picture(data)
    text = _joined(output.get("text") or data.get("text/plain") or "")
    if picture and _STANDING_IN.fullmatch(text.strip()):
        text = ""
    composer.code(text[:_LONGEST_OUTPUT])
    if picture:
        composer.figure(pictures.words(picture))


def _attached(attachments: dict[str, dict[str, Any]], address: str) -> bytes:
    return _picture(attachments.get(address.partition(":")[2]) or {})


def _picture(data: dict[str, Any]) -> bytes:
    """The first picture among the forms of an output or attachment."""
    encoded = next((data[form] for form in _PICTURES if data.get(form)), "")
    try:
        return base64.b64decode(_joined(encoded)[: LARGEST_BYTES * 4 // 3])
    except (binascii.Error, ValueError):
        return b""


def _joined(value: object) -> str:
    return (
        "".join(str(part) for part in cast(list[object], value))
        if isinstance(value, list)
        else str(value or "")
    )
