"""Patterns find what they say, in any script, and none keeps the engine busy."""

import pytest

from leadline.errors import FlowError
from leadline.flow.expressions.patterns import pattern


@pytest.mark.parametrize(
    ("written", "text", "found"),
    [
        ("^The \\w+", "The Tide", True),
        ("^tide", "The Tide", False),
        ("(?i)tide$", "The Tide", True),
        ("\\bnaïve\\b", "so naïve a thing", True),
        ("(?i)ÄRGER", "ärger", True),
        ("^\\p{L}+$", "日本語", True),
        ("^\\p{Arabic}+$", "ميناء", True),
        ("a.c", "a\nc", False),
        ("(?s)a.c", "a\nc", True),
        ("b", "\ud800b", True),
    ],
)
def test_a_pattern_finds_what_it_says(written: str, text: str, found: bool) -> None:
    assert pattern(written).search(text) is found


@pytest.mark.parametrize(
    "hostile", ["(a+)+$b", "(a|a)*c", "(a|aa)+$c", "(.*)*x", "a*a*a*a*a*a*b", "(x+x+)+y"]
)
def test_a_pattern_of_endless_ways_is_followed_once(hostile: str) -> None:
    assert not pattern(hostile).search("a" * 200_000)


@pytest.mark.parametrize(
    "broken", ["(a", "a)", "[a", "*a", "(a)\\1", "(?=a)", "[b-a]", "\\", "((a{500}){500}){500}", "\ud800"]
)
def test_what_cannot_be_searched_for_is_refused_with_a_reason(broken: str) -> None:
    with pytest.raises(FlowError, match="this pattern cannot be used: ."):
        pattern(broken)


def test_a_pattern_of_endless_length_is_refused() -> None:
    with pytest.raises(FlowError, match="at most 500 characters"):
        pattern("a" * 501)
