"""What a page is: by what it begins with, then by what its server says, then by its address; and in which encoding.

bytes -> kind -> a name that readers of files know it by, and text in UTF-8
"""

import codecs
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from leadline.documents.decoding import declared_encoding, decode
from leadline.documents.kinds import HEAD, TEXT_KINDS, WEBPAGE, kind_of_name, looks_like_text, signature
from leadline.errors import DocumentError
from leadline.web.fetching import Fetched, shown

SUFFIXES: Mapping[str, str] = {
    "text/markdown": ".md",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "text/vtt": ".vtt",
    "application/json": ".json",
    "application/ld+json": ".json",
    "application/x-ndjson": ".jsonl",
    "application/pdf": ".pdf",
    "application/rtf": ".rtf",
    "text/rtf": ".rtf",
    "application/epub+zip": ".epub",
    "application/msword": ".doc",
    "application/vnd.ms-excel": ".xls",
    "application/vnd.ms-powerpoint": ".ppt",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
    "application/vnd.oasis.opendocument.text": ".odt",
    "application/vnd.oasis.opendocument.spreadsheet": ".ods",
    "application/vnd.oasis.opendocument.presentation": ".odp",
    "application/xml": ".xml",
    "text/xml": ".xml",
    "application/rss+xml": ".xml",
    "application/atom+xml": ".xml",
}
_HTML = ("text/html", "application/xhtml+xml")
_MARKUP = re.compile(
    # Atomic: n comments can be cut in 2^n ways, and nothing can stop a match that tries them all.
    rb"[\s\xef\xbb\xbf]*+(?>(?:<!--.{0,2000}?-->\s*+)*)"
    rb"<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|div|main|article|section|h1|table|p|a|br|ul)\b",
    re.IGNORECASE | re.DOTALL,
)
_EVERYWHERE = frozenset(("", "utf_8", "iso8859_1", "ascii", "cp1252"))
"""Encodings that servers name for every page they have, so that what the page names itself tells more."""


def as_file(page: Fetched) -> tuple[str, bytes]:
    """A file name whose suffix says what the page is, and its bytes; text is in UTF-8. DocumentError where it is no text."""
    name = _name(page)
    kind = kind_of_name(name)
    if name != WEBPAGE and kind not in TEXT_KINDS:
        return name, page.data
    text = decode(page.data, _declared(page))
    return name, codecs.BOM_UTF8 + text.encode("utf-8", "replace")


def _name(page: Fetched) -> str:
    head = page.data[:HEAD]
    if _MARKUP.match(head) or (page.kind in _HTML and head.lstrip().startswith(b"<")):
        return WEBPAGE
    found, named = signature(head), PurePosixPath(urlsplit(page.url).path).suffix.lower()
    if found in ("pdf", "rtf"):
        return f"page.{found}"
    if found in ("zip", "ole"):
        return f"page{SUFFIXES.get(page.kind, named)}"
    if found == "html" or (page.kind in _HTML and looks_like_text(head)):
        return WEBPAGE
    if not looks_like_text(head):
        raise DocumentError(f"`{shown(page.url)}` is no text, and no document that can be read.")
    return _text_name(page.kind, named, found)


def _text_name(kind: str, named: str, found: str) -> str:
    """A text is what its server says, unless that is true of every text; then what its address says."""
    suffix = SUFFIXES.get(kind, "")
    if kind_of_name(f"page{suffix}") not in TEXT_KINDS | {"xml"}:
        suffix = named if kind_of_name(f"page{named}") in TEXT_KINDS | {"xml"} else f".{found or 'txt'}"
    return f"page{suffix}"


def _declared(page: Fetched) -> str:
    """The encoding that the server or the page names; the bytes have the last word."""
    inside = declared_encoding(page.data)
    return inside if inside and _canonical(page.charset) in _EVERYWHERE else page.charset or inside


def _canonical(name: str) -> str:
    try:
        return codecs.lookup(name).name.replace("-", "_") if name else ""
    except (LookupError, ValueError):
        return ""
