"""From an extracted text to a Document: its title and metadata.

Derived from the file < what the file says of itself (properties, front matter) < what the caller gives.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import PurePath

from leadline.analysis.language import language
from leadline.analysis.values import dates
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
_IN_A_NAME = re.compile(r"(?<!\d)((?:19|20)\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")
_BETWEEN_WORDS = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])|(?<=[a-z])-(?=\d)|(?<=\d)-(?=[^\W\d_])|_+")


def describe(file: FoundFile, extracted: Extracted, content: str, given: Mapping[str, MetaValue]) -> Document:
    """The document of one file. `content` is its hash, `given` the metadata of this load.

    Dates are days, so that a filter can name one. `year` is of a date that the document states, or that its file
    is named by; when its file was last changed says nothing of that. What a document says of itself wins over what its file
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
        **_dated(file.source, stated),
    }
    metadata["language"] = _code(metadata["language"])
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


def _dated(source: str, stated: Metadata) -> dict[str, MetaValue]:
    """What is stated, its dates in one form, and the year of the best of them."""
    dated = {**stated, **{key: _day(stated[key]) for key in _DATES if key in stated}}
    named = _IN_A_NAME.search(PurePath(source).stem)
    if named and not any(key in dated for key in ("date", "published")):
        dated["date"] = "-".join(named.group(1, 3, 4))
    year = dated.get("year", _year(dated))
    dated["year"] = int(year) if isinstance(year, str) and re.fullmatch("[12][0-9]{3}", year) else year
    return dated


def _day(date: MetaValue) -> MetaValue:
    """A date as ISO has it, without its time; anything else as it is.

    >>> _day("2020-09-13T12:26:40Z"), _day("3 May 2020"), _day("May 2020"), _day("20200503"), _day("spring")
    ('2020-09-13', '2020-05-03', '2020-05', '2020-05-03', 'spring')
    """
    if not isinstance(date, str):
        return date
    if found := _DAY.match(date):
        return found[1]
    if found := _IN_A_NAME.fullmatch(date.strip()):
        return "-".join(found.group(1, 3, 4))
    read = dates(date)
    return read[0] if len(read) == 1 else date


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
