"""What a model wrote, read: claims with the numbers and quotes they rest on, as JSON or as prose with [n] marks."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from leadline.analysis.sentences import sentences
from leadline.llm.json_text import Unreadable, closed, json_in, listing, mapping, spoken
from leadline.llm.reading import declined, first, indices, texts
from leadline.llm.verdicts import truth

MOST = 40
LONGEST = 1_000
MISSING = 8
_TEXT = ("text", "claim", "sentence", "statement", "answer", "fact", "content")
_CITES = ("cites", "citations", "sources", "evidence", "references", "cite", "citation", "source")
_NUMBER = ("n", "number", "document", "doc", "passage", "id", "index", "source")
_QUOTE = ("quote", "text", "words", "excerpt")
_CLAIMS = ("claims", "answer", "answers", "sentences", "facts", "statements")
_MARK = re.compile(
    r"\s*[\[【(（]\s*(?:documents?|docs?|sources?)?\s*(\d{1,3}(?:\s*[,;、&-]\s*\d{1,3})*)\s*[\]】)）]"
)
_NOT_FOUND = re.compile(
    r"\b(?:not|n['’]t|no|none|cannot|unable)\b.{0,60}\b(?:found|answer\w*|mention\w*|contain\w*|stat\w+|provid\w+|says?|tells?|specif\w+|known?|"
    r"information|documents?|enough|available)\b|未(?:找到|提及|提到|提供|说明)|没有(?:找到|提及|提到|提供|说明|相关|足够)|لا (?:تذكر|تحتوي|توجد|يوجد)|لم (?:يذكر|أجد|يرد)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Cited:
    """One thing a claim cites: a document's number (0: none given that exists) and the words."""

    number: int
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Wrote:
    """One claim as the model wrote it; `number` is that of the claim it mends, 0 for none."""

    text: str
    cites: tuple[Cited, ...] = ()
    disputed: bool = False
    number: int = 0


@dataclass(frozen=True, slots=True)
class Written:
    """A reply. `missing` is None where it does not say; `whole` is False for one that broke off."""

    claims: tuple[Wrote, ...]
    found: bool
    missing: tuple[str, ...] | None = None
    whole: bool = True


def read(reply: str, count: int) -> Written:
    """What a reply about `count` documents claims.

    >>> read('{"found": true, "claims": [{"text": "It sank.", "cites": [{"n": 2, "quote": "sank"}]}]}', 2).claims
    (Wrote(text='It sank.', cites=(Cited(number=2, quote='sank'),), disputed=False, number=0),)
    >>> read("It was built in 1901 [1]. It sank [2, 7].", 2).claims[1]
    Wrote(text='It sank.', cites=(Cited(number=2, quote=''),), disputed=False, number=0)
    >>> read("The documents do not say.", 2)
    Written(claims=(), found=False, missing=None, whole=True)
    """
    try:
        value = json_in(reply)
    except Unreadable:
        return prose(spoken(reply), count)
    if (said := mapping(value)) is not None:
        listed = first(said, _CLAIMS)
        if listed is None and first(said, _TEXT) is None and "found" not in said:
            raise Unreadable("the reply has no claims")
        return _object(said, [said] if listed is None else listed, count)
    if (items := listing(value)) is not None:
        plain = spoken(reply)
        # A list in brackets is a mark in prose, not the reply, unless the reply begins with it.
        marks = items and all(isinstance(item, int | float) for item in items)
        if marks or (plain[:1] not in {"[", "`"} and not any(isinstance(item, dict) for item in items)):
            return prose(plain, count)
        claims = _claims(items, count)
        if items and not claims:
            raise Unreadable("the reply has no claims")
        return Written(claims, bool(claims))
    return prose(spoken(reply), count)


def read_cut(reply: str, count: int) -> Written:
    """What a reply that broke off claims. The claim that it broke off in is left out: half a sentence, or half a
    number, may say what the whole one does not.

    >>> read_cut('{"found": true, "claims": [{"text": "It sank."}, {"text": "It was not rai', 2).claims
    (Wrote(text='It sank.', cites=(), disputed=False, number=0),)
    >>> [wrote.text for wrote in read_cut("It was built in 1901 [1]. It cost 1", 2).claims]
    ['It was built in 1901.']
    """
    text, whole = unbroken(reply)
    return replace(read(text, count), whole=whole)


def unbroken(reply: str) -> tuple[str, bool]:
    """A reply that broke off, as far as it goes without the claim that it broke off in, and whether that is all of it."""
    said = spoken(reply)
    text, whole = closed(said)
    if not text:
        text = _marks_inside(said)
        ends = [end for _, end in sentences(text)]
        # Nobody knows whether the last one has come to its end: "1." may have become "1.5 million".
        text = text[: ends[-2]] if len(ends) > 1 else ""
    if not text:
        raise Unreadable("the reply breaks off before the end of its first claim")
    return text, whole


def _object(said: Mapping[str, object], listed: object, count: int) -> Written:
    if isinstance(listed, str):
        # "answer": a text of its own, with or without marks.
        written = prose(listed, count, [_cite(item, count) for item in _items(first(said, _CITES))])
        claims, meant = written.claims, written.found
    else:
        claims = _claims(_items(listed), count)
        meant = bool(claims)
    found = truth(said.get("found"))
    if not claims and (found or (found is None and listed)):
        raise Unreadable("the reply says that an answer was found, and has no claim")
    return Written(claims, meant if found is None else found and bool(claims), _missing(said))


def _missing(said: Mapping[str, object]) -> tuple[str, ...] | None:
    if "missing" not in said:
        return None
    try:
        return texts(said["missing"], MISSING)
    except Unreadable:
        return None


def _claims(items: Sequence[object], count: int) -> tuple[Wrote, ...]:
    claims: list[Wrote] = []
    for item in items[:MOST]:
        if isinstance(item, str):
            claims += prose(item, count).claims
        elif (said := mapping(item)) is not None and (claim := _claim(said, count)):
            claims.append(claim)
    return tuple(claims)


def _claim(said: Mapping[str, object], count: int) -> Wrote | None:
    raw = first(said, _TEXT)
    if not isinstance(raw, str) or not (plain := _plain(raw)):
        return None
    listed = first(said, _CITES)
    cites = [_cite(item, count) for item in _items(listed)]
    if not cites and (own := [each for each in ("n", "quote") if each in said]):
        cites = [_cite({each: said[each] for each in own}, count)]
    cites = cites or _marks(raw, count)
    numbers = indices(said.get("id", said.get("claim_id")), MOST)
    disputed = truth(first(said, ("disagree", "disputed", "disagreement"))) is True
    return Wrote(plain, tuple(dict.fromkeys(cites)), disputed, numbers[0] if numbers else 0)


def _cite(item: object, count: int) -> Cited:
    if (said := mapping(item)) is not None:
        numbers = indices(first(said, _NUMBER), count)
        quote = first(said, _QUOTE)
        return Cited(numbers[0] if numbers else 0, quote[:LONGEST] if isinstance(quote, str) else "")
    numbers = indices(item, count)
    if isinstance(item, str) and not numbers:
        return Cited(0, item[:LONGEST])
    return Cited(numbers[0] if numbers else 0)


def _items(value: object) -> list[object]:
    if (said := mapping(value)) is not None:
        inner = list(said.values())
        return inner if all(isinstance(each, dict) for each in inner) else [value]
    listed = listing(value)
    if listed is not None:
        return listed
    return [] if value is None else [value]


def prose(said: str, count: int, cites: Sequence[Cited] = ()) -> Written:
    """A claim a sentence; marks behind its full stop are its own. Saying that nothing was found is an answer."""
    if not any(map(str.isalnum, said)):
        raise Unreadable("the reply is empty")
    marked = bool(_MARK.search(said)) or bool(cites)
    if declined(said) and not marked and not _NOT_FOUND.search(said):
        raise Unreadable("the reply declines to answer")
    if not marked and _NOT_FOUND.search(said):
        return Written((), False)
    claims: list[Wrote] = []
    text = _marks_inside(said[: MOST * LONGEST])
    for start, end in sentences(text):
        sentence = text[start:end]
        if plain := _plain(sentence):
            claims.append(Wrote(plain, tuple(_marks(sentence, count) or cites)))
    return Written(tuple(claims[:MOST]), bool(claims))


def _marks_inside(said: str) -> str:
    """Marks that follow a full stop moved in front of it: they belong to the sentence that it ends."""
    return re.sub(r"([.!?。！？])((?:\s*[\[【]\d{1,3}(?:\s*[,;、]\s*\d{1,3})*[\]】])+)", r"\2\1", said)


def _marks(text: str, count: int) -> list[Cited]:
    found = [number for mark in _MARK.finditer(text) for number in indices(mark[1], count)]
    return [Cited(number) for number in dict.fromkeys(found)]


def _plain(text: str) -> str:
    """The sentence without marks, list signs and Markdown emphasis."""
    bare = _MARK.sub("", text)
    bare = re.sub(r"^\s*(?:[-*•#>]+|\d{1,2}[.)])\s+|\*\*|__", "", bare)
    bare = " ".join(bare.split())[:LONGEST]
    return bare if any(map(str.isalnum, bare)) else ""
