"""Near-duplicates are folded; what differs in a number or a "not" never is."""

import pytest

from leadline.retrieval.diversity import without_duplicates
from leadline.testing.builders import chunk, hits

LONG = (
    "The harbour board of Marlow lets the north quay to fishing boats through every winter season, and each "
    "skipper pays the clerk a deposit before mooring near the granite steps beside the chandler"
)


def kept(*texts: str, k: int = 10) -> list[str]:
    pieces = [chunk(text, f"{number}.md", title="Quay") for number, text in enumerate(texts)]
    return [hit.chunk.text for hit in without_duplicates(hits(pieces), k)]


def test_the_better_of_two_near_equal_texts_is_kept() -> None:
    assert kept(LONG, LONG + " shop") == [LONG]
    assert kept(LONG + " shop", LONG) == [LONG + " shop"]


def test_equal_terms_are_one_text() -> None:
    assert kept("The ferry sailed.", "A ferry sails!", "The ferry sank.") == [
        "The ferry sailed.",
        "The ferry sank.",
    ]


@pytest.mark.parametrize(
    "other",
    [
        LONG + " 1980",
        LONG + " XR-2000",
        LONG.replace("lets", "does not let"),
        LONG.replace("lets", "doesn't let"),
        LONG.replace("pays", "never pays"),
        LONG.replace("pays the clerk a", "pays the clerk no"),
        LONG.replace("near", "without"),
    ],
)
def test_a_number_or_a_negation_makes_two_texts(other: str) -> None:
    assert kept(LONG, other) == [LONG, other]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "灯塔的看守人每天晚上在码头的北边点亮油灯然后记录天气和潮水的高度",
            "灯塔的看守人每天晚上不在码头的北边点亮油灯然后记录天气和潮水的高度",
        ),
        (
            "حارس الفنار يضيء المصباح الكبير كل مساء قرب الرصيف الشمالي للميناء القديم ويكتب حالة الطقس وارتفاع الماء",
            "حارس الفنار لا يضيء المصباح الكبير كل مساء قرب الرصيف الشمالي للميناء القديم ويكتب حالة الطقس وارتفاع الماء",
        ),
        ("Лампа маяка видна в тумане", "Лампа маяка не видна в тумане"),
    ],
)
def test_negations_of_other_languages_make_two_texts(one: str, other: str) -> None:
    assert kept(one, other) == [one, other]


def test_no_more_than_k_are_kept_and_folded_ones_do_not_count() -> None:
    assert kept(LONG, LONG, "one quay", "two quays", "three boats", k=2) == [LONG, "one quay"]
    assert kept(LONG, k=0) == []


def test_the_one_that_is_kept_remembers_where_the_others_stand() -> None:
    text = "The toll of the ferry is three crowns."
    pieces = [chunk(text, name, title="Toll") for name in ("a.md", "b.md", "a.md", "c.md")]
    (kept,) = without_duplicates(hits(pieces), 5)
    assert (kept.chunk.source, kept.copies) == ("a.md", ("b.md", "c.md"))
