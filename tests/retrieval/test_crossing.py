"""A question in another script than its nearest passages follows the vectors, not stray words."""

from leadline.retrieval.crossing import CROSSING, across
from leadline.store.base import Scored
from leadline.testing.builders import chunk

ENGLISH = [
    Scored(chunk(f"The lighthouse of {place} was built in 1887.", f"{place}.md"), 0.8) for place in "abcd"
]
CHINESE = [Scored(chunk("灯塔建于1887年。", f"{place}.md"), 0.8) for place in "xyz"]


def test_vectors_lead_where_keywords_cannot_match() -> None:
    assert across("متى بنيت المنارة 1887؟", ENGLISH, 0.4) == CROSSING
    assert across("灯塔建于哪一年?", ENGLISH, 0.4) == CROSSING


def test_the_same_script_keeps_its_weight_also_in_a_mixed_collection() -> None:
    assert across("When was the lighthouse built?", ENGLISH, 0.4) == 0.4
    assert across("灯塔建于哪一年?", [*CHINESE, ENGLISH[0]], 0.4) == 0.4


def test_where_vectors_are_not_asked_or_stand_alone_nothing_changes() -> None:
    assert across("灯塔?", ENGLISH, 0.0) == 0.0
    assert across("灯塔?", ENGLISH, 1.0) == 1.0
    assert across("灯塔?", [], 0.4) == 0.4
