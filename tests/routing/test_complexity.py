"""Plain questions go to the fast agent, composed ones to the deep one."""

import pytest

from leadline.routing.complexity import route

DEEP = [
    "Compare the warranty of the XR-2000 and the XR-2100",
    "Who is older, Ada Lind or Per Holm?",
    "When did the director of the film Northern Light die?",
    "What is the capital of the country that hosted the 1998 cup?",
    "Where was the builder of the tide mill at Oxley born?",
    "Who founded the yard, and when was the ship built?",
    "Where is it? Who owns it?",
    "What is Ada Lind's husband's profession?",
    "Write an overview of the harbour project",
    "Which harbour was rebuilt by the engineer who was born in the town of Vik?",
    "比较A和B的价格",
    "《北光》的导演的妻子是谁？",
    "公司什么时候成立，谁是创始人？",
    "请总结港口项目",
    "ما الفرق بين النموذجين؟",
    "من هو مخرج الفيلم الذي فاز بالجائزة؟",
    "اكتب تقرير عن الميناء",
]
FAST = [
    "What is the refund period?",
    "How do I reset the XR-2000?",
    "When was the lighthouse built?",
    "Who is the harbour master?",
    "Who is the director of Northern Light?",
    "What is the height of the tower?",
    "refund policy",
    "退款期限是多久？",
    "如何重置XR-2000？",
    "ما هي مدة الاسترداد؟",
    "",
]


@pytest.mark.parametrize("question", DEEP)
def test_composed_questions_go_deep(question: str) -> None:
    assert route(question).agent == "deep"


@pytest.mark.parametrize("question", FAST)
def test_plain_questions_go_fast(question: str) -> None:
    assert route(question).agent == "fast"


def test_the_sign_that_decided_is_said() -> None:
    assert route("Who is older, Ada or Per?").reason == "a comparison"


@pytest.mark.parametrize(
    ("question", "agent"),
    [
        ("Where was the builder of the tide mill at Oxley born?", "chain"),
        ("《北光》的导演的妻子是谁？", "chain"),
        ("Who is older, Ada Lind or Per Holm?", "deep"),
        ("Write an overview of the work of the builder of the mill", "deep"),
        ("What is the refund period?", "fast"),
    ],
)
def test_a_chain_of_relations_is_for_a_chain_where_a_model_thinks(question: str, agent: str) -> None:
    assert route(question, chains=True).agent == agent
