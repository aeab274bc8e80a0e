"""What replies say: lists, numbers and what is said of numbered things, in every way that models write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.llm.json_text import Unreadable
from leadline.llm.reading import LONGEST_TEXT, declined, fields, indices, number_in, numbered, texts

TWO = ("Who wrote it?", "When was it lit?")


@pytest.mark.parametrize(
    "reply",
    [
        '["Who wrote it?", "When was it lit?"]',
        "['Who wrote it?', 'When was it lit?']",
        '{"queries": ["Who wrote it?", "When was it lit?"]}',
        '{"Queries": ["Who wrote it?", "When was it lit?",]}',
        '{"thought": "two parts", "sub_queries": ["Who wrote it?", "When was it lit?"]}',
        '{"queries": {"1": "Who wrote it?", "2": "When was it lit?"}}',
        '{"queries": [{"query": "Who wrote it?"}, {"n": 2, "query": "When was it lit?"}]}',
        '{"queries": ["Who wrote it?", "When was it lit?", "who wrote it?", "", null, 3, "none"]}',
        "<think>['x']</think>```python\n['Who wrote it?', 'When was it lit?']\n```",
        "1. Who wrote it?\n2. When was it lit?",
        "1) Who wrote it?\n2) When was it lit?\n",
        "(1) Who wrote it?\n(2) When was it lit?\n",
        "Here are the queries:\n\n- Who wrote it?\n- When was it lit?\n\nI hope this helps.",
        "* **Who wrote it?**\n* **When was it lit?**",
        "• “Who wrote it?”\n• “When was it lit?”",
        "a. 'Who wrote it?'\nb. 'When was it lit?'",
        "Who wrote it?\nWhen was it lit?",
        "The parts are:\nWho wrote it?\nWhen was it lit?",
        '["Who wrote it?", "When was it lit?',
    ],
)
def test_a_list_is_read_however_it_is_written(reply: str) -> None:
    assert texts(reply, 4) == TWO


@pytest.mark.parametrize(
    "reply", ["[]", '{"queries": []}', '{"queries": null}', "None", "N/A.", "(none)", "null"]
)
def test_none_is_an_answer(reply: str) -> None:
    assert texts(reply, 4) == ()


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "<think>1. Who wrote it?",
        "I'm sorry, but I can't help with that.",
        "I cannot assist:\n- with this\n- or that",
        "As an AI language model, I have no access?",
        "The question is simple and stands for itself.",
        "7",
        "true",
    ],
)
def test_a_refusal_or_prose_is_no_list(reply: str) -> None:
    with pytest.raises(Unreadable):
        texts(reply, 4)


def test_lists_are_bounded() -> None:
    found = texts(["x" * 10_000, *map(str, range(100))], 3)
    assert (len(found), len(found[0])) == (3, LONGEST_TEXT)


def test_a_list_is_found_under_the_name_that_is_asked_for() -> None:
    reply = '{"queries": ["when?"], "missing": "the year"}'
    assert (texts(reply, 4), texts(reply, 4, ("missing",))) == (("when?",), ("the year",))


@pytest.mark.parametrize(
    "reply", ["I’m sorry, I can’t.", "Sorry, no.", "I am unable to.", "**Unfortunately** no."]
)
def test_a_refusal_is_known(reply: str) -> None:
    assert declined(reply)


@pytest.mark.parametrize("reply", ["The captain was sorry.", "I Claudius", "", "{'a': 1}"])
def test_other_replies_are_no_refusals(reply: str) -> None:
    assert not declined(reply)


def test_the_fields_of_an_object_have_names_in_lower_case() -> None:
    assert fields("[{'Sufficient': True}]") == {"sufficient": True}
    for reply in ("['a']", "7", "[]", "prose"):
        with pytest.raises(Unreadable):
            fields(reply)


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        ("2", 2),
        ("2.", 2),
        ("**2**", 2),
        ("[2]", 2),
        ("#2", 2),
        ("２", 2),
        ("Agent 2", 2),
        ("Of the 3 agents, 1 is fast, so I choose 2.", 2),
        ("<think>3?</think> 2", 2),
        ("GPT-4 would take 2", 2),
        ("2 (I am 95% sure)", 2),
        ("two", 2),
        ("Number TWO is the best one.", 2),
        ("the second", 2),
        ("the 2nd", 2),
        ("one", 1),
        ("二", 2),
        ('{"agent": 2}', 2),
        ('{"agent": "2", "confidence": 90}', 2),
        ('{"choice": "two"}', 2),
        ("```json\n[2]\n```", 2),
    ],
)
def test_a_number_is_picked_however_it_is_written(reply: str, number: int) -> None:
    assert number_in(reply, 3) == number


@pytest.mark.parametrize(
    "reply", ["", "0", "4", "four", "-1", "2.5", "fast", "I'm sorry.", "9" * 5_000, '{"agent": "fast"}']
)
def test_a_number_out_of_range_or_none_is_unreadable(reply: str) -> None:
    with pytest.raises(Unreadable):
        number_in(reply, 3)


@pytest.mark.parametrize(
    "reply",
    [
        '{"1": "yes", "2": "no", "9": "yes"}',
        '{"verdicts": {"1": "yes", "2": "no"}}',
        '["yes", "no"]',
        "['yes', 'no']",
        "1. yes\n2. no",
        "[1] yes\n[2] no",
        "[1]: yes\n[2]: no\n[3]: yes",
        "1: yes\n2: no\n2: yes",
        "Document 1: yes\nDocument 2: no",
        "- 1 - yes\n- 2 - no",
        "**1.** yes\n**2.** no",
    ],
)
def test_what_is_said_of_numbered_things_is_read(reply: str) -> None:
    assert numbered(reply, 2) == {1: "yes", 2: "no"}


def test_objects_that_carry_a_number_are_read() -> None:
    reply = '{"results": [{"document": "2", "keep": true}, {"id": 5, "keep": true}, {"n": 1, "keep": false}]}'
    found = numbered(reply, 2)
    assert {n: item["keep"] for n, item in found.items() if isinstance(item, dict)} == {2: True, 1: False}


@pytest.mark.parametrize("reply", ["", "yes", "7. yes", "[]", "As [1] says, yes.", '["yes"]', "{'a': 1}"])
def test_a_reply_that_speaks_of_no_number_is_unreadable(reply: str) -> None:
    with pytest.raises(Unreadable):
        numbered(reply, 2)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ([1, 3], (1, 3)),
        ([3, 1, 3], (3, 1)),
        (["2", "document 1", "[3]"], (2, 1, 3)),
        ([{"n": 2}, {"id": "1"}], (2, 1)),
        ("[1], 3 and 9", (1, 3)),
        (2, (2,)),
        (2.0, (2,)),
        ([0, 4, -1, 1.5, None, True, "x"], ()),
        (None, ()),
        ("", ()),
    ],
)
def test_numbers_out_of_range_are_dropped(value: object, found: tuple[int, ...]) -> None:
    assert indices(value, 3) == found


@given(st.text(alphabet="[]{}\"',:\\ \nabcYESno0123.-*#<think>/", max_size=150))
def test_any_reply_is_read_or_unreadable(reply: str) -> None:
    for read in (texts, numbered, number_in):
        try:
            found = read(reply, 3)
        except Unreadable:
            continue
        assert found in (1, 2, 3) if isinstance(found, int) else len(found) <= 3
