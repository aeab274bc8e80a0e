"""What questions say of time, in three languages, counted from 15 May 2024."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.analysis.periods import even
from leadline.analysis.timespans import timespans

TODAY = date(2024, 5, 15)
Read = tuple[str | None, str | None, str]


def read(text: str, today: date = TODAY) -> list[Read]:
    return [
        (
            one.begin.isoformat() if one.begin else None,
            one.end.isoformat() if one.end else None,
            text[one.start : one.stop],
        )
        for one in timespans(text, today)
    ]


@pytest.mark.parametrize(
    ("text", "begin", "end", "words"),
    [
        ("What changed after 2023?", "2024-01-01", None, "after 2023"),
        ("incidents since March 2024", "2024-03-01", None, "since March 2024"),
        ("rules from 2023 onwards", "2023-01-01", None, "from 2023 onwards"),
        ("rules before 2020", None, "2020-01-01", "before 2020"),
        ("until the end of 2022", None, "2023-01-01", "until the end of 2022"),
        ("reports from 2023", "2023-01-01", "2024-01-01", "from 2023"),
        ("the 2023 annual report", "2023-01-01", "2024-01-01", "2023"),
        ("after 5 March 2024", "2024-03-06", None, "after 5 March 2024"),
        ("on 2024-03-05", "2024-03-05", "2024-03-06", "on 2024-03-05"),
        ("between 2019 and 2021", "2019-01-01", "2022-01-01", "between 2019 and 2021"),
        ("from March to May 2024", "2024-03-01", "2024-06-01", "from March to May 2024"),
        ("the 2019–2021 budgets", "2019-01-01", "2022-01-01", "2019–2021"),
        ("sales in Q3 2023", "2023-07-01", "2023-10-01", "in Q3 2023"),
        ("ferries of the 1990s", "1990-01-01", "2000-01-01", "of the 1990s"),
        ("who came in March?", "2024-03-01", "2024-04-01", "in March"),
        ("who came in November?", "2023-11-01", "2023-12-01", "in November"),
        ("tonnage last quarter", "2024-01-01", "2024-04-01", "last quarter"),
        ("this year", "2024-01-01", "2025-01-01", "this year"),
        ("since last month", "2024-04-01", None, "since last month"),
        ("the past 30 days", "2024-04-16", "2024-05-16", "past 30 days"),
        ("three years ago", "2021-01-01", "2022-01-01", "three years ago"),
        ("2023年之后的报告", "2024-01-01", None, "2023年之后"),
        ("2023年以前有哪些规定", None, "2023-01-01", "2023年以前"),
        ("2024年3月的会议", "2024-03-01", "2024-04-01", "2024年3月"),
        ("二〇二三年三月的会议", "2023-03-01", "2023-04-01", "二〇二三年三月"),
        ("2019年到2021年之间的预算", "2019-01-01", "2022-01-01", "2019年到2021年之间"),
        ("自2022年起", "2022-01-01", None, "2022年起"),
        ("截至2023年", None, "2024-01-01", "截至2023年"),
        ("上个季度的吞吐量", "2024-01-01", "2024-04-01", "上个季度"),
        ("去年的预算", "2023-01-01", "2024-01-01", "去年"),
        ("今年有哪些变化", "2024-01-01", "2025-01-01", "今年"),
        ("上个月的会议", "2024-04-01", "2024-05-01", "上个月"),
        ("近三年的事故", "2021-05-15", "2024-05-16", "近三年"),
        ("三年前的事故", "2021-01-01", "2022-01-01", "三年前"),
        ("ما الذي تغير بعد عام 2023؟", "2024-01-01", None, "بعد عام 2023"),
        ("بعد عام ٢٠٢٣", "2024-01-01", None, "بعد عام ٢٠٢٣"),
        ("القواعد قبل 2020", None, "2020-01-01", "قبل 2020"),
        ("منذ مارس 2024", "2024-03-01", None, "منذ مارس 2024"),
        ("بين عامي 2019 و2021", "2019-01-01", "2022-01-01", "بين عامي 2019 و2021"),
        ("من 2019 إلى 2021", "2019-01-01", "2022-01-01", "من 2019 إلى 2021"),
        ("الميزانية في العام الماضي", "2023-01-01", "2024-01-01", "في العام الماضي"),
        ("حمولة الربع الماضي", "2024-01-01", "2024-04-01", "الربع الماضي"),
        ("الشهر الماضي", "2024-04-01", "2024-05-01", "الشهر الماضي"),
        ("آخر 30 يوما", "2024-04-16", "2024-05-16", "آخر 30 يوما"),
        ("السنوات الثلاث الماضية", "2021-05-15", "2024-05-16", "السنوات الثلاث الماضية"),
    ],
)  # fmt: skip
def test_a_time_is_read_with_its_words(text: str, begin: str | None, end: str | None, words: str) -> None:
    assert read(text) == [(begin, end, words)]


def test_several_times_are_read_one_by_one() -> None:
    assert [words for *_, words in read("in 2019 and 2021, but not before March 2018")] == [
        "in 2019",
        "2021",
        "before March 2018",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Which of the 2000 employees left?",
        "in 2000 employees",
        "after 1500 km",
        "between 1200 and 1500 people",
        "room 2023",
        "$2000 in fees",
        "version 2.2023 of XR-2000",
        "order 1,500 units",
        "May I leave within 20 minutes?",
        "more than 2023",
        "Ada Brandt (1899–1977)",
        "2000人参加了会议",
        "3月14日",
        "from 5 to 7",
        "9999 years ago",
        "1899 days after 31 February",
        "",
    ],
)
def test_a_number_that_is_no_date_is_none(text: str) -> None:
    assert read(text) == []


def test_relative_dates_count_from_the_day_given() -> None:
    new_year = date(2024, 1, 1)
    assert read("last quarter", new_year)[0][:2] == ("2023-10-01", "2024-01-01")
    assert read("last month", new_year)[0][:2] == ("2023-12-01", "2024-01-01")
    assert read("上个季度", new_year)[0][:2] == ("2023-10-01", "2024-01-01")
    assert read("past month", date(2024, 3, 31))[0][:2] == ("2024-02-29", "2024-04-01")


@settings(deadline=None, max_examples=300)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=12),
            st.sampled_from(
                "after before between since and to in last year month 2023 1999 99999 二〇二三年 3月 去年 之后 前 近 بعد عام "
                "قبل 3 سنوات الماضي ago ( ) – March 31 February 2024-13-45 q4 9 999 years".split()
            ),
        ),
        max_size=9,
    ),
    st.dates(min_value=date(1, 1, 1)),
)
def test_no_text_is_too_strange(pieces: list[str], today: date) -> None:
    text = " ".join(pieces)
    assert len(even(text)) == len(text)
    for one in timespans(text, today):
        assert 0 <= one.start < one.stop <= len(text)
        assert one.begin or one.end
        assert not (one.begin and one.end) or one.begin < one.end
