"""The JSON in a reply, however a model wraps, writes or breaks it."""

import json
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.llm.json_text import LONGEST, Unreadable, json_in, spoken

WHOLE = {"sufficient": False, "missing": ["the year"], "queries": ["when was it built"]}
TEXT = json.dumps(WHOLE)

SHAPES = {
    "as asked": TEXT,
    "indented": json.dumps(WHOLE, indent=2),
    "byte order mark": f"\ufeff{TEXT}",
    "thoughts": f"<think>Maybe {{'sufficient': true}}? No.</think>\n{TEXT}",
    "thoughts with prose before": f"Hm. <THINKING>{{}}</THINKING>{TEXT}",
    "thoughts whose opening mark the server took": f'{{"sufficient": true}}\n</think>\n\n{TEXT}',
    "nested thoughts": f"<think>a <think>b</think> c</think>{TEXT}",
    "channels": f"<|channel|>analysis<|message|>{{}}<|end|><|start|>assistant<|channel|>final<|message|>{TEXT}<|end|>",
    "control tokens": f"<|im_start|>{TEXT}<|im_end|>",
    "fence": f"```json\n{TEXT}\n```",
    "fence without a language": f"```\n{TEXT}\n```",
    "tildes": f"~~~json\n{TEXT}\n~~~",
    "fence on one line": f"```json {TEXT}```",
    "prose around": f"Sure! Here is the JSON you asked for:\n\n{TEXT}\n\nLet me know if [more] is needed.",
    "prose with braces": f"The form {{sufficient}} is filled: {TEXT}. {{Done}}",
    "a reference before": f"As document [1] says: {TEXT}",
    "what was asked, then the reply": f'The form is {{"sufficient": true, "missing": []}}. So: {TEXT}',
    "a list of one": f"[{TEXT}]",
    "single quotes": str(WHOLE),
    "trailing commas": '{"sufficient": false, "missing": ["the year",], "queries": ["when was it built",],}',
    "unquoted keys": '{sufficient: false, missing: ["the year"], queries: ["when was it built"]}',
    "curly quotes": "{“sufficient”: false, “missing”: [“the year”], “queries”: [“when was it built”]}",
    "comments": '{"sufficient": false, // not yet\n"missing": ["the year"], "queries": ["when was it built"]}',
    "missing commas": '{"sufficient": false "missing": ["the year"] "queries": ["when was it built"]}',
    "half an object": TEXT[:-2],
    "half an object in a fence": f"```json\n{TEXT[:-3]}\n```",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_an_object_is_found_in_every_shape(shape: str) -> None:
    found = json_in(SHAPES[shape])
    assert (found[0] if isinstance(found, list) and shape == "a list of one" else found) == WHOLE


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("['a', 'b']", ["a", "b"]),
        ("['it's fine', \"b\", 'c',]", ["it's fine", "b", "c"]),
        ("{'a': True, 'b': None, 'c': 'True'}", {"a": True, "b": None, "c": "True"}),
        ('queries = ["a", "b"]', ["a", "b"]),
        ('["a" "b"]', ["a", "b"]),
        ('["a", "b', ["a", "b"]),
        ('See [1] and [2].\n["a", "b"]', ["a", "b"]),
        ('{"n": 1}\n{"n": 2}', [{"n": 1}, {"n": 2}]),
        ('{"n": 1},\n{"n": 2}', [{"n": 1}, {"n": 2}]),
        ('{"said": "he said \\"no\\" {then} left]"}', {"said": 'he said "no" {then} left]'}),
        ('{"said": "he said "no" to it", "n": 2}', {"said": 'he said "no" to it', "n": 2}),
        ("[]", []),
        ("There are none: []", []),
        ("{}", {}),
        ('"abc"', "abc"),
        ("true", True),
        ("null", None),
        ("7", 7),
    ],
)
def test_a_value_is_found(text: str, value: object) -> None:
    assert json_in(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "<think>It is",
        "<think>{}</think>",
        "I cannot [at this time] say.",
        "None.",
        "```json\n```",
        "...",
        "{",
        "[",
    ],
)
def test_a_reply_without_json_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        json_in(text)


def test_what_cannot_be_stored_or_sent_is_left_out() -> None:
    found = json_in('{"a": NaN, "b": [1e999, -Infinity], "c": "x\\ud800\\u0000y", "d\\udfff": "\\u00e9"}')
    assert found == {"a": None, "b": [None, None], "c": "xy", "d": "é"}


HOSTILE = {
    "brackets": "[" * 100_000,
    "braces": "{" * 100_000,
    "objects in objects": '{"a":' * 40_000,
    "both": "[{" * 50_000,
    "empty objects": "{}" * 100_000,
    "small lists": "[x] " * 50_000,
    "small objects": "{x} " * 50_000,
    "quotes": "'" * 100_000,
    "a bracket and quotes": "[" + "'" * 100_000,
    "list items that never end": "[,'" * 60_000,
    "escapes": '{"a": "' + "\\" * 150_001,
    "escaped quotes": '{"a": "' + '\\"' * 90_000,
    "keys without values": '{ "a" ' * 30_000,
    "digits": "9" * 200_000,
    "a number that is too long": '{"a": ' + "9" * 150_000 + "}",
    "thoughts that never end": "<think>" * 30_000,
    "thoughts of another kind": "<thinking>" * 15_000 + "</think>" + "<thinking>" * 5_000,
    "ends of thoughts": "</think>" * 30_000,
    "tokens": "<|" * 100_000,
    "blank": " " * 5_000_000,
    "one word": "a" * 5_000_000,
    "one text": '{"a": "' + "b" * 5_000_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_reply_is_read_or_refused_soon(text: str) -> None:
    started = time.process_time()
    with suppress(Unreadable):
        json_in(text)
    assert time.process_time() - started < 2


def test_a_reply_of_five_megabytes_is_read_at_both_ends() -> None:
    reply = f"<think>{'so ' * 2_000_000}</think>{TEXT}"
    assert len(spoken(reply)) < LONGEST
    assert json_in(reply) == WHOLE


@given(st.text(alphabet="[]{}\"',:\\ \nabYESno01NaN<think>/|`-.", max_size=120))
def test_any_text_gives_a_value_or_is_unreadable(text: str) -> None:
    try:
        value = json_in(text)
    except Unreadable:
        return
    json.dumps(value, allow_nan=False).encode()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(min_size=1, max_size=8), VALUES, min_size=1, max_size=4))
def test_whatever_is_written_well_is_read_as_it_is(value: dict[str, object]) -> None:
    text = json.dumps(value)
    assert json_in(f"Here:\n```json\n{text}\n```") == json_in(text)
