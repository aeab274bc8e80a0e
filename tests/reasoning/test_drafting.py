"""What is shown of an answer that is still coming."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.reasoning.drafting import Drafting


def shown(reply: str, size: int) -> str:
    said: list[str] = []
    drafting = Drafting(said.append)
    for at in range(0, len(reply), size):
        drafting(reply[at : at + size])
    return "".join(said)


@given(
    st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=30), max_size=4),
    st.integers(1, 9),
    st.booleans(),
)
def test_the_texts_of_claims_come_whole_however_the_reply_is_cut(
    texts: list[str], size: int, plain: bool
) -> None:
    claims = [{"text": text, "cites": [{"n": 1, "quote": "not shown"}]} for text in texts]
    reply = json.dumps({"found": True, "claims": claims}, ensure_ascii=plain)
    wanted = " ".join(text for text in texts if text)
    bare = [character for character in wanted if ord(character) < 0x10000 and character.isprintable()]
    there = [
        character for character in shown(reply, size) if character.isprintable() and ord(character) < 0x10000
    ]
    assert "".join("".join(there).split()) == "".join("".join(bare).split())


@pytest.mark.parametrize("reply", ["Just prose about it.", "[1, 2]", '{"quote": "x"}', ""])
def test_a_reply_without_claims_shows_nothing(reply: str) -> None:
    assert shown(reply, 3) == ""


def test_a_text_that_never_ends_is_not_shown_for_ever() -> None:
    assert len(shown('{"claims": [{"text": "' + "and so on " * 10_000, 1_000)) <= 41_000
