"""XLSX: each sheet a page, its name a heading, its cells a table.

Read cell by cell as the file goes: what a sheet claims to be (a million rows) is never believed or allocated.
"""

import datetime
import io
import re

from lxml import etree

from leadline.documents.archives import Archive, Element, attribute, descendants, local
from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.formats.office import open_office, properties, relations
from leadline.documents.sources import Source

MOST_CELLS = 2_000_000
_WORKBOOK = "xl/workbook.xml"
_REFERENCE = re.compile(r"([A-Z]{1,3})(\d+)")
_DATE_FORMATS = {14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 45, 46, 47, 50, 51, 52, 53, 54, 55, 56, 57, 58}
_LITERALS = re.compile(r"\"[^\"]*\"|\\.|\[[^\]]*\]|_.")


def read(source: Source) -> Extracted:
    """The sheets in the order of the workbook."""
    archive = Archive(open_office(source))
    composer = Composer("xlsx")
    properties(archive, composer)
    strings = _shared_strings(archive)
    dates = _date_styles(archive)
    targets = relations(archive, _WORKBOOK)
    root = archive.xml(_WORKBOOK)
    since = _epoch(root)
    left = MOST_CELLS
    for sheet in descendants(root, "sheet") if root is not None else ():
        part = next(
            (
                targets[str(v)]
                for k, v in sheet.attrib.items()
                if str(k).endswith("}id") and str(v) in targets
            ),
            "",
        )
        composer.page()
        composer.heading(1, attribute(sheet, "name"))
        rows = _rows(archive.read(part), strings, dates, since, left)
        left -= sum(map(len, rows))
        composer.table(rows)
        for other in relations(archive, part).values():
            _comments(archive, composer, other)
    if left <= 0:
        composer.notes.append(f"Only the first {MOST_CELLS:,} cells were read.")
    return composer.build()


def _shared_strings(archive: Archive) -> list[str]:
    root = archive.xml("xl/sharedStrings.xml")
    return [_rich(item) for item in root if local(item) == "si"] if root is not None else []


def _rich(item: Element) -> str:
    """The text of a string, without the reading aids (furigana) that stand beside it."""
    return "".join(
        t.text or "" for t in descendants(item, "t") if not any(local(p) == "rPh" for p in t.iterancestors())
    )


def _date_styles(archive: Archive) -> frozenset[int]:
    """The cell styles that show a number as a date."""
    root = archive.xml("xl/styles.xml")
    if root is None:
        return frozenset()
    formats = set(_DATE_FORMATS)
    for custom in descendants(root, "numFmt"):
        code = _LITERALS.sub("", attribute(custom, "formatCode")).lower()
        if attribute(custom, "numFmtId").isdigit() and re.search(r"[yd]", code) and "general" not in code:
            formats.add(int(attribute(custom, "numFmtId")))
    styles = [xf for group in descendants(root, "cellXfs") for xf in group]
    return frozenset(
        i for i, xf in enumerate(styles) if attribute(xf, "numFmtId") in {str(f) for f in formats}
    )


def _epoch(root: Element | None) -> datetime.datetime:
    old = root is not None and any(
        attribute(p, "date1904") in {"1", "true"} for p in descendants(root, "workbookPr")
    )
    return datetime.datetime(1904, 1, 1) if old else datetime.datetime(1899, 12, 30)


def _rows(
    data: bytes, strings: list[str], dates: frozenset[int], since: datetime.datetime, left: int
) -> list[list[str]]:
    """The rows that hold anything; columns that are empty throughout are dropped."""
    rows: list[dict[int, str]] = []
    used: set[int] = set()
    context = etree.iterparse(
        io.BytesIO(data), tag="{*}row", recover=True, resolve_entities=False, no_network=True, huge_tree=True
    )
    for _, row in context if data.strip() else ():
        cells: dict[int, str] = {}
        for place, cell in enumerate(row.iterfind("{*}c")):
            text = _cell(cell, strings, dates, since)
            if text:
                match = _REFERENCE.fullmatch(attribute(cell, "r"))
                cells[_column(match.group(1)) if match else place] = text
        row.clear()
        if cells:
            rows.append(cells)
            used.update(cells)
            left -= len(cells)
        if left <= 0:
            break
    columns = sorted(used)
    return [[cells.get(column, "") for column in columns] for cells in rows]


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _cell(cell: Element, strings: list[str], dates: frozenset[int], since: datetime.datetime) -> str:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return _rich(cell)
    value = next((child.text or "" for child in cell if local(child) == "v"), "")
    if kind == "s":
        return strings[int(value)] if value.isdigit() and int(value) < len(strings) else ""
    if kind == "b":
        return {"1": "TRUE", "0": "FALSE"}.get(value, value)
    if kind == "n" and value and cell.get("s", "").isdigit() and int(cell.get("s", "0")) in dates:
        return _date(value, since)
    return _number(value) if kind == "n" else value


def _date(value: str, since: datetime.datetime) -> str:
    try:
        moment = since + datetime.timedelta(seconds=round(float(value) * 86_400))
    except (ValueError, OverflowError):
        return value
    if float(value) < 1:
        return moment.strftime("%H:%M:%S")
    return moment.date().isoformat() if moment.time() == datetime.time() else moment.isoformat(" ")


def _number(value: str) -> str:
    """As people see it: 0.1 is stored as 0.10000000000000001."""
    try:
        return f"{float(value):.15g}" if "." in value and len(value) > 15 else value
    except ValueError:
        return value


def _comments(archive: Archive, composer: Composer, part: str) -> None:
    root = archive.xml(part) if "/comments" in part or "/threadedComments" in part else None
    for comment in descendants(root, "comment") if root is not None else ():
        composer.paragraph(f"{attribute(comment, 'ref')}: {_rich(comment)}")
