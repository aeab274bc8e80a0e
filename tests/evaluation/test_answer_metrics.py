"""Answer metrics, on texts in the languages the analyser knows."""

import pytest

from leadline.evaluation.answer_metrics import (
    citation_precision,
    citation_recall,
    contains,
    exact_match,
    is_yes_no,
    sentence_count,
)


def test_an_exact_match_ignores_case_articles_accents_and_punctuation() -> None:
    assert exact_match("The  Mirren-River,", ["mirren river"])
    assert exact_match("Zürich", ["x", "Zurich"])
    assert not exact_match("Mirren", ["Mirren River"])
    assert not exact_match("the", ["", "a"])


@pytest.mark.parametrize(
    ("text", "gold", "expected"),
    [
        ("It was built in 1912 by Ivo Hale.", "Ivo Hale", True),
        ("It was built in 1912.", "12", False),
        ("It was the 12th; then the 12 came.", "12", True),
        ("An American ship.", "America", False),
        ("French-born sailor", "French", True),
        ("黑豹队的防守只丢了308分。", "308", True),
        ("由三茂铁路 股份有限公司管理", "三茂铁路股份有限公司", True),
        ("وكتب في صحيفة الواشنطن بوست", "واشنطن بوست", True),
        ("anything", "", False),
    ],
)
def test_a_gold_text_is_found_as_whole_words_where_words_have_spaces(
    text: str, gold: str, expected: bool
) -> None:
    assert contains(text, [gold]) is expected


def test_any_alias_will_do() -> None:
    assert contains("G. Stanley Hall led it", ["Granville Hall", "Stanley Hall"])
    assert not contains("nobody led it", [])


def test_yes_and_no_are_told_apart_from_names() -> None:
    assert [is_yes_no(gold) for gold in ("Yes", "no.", "Noah", "")] == [True, True, False, False]


def test_citations_are_measured_against_the_supporting_passages() -> None:
    assert citation_recall({"a", "x"}, {"a", "b"}) == 0.5
    assert citation_precision({"a", "x", "y", "z"}, {"a", "b"}) == 0.25
    assert citation_recall({"a"}, set()) == citation_precision(set(), {"a"}) == 0


def test_sentences_are_counted_over_all_claims() -> None:
    assert sentence_count(["Dr. Hale built it. It stands.", "没有了", "它建于1980年。很大。"]) == 5
    assert sentence_count([]) == 0
