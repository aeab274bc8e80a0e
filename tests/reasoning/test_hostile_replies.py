"""Whatever a model says, a reader of replies gives something usable or says that it cannot."""

import json
from collections.abc import Callable
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.llm.json_text import Unreadable
from leadline.reasoning import model_claims, model_gaps, model_judging, model_reflecting, model_report

KEYS = st.sampled_from(
    "found claims text cites n quote useful sufficient missing queries id disagree answer x sections heading facts gaps".split()
)
LEAVES = st.none() | st.booleans() | st.integers(-3, 99) | st.floats() | st.text(max_size=12) | KEYS
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
REPLIES = VALUES.map(json.dumps) | VALUES.map(repr) | st.text(max_size=60)
CUT = st.tuples(REPLIES, st.integers(0, 60)).map(lambda pair: pair[0][: pair[1]])


@pytest.mark.parametrize(
    "read",
    [
        model_claims.read,
        model_judging.read,
        model_reflecting.read,
        model_gaps.read,
        model_report.read,
        model_report.read_cut,
    ],
    ids=["write", "judge", "reflect", "gaps", "compose", "compose, cut"],
)
@settings(max_examples=150, deadline=None)
@given(reply=REPLIES | CUT)
def test_no_reply_breaks_a_reader(read: Callable[[str, int], object], reply: str) -> None:
    try:
        value = read(reply, 3)
    except Unreadable:
        return
    if isinstance(value, tuple):
        assert set(cast("tuple[int, ...]", value)) <= {1, 2, 3}
    elif isinstance(value, model_claims.Written):
        assert all(0 <= cite.number <= 3 for claim in value.claims for cite in claim.cites)
        assert all(claim.text.strip() for claim in value.claims)
        assert value.claims or not value.found
    elif isinstance(value, model_report.Reported):
        assert all(1 <= number <= 3 for each in value.sentences for number in each.facts)
        assert all(each.text.strip() for each in value.sentences)
        assert value.sentences or value.missing
    elif isinstance(value, model_gaps.Thought):
        assert len(value.gaps) <= 3
        assert len(value.queries) <= 3
        assert bool(value.queries) <= bool(value.gaps)
    else:
        assert isinstance(value, model_reflecting.Thought)
        assert len(value.queries) <= 3
