"""Write the PDF and Office files of the example corpus from the plain texts in `office/`.

python examples/make_office_files.py [FOLDER]      (default: examples/corpus)

Only the standard library is used, no time of day goes in and nothing is compressed, so the same texts always give the same bytes.
"""

import re
import sys
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from textwrap import wrap
from xml.sax.saxutils import escape

HERE = Path(__file__).parent
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
MAIN = {
    kind: f"http://schemas.openxmlformats.org/{kind}/2006/main"
    for kind in ("drawingml", "presentationml", "spreadsheetml", "wordprocessingml")
}
KINDS = {
    "docx": "wordprocessingml.document.main",
    "xlsx": "spreadsheetml.sheet.main",
    "pptx": "presentationml.presentation.main",
}
MAINS = {"docx": "word/document.xml", "xlsx": "xl/workbook.xml", "pptx": "ppt/presentation.xml"}
DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


@dataclass(frozen=True, slots=True)
class Text:
    """One text file of `office/`: its properties, and its pages of (style, text) paragraphs."""

    properties: dict[str, str]
    pages: list[list[tuple[str, str]]]


def parse(source: str) -> Text:
    """Read `key: value` lines, then paragraphs; `---` begins a page, slide or sheet."""
    head, _, body = source.partition("\n\n")
    properties = dict(line.split(": ", 1) for line in head.splitlines())
    pages: list[list[tuple[str, str]]] = [[]]
    for paragraph in body.strip().split("\n\n"):
        if paragraph == "---":
            pages.append([])
        elif heading := re.match(r"(#+) (.*)", paragraph):
            pages[-1].append((f"h{len(heading[1])}", heading[2]))
        else:
            pages[-1].append(("table" if paragraph.startswith("|") else "p", paragraph))
    return Text(properties, pages)


def rows(table: str) -> list[list[str]]:
    """The cells of a Markdown table, without the line under its header."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return [row for row in cells if not set("".join(row)) <= {"-"}]


# PDF -------------------------------------------------------------------------------------------------------------


def pdf(text: Text) -> bytes:
    """A PDF of A4 pages in the two standard Helvetica fonts."""
    numbers = [5 + 2 * index for index in range(len(text.pages))]
    kids = " ".join(f"{number} 0 R" for number in numbers)
    title, author = (text.properties[key] for key in ("title", "author"))
    day = text.properties["created"].replace("-", "")
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(numbers)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in zip(numbers, text.pages, strict=True):
        stream = _page(page)
        objects += [
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]"
            f" /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents {number + 1} 0 R >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        ]
    objects.append(f"<< /Title ({title}) /Author ({author}) /CreationDate (D:{day}090000Z) >>")
    out, places = "%PDF-1.4\n", list[int]()
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    start, size = len(out), len(objects) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n{table}"
    out += f"trailer\n<< /Size {size} /Root 1 0 R /Info {size - 1} 0 R >>\nstartxref\n{start}\n%%EOF\n"
    return out.encode("cp1252")


def _page(paragraphs: Iterable[tuple[str, str]]) -> str:
    lines, top = list[str](), 780
    for style, text in paragraphs:
        font, size, width = {"h1": ("F2", 20, 48), "h2": ("F2", 14, 66)}.get(style, ("F1", 11, 88))
        for line in wrap(text, width):
            shown = re.sub(r"([()\\])", r"\\\1", line)
            lines.append(f"BT /{font} {size} Tf 60 {top} Td ({shown}) Tj ET")
            top -= round(size * 1.4)
        top -= 10
    return "\n".join(lines)


# Office ----------------------------------------------------------------------------------------------------------


def office(text: Text, kind: str, path: Path) -> None:
    """A DOCX, XLSX or PPTX with as few parts as its format allows."""
    parts = {"docx": _docx, "xlsx": _xlsx, "pptx": _pptx}[kind](text)
    core = (
        f'<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{escape(text.properties['title'])}</dc:title>"
        f"<dc:creator>{escape(text.properties['author'])}</dc:creator>"
        '<dcterms:created xsi:type="dcterms:W3CDTF">'
        f"{text.properties['created']}T09:00:00Z</dcterms:created></cp:coreProperties>"
    )
    links = [("officeDocument", MAINS[kind]), ("metadata/core-properties", "docProps/core.xml")]
    parts = {"_rels/.rels": _links(links), "docProps/core.xml": core, **parts}
    parts = {"[Content_Types].xml": _content_types(kind, parts), **parts}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, body in parts.items():
            archive.writestr(zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0)), DECLARATION + body)


def _content_types(kind: str, names: Iterable[str]) -> str:
    types = {
        f"/{MAINS[kind]}": f"application/vnd.openxmlformats-officedocument.{KINDS[kind]}+xml",
        "/docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml",
    }
    endings = {
        "styles": "wordprocessingml.styles",
        "sheet": "spreadsheetml.worksheet",
        "slide": "presentationml.slide",
    }
    for name in names:
        if ending := endings.get(re.sub(r"\d*\.xml$", "", name.rpartition("/")[2])):
            types[f"/{name}"] = f"application/vnd.openxmlformats-officedocument.{ending}+xml"
    overrides = "".join(f'<Override PartName="{name}" ContentType="{of}"/>' for name, of in types.items())
    return (
        f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f"{overrides}</Types>"
    )


def _links(links: Iterable[tuple[str, str]]) -> str:
    def one(number: int, kind: str, target: str) -> str:
        base = PACKAGE if kind.startswith("metadata") else OFFICE
        return f'<Relationship Id="rId{number}" Type="{base}/relationships/{kind}" Target="{target}"/>'

    inner = "".join(one(number, kind, target) for number, (kind, target) in enumerate(links, 1))
    return f'<Relationships xmlns="{PACKAGE}/relationships">{inner}</Relationships>'


def _docx(text: Text) -> dict[str, str]:
    def paragraph(words: str, style: str = "") -> str:
        properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
        return f"<w:p>{properties}<w:r><w:t>{escape(words)}</w:t></w:r></w:p>"

    def table(cells: list[list[str]]) -> str:
        lines = ("".join(f"<w:tc><w:tcPr/>{paragraph(cell)}</w:tc>" for cell in row) for row in cells)
        grid = "<w:gridCol/>" * len(cells[0])
        return f"<w:tbl><w:tblPr/><w:tblGrid>{grid}</w:tblGrid>{''.join(f'<w:tr>{line}</w:tr>' for line in lines)}</w:tbl>"

    body = ""
    for style, words in (piece for page in text.pages for piece in page):
        heading = f"Heading{style[1]}" if style.startswith("h") else ""
        body += table(rows(words)) if style == "table" else paragraph(words, heading)
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/>'
        f'<w:pPr><w:outlineLvl w:val="{level - 1}"/></w:pPr><w:rPr><w:b/><w:sz w:val="{44 - 8 * level}"/></w:rPr></w:style>'
        for level in (1, 2)
    )
    space = f'xmlns:w="{MAIN["wordprocessingml"]}"'
    return {
        "word/document.xml": f"<w:document {space}><w:body>{body}<w:sectPr/></w:body></w:document>",
        "word/styles.xml": f"<w:styles {space}>{styles}</w:styles>",
        "word/_rels/document.xml.rels": _links([("styles", "styles.xml")]),
    }


def _xlsx(text: Text) -> dict[str, str]:
    def cell(value: str) -> str:
        if value.isdigit():
            return f"<c><v>{value}</v></c>"
        return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'

    parts, names = dict[str, str](), list[str]()
    for number, page in enumerate(text.pages, 1):
        (_, name), (_, table) = page
        names.append(f'<sheet name="{escape(name)}" sheetId="{number}" r:id="rId{number}"/>')
        lines = "".join(f"<row>{''.join(cell(value) for value in row)}</row>" for row in rows(table))
        parts[f"xl/worksheets/sheet{number}.xml"] = (
            f'<worksheet xmlns="{MAIN["spreadsheetml"]}"><sheetData>{lines}</sheetData></worksheet>'
        )
    book = f'<workbook xmlns="{MAIN["spreadsheetml"]}" xmlns:r="{OFFICE}/relationships"><sheets>{"".join(names)}</sheets></workbook>'
    links = [("worksheet", f"worksheets/sheet{number}.xml") for number in range(1, len(names) + 1)]
    return {"xl/workbook.xml": book, "xl/_rels/workbook.xml.rels": _links(links), **parts}


def _pptx(text: Text) -> dict[str, str]:
    spaces = (
        f'xmlns:a="{MAIN["drawingml"]}" xmlns:p="{MAIN["presentationml"]}" xmlns:r="{OFFICE}/relationships"'
    )

    def shape(number: int, kind: str, paragraphs: Iterable[str]) -> str:
        words = "".join(f"<a:p><a:r><a:t>{escape(line)}</a:t></a:r></a:p>" for line in paragraphs)
        return (
            f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{kind} {number}"/><p:cNvSpPr/>'
            f'<p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr><p:spPr/>'
            f"<p:txBody><a:bodyPr/>{words}</p:txBody></p:sp>"
        )

    def slide(page: list[tuple[str, str]]) -> str:
        title, lines = [t for s, t in page if s == "h1"], [t for s, t in page if s == "p"]
        tree = shape(2, "title", title) + shape(3, "body", lines)
        group = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
        return f"<p:sld {spaces}><p:cSld><p:spTree>{group}{tree}</p:spTree></p:cSld></p:sld>"

    numbers = range(1, len(text.pages) + 1)
    ids = "".join(f'<p:sldId id="{255 + number}" r:id="rId{number}"/>' for number in numbers)
    show = f'<p:presentation {spaces}><p:sldIdLst>{ids}</p:sldIdLst><p:notesSz cx="6858000" cy="9144000"/></p:presentation>'
    slides = {f"ppt/slides/slide{n}.xml": slide(page) for n, page in zip(count(1), text.pages)}
    links = [("slide", f"slides/slide{number}.xml") for number in numbers]
    return {"ppt/presentation.xml": show, "ppt/_rels/presentation.xml.rels": _links(links), **slides}


def write(folder: Path) -> Iterator[Path]:
    """Write every file into `folder` and yield its path."""
    for source in sorted((HERE / "office").glob("*.txt")):
        text = parse(source.read_text(encoding="utf-8"))
        path = folder / text.properties["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        kind = path.suffix.removeprefix(".")
        if kind == "pdf":
            path.write_bytes(pdf(text))
        else:
            office(text, kind, path)
        yield path


if __name__ == "__main__":
    for written in write(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "corpus"):
        print(written)
