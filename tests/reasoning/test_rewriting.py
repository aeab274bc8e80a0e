"""What a rewrite may not lose, what it may not bring in, and which questions share a kept one."""

from collections.abc import Mapping

import pytest

from leadline.analysis.spelled import spelled
from leadline.reasoning.rewriting import LONGEST, added, like, rare, why_not
from leadline.retrieval.base import TermWeights
from leadline.retrieval.scoring import idf

NOTHING = TermWeights()
CHUNKS = 1_000


def weighed(frequency: Mapping[str, int]) -> TermWeights:
    """Weights in a collection of a thousand chunks, so many of which hold each term."""
    return TermWeights(idf={term: idf(count, CHUNKS) for term, count in frequency.items()}, chunks=CHUNKS)


CHINESE = weighed(
    {
        "报销": 80,
        "流程": 60,
        "费用": 50,
        "报账": 20,
        "步骤": 30,
        "海号": 2,
        "船长": 40,
        "轮船": 30,
        "指挥": 25,
    }
    | {"公司": 90, "退款": 70, "政策": 60, "规定": 50, "星海": 1}
)
ARABIC = weighed(dict.fromkeys(["قبطان", "سفين", "استرداد", "اموال", "سياس"], 50))


@pytest.mark.parametrize(
    ("question", "rewrite", "reason"),
    [
        ("refund policy", "7-day refund policy", "adds the number 7"),
        ("refund policy", "refund policy within seven days", "adds the number 7"),
        ("refund policy", "refund policy since 3 May 2021", "adds the number 2021"),
        ("profit last year", "profit in 2024", "adds the number 2024"),
        ("revenue of 1980", "turnover of the 1980s", "adds the code 1980s"),
        ("refund policy", "refund rules in form RF-2", "adds the number 2"),
        ("refund policy", "terms of the form rf2a", "adds the code rf2a"),
        ("Who founded the Mirren Yard?", "Ada Brandt founded the Mirren Yard", "adds the name Ada Brandt"),
        ("Who founded the Mirren Yard?", "Founding of the Mirren Yard by Brandt", "adds the name Brandt"),
        ("refund policy", "What does Acme give back?", "adds the name Acme"),
        ("refund policy", "refund rules of the US", "adds the name US"),
        ("退款政策", "七天退款规定", "adds the number 7"),
        ("退款政策", "阿里公司退款规定", "adds the name 阿里"),
        ("退款政策", "星海号退款规定", "adds the name 星海号"),
    ],
)
def test_what_neither_the_question_nor_the_evidence_has_is_made_up(
    question: str, rewrite: str, reason: str
) -> None:
    assert why_not(question, rewrite, CHINESE) == reason


@pytest.mark.parametrize(
    ("question", "rewrite", "reason"),
    [
        ("Who founded the Mirren Yard?", "founder of the shipyard", "loses the name Mirren Yard"),
        ("What does the US tax?", "duties in the country", "loses the name US"),
        ("price of XR-2000", "cost of XR-2100", "loses the code xr-2000"),
        ("C++ memory leak", "C memory loss", "loses the code c++"),
        ("age of release 2.5", "how old is release 25", "loses the number 2.5"),
        ("sales on 12 March 1980", "turnover in March 1980", "loses the date 1980-03-12"),
        ("who wrote “the long watch”", "author of the long patrol", "loses the quoted “the long watch”"),
        ("who wrote 'the long watch'", "author of the long patrol", "loses the quoted “the long watch”"),
        ("《海港志》的船长", "轮船船长", "loses the quoted “海港志”"),
        ("星海号的船长是谁", "轮船的船长是谁", "loses the name 星海号"),
    ],
)
def test_what_makes_the_question_that_question_must_stay(question: str, rewrite: str, reason: str) -> None:
    assert why_not(question, rewrite, CHINESE) == reason


@pytest.mark.parametrize(
    ("question", "rewrite"),
    [
        ("refund policy", "rules for getting money back"),
        ("Who founded the Mirren Yard?", "founder of the Mirren Yard"),
        ("Who founded the Mirren Yard?", "Establishment of the Mirren Yard"),
        ("sales on 12 March 1980", "turnover on 1980-03-12"),
        ("three-day leave", "3 days of absence"),
        ("1,200 workers", "a staff of 1200"),
        ("What does the US tax?", "duties that the US imposes"),
        ("C++ memory leak", "storage not freed in C++"),
        ("who wrote “The Long Watch”", "author of The Long Watch"),
        ("报销流程", "费用报账步骤"),
        ("星海号的船长是谁", "谁在指挥星海号"),
    ],
)
def test_other_words_for_the_same_are_searched_for(question: str, rewrite: str) -> None:
    assert why_not(question, rewrite, CHINESE) == ""


def test_arabic_names_are_the_rare_words() -> None:
    assert why_not("من قبطان سفينة المرجان؟", "قبطان سفينة", ARABIC) == "loses the name المرجان"
    assert why_not("من قبطان سفينة المرجان؟", "سفينة المرجان وقبطان", ARABIC).startswith("adds the name")
    assert why_not("سياسة استرداد الأموال", "استرداد الأموال خلال سبعة أيام", ARABIC) == "adds the number 7"


def test_the_evidence_may_name_what_the_question_does_not() -> None:
    found = "The yard was founded by Ada Brandt in 1871."
    assert why_not("Who led the Mirren Yard?", "Ada Brandt of the Mirren Yard", NOTHING, [found]) == ""
    assert added(("Who led it?", found), "the yard in 1871", NOTHING) == ""
    assert added(("Who led it?", found), "the yard in 1872", NOTHING) == "adds the number 1872"


@pytest.mark.parametrize("rewrite", ["", "?!", "of the", "policy: refund!", "x" * (LONGEST + 1)])
def test_what_says_nothing_else_is_no_rewrite(rewrite: str) -> None:
    assert why_not("refund policy", rewrite, NOTHING)


def test_rare_is_what_one_in_five_hundred_chunks_holds_or_none() -> None:
    weights = weighed({"common": 80, "two": 2, "three": 3})
    assert [rare(term, weights) for term in ("common", "three", "two", "unknown")] == [
        False,
        False,
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Who owns the ferry?", "who owns the FERRY"),
        ("Hi, could you tell me who owns the ferry? Thanks!", "Who owns the ferry"),
        ("price, of XR-2000", "Price of XR-2000?"),
        ("我想问一下那个关于报销流程的事情", "报销流程"),
    ],
)
def test_case_filler_and_punctuation_make_no_other_question(one: str, other: str) -> None:
    assert like(one) == like(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("release 2.5", "release 25"),
        ("release 2.5", "release 2 5"),
        ("price of XR-2000", "price of XR-2100"),
        ("price of XR-2000", "price of XR 2000"),
        ("C++ in schools", "C# in schools"),
        ("who is Ada Brandt", "who is Ada Brand"),
        ("who wrote 'the long watch'", "who wrote the long watch"),
        ("sales in May 2020", "sales in May 2021"),
    ],
)
def test_numbers_codes_and_names_do(one: str, other: str) -> None:
    assert like(one) != like(other)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("two hundred and a dozen", ["200", "12"]),
        ("twenty one pilots", ["21"]),
        ("one of them", []),
        ("一个人 三年 二十五天 第三章 两千公里", ["3", "25", "2000"]),
        ("三万五千人", ["35000"]),
        ("خمسة رجال", ["5"]),
    ],
)
def test_numbers_are_read_in_words(text: str, numbers: list[str]) -> None:
    assert spelled(text) == numbers
