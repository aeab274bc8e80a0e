"""Yes and no, in every letter case and with whatever stands around it."""

import pytest

from leadline.llm.json_text import Unreadable
from leadline.llm.verdicts import truth, verdict, yes_or_no


@pytest.mark.parametrize(
    "reply",
    ["YES", "yes", "Yes.", "**Yes**", "_yes_", '"yes"', "yes!", "Answer:YES", "YES, it knows the nose."],
)
def test_yes_as_a_whole_word_accepts(reply: str) -> None:
    assert verdict(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "NO",
        "no.",
        "YES and NO",
        "No, yes",
        "**no**",
        "Relevant.",
        "yesterday",
        "eyes",
        "I'm sorry.",
        "true",
        "{}1",
    ],
)
def test_everything_else_that_can_be_read_rejects(reply: str) -> None:
    assert not verdict(reply)


@pytest.mark.parametrize("reply", ["", "  ", "...", "**", "<think>YES", "<think>YES</think>", "\x00"])
def test_nothing_said_is_unreadable(reply: str) -> None:
    for read in (verdict, yes_or_no):
        with pytest.raises(Unreadable):
            read(reply)


def test_what_a_model_thinks_is_no_verdict() -> None:
    assert verdict("<think>NO? no.</think>YES")
    assert not verdict("YES or so\n</think>NO")


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("yes", True),
        ("y", True),
        ("True", True),
        ("Yes, there is no more to ask.", True),
        ("No. Yes, really.", False),
        ("The answer is no", False),
        ("That is not so", False),
        ('{"enough": true}', True),
        ('{"reason": "all is there", "enough": "NO"}', False),
        ("['yes']", True),
        ('```json\n{"enough": 0}\n```', False),
        ("{yes", True),
    ],
)
def test_an_answer_is_read(reply: str, answer: bool) -> None:
    assert yes_or_no(reply) is answer


@pytest.mark.parametrize("reply", ["perhaps", "It is yes but also no", "{'a': 'maybe'}", "7"])
def test_neither_or_both_is_unreadable(reply: str) -> None:
    with pytest.raises(Unreadable):
        yes_or_no(reply)


@pytest.mark.parametrize(
    ("value", "found"),
    [(True, True), (1, True), (0.0, False), (2, None), ("no", False), ("", None), (None, None), ([], None)],
)
def test_a_value_is_yes_no_or_neither(value: object, found: bool | None) -> None:
    assert truth(value) is found
