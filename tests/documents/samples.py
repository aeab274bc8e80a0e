"""Tiny files of our own, written byte by byte, with the faults that real ones have."""

import io
import zipfile
from collections.abc import Mapping

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_TYPES = 'xmlns="http://schemas.openxmlformats.org/package/2006/content-types"'
_RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """A ZIP file of these parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def docx(body: str, **parts: str) -> bytes:
    """A Word file with this body; further parts by name, without folder and ending."""
    found = {"word/document.xml": f"<w:document {_W}><w:body>{body}</w:body></w:document>"}
    found |= {f"word/{name}.xml": f"<w:{name} {_W}>{content}</w:{name}>" for name, content in parts.items()}
    return zipped(found | {"[Content_Types].xml": f"<Types {_TYPES}/>"})


def words(text: str, style: str = "") -> str:
    """A Word paragraph."""
    look = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{look}<w:r><w:t>{text}</w:t></w:r></w:p>"


def xlsx(sheet: str, strings: str = "") -> bytes:
    """A workbook whose one sheet is called Figures."""
    return zipped(
        {
            "xl/workbook.xml": f'<workbook {_S} {_R}><sheets><sheet name="Figures" r:id="a"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships {_RELATIONS}><Relationship Id="a" Target="s.xml"/></Relationships>',
            "xl/sharedStrings.xml": f"<sst {_S}>{strings}</sst>",
            "xl/s.xml": f"<worksheet {_S}>{sheet}</worksheet>",
        }
    )


def pdf(
    *pages: str, fonts: str = "<< /F 4 0 R >>", more: Mapping[int, str] | None = None, info: str = ""
) -> bytes:
    """A PDF of these content streams. Objects 1 to 4 are catalogue, page tree, information and Helvetica."""
    kids = [5 + 2 * i for i in range(len(pages))]
    objects = {
        1: "<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>",
        3: f"<< {info} >>",
        4: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    }
    for kid, content in zip(kids, pages, strict=True):
        objects[kid] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents {kid + 1} 0 R"
            f" /Resources << /Font {fonts} /XObject << /X 90 0 R >> >> >>"
        )
        objects[kid + 1] = stream(content)
    return assemble(objects | dict(more or {}))


def stream(content: str, entries: str = "") -> str:
    """A stream object."""
    return f"<< {entries} /Length {len(content.encode('latin-1'))} >>\nstream\n{content}\nendstream"


def assemble(objects: Mapping[int, str]) -> bytes:
    """Objects, cross-reference table and trailer."""
    out = bytearray(b"%PDF-1.7\n")
    places: dict[int, int] = {}
    for number, body in sorted(objects.items()):
        places[number] = len(out)
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in places.items():
        out += f"{number} 1\n{place:010d} 00000 n \n".encode()
    out += f"trailer\n<< /Size {max(objects) + 1} /Root 1 0 R /Info 3 0 R >>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)


def lines(*texts: str, size: int = 12, top: int = 380) -> str:
    """A content stream that shows lines one below the other."""
    shown = "".join(f"({text}) Tj 0 -{size + 3} Td " for text in texts)
    return f"BT /F {size} Tf 20 {top} Td {shown}ET "


def arabic_font() -> dict[int, str]:
    """A font whose codes A to E are Arabic letters; C is the lam-alef ligature, which stands for two letters."""
    letters = {"41": "0645", "42": "0633", "43": "06440627", "44": "0628", "45": "0020"}
    table = "".join(f"<{code}> <{letter}>\n" for code, letter in letters.items())
    cmap = f"/CIDInit /ProcSet findresource begin begincmap\n1 begincodespacerange <00> <FF> endcodespacerange\n{len(letters)} beginbfchar\n{table}endbfchar\nendcmap end"
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 81 0 R >>"
    return {80: font, 81: stream(cmap)}
