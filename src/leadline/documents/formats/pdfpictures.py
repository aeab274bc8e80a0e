"""The pictures on a PDF page: where they stand, what is read in them, and what a tagged file says of them."""

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from leadline.documents.formats.ocr import Tesseract
from leadline.documents.formats.pdfium import Box, PdfError, PdfPage, raw
from leadline.documents.formats.pdflines import Line
from leadline.documents.formats.pictures import LARGEST_BYTES, Pictures
from leadline.documents.formats.rasters import png

_MOST_OBJECTS = 5_000
"""A page of more is a drawing; looking through it all for pictures takes longer than they are worth."""
_LEAST_SIDE = 36.0
_MOST_ELEMENTS = 500
_SEEN_SIDE = 1_280
_SEEN_SCALE = 2.0
_NEAR = 60.0
_LONGEST_ALT = 4_000


@dataclass(slots=True)
class Picture:
    """One picture: left, bottom, right and top in points, and its words."""

    box: Box
    words: str = ""
    alt: str = ""


@dataclass(slots=True)
class PagePictures:
    """What a page shows besides its lines. `alts` are texts that cannot be told apart by picture."""

    pictures: list[Picture] = field(default_factory=list[Picture])
    alts: list[str] = field(default_factory=list[str])

    def beside(self, lines: Sequence[Line]) -> list[str]:
        """The texts of the picture right above or below some lines (its caption), which is then used up."""
        near = [picture for picture in self.pictures if _distance(picture.box, lines) <= _NEAR]
        if not near:
            return [self.alts.pop(0)] if len(self.alts) == 1 and not self.pictures else []
        chosen = min(near, key=lambda picture: _distance(picture.box, lines))
        self.pictures.remove(chosen)
        return [chosen.alt, chosen.words]


def look(page: PdfPage, lines: Sequence[Line], pictures: Pictures) -> PagePictures:
    """The pictures of a page that has text. One with text over it is a background and not read."""
    found: list[Picture] = []
    try:
        for item, box in _images(page):
            picture = Picture(box)
            if not any(_covers(box, line) for line in lines):
                picture.words = _words(page, item, box, pictures)
            found.append(picture)
        alts = _alts(page)
    except PdfError:
        return PagePictures(found)
    if len(alts) == len(found):
        for picture, alt in zip(found, alts, strict=True):
            picture.alt = alt
        alts = []
    return PagePictures(found, alts)


def _images(page: PdfPage) -> Iterator[tuple[Any, Box]]:
    """The larger images drawn on the page itself; those within a form have the form's coordinates."""
    if raw.FPDFPage_CountObjects(page) > _MOST_OBJECTS:
        return
    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=1):
        values = [ctypes.c_float() for _ in range(4)]
        if raw.FPDFPageObj_GetBounds(item, *values):
            left, bottom, right, top = (value.value for value in values)
            if min(right - left, top - bottom) >= _LEAST_SIDE:
                yield item, (left, bottom, right, top)


def _words(page: PdfPage, item: Any, box: Box, pictures: Pictures) -> str:
    """What is read at a picture's place, drawn as the page shows it; a turned page is left out."""
    size = raw.FPDFImageObj_GetImageDataRaw(item, None, 0)
    if page.get_rotation() or not 0 < size <= LARGEST_BYTES:
        return ""
    buffer = ctypes.create_string_buffer(size)
    raw.FPDFImageObj_GetImageDataRaw(item, buffer, size)
    left, bottom, right, top = page.get_cropbox()
    part = (
        max(box[0], left) - left,
        max(box[1], bottom) - bottom,
        min(box[2], right) - left,
        min(box[3], top) - bottom,
    )
    if min(part[2] - part[0], part[3] - part[1]) < _LEAST_SIDE:
        return ""

    def recognise(reader: Tesseract, seconds: float) -> str:
        return reader.read_part(page, part, seconds)

    read = pictures.recognised(buffer.raw, recognise)
    mark = pictures.marked(buffer.raw, lambda: as_png(page, part)) if pictures.seen else ""
    return "\n\n".join(filter(None, (mark, read)))


def as_png(page: PdfPage, box: Box) -> bytes:
    """A part of a page, in colour, as a PNG file no larger than models look at."""
    width, height = page.get_size()
    left, bottom, right, top = box
    scale = min(_SEEN_SCALE, _SEEN_SIDE / max(right - left, top - bottom))
    crop = (left, bottom, width - right, height - top)
    bitmap = page.render(scale=scale, rotation=0, crop=crop, grayscale=False, rev_byteorder=True)
    data, row = bytes(bitmap.buffer), bitmap.width * bitmap.n_channels
    rows = [data[y * bitmap.stride : y * bitmap.stride + row] for y in range(bitmap.height)]
    return png(bitmap.width, bitmap.n_channels, rows)


def _covers(box: Box, line: Line) -> bool:
    across, along = (line.left + line.right) / 2, (line.bottom + line.top) / 2
    return box[0] <= across <= box[2] and box[1] <= along <= box[3]


def _distance(box: Box, lines: Sequence[Line]) -> float:
    """How far a picture is from the lines above or below it; far for one that is not above or below."""
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    if min(right, box[2]) - max(left, box[0]) <= 0:
        return _NEAR * 2
    top, bottom = max(line.top for line in lines), min(line.end for line in lines)
    return max(0.0, box[1] - top, bottom - box[3])


def _alts(page: PdfPage) -> list[str]:
    """The alternative texts of a tagged page's figures, in the order of its structure."""
    tree = raw.FPDF_StructTree_GetForPage(page)
    if not tree:
        return []
    found: list[str] = []
    try:
        count = raw.FPDF_StructTree_CountChildren(tree)
        stack = [raw.FPDF_StructTree_GetChildAtIndex(tree, i) for i in reversed(range(min(count, 500)))]
        for _ in range(_MOST_ELEMENTS):
            if not stack:
                break
            element = stack.pop()
            if not element:
                continue
            alt = _said(raw.FPDF_StructElement_GetAltText, element)
            if alt and _said(raw.FPDF_StructElement_GetType, element) in {"Figure", "Formula", "Form", ""}:
                found.append(alt)
            inside = min(raw.FPDF_StructElement_CountChildren(element), 500)
            stack += [raw.FPDF_StructElement_GetChildAtIndex(element, i) for i in reversed(range(inside))]
    finally:
        raw.FPDF_StructTree_Close(tree)
    return found


def _said(read: Any, element: Any) -> str:
    """A text that pdfium gives as UTF-16 with an end mark, its length in bytes first."""
    size = read(element, None, 0)
    if not 2 < size <= 2 * _LONGEST_ALT:
        return ""
    buffer = ctypes.create_string_buffer(size)
    read(element, buffer, size)
    return buffer.raw[:size].decode("utf-16-le", "replace").rstrip("\0").strip()
