"""The JSON in what a model wrote: between thoughts, prose and fences, badly quoted, or only half of it.

Replies are hostile: every step is linear in a text that is cut first, and nothing is nested deeper than a reader needs.
"""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import json_repair

LONGEST = 200_000
"""Characters of a reply that are read: the first half and the last half of these."""
REPAIRABLE = 60_000
"""Characters of broken JSON that are mended; no step asks for a reply of that length."""
DEEPEST = 40
MOST_VALUES = 500
"""Brackets of a reply that are looked into."""
_SINGLE_QUOTED = 4_000

_THOUGHT = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_CHANNEL = re.compile(r"<\|channel\|>\s*final\s*<\|message\|>", re.IGNORECASE)
_TOKEN = re.compile(r"<\|[a-z_]{1,30}\|>", re.IGNORECASE)
_FENCE_LINE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*[\w+-]*[ \t]*$", re.MULTILINE)
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufeff]")
_QUOTED = re.compile(r"(?<=[\[{,:])(\s*)'((?:\\.|[^\\])*?)'(?=\s*[,:\]}])", re.DOTALL)
_STRING = re.compile(r'"(?:\\.|[^"\\])*"|\b(?:True|False|None)\b')
_LETTER = re.compile(r"[^\W_]")
_JSON_WORD = {"True": "true", "False": "false", "None": "null"}


class Unreadable(ValueError):
    """A reply that cannot be used. The reason is shown to the model, and to people."""


@dataclass(frozen=True, slots=True)
class _Value:
    value: object
    start: int
    end: int


def spoken(text: str) -> str:
    """What a model says, without what it thinks, its control tokens and characters that no text has."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]}\n{text[-LONGEST // 2 :]}"
    if channel := list(_CHANNEL.finditer(text)):
        text = text[channel[-1].end() :]
    return _UNPRINTABLE.sub("", _TOKEN.sub("", _aloud(text))).strip()


def _aloud(text: str) -> str:
    """What stands outside of thoughts; one that never ends hides all after it."""
    kept: list[str] = []
    position, thinking = 0, False
    for mark in _THOUGHT.finditer(text):
        if mark[1] and not thinking:
            # Some servers strip the opening mark alone: all before the closing one is thought.
            kept.clear()
        elif not mark[1] and not thinking:
            kept.append(text[position : mark.start()])
        thinking, position = not mark[1], mark.end()
    return "".join(kept if thinking else [*kept, text[position:]])


def mapping(value: object) -> dict[str, object] | None:
    """A JSON object, its keys in lower case; None for anything else."""
    if not isinstance(value, dict):
        return None
    pairs = cast("dict[object, object]", value)
    return {str(key).strip().lower(): item for key, item in pairs.items()}


def listing(value: object) -> list[object] | None:
    """A JSON list; None for anything else."""
    return list(cast("Sequence[object]", value)) if isinstance(value, list | tuple) else None


def readable(text: str) -> str:
    """What a model says, where that is anything at all."""
    said = spoken(text)
    if not _LETTER.search(said):
        raise Unreadable("the reply is empty")
    return said


def json_in(text: str) -> object:
    """The JSON value that a reply holds.

    An object goes before a list, the last object before those in front of it (they are what a model repeats of its
    instructions); objects with nothing between them are a list. Without brackets the whole reply may be one value.

    >>> json_in("<think>2?</think>Here it is: {'queries': ['a', \\"it's b\\",], 'done': False}. Anything else?")
    {'queries': ['a', "it's b"], 'done': False}
    >>> json_in('{"missing": ["the year"], "queries": ["when was')
    {'missing': ['the year'], 'queries': ['when was']}
    """
    said = _FENCE_LINE.sub("", spoken(text)).strip()
    if not said:
        raise Unreadable("the reply is empty")
    values = _values(said)
    if not values:
        found, value = _strict(said)
        if not found:
            raise Unreadable("the reply holds no JSON")
        return _clean(value)
    return _clean(_chosen(said, values))


def closed(text: str) -> tuple[str, bool]:
    """A text that broke off up to where the last object in it is closed ("" without any), and whether all are.

    >>> closed('{"claims": [{"text": "It sank."}, {"text": "It was rai')
    ('{"claims": [{"text": "It sank."}', False)
    """
    depth = end = 0
    inside = escaped = False
    for at in range(max(text.find("{"), 0), len(text)):
        character = text[at]
        if escaped:
            escaped = False
        elif character == "\\" and inside:
            escaped = True
        elif character == '"' and depth:
            inside = not inside
        elif not inside and character in "{[":
            depth += 1
        elif not inside and depth and character in "}]":
            depth -= 1
            end = at + 1 if character == "}" else end
    return text[:end], depth == 0 < end


def _values(text: str) -> list[_Value]:
    """Every outermost object or list, in order."""
    values: list[_Value] = []
    position = 0
    decoder = json.JSONDecoder()
    for _ in range(MOST_VALUES):
        start = _opening(text, position)
        if start is None:
            break
        end, deepest = _closing(text, start)
        position = end
        if deepest > DEEPEST:
            continue
        try:
            value, position = cast("tuple[object, int]", decoder.raw_decode(text, start))
        except (ValueError, RecursionError):
            span = text[start:end]
            found, value = _mended(span, whole=start == 0)
            if not found:
                continue
        values.append(_Value(value, start, position))
    return values


def _opening(text: str, position: int) -> int | None:
    starts = [at for at in (text.find("{", position), text.find("[", position)) if at >= 0]
    return min(starts, default=None)


def _closing(text: str, start: int) -> tuple[int, int]:
    """Where the bracket at `start` is closed (or the text ends), and how deep brackets nest up to there."""
    depth = deepest = 0
    inside = escaped = False
    for at in range(start, len(text)):
        character = text[at]
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == '"':
            inside = not inside
        elif not inside and character in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif not inside and character in "}]":
            depth -= 1
            if depth == 0:
                return at + 1, deepest
    return len(text), max(deepest, text.count("{", start) - text.count("}", start))


def _mended(span: str, *, whole: bool) -> tuple[bool, object]:
    """Whether broken JSON could be read, and as what.

    Square brackets in prose are no list: one that has to be mended needs a quote or a number in it, or to be all that
    the reply is.
    """
    is_list = span.startswith("[")
    if len(span) > REPAIRABLE or (is_list and not whole and not re.search(r"[\"'\d]", span)):
        return False, None
    if len(span) <= _SINGLE_QUOTED and "'" in span:
        found, value = _strict(_requoted(span))
        if found:
            return True, value
    try:
        value = cast("object", json_repair.repair_json(span, return_objects=True, skip_json_loads=True))
    except (ValueError, RecursionError, TypeError, IndexError, KeyError):
        return False, None
    if is_list:
        return bool(listing(value)), value
    # Prose after an object is read as more of it.
    value = next((item for item in listing(value) or [value] if mapping(item)), None)
    return value is not None, value


def _requoted(span: str) -> str:
    """Python's way of writing a value, as JSON: its quotes are those that stand beside punctuation."""
    quoted = _QUOTED.sub(lambda m: m[1] + json.dumps(m[2].replace("\\'", "'")), span)
    named = _STRING.sub(lambda m: _JSON_WORD.get(m[0], m[0]), quoted)
    return re.sub(r",(\s*[\]}])", r"\1", named)


def _strict(text: str) -> tuple[bool, object]:
    try:
        return True, json.loads(text)
    except (ValueError, RecursionError):
        return False, None


def _chosen(text: str, values: list[_Value]) -> object:
    objects = [each for each in values if mapping(each.value)]
    if len(objects) > 1 and all(
        not text[before.end : after.start].strip(" \t\r\n,;")
        for before, after in zip(objects, objects[1:], strict=False)
    ):
        return [each.value for each in objects]
    if objects:
        return objects[-1].value
    return max(values, key=lambda each: (bool(each.value), each.end - each.start, each.start)).value


def _clean(value: object) -> object:
    """Only what other steps can store and send: no lone surrogates, no numbers that are none."""
    if isinstance(value, str):
        return _UNPRINTABLE.sub("", value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list):
        return [_clean(item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        pairs = cast("dict[Any, object]", value)
        return {_UNPRINTABLE.sub("", str(key)): _clean(item) for key, item in pairs.items()}
    return value
