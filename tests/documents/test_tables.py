"""Tables stay tables: every value under its own header, and the header with every piece of a long one."""

from pathlib import Path

import pytest

from leadline.documents.base import Extracted
from leadline.documents.grids import Grid
from leadline.documents.reading import read
from leadline.documents.splitting import SplitOptions, split
from leadline.types import Document
from tests.documents import samples
from tests.documents.samples import words

HEADER = "| Port | Depth |"
_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
_O = 'xmlns:text="t" xmlns:table="b" xmlns:office="o"'


def found(tmp_path: Path, name: str, data: bytes | str) -> Extracted:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read(path, ocr=False)


ROWS = [("Port", "Depth"), *((f"Harbour number {n}", f"{n} metres") for n in range(60))]


def marked(row: str, cell: str, rows: list[tuple[str, str]]) -> str:
    """Rows in some markup: each % stands for what is inside."""
    return "".join(row.replace("%", "".join(cell.replace("%", text) for text in each)) for each in rows)


def _word(rows: list[tuple[str, str]]) -> bytes:
    return samples.docx(f"<w:tbl>{marked('<w:tr>%</w:tr>', '<w:tc>' + words('%') + '</w:tc>', rows)}</w:tbl>")


def _slide(rows: list[tuple[str, str]]) -> bytes:
    cell = "<a:tc><a:txBody><a:p><a:r><a:t>%</a:t></a:r></a:p></a:txBody></a:tc>"
    frame = f"<p:graphicFrame><a:tbl>{marked('<a:tr>%</a:tr>', cell, rows)}</a:tbl></p:graphicFrame>"
    tree = f"<p:sld {_P} {_A}><p:cSld><p:spTree>{frame}</p:spTree></p:cSld></p:sld>"
    return samples.zipped({"ppt/presentation.xml": "<p/>", "ppt/slides/slide1.xml": tree})


def _sheet(rows: list[tuple[str, str]]) -> bytes:
    made = marked("<row>%</row>", '<c t="inlineStr"><is><t>%</t></is></c>', rows)
    return samples.xlsx(f"<sheetData>{made}</sheetData>")


def _open(kind: str, rows: list[tuple[str, str]]) -> bytes:
    cell = "<table:table-cell><text:p>%</text:p></table:table-cell>"
    made = marked("<table:table-row>%</table:table-row>", cell, rows)
    inner = f'<table:table table:name="T">{made}</table:table>'
    body = f"<office:spreadsheet>{inner}</office:spreadsheet>" if kind == "spreadsheet" else inner
    return samples.zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"<o {_O}><office:body>{body}</office:body></o>",
            "META-INF/manifest.xml": "<m/>",
        }
    )


_LINES = ["| " + " | ".join(row) + " |" for row in ROWS]
FILES: dict[str, bytes | str] = {
    "a.md": "\n".join([_LINES[0], "|---|---|", *_LINES[1:]]),
    "b.md": "\n".join(["The depths are these:", _LINES[0], "|---|---|", *_LINES[1:]]),
    "a.csv": "\n".join(",".join(row) for row in ROWS),
    "a.tsv": "\n".join("\t".join(row) for row in ROWS),
    "a.html": "<table>" + "".join(f"<tr><td>{a}<td>{b}" for a, b in ROWS) + "</table>",
    "a.docx": _word(ROWS),
    "a.pptx": _slide(ROWS),
    "a.xlsx": _sheet(ROWS),
    "a.odt": _open("text", ROWS),
    "a.ods": _open("spreadsheet", ROWS),
}


@pytest.mark.parametrize("name", FILES)
def test_the_header_goes_with_every_piece_of_a_long_table(tmp_path: Path, name: str) -> None:
    one = found(tmp_path, name, FILES[name])
    document = Document("d", name, one.text, "t", "h", headings=one.headings, blocks=one.blocks)
    pieces = [c for c in split(document, SplitOptions(600, 2_000))[1] if c.kind == "table"]
    assert len(pieces) > 2
    assert all((HEADER in piece.text) != (piece.context == HEADER) for piece in pieces)
    assert all("depth" in piece.terms.split() for piece in pieces)
    assert all(one.text[piece.start : piece.end] == piece.text for piece in pieces)
    assert sum(piece.text.count(" metres |") for piece in pieces) == 60


def test_cells_over_several_rows_and_columns_keep_the_others_in_their_place() -> None:
    grid = Grid()
    grid.row([("Port", 1, 2), ("Depth", 2, 1)])
    grid.row([("low", 1, 1), ("high", 1, 1)])
    grid.row([("Marlow", 1, 3), ("4", 1, 1), ("9", 1, 1)])
    grid.row([("5", 1, 1), ("8", 1, 1)])
    grid.row([])
    grid.row([("Hale", 1, 1), ("2", 1, 1), ("3", 1, 1)])
    assert grid.rows == [
        ["Port", "Depth", ""],
        ["Port", "low", "high"],
        ["Marlow", "4", "9"],
        ["Marlow", "5", "8"],
        ["Marlow"],
        ["Hale", "2", "3"],
    ]


def test_spans_that_nobody_means_are_bounded() -> None:
    grid = Grid()
    grid.row([("x", 10**9, 10**9)])
    for _ in range(3_000):
        grid.row([])
    assert len(grid.rows[0]) == 200 and grid.rows[1_999][0] == "x" and grid.rows[2_000] == []


def test_merged_cells_are_repeated_in_html_and_word(tmp_path: Path) -> None:
    page = "<table><tr><th>Port<th>Year<tr><td rowspan=2>Marlow<td>1990<tr><td>1991</table>"
    rows = "| Port | Year |\n| --- | --- |\n| Marlow | 1990 |\n| Marlow | 1991 |"
    assert found(tmp_path, "a.html", page).text == rows

    def cell(text: str, look: str = "") -> str:
        return f"<w:tc><w:tcPr>{look}</w:tcPr>{words(text)}</w:tc>"

    table = "".join(
        f"<w:tr>{row}</w:tr>"
        for row in (
            cell("Port") + cell("Year"),
            cell("Marlow", '<w:vMerge w:val="restart"/>') + cell("1990"),
            cell("", "<w:vMerge/>") + cell("1991"),
        )
    )
    assert found(tmp_path, "a.docx", samples.docx(f"<w:tbl>{table}</w:tbl>")).text == rows


def test_a_table_within_a_cell_is_read_once(tmp_path: Path) -> None:
    inner = f"<w:tbl><w:tr><w:tc>{words('inner')}</w:tc></w:tr></w:tbl>"
    table = f"<w:tbl><w:tr><w:tc>{words('a')}</w:tc><w:tc>{inner}</w:tc></w:tr></w:tbl>"
    assert found(tmp_path, "a.docx", samples.docx(table)).text == "| a | inner |\n| --- | --- |"


def test_covered_cells_of_a_sheet_do_not_shift_the_others(tmp_path: Path) -> None:
    def cell(text: str, spans: str = "") -> str:
        return f"<table:table-cell {spans}><text:p>{text}</text:p></table:table-cell>"

    wide = cell("Marlow", 'table:number-columns-spanned="2"') + "<table:covered-table-cell/>"
    rows = f"<table:table-row>{cell('a')}{cell('b')}{cell('c')}</table:table-row><table:table-row>{wide}{cell('9')}</table:table-row>"
    data = samples.zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"<o {_O}><office:body><table:table>{rows}</table:table></office:body></o>",
            "META-INF/manifest.xml": "<m/>",
        }
    )
    assert found(tmp_path, "a.odt", data).text == "| a | b | c |\n| --- | --- | --- |\n| Marlow |  | 9 |"
