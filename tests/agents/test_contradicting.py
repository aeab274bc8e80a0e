"""Facts that cannot be true together: found, put side by side, the newer first, and said of each claim."""

from dataclasses import replace

import pytest

from leadline.agents.contradicting import arranged, disagree, disputed, resting_on
from leadline.citations import Citation, Fact
from leadline.types import Claim
from tests.agents.fact_pairs import AGAINST, BESIDE, OTHER, SAME, UNTUNED_AGAINST


def cite(source: str, published: str = "", quote: str = "x") -> Citation:
    return Citation(source, source, source, f"Title of {source}", quote, 0, 1, published=published)


def fact(statement: str, *citations: Citation) -> Fact:
    return Fact(statement, citations or (cite("a.md"),))


@pytest.mark.parametrize("pair", AGAINST)
def test_two_that_cannot_be_true_together_disagree(pair: tuple[str, str]) -> None:
    assert disagree(*pair)
    assert disagree(*reversed(pair))


@pytest.mark.parametrize("pair", [*BESIDE, *SAME])
def test_two_that_can_be_true_together_do_not(pair: tuple[str, str]) -> None:
    assert not disagree(*pair)
    assert not disagree(*reversed(pair))


def test_of_pairs_that_only_look_alike_only_a_denial_disagrees() -> None:
    assert [pair for pair in OTHER if disagree(*pair)] == [pair for pair in OTHER if "not" in pair[0].split()]


def test_of_pairs_that_the_rules_were_not_made_for_they_see_most() -> None:
    """Measured: 8 of 10; not 2 km against 1,800 metres of a tunnel, nor "holds" against "seats"."""
    assert sum(disagree(*pair) for pair in UNTUNED_AGAINST) >= 8


def test_who_runs_it_now_stands_before_who_ran_it_and_each_names_the_other() -> None:
    old = fact(
        "The Brennick ferry is operated by the company North Ald Line.",
        cite("https://a.example/2016", "2016-03-07"),
    )
    new = fact(
        "Since 2021 the Brennick ferry has been operated by the company Aldwater Ferries.",
        cite("https://b.example/2022", "2022-02-01"),
    )
    found = arranged([old, OPEN, new])
    assert [each.statement for each in found] == [new.statement, old.statement, OPEN.statement]
    assert [each.against for each in found] == [(2,), (1,), ()]


OLD = fact("The north pier is 412 metres long.", cite("https://a.example/x", "2015-01-02"))
NEW = fact("The north pier is 420 metres long.", cite("https://b.example/x", "2023-04-05"))
OPEN = fact("The quay is made of granite.", cite("https://c.example/x"))


def test_those_that_disagree_stand_side_by_side_the_newer_first() -> None:
    found = arranged([OLD, OPEN, NEW])
    assert [each.statement for each in found] == [NEW.statement, OLD.statement, OPEN.statement]
    assert [each.against for each in found] == [(2,), (1,), ()]


def test_of_the_same_day_the_one_of_more_sites_is_first_then_the_earlier() -> None:
    twice = replace(OLD, citations=(cite("https://a.example/x"), cite("https://d.example/y")))
    once = replace(NEW, citations=(cite("https://b.example/x"), cite("https://b.example/y")))
    assert [each.statement for each in arranged([once, twice])] == [twice.statement, once.statement]
    undated = [replace(each, citations=(cite("https://a.example/x"),)) for each in (OLD, NEW)]
    assert [each.statement for each in arranged(undated)] == [OLD.statement, NEW.statement]


def test_what_names_a_day_goes_before_what_names_none() -> None:
    undated = replace(OLD, citations=(cite("https://a.example/x"),))
    assert arranged([undated, NEW])[0] is not undated
    assert arranged([undated, NEW])[0].statement == NEW.statement


def test_facts_that_agree_stay_as_they_were() -> None:
    assert arranged([OPEN, OLD]) == (OPEN, OLD)


def test_a_claim_says_what_is_against_it_where_and_of_when() -> None:
    facts = arranged([OLD, NEW])
    claim = disputed(Claim(NEW.statement, NEW.citations), facts)
    assert claim.disputed
    assert (
        claim.note
        == "against it: “The north pier is 412 metres long.” (Title of https://a.example/x, 2015-01-02)"
    )


def test_of_two_facts_from_one_sentence_a_claim_rests_on_the_one_that_it_tells() -> None:
    rebuilt = fact("The north pier was rebuilt in 1987.", *OLD.citations)
    facts = arranged([OLD, rebuilt, NEW])
    said = [each.statement for each in facts]
    assert said == [NEW.statement, OLD.statement, rebuilt.statement]
    for text, places in (
        (rebuilt.statement, [2]),
        (OLD.statement, [1]),
        ("The north pier, 412 metres long, was rebuilt in 1987.", [1, 2]),
        ("It is old.", [1, 2]),
    ):
        assert resting_on(Claim(text, OLD.citations), facts) == places
    assert not disputed(Claim(rebuilt.statement, OLD.citations), facts).disputed


def test_a_claim_on_both_sides_is_disputed_and_needs_no_note() -> None:
    facts = arranged([OLD, NEW])
    both = disputed(Claim("It is 420 or 412 metres long.", (*NEW.citations, *OLD.citations)), facts)
    assert (both.disputed, both.note) == (True, "")


def test_a_claim_rests_on_the_facts_all_of_whose_places_it_cites() -> None:
    twice = replace(OPEN, citations=(cite("https://c.example/x"), cite("https://d.example/y")))
    assert resting_on(Claim("x", OPEN.citations), [twice, OPEN]) == [1]
    assert resting_on(Claim("x", twice.citations), [twice, OPEN]) == [0, 1]
