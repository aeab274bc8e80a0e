"""PDF through pdfium: text in reading order, pages, headings, and OCR for pages that are only a picture."""

import re
from dataclasses import dataclass, field

from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.formats import ocr
from leadline.documents.formats.office import locked
from leadline.documents.formats.pdfium import PdfDocument, PdfError, PdfPage, open_document, raw
from leadline.documents.formats.pdflayout import Layout, squeezed
from leadline.documents.formats.pdflines import Line, TextPage, is_legible
from leadline.documents.formats.pdfpictures import PagePictures, look
from leadline.documents.formats.pictures import Pictures
from leadline.documents.sources import Source
from leadline.errors import DocumentError

MOST_PAGES = 20_000
_NAMES = {"Title": "title", "Author": "author", "Subject": "subject", "Keywords": "keywords"}
_DATES = {"CreationDate": "created", "ModDate": "modified"}
_DATE = re.compile(r"(?:D:)?(\d{4})(\d{2})?(\d{2})?(?:(\d{2})(\d{2})(\d{2})?)?")


@dataclass(slots=True)
class _Page:
    lines: list[Line]
    scanned: bool
    words: str = ""
    shown: PagePictures = field(default_factory=PagePictures)


def read(source: Source) -> Extracted:
    """The pages from first to last."""
    document = _open(source)
    try:
        pictures = Pictures(source)
        pages = [_page(document, i, pictures) for i in range(min(len(document), MOST_PAGES))]
        composer = Composer("pdf")
        _metadata(document, composer)
        if len(document) > MOST_PAGES:
            composer.notes.append(f"Only the first {MOST_PAGES:,} pages were read.")
        _recognise(document, pages, source, composer)
        layout = Layout([page.lines for page in pages], _outline(document))
        for i, page in enumerate(pages):
            if page.words:
                composer.page()
                for paragraph in page.words.split("\n\n"):
                    composer.paragraph(paragraph)
            else:
                layout.write(composer, page.lines, i, page.shown)
        composer.notes += pictures.notes()
        return composer.build()
    finally:
        document.close()


def _open(source: Source) -> PdfDocument:
    """Opened without a password, else with the first one that fits."""
    for password in (None, *source.passwords):
        try:
            return open_document(source.data, password)
        except PdfError as error:
            if raw.FPDF_GetLastError() == raw.FPDF_ERR_PASSWORD or "password" in str(error).lower():
                continue
            raise DocumentError(
                f"is damaged, or not PDF ({error})", "Open it in a viewer and save it again."
            ) from error
    raise locked(bool(source.passwords))


def _page(document: PdfDocument, index: int, pictures: Pictures) -> _Page:
    try:
        page = document[index]
    except PdfError:
        return _Page([], scanned=False)
    try:
        text = TextPage(page)
        legible = is_legible("".join(text.characters))
        lines = list(text.lines()) if legible else []
        if legible:
            return _Page(lines, scanned=False, shown=look(page, lines, pictures))
        return _Page(lines, scanned=len(text.characters) > 3 or _has_picture(page))
    except PdfError:
        return _Page([], scanned=False)
    finally:
        page.close()


def _has_picture(page: PdfPage) -> bool:
    return any(True for _ in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=4))


def _recognise(document: PdfDocument, pages: list[_Page], source: Source, composer: Composer) -> None:
    """OCR what is a picture; without tesseract say what is left out, or that the whole file is a scan."""
    scanned = [i for i, page in enumerate(pages) if page.scanned]
    if not scanned:
        return
    reader = ocr.find() if source.ocr else None
    if reader is not None:
        for i in list(scanned):
            if source.seconds_left() < 0:
                break
            pages[i].words = reader.read(document[i], source.seconds_left())
            scanned.remove(i)
    if not scanned:
        return
    if not any(page.lines or page.words for page in pages):
        if reader is not None:
            raise DocumentError(
                "is a scan that takes too long to recognise", "Raise the time limit, or split it."
            )
        raise DocumentError(
            "is a scan without text", "Install tesseract (and its language data) to have it recognised." if source.ocr
            else "Switch OCR on to have it recognised."
        )  # fmt: skip
    why = "the time was used up" if reader is not None else "install tesseract to have them recognised"
    composer.notes.append(f"Scanned pages left out ({why}): {_ranges([i + 1 for i in scanned])}.")


def _ranges(numbers: list[int]) -> str:
    """1, 2, 3, 7 as "1-3, 7"."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(str(p[0]) if len(p) == 1 else f"{p[0]}-{p[-1]}" for p in parts)


def _outline(document: PdfDocument) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    try:
        for entry in document.get_toc(max_depth=6):
            target = entry.get_dest()
            index = target.get_index() if target is not None else None
            words = squeezed(entry.get_title())
            if index is not None and words:
                found.setdefault(index, {})[words] = entry.level + 1
    except (PdfError, ValueError):
        return found
    return found


def _metadata(document: PdfDocument, composer: Composer) -> None:
    stated = document.get_metadata_dict(skip_empty=True)
    for key, name in _NAMES.items():
        value = stated.get(key, "").strip()
        if value and value.lower() not in {"(anonymous)", "(unspecified)", "anonymous"}:
            composer.metadata[name] = value
    for key, name in _DATES.items():
        date = iso_date(stated.get(key, ""))
        if date:
            composer.metadata[name] = date
    composer.title = str(composer.metadata.get("title", ""))


def iso_date(text: str) -> str:
    """A PDF date (D:20240131120000+01'00') as ISO 8601, to the precision it has.

    >>> iso_date("D:20240131120000+01'00'")
    '2024-01-31T12:00:00'
    """
    match = _DATE.match(text.strip())
    if not match:
        return ""
    year, month, day, hour, minute, second = match.groups()
    date = "-".join(part for part in (year, month, day) if part)
    return f"{date}T{hour}:{minute}:{second or '00'}" if day and hour else date
