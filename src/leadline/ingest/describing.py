"""From an extracted text to a Document: its title and metadata.

Derived from the file < what the file says of itself (properties, front matter) < what the caller gives.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import PurePath

from leadline.analysis.language import language
from leadline.documents.base import Extracted
from leadline.documents.identity import document_id
from leadline.documents.walking import FoundFile
from leadline.types import Document, Metadata, MetaValue

LONGEST_TITLE = 300
_NEAR_THE_TOP = 2_000
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_SHEETS = frozenset({"xlsx", "xls", "ods", "csv", "tsv"})
"""Kinds whose headings name their parts and not the whole."""
_NUMBERED = re.compile(r"(?:sheet|slide|page|part|tabelle|folie|feuil|工作表|幻灯片)\s*\d+", re.IGNORECASE)
_LANGUAGE = re.compile(r"[a-z]{2}(?![a-z])")
_DATES = ("date", "published", "created", "modified")
_DAY = re.compile(r"(\d{4}-\d\d-\d\d)[T ]\d\d:")
_BETWEEN_WORDS = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])|(?<=[a-z])-(?=\d)|(?<=\d)-(?=[^\W\d_])|_+")


def describe(file: FoundFile, extracted: Extracted, content: str, given: Mapping[str, MetaValue]) -> Document:
    """The document of one file. `content` is its hash, `given` the metadata of this load.

    Dates are days, so that a filter can name one. What a document says of itself wins over what its file
    says, but for where it lies and of what kind it is: it could hide from a filter by that.
    """
    stated = {key: value for key, value in extracted.metadata.items() if value not in ("", ())}
    for key in ("source", "type"):
        stated.pop(key, None)
    title = _title(file, extracted, {**stated, **given})
    modified = datetime.fromtimestamp(file.mtime_ns / 1e9, UTC).date().isoformat()
    metadata: dict[str, MetaValue] = {
        "source": file.source,
        "type": extracted.kind,
        "title": title,
        "modified": modified,
        "language": language(extracted.text),
        **stated,
    }
    metadata["language"] = _code(metadata["language"])
    metadata |= {key: _day(metadata[key]) for key in _DATES if key in metadata}
    metadata.setdefault("year", _year(metadata))
    metadata.update(given)
    metadata["title"] = title
    return Document(
        id=document_id(file.source),
        source=file.source,
        text=extracted.text,
        title=title,
        content_hash=content,
        metadata={key: value for key, value in metadata.items() if value not in ("", 0)},
        pages=extracted.pages,
        headings=extracted.headings,
        blocks=extracted.blocks,
    )


def name_as_title(name: str) -> str:
    """A file name as words.

    >>> name_as_title("deep-search_notes XR-2000.md"), name_as_title("storm-of-1953.txt")
    ('deep search notes XR-2000', 'storm of 1953')
    """
    stem = PurePath(name).stem
    return " ".join(_BETWEEN_WORDS.sub(" ", stem).split()) or stem


def _title(file: FoundFile, extracted: Extracted, stated: Metadata) -> str:
    first = extracted.headings[0] if extracted.headings else None
    named = first is not None and first.start < _NEAR_THE_TOP and not _NUMBERED.fullmatch(first.text.strip())
    heading = first.text if first and named and extracted.kind not in _SHEETS else ""
    candidates = (stated.get("title"), extracted.title, heading, name_as_title(PurePath(file.source).name))
    titles = (" ".join(str(each).split())[:LONGEST_TITLE] for each in candidates if each)
    return next((title for title in titles if title), "")


def _day(date: MetaValue) -> MetaValue:
    """A date and time as a date; anything else as it is.

    >>> _day("2020-09-13T12:26:40Z"), _day("May 2020")
    ('2020-09-13', 'May 2020')
    """
    found = _DAY.match(date) if isinstance(date, str) else None
    return found[1] if found else date


def _code(language: MetaValue) -> str:
    """The two letters of a language tag, "" for what has none.

    >>> _code("en-US"), _code("JA_jp"), _code("zxx")
    ('en', 'ja', '')
    """
    found = _LANGUAGE.match(str(language).strip().lower())
    return found.group() if found else ""


def _year(metadata: Metadata) -> int:
    for key in _DATES:
        if found := _YEAR.search(str(metadata.get(key, ""))):
            return int(found.group())
    return 0
