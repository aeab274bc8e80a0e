"""What a report says, and under which numbers, before it is put in a form."""

from dataclasses import replace

import pytest

from leadline.citing.report.outline import report
from leadline.types import Claim, Fact, StopReason
from tests.citing.report.answers import ARABIC, FACTS, GAZETTE, KINDS, MINUTES, YEARBOOK, cite, research


def test_a_document_has_one_number_wherever_it_is_cited() -> None:
    shown = report(research("english"))
    assert [section.title for section in shown.sections] == ["Traffic", "Piers"]
    assert [each.numbers for section in shown.sections for each in section.statements] == [(1,), (2,), (1, 2)]
    assert [each.number for each in shown.references] == [1, 2, 3]
    assert [each.source for each in shown.references] == [YEARBOOK.source, "minutes.pdf", GAZETTE.source]


def test_two_quotes_of_a_page_are_one_reference_with_both() -> None:
    other = replace(YEARBOOK, quote="Ships are counted at the mole.", start=90, end=120)
    answer = replace(
        research("english"), claims=(Claim("a", (YEARBOOK,)), Claim("b", (other, YEARBOOK))), facts=()
    )
    (reference,) = report(answer).references
    assert [each.quote for each in reference.passages] == [YEARBOOK.quote, other.quote]
    assert reference.passages[0].place == "Traffic › Ships"


def test_the_same_answer_gives_the_same_report() -> None:
    for kind in KINDS:
        assert report(research(kind)) == report(research(kind))


def test_statements_that_contradict_each_other_stand_side_by_side_the_newer_first() -> None:
    (sides,) = report(research("english")).disputes
    assert [(side.text, side.published, side.numbers) for side in sides] == [
        ("In 2025 the harbour handled 4,120 ships.", "2026-02-01", (1,)),
        ("The harbour handled 3,980 ships.", "2025-11-02", (3,)),
    ]


def test_three_that_contradict_in_a_chain_are_one_dispute_and_strange_numbers_are_none() -> None:
    chain = (
        Fact("a", (YEARBOOK,), against=(2,)),
        Fact("b", (GAZETTE,), against=(1, 3)),
        Fact("c", (MINUTES,), against=(2, 99, 0, -1)),
        Fact("d", (ARABIC,), against=(4,)),
    )
    (sides,) = report(replace(research("english"), facts=chain)).disputes
    assert {side.text for side in sides} == {"a", "b", "c"}


def test_dates_of_publication_and_of_access_are_said_and_a_snippet_is_marked() -> None:
    first, second, third = report(research("english")).references
    assert (first.dates, first.snippet) == ("published 2026-02-01, accessed 2026-11-30", False)
    assert (second.dates, second.passages[0].place) == ("", "p. 3")
    assert (third.dates, third.snippet) == ("published 2025-11-02, accessed 2026-11-30", True)


def test_only_an_address_of_the_web_becomes_a_link() -> None:
    links = {each.source: each.link for each in report(research("mixed")).references}
    assert links[YEARBOOK.source] == YEARBOOK.source
    assert links["minutes.pdf"] == ""
    assert links["javascript:alert(1)"] == ""
    for strange in ("https://x.example/a b", 'https://x.example/"onclick=', "https://x.example/\u202ex"):
        answer = replace(research("english"), claims=(Claim("a", (cite(strange, "t", "q"),)),), facts=())
        assert not report(answer).references[0].link


def test_how_it_was_searched_tells_rounds_searches_queries_and_why_it_stopped() -> None:
    shown = report(research("english"))
    assert shown.method[:2] == (
        "4 rounds, 12 searches, 9 model calls, 30211 tokens, $0.0123, 42.5 s; agent research.",
        "Stopped because all rounds are used (max_rounds).",
    )
    assert shown.method[3].startswith("Round 2 asked: ships a year")
    assert shown.notices == ("Tavily was not asked: it has no key.",)
    assert shown.summary == (
        "3 statements from 3 sources; 3 facts gathered; 1 point on which sources disagree; 1 question left open."
    )


def test_an_answer_without_claims_says_that_nothing_was_found() -> None:
    answer = replace(research("english"), claims=(), facts=(), found=False, stop=StopReason.NOTHING_FOUND)
    shown = report(answer)
    assert (shown.summary, shown.sections, shown.references) == (
        "Nothing was found that answers this.",
        (),
        (),
    )


@pytest.mark.parametrize(
    ("text", "header", "shown"),
    [
        (
            "| 7:00 | 7:45 |",
            "| From Brennick | From Sollen |",
            "From Brennick: 7:00; From Sollen: 7:45",
        ),
        ("| Outer channel | 6.8 metres |", "", "Outer channel; 6.8 metres"),
        ("The pier is **412 metres** long.", "", "The pier is 412 metres long."),
        ("2 ** 3 is 8.", "", "2 ** 3 is 8."),
    ],
)
def test_a_row_is_told_with_its_columns_and_no_sign_of_markdown_is_left(
    text: str, header: str, shown: str
) -> None:
    cited = replace(cite("a.md", "t", text), context=header)
    answer = replace(research("english"), claims=(Claim(text, (cited,), "quoted"),), facts=())
    assert [each.text for each in report(answer).sections[0].statements] == [shown]


def test_every_text_is_one_line_without_controls() -> None:
    for text in report(research("hostile")).texts():
        assert not any(character in text for character in "\x1b\x07\u202e\ufffe\ufdd0\n")


def test_files_are_told_apart_by_as_little_of_their_folders_as_does() -> None:
    claims = tuple(
        Claim("a", (cite(source, "", "q"),)) for source in ("/here/a/x.md", "/here/b/x.md", "/etc/y.md")
    )
    shown = report(replace(research("english"), claims=claims, facts=FACTS[2:])).references
    assert [each.source for each in shown] == ["a/x.md", "b/x.md", "y.md"]
    assert [each.title for each in shown] == ["x.md", "x.md", "y.md"]
