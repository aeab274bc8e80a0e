"""Jupyter notebooks: Markdown cells, code cells and what they printed. Nothing is run."""

import json
from typing import Any, cast

from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.decoding import decode
from leadline.documents.formats.markdown import structure
from leadline.documents.formats.plain import plain
from leadline.documents.normalising import normalise
from leadline.documents.sources import Source

_LONGEST_OUTPUT = 20_000


def read(source: Source) -> Extracted:
    """The cells in order (version 3 keeps them in worksheets)."""
    text = decode(source.data)
    try:
        notebook = json.loads(text)
        cells = notebook.get("cells") or [
            c for sheet in notebook.get("worksheets", []) for c in sheet.get("cells", [])
        ]
        composer = Composer(source.kind)
        for cell in cells:
            _cell(composer, cell)
    except (ValueError, AttributeError, TypeError):
        return plain(
            normalise(text), source.kind, ("It is not a valid notebook; its text was kept as it is.",)
        )
    found = composer.build()
    composer.title = next((h.text for h in found.headings if h.level == 1), "")
    return composer.build()


def _cell(composer: Composer, cell: dict[str, Any]) -> None:
    text = normalise(_joined(cell.get("source", cell.get("input", ""))))
    kind = cell.get("cell_type")
    if kind == "markdown":
        headings, blocks = structure(text)
        composer.include(Extracted(text=text, headings=headings, blocks=blocks))
    elif kind == "heading":
        composer.heading(int(cell.get("level", 1)), text)
    elif kind == "code":
        composer.code(text)
        for output in cell.get("outputs", []):
            composer.code(_output(output)[:_LONGEST_OUTPUT])
    else:
        composer.paragraph(text)


def _output(output: dict[str, Any]) -> str:
    """The plain-text form of an output; tracebacks and pictures say nothing worth quoting."""
    data = output.get("data", output)
    return _joined(output.get("text") or data.get("text/plain") or "")


def _joined(value: object) -> str:
    return (
        "".join(str(part) for part in cast(list[object], value))
        if isinstance(value, list)
        else str(value or "")
    )
