"""DOC, PPT and XLS, the binary formats before 2007, through the one library that reads them without an office."""

import re
from typing import Any

import kreuzberg

from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.formats.office import decrypt
from leadline.documents.sources import Source
from leadline.errors import DocumentError

_MIME = {
    "doc": "application/msword",
    "ppt": "application/vnd.ms-powerpoint",
    "xls": "application/vnd.ms-excel",
}
_FIELD_CODE = re.compile(
    r"\b(?:SEQ|REF|PAGEREF|TOC|HYPERLINK|INCLUDEPICTURE|FORMTEXT|PAGE|DATE)\b[^\n]{0,200}?\\\*? ?(?:ARABIC|MERGEFORMAT|h|o|z|u)\b ?"
)


def read(source: Source) -> Extracted:
    """The text the library finds; a failure of any kind in it becomes an error that says so."""
    data = decrypt(source.data, source.passwords)
    options: dict[str, Any] = {"use_cache": False, "disable_ocr": True, "output_format": "plain"}
    config = kreuzberg.ExtractionConfig(**options)
    try:
        result = kreuzberg.extract_bytes_sync(data, _MIME[source.kind], config)
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:
        raise DocumentError(
            f"is damaged, or not {source.kind.upper()} ({str(error)[:120]})",
            "Save it as DOCX, XLSX or PDF and load that.",
        ) from error
    composer = Composer(source.kind)
    _metadata(composer, result)
    if source.kind == "xls" and result.tables:
        names = result.metadata.get("sheet_names", [])
        for table in result.tables:
            composer.page(table.page_number or 0)
            place = (table.page_number or 0) - 1
            composer.heading(1, names[place] if 0 <= place < len(names) else "")
            composer.table(table.cells)
    elif source.kind == "ppt":
        composer.paragraph(re.sub(r"\n{2,}", "\n", result.content))
    else:
        for paragraph in result.content.split("\n"):
            composer.paragraph(_FIELD_CODE.sub("", paragraph).replace("\t\t", "\n").strip("\t"))
    return composer.build()


def _metadata(composer: Composer, result: kreuzberg.ExtractionResult) -> None:
    composer.title = result.metadata.get("title") or ""
    authors = result.metadata.get("authors")
    for name, value in (
        ("title", composer.title),
        ("author", ", ".join(authors) if authors else ""),
        ("created", result.metadata.get("created_at")),
        ("modified", result.metadata.get("modified_at")),
        ("subject", result.metadata.get("subject")),
    ):
        if value:
            composer.metadata[name] = value
