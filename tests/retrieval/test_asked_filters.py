"""Filters read from questions, in three languages, against the fields of a small collection."""

from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.retrieval.asked_filters import asked_filters
from leadline.store.base import FieldKind, FieldSummary
from leadline.store.filters import And, Compare, Filter, Not, Or, filter_text, parse_filter

TODAY = date(2024, 5, 15)


def holding(name: str, *values: str, kind: FieldKind = "text") -> FieldSummary:
    """A field that each of these values is the only one of, in one document each."""
    return FieldSummary(
        name, kind, len(values), len(values), min(values), max(values), tuple((value, 1) for value in values)
    )


def dated(name: str, least: str, most: str, documents: int = 8) -> FieldSummary:
    return FieldSummary(name, "date", documents, documents, least, most)


YEAR = FieldSummary("year", "number", 10, 6, 2019, 2024)
DATE = dated("date", "2019-02-01", "2024-05-10")
FIELDS = [
    DATE,
    YEAR,
    dated("modified", "2024-05-15", "2024-05-15", 10),
    holding(
        "source", "/n/reports/handbook.pdf", "/n/reports/q3-sales.md", "/n/reports/board.md", "/n/reports/员工手册.md",
        "/n/reports/r3.md", *(f"/n/reports/{n}.md" for n in range(5)),
    ),
    holding("title", "Employee handbook", "Q3 2023 sales report", "Minutes of the board", "员工手册", "تقرير الربع الثالث"),
    holding("type", "pdf", "markdown", "xlsx", "pptx"),
    holding("language", "en", "ar", "zh"),
    holding("department", "Sales", "Human Resources", "财务部", "HR", "المالية"),
    holding("status", "draft", "final"),
    holding("author", "Maria Holt", "May"),
    holding("tags", "safety", "2024", kind="texts"),
]  # fmt: skip


def read(question: str, fields: list[FieldSummary] | None = None) -> list[tuple[str, str]]:
    found = asked_filters(question, FIELDS if fields is None else fields, TODAY)
    return [(filter_text(one.where), one.words) for one in found]


@pytest.mark.parametrize(
    ("question", "where", "words"),
    [
        ("What changed after 2023?", "year >= 2024", "after 2023"),
        ("What changed in 2023?", "year == 2023", "in 2023"),
        ("What changed between 2020 and 2022?", "(year >= 2020 and year < 2023)", "between 2020 and 2022"),
        ("Rules before 2020?", "year < 2020", "before 2020"),
        ("The board in March 2024", '(date >= "2024-03" and date < "2024-04")', "in March 2024"),
        ("Since 5 March 2024?", '(date >= "2024-03-05" and date <= "9999")', "Since 5 March 2024"),
        ("Tonnage last quarter?", '(date >= "2024" and date < "2024-04")', "last quarter"),
        ("In 2019 or in 2021?", "(year == 2019 or year == 2021)", "In 2019, in 2021"),
        ("According to handbook.pdf, how long?", 'source ~ "handbook.pdf"', "handbook.pdf"),
        ("What do the minutes... in the minutes?", 'title ~ "minutes"', "in the minutes"),
        ("What does the PDF say?", 'type == "pdf"', "PDF"),
        ("Which spreadsheets have it?", 'type == "xlsx"', "spreadsheets"),
        ("What is in the slides?", 'type == "pptx"', "in the slides"),
        ("What do the Arabic documents say?", 'language == "ar"', "Arabic documents"),
        ("What did Human Resources say?", 'department == "Human Resources"', "Human Resources"),
        ("Which HR rules hold?", 'department == "HR"', "HR"),
        ("What did Maria Holt write?", 'author == "Maria Holt"', "Maria Holt"),
        ("Sales or Human Resources?", 'department in ["Sales", "Human Resources"]', "Sales, Human Resources"),
        ("Notes tagged safety?", 'tags == "safety"', "safety"),
        ("2023年之后的变化", "year >= 2024", "2023年之后"),
        ("2024年3月的会议", '(date >= "2024-03" and date < "2024-04")', "2024年3月"),
        ("上个季度的吞吐量", '(date >= "2024" and date < "2024-04")', "上个季度"),
        ("《员工手册》里的年假", '(title ~ "员工手册" or source ~ "员工手册")', "员工手册"),
        ("根据员工手册，年假有几天？", None, "根据员工手册"),
        ("阿拉伯语文件里说什么", 'language == "ar"', "阿拉伯语文件"),
        ("财务部的人员", 'department == "财务部"', "财务部"),
        ("ما الذي تغير بعد عام ٢٠٢٣؟", "year >= 2024", "بعد عام ٢٠٢٣"),
        ("ما الذي تغير الشهر الماضي؟", '(date >= "2024-04" and date < "2024-05")', "الشهر الماضي"),
        ("ماذا تقول الوثائق العربية؟", 'language == "ar"', "الوثائق العربية"),
        ("ما قرارات المالية؟", 'department == "المالية"', "المالية"),
        ("في تقرير الربع الثالث", None, "في تقرير الربع الثالث"),
    ],
)  # fmt: skip
def test_a_filter_is_read_with_its_words(question: str, where: str | None, words: str) -> None:
    ((found, said),) = read(question)
    assert said == words
    assert where is None or found == where
    assert filter_text(parse_filter(found)) == found


def test_a_report_is_called_by_all_its_words_in_title_or_source() -> None:
    question = "In the Q3 report, how many?"
    title, source = (
        holding("title", "Q3 2023 sales report", "Minutes"),
        holding("source", "/n/r1.md", "/n/r2.md"),
    )
    assert read(question, [title, source]) == [('(title ~ "q3" and title ~ "report")', "In the Q3 report")]
    source = holding("source", "/n/q3-report.md", "/n/r2.md")
    assert (
        read(question, [holding("title", "Minutes"), source])[0][0] == '(source ~ "q3" and source ~ "report")'
    )
    assert read(question, [holding("title", "Minutes"), holding("source", "/n/r2.md")]) == []
    many = FieldSummary("title", "text", 900, 900, "A", "Z", (("A", 1),))
    assert read(question, [many]) == [('(title ~ "q3" and title ~ "report")', "In the Q3 report")]


def test_several_parts_are_several_filters() -> None:
    found = read("What did the Sales department report in 2023?")
    assert found == [("year == 2023", "in 2023"), ('department == "Sales"', "Sales")]


@pytest.mark.parametrize(
    "question",
    [
        "Which of the 2000 employees left?",
        "How many minutes does it take?",
        "What did it hr?",
        "What is in the document?",
        "May I leave?",
        "What does a room cost per night?",
        "Who wrote 《Nothing of this name》里?",
        "According to missing.pdf?",
        "In the annual memo?",
        "Before 1900?",
        "Since 2015?",
        "",
    ],
)
def test_what_names_no_filter_or_one_that_tells_nothing_gives_none(question: str) -> None:
    assert read(question) == []


def test_the_best_date_field_there_is_is_taken() -> None:
    created, other = dated("created", "2020-01-01", "2024-01-01"), dated("signed", "2020-01-01", "2024-01-01")
    assert read("After 2021?", [created, other])[0][0].startswith("(created")
    assert read("After 2021?", [other])[0][0].startswith("(signed")
    assert read("In May 2021?", [YEAR])[0][0] == "year == 2021"
    assert read("After 2021?", [DATE, FieldSummary("year", "number", 3, 3, 2019, 2024)])[0][0].startswith(
        "(date"
    )
    assert read("After 2021?", [holding("team", "a", "b")]) == []


def test_a_value_is_not_looked_for_where_there_are_many() -> None:
    many = FieldSummary("place", "text", 500, 400, "Aden", "Zug", (("Oxley", 3),))
    assert read("What of Oxley?", [many, holding("source", "a", "b")]) == []


def fields_in(where: Filter) -> Iterator[str]:
    match where:
        case Compare(field):
            yield field
        case Not(part):
            yield from fields_in(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from fields_in(part)


PIECES = st.one_of(
    st.text(max_size=10),
    st.sampled_from(
        [
            "after 2023", "last month", "in the Q3 report", "handbook.pdf", "2023年之后", "上个季度", "《员工手册》中", "بعد عام ٢٠٢٣",
            "the Arabic document", "Sales", "PDF", "in the slides", "根据员工手册", "في تقرير الربع الثالث", "May", "HR", "1999", "(", "['\"]",
        ]
    ),
)  # fmt: skip
VALUES = st.one_of(st.text(max_size=6), st.sampled_from(["Sales", "draft (1)", "a.b*", "2024"]))


@st.composite
def summaries(draw: st.DrawFn) -> FieldSummary:
    """Fields as they should be, and fields of any kind with any values."""
    if draw(st.booleans()):
        return draw(st.sampled_from(FIELDS))
    name = draw(st.sampled_from(["date", "year", "title", "source", "type", "language", "x y", "`", "and"]))
    values = draw(st.lists(VALUES, min_size=1, max_size=4, unique=True))
    kinds: tuple[FieldKind, ...] = ("text", "texts", "date", "number")
    listed = tuple((value, 1) for value in values)
    return FieldSummary(name, draw(st.sampled_from(kinds)), 9, len(values), min(values), max(values), listed)


@settings(deadline=None, max_examples=300)
@given(st.lists(PIECES, max_size=6).map(" ".join), st.lists(summaries(), max_size=6))
def test_no_question_raises_or_names_a_field_that_is_not_there(
    question: str, fields: list[FieldSummary]
) -> None:
    for part in asked_filters(question, fields, TODAY):
        assert set(fields_in(part.where)) <= {one.name for one in fields}
        assert part.words
