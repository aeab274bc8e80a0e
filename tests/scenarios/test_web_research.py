"""The fact loop over a whole web site, found through the real clients of two search providers.

A scripted model that sees nothing but its prompts must find all that was planted; without a model most of it must be found.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from leadline.events import FactsFound, GapsFound, PageRead, Stopped, WebSearched
from leadline.run import Budget
from leadline.testing.running import go
from leadline.testing.said import Asked
from leadline.types import Fact, StopReason, Support
from tests.site.asking import KEY, Outcome, town
from tests.site.planted import AGAINST, FACTS, STALE, Planted
from tests.site.researcher import WISHES, Researcher, Wish
from tests.site.town import TRAPS, WINTER, leaves

TOPIC = "The harbour, lighthouse, ferry, fish market, lifeboat, tide mill, shipyard, swing bridge and marsh reserve of Brennick"
LEAVES = {leaf.path: leaf for leaf in leaves()}
TRAPPED = {trap.path for trap in TRAPS}
SHARE = 0.8


def flat(text: str) -> str:
    return " ".join(text.replace("|", " ").replace("#", " ").split())


def path_of(source: str) -> str:
    return "/" + source.split("/", 3)[3]


def holding(outcome: Outcome, planted: Planted) -> list[Fact]:
    """The facts that quote a planted value from a page where it stands."""
    return [
        fact
        for fact in outcome.answer.facts
        if any(
            planted.value in flat(each.quote) and path_of(each.source) in (planted.path, *planted.also)
            for each in fact.citations
        )
    ]


def sound(outcome: Outcome) -> None:
    """What holds of every run: quotes stand on their pages, every page says where and when, and nothing forged is told."""
    answer = outcome.answer
    assert answer.stop
    for claim in (*answer.claims, *answer.facts):
        assert claim.citations
        for each in claim.citations:
            path = path_of(each.source)
            if each.snippet:
                assert path in TRAPPED
            else:
                leaf = LEAVES[path]
                assert flat(each.quote) in flat(f"{leaf.title} {leaf.text}")
                # A PDF names no day itself; the search does.
                assert each.published == leaf.date
            assert each.accessed
    assert all(claim.support is not Support.UNSUPPORTED for claim in answer.claims)
    said = " ".join((answer.text, *answer.missing, *answer.notices))
    assert KEY not in said
    assert "9.9 metres" not in said
    # Neither what hostile pages order nor what they pretend to be a reply is told as a fact.
    told = " ".join((said, *(fact.statement for fact in answer.facts)))
    assert [
        words for words in ("99 metres", "burned down", "deadbeef", "{", "<think>") if words in told
    ] == []
    assert [query.text for query in answer.queries if "password" in query.text] == []
    assert "/private/pilots" not in outcome.site.paths()
    assert outcome.site.sent < 64 << 20


@pytest.fixture(scope="module", params=("tavily", "searxng"))
def modelled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    """The topic researched with the scripted model, through each of two providers."""
    provider = str(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAVILY_API_KEY", KEY)
        with town(tmp_path_factory.mktemp(provider), provider, Researcher()) as there:
            yield go(there.ask(TOPIC))


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    """The topic researched without a model, with the settings as they come."""
    with town(tmp_path_factory.mktemp("offline"), "searxng") as there:
        yield go(there.ask(TOPIC))


def test_a_model_that_sees_only_its_prompts_finds_every_planted_fact_in_four_rounds(
    modelled: Outcome,
) -> None:
    sound(modelled)
    assert modelled.answer.rounds <= 4
    assert [planted.id for planted in FACTS if not holding(modelled, planted)] == []
    assert modelled.answer.stop is StopReason.MAX_ROUNDS
    (stopped,) = modelled.told(Stopped)
    assert "4 of 4 rounds" in stopped.detail
    assert modelled.model
    assert all(not asked.repairs for asked in modelled.model.asked)


def test_every_planted_fact_is_told_in_a_section_and_borne_out(modelled: Outcome) -> None:
    told = {claim.text: claim for claim in modelled.answer.claims}
    for planted in FACTS:
        (claim,) = {id(one): one for text, one in told.items() if planted.value in text}.values()
        assert claim.topic == planted.aspect
        assert claim.support is Support.SUPPORTED
    assert "the price of a berth" in modelled.answer.missing


def test_what_several_pages_say_is_one_fact_with_all_its_sources(modelled: Outcome) -> None:
    for planted in (each for each in FACTS if each.also):
        (fact,) = holding(modelled, planted)
        assert {path_of(each.source) for each in fact.citations} == {planted.path, *planted.also}
    counted = modelled.told(FactsFound)
    assert sum(each.merged for each in counted) >= 3
    for each in counted:
        assert each.extracted == each.unverified + each.merged + each.new
    assert counted[-1].total == len(modelled.answer.facts)


def test_facts_that_contradict_each_other_stand_side_by_side_the_newer_first(modelled: Outcome) -> None:
    facts = modelled.answer.facts
    (tower,) = (each for each in FACTS if each.id == "tower")
    (newer,), (older,) = holding(modelled, tower), holding(modelled, AGAINST)
    places = facts.index(newer) + 1, facts.index(older) + 1
    assert places[0] < places[1]
    assert (newer.against, older.against) == ((places[1],), (places[0],))
    claims = [claim for claim in modelled.answer.claims if claim.disputed]
    both = [claim for claim in claims if "31 metres" in claim.text or "34 metres" in claim.text]
    assert len(both) >= 1
    assert "31 metres" in " ".join(claim.text for claim in both)
    assert "34 metres" in " ".join(claim.text for claim in both)


@pytest.mark.parametrize("old", STALE, ids=lambda old: old.id)
def test_a_stale_page_never_merges_with_the_newer_one(modelled: Outcome, old: Planted) -> None:
    (newer,) = (each for each in FACTS if each.id == old.id)
    older = holding(modelled, old)
    assert older
    assert not set(map(id, older)) & set(map(id, holding(modelled, newer)))


def test_pages_that_cannot_be_read_cost_themselves_and_are_said(modelled: Outcome) -> None:
    unread = {path_of(each.url): each for each in modelled.told(PageRead) if each.status != "read"}
    assert unread
    assert set(unread) <= TRAPPED | {"/private/pilots"}
    assert all(each.reason for each in unread.values())
    assert any("could not be read" in notice for notice in modelled.answer.notices)


def test_what_only_a_snippet_says_is_evidence_and_marked_so(modelled: Outcome) -> None:
    (fact,) = (fact for fact in modelled.answer.facts if fact.statement in WINTER)
    (citation,) = fact.citations
    assert citation.snippet
    assert path_of(citation.source) == "/old/winter-berths"


def test_each_page_is_read_once_and_every_search_is_told(modelled: Outcome) -> None:
    paths = [path for path in modelled.site.paths() if path in LEAVES]
    assert len(paths) == len(set(paths))
    searched = modelled.told(WebSearched)
    assert len(searched) == len(modelled.server.asked) == modelled.answer.usage.searches
    asked = {each.query for each in searched}
    assert asked == {query.text for query in modelled.answer.queries}


def test_without_a_model_most_planted_facts_are_quoted(offline: Outcome) -> None:
    sound(offline)
    found = [planted.id for planted in FACTS if holding(offline, planted)]
    assert len(found) >= SHARE * len(FACTS), sorted({each.id for each in FACTS} - set(found))
    assert offline.answer.rounds <= 4
    assert all(claim.kind == "quoted" for claim in offline.answer.claims)
    assert sum(each.merged for each in offline.told(FactsFound)) >= 1
    assert any("Brennick" in gap for each in offline.told(GapsFound) for gap in each.gaps)


@dataclass(frozen=True, slots=True)
class Ending:
    """A run that is to end for `reason`, as its detail says in `words`."""

    reason: StopReason
    words: str
    wishes: tuple[Wish, ...] = WISHES
    budget: Budget = field(default_factory=Budget)
    research: dict[str, int] = field(default_factory=dict[str, int])
    stubborn: bool = False
    hours: float = 0
    """How long the model thinks of what is missing, by the run's clock."""


FIRST = Researcher().first
NOWHERE = (Wish("what is not there", "felt slippers of glass", "no such words"),)
AGAIN = tuple(Wish("the same once more", query.replace(":", ""), "no such words") for query in FIRST[1:])
ENDINGS = {
    "max_rounds": Ending(StopReason.MAX_ROUNDS, "2 of 2 rounds", research={"rounds": 2}),
    "answered": Ending(StopReason.ANSWERED, "no gap is left after round 2", WISHES[:3]),
    "fact_budget": Ending(StopReason.FACT_BUDGET, "of 5 facts", research={"facts": 5}),
    "no_new_evidence": Ending(StopReason.NO_NEW_EVIDENCE, "round 2 gave 0 new facts", NOWHERE, stubborn=True),
    "repeated_queries": Ending(StopReason.REPEATED_QUERIES, "3 further queries", AGAIN, stubborn=True),
    "budget": Ending(StopReason.BUDGET, "searches: 5 of 5", budget=Budget(searches=5)),
    "budget within a round": Ending(StopReason.BUDGET, "searches: 6 of 6", budget=Budget(searches=6)),
    "deadline": Ending(StopReason.DEADLINE, "deadline", budget=Budget(seconds=600), hours=1),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_a_run_ends_for_the_planned_reason_with_the_facts_so_far(tmp_path: Path, name: str) -> None:
    ending = ENDINGS[name]
    researcher = Researcher(wishes=ending.wishes, stubborn=ending.stubborn)

    passed = 0.0

    def script(asked: Asked) -> str:
        nonlocal passed
        passed += 3_600 * ending.hours if asked.step == "find_gaps" else 0
        return researcher(asked)

    with town(tmp_path, "searxng", script, research=ending.research) as there:
        outcome = go(there.ask(TOPIC, ending.budget, lambda: time.monotonic() + passed))
        sound(outcome)
    assert outcome.answer.stop is ending.reason
    (stopped,) = outcome.told(Stopped)
    assert ending.words in stopped.detail
    assert outcome.answer.found
    assert len(outcome.answer.facts) >= 5
