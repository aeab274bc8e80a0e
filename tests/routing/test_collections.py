"""Where a round searches: what the model chooses, and always what nobody can judge by a description."""

import pytest

from leadline.errors import BudgetSpent
from leadline.events import CollectionsChosen, Event
from leadline.routing.collections import CollectionRouter
from leadline.run import Run
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.running import go
from leadline.types import Collection, Query

QUESTION = "Who keeps the lighthouse?"
COAST = Collection("coast", "Lighthouses and ferries")
LAW = Collection("law", "Contracts")
NOTES = Collection("notes")
DEFAULT = Collection("default", "Everything else")


def choose(
    reasoner: ScriptedReasoner, *collections: Collection, queries: tuple[Query, ...] = (Query(QUESTION),)
) -> tuple[tuple[str, ...], list[Event]]:
    events: list[Event] = []
    router = CollectionRouter(reasoner, collections, "default")
    return go(router.choose(QUESTION, queries, 2, Run(emit=events.append))), events


@pytest.mark.parametrize("collections", [(), (LAW,)])
def test_where_there_is_no_choice_nobody_is_asked(collections: tuple[Collection, ...]) -> None:
    reasoner = ScriptedReasoner(choices=["law"])
    names, events = choose(reasoner, *collections)
    assert names == tuple(each.name for each in collections)
    assert (reasoner.asked, events) == ([], [])


def test_what_was_chosen_is_searched_and_what_has_no_description_and_the_default_too() -> None:
    reasoner = ScriptedReasoner(choices=["coast", "coast"])
    names, events = choose(reasoner, DEFAULT, LAW, COAST, NOTES)
    assert names == ("default", "coast", "notes")
    ((options,),) = [reasoner.calls("choose")]
    assert [(option.name, option.description) for option in options] == [
        ("default", "Everything else"),
        ("law", "Contracts"),
        ("coast", "Lighthouses and ferries"),
    ]
    (told,) = events
    assert isinstance(told, CollectionsChosen)
    assert (told.round, told.collections) == (2, names)
    assert "always searched: default, notes" in told.reason


@pytest.mark.parametrize("choices", [(), ("nowhere",)])
def test_none_left_means_all(choices: tuple[str, ...]) -> None:
    names, _ = choose(ScriptedReasoner(choices=choices), LAW, COAST, NOTES)
    assert names == ("law", "coast", "notes")


def test_without_descriptions_nobody_is_asked() -> None:
    reasoner = ScriptedReasoner(choices=["notes"])
    assert choose(reasoner, NOTES, Collection("more", "  "), DEFAULT)[0] == ("notes", "more", "default")
    assert reasoner.asked == []


def test_a_budget_that_is_spent_means_all() -> None:
    class Spent(ScriptedReasoner):
        async def choose(self, *given: object, **more: object) -> tuple[str, ...]:
            raise BudgetSpent("calls: 1 of 1 used", "calls")

    assert choose(Spent(), LAW, COAST)[0] == ("law", "coast")


def test_the_queries_of_the_round_are_shown_with_the_question() -> None:
    asked: list[str] = []

    class Listening(ScriptedReasoner):
        async def choose(self, question: str, *given: object, **more: object) -> tuple[str, ...]:
            asked.append(question)
            return ("law",)

    choose(Listening(), LAW, COAST, queries=(Query(QUESTION), Query("lamps", "sub"), Query("oil", "gap")))
    assert asked == [f"{QUESTION}\n- lamps\n- oil"]
