"""A statement whose sentence denies, conditions, attributes or drops it is none: the sentence as it stands takes its place."""

import pytest

from leadline.agents.facts import checked_fact
from leadline.agents.hedging import turned
from leadline.testing.builders import document
from leadline.types import Citation, Claim

PAGE = document(
    "Officials denied that the mayor of Velden stole 3 million euros. If approved, the bridge of Velden would cost 12 million euros. "
    "The plan to close the mill of Velden in 2024 was dropped. Critics claim that the dam of Velden is unsafe. "
    "The quay of Velden is made of granite.",
    "velden.md",
    "Velden",
)
HELD = {PAGE.id: PAGE}


def stated(text: str, quote: str) -> Claim:
    at = PAGE.text.index(quote)
    return Claim(text, (Citation(PAGE.id, "c", PAGE.source, PAGE.title, quote, at, at + len(quote)),))


@pytest.mark.parametrize(
    ("text", "quote", "said"),
    [
        (
            "The mayor of Velden stole 3 million euros.",
            "the mayor of Velden stole 3 million euros",
            "Officials denied that the mayor of Velden stole 3 million euros.",
        ),
        (
            "The bridge of Velden cost 12 million euros.",
            "the bridge of Velden would cost 12 million euros",
            "If approved, the bridge of Velden would cost 12 million euros.",
        ),
        (
            "The mill of Velden closed in 2024.",
            "close the mill of Velden in 2024",
            "The plan to close the mill of Velden in 2024 was dropped.",
        ),
        (
            "The dam of Velden is unsafe.",
            "the dam of Velden is unsafe",
            "Critics claim that the dam of Velden is unsafe.",
        ),
    ],
)
def test_the_whole_sentence_takes_the_place_of_what_it_turns(text: str, quote: str, said: str) -> None:
    fact = checked_fact(stated(text, quote), HELD, 1)
    assert fact is not None
    assert fact.statement == said
    assert [each.quote for each in fact.citations] == [said]


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The quay of Velden is made of granite.", "The quay of Velden is made of granite"),
        ("The dam of Velden is unsafe, critics claim.", "Critics claim that the dam of Velden is unsafe."),
    ],
)
def test_what_its_sentence_bears_out_stays_as_it_was_stated(text: str, quote: str) -> None:
    fact = checked_fact(stated(text, quote), HELD, 1)
    assert fact is not None
    assert fact.statement == text


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("市长偷了三百万。", "官员否认市长偷了三百万。"),
        ("桥将耗资一千万。", "如果获批，桥将耗资一千万。"),
        ("磨坊于2024年关闭。", "关闭磨坊的计划已被取消。"),
        ("السد غير آمن.", "يزعم المنتقدون أن السد غير آمن."),
        ("سرق العمدة المال.", "نفى المسؤولون أن العمدة سرق المال."),
        ("أغلقت المطحنة.", "ألغيت خطة إغلاق المطحنة."),
    ],
)
def test_chinese_and_arabic_have_their_words_for_it(statement: str, sentence: str) -> None:
    assert turned(statement, sentence)
    assert not turned(sentence, sentence)
