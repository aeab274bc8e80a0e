"""Questions are split where they are really several, and left whole where they are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.reasoning.planning import plan_queries, stripped


def subs(question: str) -> list[str]:
    original, *others = plan_queries(question)
    assert (original.text, original.kind) == (question.strip(), "original")
    assert {query.kind for query in others} <= {"sub"}
    return [query.text for query in others]


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("Hi, could you tell me who owns the ferry? Thanks!", "who owns the ferry?"),
        ("Hello there! Please show me the ferry tolls", "the ferry tolls"),
        ("I would like to know about the ferry", "the ferry"),
        ("I'm just wondering who owns it", "who owns it"),
        ("Do you happen to know where it lies, please?", "where it lies"),
        ("我想问一下那个关于报销流程的事情", "报销流程"),
        ("你好，请问灯塔有多高？谢谢", "灯塔有多高？"),
        ("麻烦你帮我查一下码头的长度", "码头的长度"),
        ("请告诉我关于灯塔的情况", "灯塔"),
        ("你能告诉我灯塔有多高", "灯塔有多高"),
        ("من فضلك أخبرني عن الفنار", "الفنار"),
        ("أريد أن أعرف عن الفنار، شكرا", "الفنار"),
    ],
)
def test_filler_is_taken_off(question: str, core: str) -> None:
    assert stripped(question) == core
    assert subs(question) == [core]


@pytest.mark.parametrize("question", ["hello", "please", "thanks", "你好", "谢谢", "", "?", "show me"])
def test_a_question_of_filler_alone_is_not_stripped_to_nothing(question: str) -> None:
    assert stripped(question) == question
    assert subs(question) == []


@pytest.mark.parametrize(
    ("question", "crossed"),
    [
        (
            "Compare Osprey and Petrel in price and service",
            ["Osprey price", "Osprey service", "Petrel price", "Petrel service"],
        ),
        ("Compare the XR-2000 and the XR-2100 by weight", ["XR-2000 weight", "XR-2100 weight"]),
        ("How do Osprey and Petrel compare in price?", ["Osprey price", "Petrel price"]),
        ("比较鱼鹰和海燕在价格和服务方面的区别", ["鱼鹰价格", "鱼鹰服务", "海燕价格", "海燕服务"]),
        (
            "ما الفرق بين أوسبري وبترل من حيث السعر والخدمة؟",
            ["أوسبري السعر", "أوسبري الخدمة", "بترل السعر", "بترل الخدمة"],
        ),
    ],
)
def test_a_comparison_crosses_subjects_with_aspects(question: str, crossed: list[str]) -> None:
    assert subs(question) == crossed


def test_a_crossed_query_knows_its_subject() -> None:
    leads = [query.leads[0].name for query in plan_queries("Compare Osprey and Petrel in price")[1:]]
    assert leads == ["Osprey", "Petrel"]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Who is older, Ada Brandt or Ivo Hale?", ["Ada Brandt", "Ivo Hale"]),
        ("Are Ada Brandt and Ivo Hale from the same town?", ["Ada Brandt", "Ivo Hale"]),
        ("Which is longer, the Osprey or the Petrel?", ["Osprey", "Petrel"]),
        ("Was Emma Bull or Virginia Hale born first?", ["Emma Bull", "Virginia Hale"]),
    ],
)
def test_a_choice_asks_for_each_of_its_subjects(question: str, named: list[str]) -> None:
    found = plan_queries(question)[1:]
    assert [query.leads[0].name for query in found] == named
    for query, name, other in zip(found, named, reversed(named), strict=True):
        assert query.text.startswith(name)
        assert other not in query.text


@pytest.mark.parametrize(
    ("question", "clauses"),
    [
        (
            "Who built the Sable Heron and when was it sold?",
            ["Who built the Sable Heron", "when was it sold? (Sable Heron)"],
        ),
        ("Where is the quay? Who owns it?", ["Where is the quay", "Who owns it?"]),
        ("谁建造了灯塔，什么时候完工的？", ["谁建造了灯塔", "什么时候完工的？"]),
        ("من بنى الفنار ومتى افتتح؟", ["من بنى الفنار", "متى افتتح؟"]),
    ],
)
def test_clauses_are_asked_one_by_one(question: str, clauses: list[str]) -> None:
    assert subs(question) == clauses


def test_at_most_four_sub_queries_go_with_the_question() -> None:
    question = "Who founded it, and who bought it, and when did it close, and where was it, and how big was it, and why?"
    assert subs(question) == ["Who founded it", "who bought it", "when did it close", "where was it"]


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote Pride and Prejudice?",
        "Where is the Rose and Crown?",
        "How are tea and scones served in Devon?",
        "When did the Trinity and Harbour Board meet in Marlow?",
        "Who founded the yard that built the Osprey?",
        "What is the price of salt and pepper in Velden?",
        "How does one get from Marlow to Velden by train?",
        "Compare",
        "灯塔有多高？",
        "灯塔和码头在哪里？",
        "كم ارتفاع الفنار؟",
        "ferry toll 1953",
    ],
)
def test_one_question_stays_whole(question: str) -> None:
    assert subs(question) == []


@given(
    st.text(
        st.sampled_from("aA ,?？和与在的，谁什么و؟.()") | st.characters(exclude_categories=["Cs"]),
        max_size=60,
    )
)
def test_the_question_comes_first_then_at_most_four_others_all_different(question: str) -> None:
    found = subs(question)
    assert len(found) <= 4
    assert all(text.strip() for text in found)
    folded = [text.casefold() for text in (question.strip(), *found)]
    assert len(set(folded)) == len(folded)


@pytest.mark.parametrize(
    "unit", ["and ", "A and B ", ", and who ", "和", "在的", "，谁", "between ", " ", "how "]
)
def test_long_runs_of_one_pattern_are_planned(unit: str) -> None:
    assert len(plan_queries(unit * (2_000 // len(unit)))) <= 5
