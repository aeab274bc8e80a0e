"""A report as a model wrote it, read: sections of sentences with the numbers of facts, as JSON or as Markdown with [n] marks."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from leadline.llm.json_text import Unreadable, json_in, listing, mapping, spoken
from leadline.llm.reading import first, indices, texts
from leadline.llm.verdicts import truth
from leadline.reasoning import model_claims

MOST, MISSING = 80, 8
LONGEST_HEADING = 120
_SECTIONS = ("sections", "report", "chapters", "parts", "outline", "answer")
_HEADING = ("heading", "title", "name", "section", "topic", "header")
_CLAIMS = ("claims", "sentences", "content", "statements", "body", "text", "paragraphs", "points")
_FACTS = ("facts", "fact", "fact_ids", "numbers", "cites", "citations", "sources", "documents", "n", "refs")
_MISSING = ("missing", "open", "gaps", "not_found", "unanswered")
_MARKDOWN = re.compile(r"^\s*(?:#{1,6}\s+(?P<hashes>.+?)\s*#*|\*\*(?P<bold>[^*]{1,120})\*\*:?)\s*$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence under its heading, with the numbers of the facts it names."""

    text: str
    facts: tuple[int, ...] = ()
    heading: str = ""
    disagree: bool = False


@dataclass(frozen=True, slots=True)
class Reported:
    """A reply. `missing` is None where it does not say; `whole` is False for one that broke off."""

    sentences: tuple[Sentence, ...]
    missing: tuple[str, ...] | None = None
    whole: bool = True


def read(reply: str, count: int) -> Reported:
    """What a reply about `count` facts says.

    >>> read('{"sections": [{"heading": "Past", "claims": [{"text": "It sank.", "facts": [2, 9]}]}], "missing": []}', 2)
    Reported(sentences=(Sentence(text='It sank.', facts=(2,), heading='Past', disagree=False),), missing=(), whole=True)
    >>> read("## Past\\nIt sank [2].", 2).sentences
    (Sentence(text='It sank.', facts=(2,), heading='Past', disagree=False),)
    """
    try:
        value = json_in(reply)
    except Unreadable:
        return _whole(_markdown(spoken(reply), count), None)
    said = mapping(value)
    if said is None:
        items = listing(value) or []
        if not any(isinstance(item, dict | str) for item in items):
            return _whole(_markdown(spoken(reply), count), None)
        return _whole(_sections(items, count), None)
    missing = _missing(said)
    body = first(said, (*_SECTIONS, *_CLAIMS))
    if body is None:
        rest = {key: item for key, item in said.items() if key not in _MISSING}
        body = rest or None
    return _whole(_sections(body, count), missing)


def read_cut(reply: str, count: int) -> Reported:
    """What a reply that broke off says, without the sentence that it broke off in.

    >>> said = '{"sections": [{"heading": "Past", "claims": [{"text": "It sank.", "facts": [2]}, {"text": "It was not ra'
    >>> read_cut(said, 2).sentences
    (Sentence(text='It sank.', facts=(2,), heading='Past', disagree=False),)
    """
    text, whole = model_claims.unbroken(reply)
    return replace(read(text, count), whole=whole)


def _whole(found: Iterator[Sentence], missing: tuple[str, ...] | None) -> Reported:
    """No sentence is an answer only where the reply says what is missing."""
    sentences = tuple(dict.fromkeys(one for one, _ in zip(found, range(MOST), strict=False)))
    if not sentences and not missing:
        raise Unreadable("the reply has no claims")
    return Reported(sentences, missing)


def _sections(value: object, count: int, heading: str = "", depth: int = 0) -> Iterator[Sentence]:
    """Sentences of a section, of a list of sections or of sentences, or of an object from headings to them."""
    if depth > 4:
        return
    said = mapping(value)
    if isinstance(value, str):
        yield from _markdown(value, count, heading)
    elif said is not None:
        yield from _section(said, count, heading, depth)
    else:
        for item in listing(value) or ():
            yield from _sections(item, count, heading, depth + 1)


def _section(said: Mapping[str, object], count: int, heading: str, depth: int) -> Iterator[Sentence]:
    own = first(said, _HEADING)
    heading = _plain_heading(own) if isinstance(own, str) else heading
    named = first(said, _FACTS)
    body = first(said, (*_CLAIMS, "claim", "sentence", "statement"))
    if isinstance(body, str):
        numbers = indices(named, count) if named is not None else ()
        disagree = truth(first(said, ("disagree", "disputed", "disagreement"))) is True
        for sentence in _markdown(body, count, heading):
            yield replace(sentence, facts=numbers or sentence.facts, disagree=disagree)
    elif body is not None:
        yield from _sections(body, count, heading, depth + 1)
    elif (inner := first(said, _SECTIONS)) is not None:
        yield from _sections(inner, count, heading, depth + 1)
    elif own is None:
        for key, item in said.items():
            if key not in (*_MISSING, *_FACTS):
                # Keys are read in lower case.
                yield from _sections(item, count, _plain_heading(key[:1].upper() + key[1:]), depth + 1)


def _markdown(text: str, count: int, heading: str = "") -> Iterator[Sentence]:
    """Sentences of prose with marks, under the headings that stand in it."""
    for above, lines in _under_headings(text, heading):
        words = "\n".join(lines)
        if not any(map(str.isalnum, words)):
            continue
        try:
            written = model_claims.prose(words, count)
        except Unreadable:
            continue
        for claim in written.claims:
            numbers = tuple(dict.fromkeys(cite.number for cite in claim.cites if cite.number))
            yield Sentence(claim.text, numbers, above)


def _under_headings(text: str, heading: str) -> list[tuple[str, list[str]]]:
    parts: list[tuple[str, list[str]]] = [(heading, [])]
    for line in text.splitlines():
        if match := _MARKDOWN.match(line[: LONGEST_HEADING * 2]):
            parts.append((_plain_heading(match["hashes"] or match["bold"]), []))
        else:
            parts[-1][1].append(line)
    return parts


def _plain_heading(text: str) -> str:
    return " ".join(text.strip("#*_ \t\n:").split())[:LONGEST_HEADING]


def _missing(said: Mapping[str, object]) -> tuple[str, ...] | None:
    value = first(said, _MISSING)
    if value is None:
        return None
    try:
        return texts([value] if isinstance(value, str) else value, MISSING)
    except Unreadable:
        return None
