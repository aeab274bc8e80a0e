"""Patterns: they find what `re` finds, and no pattern keeps the engine busy."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.errors import FlowError
from leadline.flow.patterns import pattern

ATOMS = (
    r"a b . [ab] [^a] [a-c] \w \W \d \s \b \B ^ $ (a|b) (?:ab) a* (ab|a)* b+? a{2} a{1,3} a{2,} (a*)* (a|)* "
    r"(^a|b)* b? (a+)+$ [\s\d] [a\-z] \. \x61 a?? ()"
).split()


@given(st.lists(st.sampled_from(ATOMS), max_size=6), st.text("ab 1\nA.-", max_size=10), st.booleans())
def test_a_pattern_finds_what_the_usual_engine_finds(atoms: list[str], text: str, blind: bool) -> None:
    written = ("(?i)" if blind else "") + "".join(atoms)
    # There `$` is also before a last line end, and no word's edge is in an empty text; here a place is a place.
    wanted = re.search(written.replace("$", r"\Z"), text)
    if text or r"\B" not in written:
        assert pattern(written).search(text) is bool(wanted)


@pytest.mark.parametrize(
    "hostile", [r"(a+)+$b", r"(a|a)*c", r"(a|aa)+$c", r"(.*)*x", r"(\w*)*\d", r"a*a*a*a*a*a*b", r"(x+x+)+y"]
)
def test_a_pattern_of_endless_ways_is_followed_once(hostile: str) -> None:
    assert not pattern(hostile).search("a" * 200_000)


def test_many_different_characters_do_not_fill_the_memory() -> None:
    searched = pattern("[^x]{3}x")
    assert not searched.search("".join(map(chr, range(0x4E00, 0x9FFF))) * 2)
    assert searched.search("".join(map(chr, range(0x4E00, 0x9FFF))) + "x")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("(a", "not closed"),
        ("a)", "closes nothing"),
        ("[a", "ends too early"),
        ("*a", "nothing is there to repeat"),
        ("a**", "two repetitions"),
        ("a{9,1}", "the smaller number first"),
        ("a{600}", "at most 500"),
        ("(a{500}){500}", "too large"),
        ("(){500}", None),
        ("((){500}){500}", "too large"),
        (r"(a)\1", "not known"),
        ("(?=a)", "only `(?:`"),
        ("(?P<n>a)", "only `(?:`"),
        ("[b-a]", "a range goes"),
        (r"\p", "not known"),
        ("(" * 40 + "a" + ")" * 40, "nest deeper"),
        ("a" * 501, "500 characters"),
        ("\\", "ends too early"),
    ],
)
def test_what_cannot_be_read_of_a_pattern_is_said(written: str, said: str | None) -> None:
    if said is None:
        assert pattern(written).search("")
        return
    with pytest.raises(FlowError, match=re.escape(said)):
        pattern(written)
