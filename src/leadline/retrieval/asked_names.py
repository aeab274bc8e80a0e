"""What a question names of documents: a file, a title, a kind of file, a language, a value of some field."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from leadline.analysis.fold import bare
from leadline.analysis.periods import even
from leadline.analysis.scripts import UNSPACED, script
from leadline.analysis.stopwords import ALL as STOP_WORDS
from leadline.retrieval import asked_words as words
from leadline.retrieval.asked_parts import AskedFilter
from leadline.store.base import FieldSummary
from leadline.store.filters import And, Compare, Filter, Or

Fields = Mapping[str, Sequence[FieldSummary]]
Spans = Sequence[tuple[int, int]]

NAMED_BY_THEMSELVES = frozenset(
    "source title type kind language lang date year published created modified".split()
)
"""Fields whose values are not looked for in the question word by word."""

FEW = 50
"""A field with more different values than this is not looked through."""


@dataclass(frozen=True, slots=True)
class _Named:
    """Words that stand in a title or a source, and where the question says so."""

    words: tuple[str, ...]
    start: int
    stop: int


def sources(text: str, fields: Fields) -> Iterator[AskedFilter]:
    """File names: "according to handbook.pdf"."""
    held = _texts(fields, "source")
    for match in words.FILE.finditer(text) if held else ():
        name = match.group()
        if _complete(held) and not any(name.lower() in one.lower() for one in _listed(held)):
            continue
        yield AskedFilter(Compare("source", "~", name), name)


def titles(text: str, fields: Fields, taken: Spans) -> Iterator[AskedFilter]:
    """Documents by what they are called: "in the Q3 report", 《员工手册》, "في تقرير الربع الثالث"."""
    for named in _called(text, taken):
        if where := _telling(named.words, fields):
            tests = tuple(_anywhere(word, where) for word in named.words)
            said = text[named.start : named.stop].strip()
            yield AskedFilter(tests[0] if len(tests) == 1 else And(tests), said)


def types(text: str, fields: Fields) -> Iterator[AskedFilter]:
    """Kinds of file: "in the PDF", "in the slides", 演示文稿."""
    held = _texts(fields, "type")
    have = {value for one in held for value, _ in one.values}
    plain = even(text)
    for kinds, pattern in words.TYPES if held else ():
        match = pattern.search(plain)
        known = tuple(kind for kind in kinds if kind in have)
        if match and known and set(known) != have:
            yield AskedFilter(_one_of("type", known), text[slice(*match.span())].strip())


def languages(text: str, fields: Fields) -> Iterator[AskedFilter]:
    """Languages of documents: "the Arabic document", 中文文档, "الوثيقة العربية"."""
    held = _texts(fields, "language")
    have = {value for one in held for value, _ in one.values}
    plain = even(text)
    for code, pattern in words.LANGUAGES if len(have) > 1 else ():
        if code in have and (match := pattern.search(plain)):
            yield AskedFilter(Compare("language", "==", code), text[slice(*match.span())].strip())


def values(text: str, fields: Fields, taken: Spans) -> Iterator[AskedFilter]:
    """Values of fields that have few: a department, an author, a status."""
    folded = f" {bare(text)} "
    total = max((one.documents for each in fields.values() for one in each), default=0)
    for name, summaries in fields.items():
        if name in NAMED_BY_THEMSELVES:
            continue
        found = [
            value
            for one in summaries
            if one.kind in {"text", "texts"} and one.distinct <= FEW
            for value, documents in one.values
            if isinstance(value, str) and documents < total and _said(value, text, folded)
        ]
        if found and not all(_inside(value, text, taken) for value in found):
            yield AskedFilter(_one_of(name, found), ", ".join(found))


def _said(value: str, text: str, folded: str) -> bool:
    """Whether the question names the value as a whole word."""
    plain = bare(value)
    if not any(map(str.isalpha, plain)) or plain in STOP_WORDS or len(plain) < 2:
        return False
    if script(plain) in UNSPACED:
        return plain in folded
    if len(plain) < 3:  # "HR" is a department, "it" a pronoun
        return bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text)) and value.isupper()
    article = "(?:ال|بال|لل)?" if script(plain) == "arabic" else ""
    return bool(re.search(rf"(?<!\w){article}{re.escape(plain)}(?:'s)?(?!\w)", folded))


def _inside(value: str, text: str, taken: Spans) -> bool:
    """Whether the value is only a part of a date, as "May" is in "May 2024"."""
    at = text.lower().find(value.lower())
    return any(start <= at and at + len(value) <= stop for start, stop in taken)


def _called(text: str, taken: Spans) -> Iterator[_Named]:
    plain = even(text)
    for match in words.QUOTED.finditer(text):
        yield _Named((str(match[match.lastgroup or 0]),), *match.span(match.lastgroup or 0))
    for match in words.CALLED.finditer(plain):
        before = match["before"] or ""
        first = match.start("before") if before else match.start("noun")
        said = [
            (one.group(), first + one.start())
            for one in words.WORD.finditer(before)
            if one.group() not in words.NO_MODIFIERS
        ]
        said = [word for word, at in said if not any(start <= at < stop for start, stop in taken)]
        noun = match["noun"]
        if noun not in words.ANY_DOCUMENT:
            said.append(words.SINGULAR.get(noun, noun))
        if said:
            yield _Named(tuple(said), match.start(), match.end())
    for match in words.CALLED_IN_CHINESE.finditer(text):
        parts = [part for part in (match["before"], match["noun"]) if part]
        if (
            not any(start < match.end() and match.start() < stop for start, stop in taken)
            or not match["before"]
        ):
            yield _Named(tuple(parts), *match.span())
    for match in words.CALLED_IN_ARABIC.finditer(plain):
        first, stop = match.span("named")
        if not any(start < stop and first < end for start, end in taken):
            yield _Named(tuple(text[first:stop].split()), *match.span())


def _telling(named: Sequence[str], fields: Fields) -> list[str]:
    """Of title and source those that may tell the documents of that name from others."""
    found: list[str] = []
    for name in ("title", "source"):
        held = _texts(fields, name)
        called = [all(word.lower() in value.lower() for word in named) for value in _listed(held)]
        if held and (not _complete(held) or (any(called) and not all(called))):
            found.append(name)
    return found


def _anywhere(word: str, names: Sequence[str]) -> Filter:
    tests = tuple(Compare(name, "~", word) for name in names)
    return tests[0] if len(tests) == 1 else Or(tests)


def _one_of(name: str, found: Sequence[str]) -> Filter:
    return Compare(name, "==", found[0]) if len(found) == 1 else Compare(name, "in", tuple(found))


def _texts(fields: Fields, name: str) -> list[FieldSummary]:
    return [one for one in fields.get(name, ()) if one.kind in {"text", "date"}]


def _complete(held: Sequence[FieldSummary]) -> bool:
    return all(one.distinct <= len(one.values) for one in held)


def _listed(held: Sequence[FieldSummary]) -> list[str]:
    return [str(value) for one in held for value, _ in one.values]
