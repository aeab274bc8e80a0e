"""Tables of PDF files: found by their columns, and nothing else taken for one."""

from pathlib import Path

from leadline.documents.base import Extracted
from leadline.documents.formats import pdftables
from leadline.documents.formats.pdflines import Line
from leadline.documents.reading import read
from tests.documents import samples

ROWS = [("Port", "Work", "Cost"), ("Marlow", "dredging", "4200"), ("Hale Quay", "painting of all", "80")]


def row(height: int, *cells: str, places: tuple[int, ...] = (20, 120, 220)) -> str:
    shown = zip(places, cells, strict=False)
    return "".join(f"BT /F 10 Tf {left} {height} Td ({text}) Tj ET " for left, text in shown if text)


def rows(texts: list[tuple[str, ...]], top: int = 350) -> str:
    return "".join(row(top - 14 * number, *cells) for number, cells in enumerate(texts))


def found(tmp_path: Path, *content: str) -> Extracted:
    path = tmp_path / "a.pdf"
    path.write_bytes(samples.pdf("".join(content)))
    return read(path, ocr=False)


def tables(one: Extracted) -> list[str]:
    return [one.text[b.start : b.end] for b in one.blocks if b.kind == "table"]


BEFORE = samples.lines("The costs of the harbour are these and were paid by the town.", top=380, size=10)
AFTER = samples.lines("After the table more words follow here, as they often do.", top=240, size=10)


def test_lines_whose_cells_stand_below_each_other_are_a_table(tmp_path: Path) -> None:
    one = found(tmp_path, BEFORE, rows(ROWS), AFTER)
    assert tables(one) == [
        "| Port | Work | Cost |\n| --- | --- | --- |\n| Marlow | dredging | 4200 |\n| Hale Quay | painting of all | 80 |"
    ]
    assert one.text.startswith("The costs of the harbour") and one.text.endswith("as they often do.")


def test_empty_cells_and_wrapped_ones_stay_in_their_column(tmp_path: Path) -> None:
    [table] = tables(
        found(
            tmp_path,
            rows(
                [
                    *ROWS,
                    ("Tern", "", "7"),
                    (
                        "",
                        "and more of it",
                    ),
                    ("Ems", "tar", "3"),
                ]
            ),
        )
    )
    assert "| Tern | and more of it | 7 |\n| Ems | tar | 3 |" in table


def test_prose_in_two_columns_is_no_table(tmp_path: Path) -> None:
    left = "The quay was built by hand in stone"
    right = "and boats came from far away to it"
    page = "".join(row(350 - 14 * n, left, right, places=(20, 220)) for n in range(8))
    assert tables(found(tmp_path, page)) == []


def test_two_rows_are_no_table_and_a_row_of_figures_no_header(tmp_path: Path) -> None:
    assert tables(found(tmp_path, BEFORE, rows(ROWS[:2]), AFTER)) == []
    figures = [("Hale", "12", "4200"), ("4", "13", "80"), ("5", "14", "81")]
    one = found(tmp_path, rows(figures))
    assert tables(one) == [] and "12 4200" in one.text


def test_a_line_that_goes_on_beside_itself_is_one_row() -> None:
    def line(bottom: float, *cells: tuple[float, float, str]) -> Line:
        text = " ".join(text for _, _, text in cells)
        return Line(text, cells[0][0], cells[-1][1], bottom, bottom + 10, bottom, cells=cells)

    lines = [
        line(90, (20, 40, "Port"), (120, 150, "Area (km2")),
        line(90, (152, 154, ")"), (220, 240, "Cost")),
        line(76, (20, 50, "Marlow"), (120, 130, "5"), (220, 240, "4200")),
        line(62, (20, 40, "Hale"), (120, 130, "6"), (220, 230, "80")),
    ]
    rows = [["Port", "Area (km2)", "Cost"], ["Marlow", "5", "4200"], ["Hale", "6", "80"]]
    assert pdftables.tables(lines) == {0: (4, rows)}
