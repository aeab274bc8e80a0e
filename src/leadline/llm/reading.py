"""What a model's reply says, however it is written: lists, numbers, what is said of numbered things.

Every reader takes the reply's text or a value already read from it, and raises `Unreadable` for what cannot be used.
Documents are numbered from 1, as in the prompts.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from leadline.llm.json_text import Unreadable, json_in, listing, mapping, readable, spoken

LONGEST_TEXT = 500
"""Characters of one item of a list: a query, what is missing."""

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_WORDS = {word: number for words in (_NUMBERS, _ORDINALS) for number, word in enumerate(words)}
_HAN = {character: number for number, character in enumerate("一二三四五六七八九十", start=1)}

_WORD = re.compile(r"[^\W_]+")
_STANDALONE = re.compile(r"(?<![\w.,/%-])(\d{1,4})(?:st|nd|rd|th)?(?![\w%/-]|[.,]\d)")
_BULLET = re.compile(r"^\s*(?:[-*+•‣◦–]|[\[(]?\d{1,3}[\].):、]+|[\[(]?[a-z][.)])\s+(?=\S)")
_ENTRY = re.compile(
    r"^\W{0,4}(?:(?:document|doc|passage|chunk|text|item|source)s?\s*)?[#\[(]?\s*(\d{1,4})\s*[\])]?\W{0,3}(?:[:.)\-–=]|\s)\s*",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"\W*(?:none|n/?a|null|nil|nothing|no|empty|-|\.\.\.|…)?\W*", re.IGNORECASE)
_DECLINED = re.compile(
    r"^\W*(?:i['’]?m\s+(?:really\s+|very\s+|so\s+)?(?:sorry|unable|not able)|(?:i\s+)?(?:am\s+)?sorry|my apologies"
    r"|i\s+(?:can\s?not|can['’]t|won['’]t|will not|am unable|am not able|do not|don['’]t)\b|i\s+must\s+decline"
    r"|as an? (?:ai|language model)|unfortunately)",
    re.IGNORECASE,
)
_KEYS = ("n", "number", "index", "id", "document", "doc", "passage", "chunk", "evidence")


def declined(text: str) -> bool:
    """Whether a reply is a refusal, not an answer."""
    return bool(_DECLINED.match(spoken(text)))


def fields(text: str) -> Mapping[str, object]:
    """The one object of a reply, its keys in lower case; of a list of objects the last."""
    value = json_in(text)
    objects = [found for item in listing(value) or [value] if (found := mapping(item)) is not None]
    if not objects:
        raise Unreadable("the reply is not a JSON object")
    return objects[-1]


def first(said: Mapping[str, object], names: Sequence[str]) -> object:
    """What an object holds under the first of `names` that it has; None without any."""
    return next((said[name] for name in names if name in said), None)


def texts(
    source: object, most: int, names: Sequence[str] = ("queries", "questions", "items")
) -> tuple[str, ...]:
    """Up to `most` different texts: of a JSON or Python list, under one of `names`, numbered, bulleted, one a line.

    An empty list is an answer: there are none. A refusal and prose are not.

    >>> texts("Sure:\\n1. **Who wrote it?**\\n2. 'When?'\\n", 4)
    ('Who wrote it?', 'When?')
    """
    if isinstance(source, str):
        try:
            source = json_in(source)
        except Unreadable:
            source = _lines(readable(source))
    keyed = mapping(source)
    if keyed is not None:
        source = _listed(keyed, names)
    if source is None:
        return ()
    items = [source] if isinstance(source, str) else listing(source)
    if items is None:
        raise Unreadable("the reply is not a list of texts")
    return _distinct((_plain(item) for item in items), most)


def _listed(keyed: Mapping[str, object], names: Sequence[str]) -> object:
    """The list of an object: under a known name, else the only list there is, else its texts."""
    for name in names:
        if name in keyed:
            inner = mapping(keyed[name])
            return keyed[name] if inner is None else list(inner.values())
    lists = [found for value in keyed.values() if (found := listing(value)) is not None]
    return lists[0] if lists else list(keyed.values())


def _plain(item: object) -> str:
    """One item of a list as text; an object's first text."""
    if keyed := mapping(item):
        item = next((value for value in keyed.values() if isinstance(value, str)), "")
    if not isinstance(item, str):
        return ""
    text = " ".join(_BULLET.sub("", item).split())
    text = re.sub(r"^(\*\*|__|[`*\"'“‘])(.*?)(\*\*|__|[`*\"'”’])([,.;]?)$", r"\2\4", text).strip()
    text = re.sub(r"^[\"'“‘](.*)[\"'”’],?$", r"\1", text).strip()
    return "" if _NOTHING.fullmatch(text[:40]) and len(text) <= 40 else text[:LONGEST_TEXT].strip()


def _distinct(items: Iterable[str], most: int) -> tuple[str, ...]:
    kept: dict[str, str] = {}
    for item in items:
        if item and len(kept) < most:
            kept.setdefault(item.casefold(), item)
    return tuple(kept.values())


def _lines(said: str) -> list[str]:
    """Numbered or bulleted lines; without any, lines that are questions or no sentences."""
    if declined(said):
        raise Unreadable("the reply declines to answer")
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if bulleted := [line for line in lines if _BULLET.match(line)]:
        return bulleted
    if _NOTHING.fullmatch(said[:40]) and len(said) <= 40:
        return []
    listed = [line for line in lines if len(line) <= 200 and line[-1] not in ".:!。："]
    if not listed:
        raise Unreadable("the reply is prose, not a list")
    return listed


def numbered(source: object, most: int) -> dict[int, object]:
    """What a reply says of each of `most` numbered things; numbers out of range are dropped, the first of two counts.

    Objects keyed by number or with a number in them, a list as long as what was asked, or lines that begin with one.

    >>> numbered("1. YES\\n[2]: no, too old\\nDocument 9 - yes", 3)
    {1: 'YES', 2: 'no, too old'}
    """
    if isinstance(source, str):
        said = readable(source)
        try:
            value = json_in(source)
        except Unreadable:
            value = None
        # A list of numbers in prose is a reference, not the reply.
        source = value if _entries(value, most) else said
    found = _numbered_lines(source, most) if isinstance(source, str) else _entries(source, most)
    if not found:
        raise Unreadable(f"the reply says nothing of the numbers 1 to {most}")
    return found


def _entries(value: object, most: int) -> dict[int, object]:
    keyed = mapping(value)
    if keyed is not None:
        pairs = [(_whole(key), item) for key, item in keyed.items()]
        if any(number is not None for number, _ in pairs):
            return _within(pairs, most)
        if (number := _own_number(keyed)) is not None:
            return _within([(number, value)], most)
        inner = [item for item in keyed.values() if mapping(item) or listing(item)]
        return _entries(inner[0], most) if len(inner) == 1 else {}
    items = listing(value) or []
    owned = [(_own_number(mapping(item) or {}), item) for item in items]
    if any(number is not None for number, _ in owned):
        return _within(owned, most)
    if len(items) == most and all(isinstance(item, str | bool) or mapping(item) for item in items):
        return dict(enumerate(items, start=1))
    return {}


def _own_number(keyed: Mapping[str, object]) -> int | None:
    return next((number for key in _KEYS if (number := _whole(keyed.get(key))) is not None), None)


def _within(pairs: Iterable[tuple[int | None, object]], most: int) -> dict[int, object]:
    found: dict[int, object] = {}
    for number, item in pairs:
        if number is not None and 1 <= number <= most:
            found.setdefault(number, item)
    return found


def _numbered_lines(said: str, most: int) -> dict[int, object]:
    found: dict[int, object] = {}
    for line in said.splitlines():
        if (match := _ENTRY.match(line[:200])) and 1 <= int(match[1]) <= most and line[match.end() :].strip():
            found.setdefault(int(match[1]), line[match.end() :].strip())
    return found


def indices(value: object, most: int) -> tuple[int, ...]:
    """Numbers from 1 to `most`, each once, in their order: of a list, a text such as `[1], 3`, one number.

    >>> indices(["2", 7, "document 1", 2.0], 3)
    (2, 1)
    """
    items, keyed = listing(value), mapping(value)
    if isinstance(value, str):
        found = [int(number) for number in re.findall(r"\d{1,4}", value[:2_000])]
    elif items is not None:
        found = [number for item in items for number in indices(item, most)]
    else:
        found = [(_whole(value) if keyed is None else _own_number(keyed)) or 0]
    return tuple(dict.fromkeys(number for number in found if 1 <= number <= most))


def _whole(value: object) -> int | None:
    """A whole number, also one written as text, as a word or with a word before it."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str):
        text = value.strip().lower()[:40]
        if match := re.fullmatch(r"[a-z]*[\s#\[(]*(\d{1,4})[\])]*", text):
            return int(match[1])
        return _WORDS.get(text)
    return None


def number_in(text: str, most: int) -> int:
    """The number from 1 to `most` that a reply picks: a JSON value, else the last one that stands alone in prose.

    >>> number_in("Of the 3 agents, number **two** fits.", 3), number_in('{"agent": 1, "confidence": 90}', 3)
    (3, 1)
    """
    said = readable(text)
    number = _picked(said)
    if number is None:
        raise Unreadable("the reply names no number")
    if not 1 <= number <= most:
        raise Unreadable(f"the reply picks {number}, which is not one of 1 to {most}")
    return number


def _picked(said: str) -> int | None:
    if said[0] in "{[`" or "{" in said:
        try:
            value = json_in(said)
        except Unreadable:
            value = None
        if keyed := mapping(value):
            picked = (_whole(item) for item in keyed.values())
            return next((number for number in picked if number is not None), None)
        if (items := listing(value)) and len(items) == 1:
            return _whole(items[0])
    return _spelled(said)


def _spelled(said: str) -> int | None:
    """The last number that stands alone; "one" is a pronoun wherever another number is written."""
    if digits := _STANDALONE.findall(said):
        return int(digits[-1])
    words = [_WORDS[word] for word in _WORD.findall(said.lower()) if word in _WORDS]
    counted = [number for number in words if number != 1] or words
    if counted:
        return counted[-1]
    characters = [_HAN[character] for character in said if character in _HAN]
    return characters[-1] if characters else None
