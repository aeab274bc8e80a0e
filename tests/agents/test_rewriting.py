"""What becomes of a question in other words: it is searched for beside the question, told of, and kept from the rest."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from leadline.agents.fast import FastSearch
from leadline.agents.options import LAYERS, SWITCHES, AskOptions, Expand
from leadline.agents.rewriting import expands
from leadline.errors import BudgetSpent
from leadline.events import Event, Notice, Planned, Rewritten
from leadline.ingest import add
from leadline.reasoning.offline import OfflineReasoner
from leadline.retrieval.base import TermWeights
from leadline.retrieval.hybrid import HybridRetriever
from leadline.retrieval.tuned import Choice
from leadline.run import Run
from leadline.store.lance import open_store
from leadline.testing.builders import document
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.running import go
from leadline.types import Block, Collection, Document, Query
from tests.agents.harbour import QUESTION, ask, gap, harbour

ON = AskOptions(layers=SWITCHES, expand="always")
WORDS = Query("Birthplace of whoever established the yard of the Osprey", "expanded")
INVENTED = Query("Where was Ivo Hale of the ferry Osprey born?", "expanded")
PASSAGE = Query("She was born in 1840 in Hallen, as Ivo Hale wrote.", "hyde")
LONG = "The harbour master keeps a book of every ship that lies at the quay, and of what it brought. " * 4


def test_other_words_are_asked_beside_the_question_which_always_stays() -> None:
    retriever = harbour()
    asked = ask(ScriptedReasoner(plans=["Mirren Yard"], rewrites=[WORDS, PASSAGE]), retriever, options=ON)
    kinds = [query.kind for query in retriever.asked]
    assert kinds == ["original", "sub", "expanded", "hyde"]
    assert asked.of(Planned)[0].queries == tuple(retriever.asked)
    assert asked.of(Rewritten) == [
        Rewritten("expanded", WORDS.text, kept=True),
        Rewritten("hyde", PASSAGE.text, kept=True),
    ]


def test_a_part_with_a_value_of_its_own_making_is_not_asked() -> None:
    retriever = harbour()
    asked = ask(ScriptedReasoner(plans=["Mirren Yard", "Osprey built in 1887", "Osprey XR-2000"]), retriever)
    assert [query.text for query in retriever.asked] == [QUESTION, "Mirren Yard"]
    assert [(event.kind, event.kept, event.reason) for event in asked.of(Rewritten)] == [
        ("sub", False, "adds the number 1887"),
        ("sub", False, "adds the number 2000"),
    ]


def test_what_asks_for_something_else_is_left_out_and_told_of() -> None:
    retriever = harbour()
    shorter = Query("Where was the founder born?", "expanded")
    again = Query(QUESTION.upper(), "expanded")
    empty = Query(" ", "hyde")
    asked = ask(ScriptedReasoner(rewrites=[INVENTED, shorter, again, empty]), retriever, options=ON)
    assert [query.text for query in retriever.asked] == [QUESTION]
    assert [(event.kept, event.reason) for event in asked.of(Rewritten)] == [
        (False, "adds the name Ivo Hale"),
        (False, "loses the name Osprey"),
        (False, "says the same"),
        (False, "says nothing"),
    ]


def test_without_the_layer_nobody_is_asked_for_other_words() -> None:
    reasoner = ScriptedReasoner(rewrites=[WORDS])
    ask(reasoner)
    assert reasoner.calls("rewrite") == []


def test_with_other_words_alone_the_question_is_not_split() -> None:
    retriever = harbour()
    reasoner = ScriptedReasoner(plans=["Mirren Yard"], rewrites=[WORDS])
    ask(reasoner, retriever, options=AskOptions(layers=ON.layers - {"rewrite"}))
    assert [query.kind for query in retriever.asked] == ["original", "expanded"]
    assert reasoner.calls("plan") == []


def test_judge_reflection_and_writer_see_the_question_in_its_own_words() -> None:
    reasoner = ScriptedReasoner(rewrites=[WORDS, PASSAGE], reflections=[gap("granite quay")])
    ask(reasoner, options=ON)
    for asked, _ in (*reasoner.calls("reflect"), *reasoner.calls("write")):
        assert {query.kind for query in asked} <= {"original", "gap"}


def test_a_fast_search_takes_other_words_too() -> None:
    retriever = harbour()
    search = FastSearch(ScriptedReasoner(rewrites=[WORDS]), retriever, ON)
    go(search(QUESTION, Run()))
    assert [query.kind for query in retriever.asked] == ["original", "expanded"]


def test_a_budget_that_ends_before_other_words_leaves_the_question() -> None:
    class Poor(ScriptedReasoner):
        async def rewrite(
            self, question: str, weights: TermWeights, run: Run, *, simple: bool = False
        ) -> tuple[Query, ...]:
            raise BudgetSpent("calls: 1 of 1 used", "calls")

    retriever = harbour()
    assert ask(Poor(plans=["Mirren Yard"]), retriever, options=ON).answer.found
    assert [query.kind for query in retriever.asked] == ["original", "sub"]


def test_without_a_model_there_are_no_other_words() -> None:
    retriever = harbour()
    ask(OfflineReasoner(), retriever, options=ON)
    assert "expanded" not in {query.kind for query in retriever.asked}


def decided(
    path: Path, documents: Sequence[Document], expand: Expand, *, on: bool, tuned: bool = False
) -> tuple[bool, list[str]]:
    """Whether a question about these documents is put into other words, and what is said about it."""
    events: list[Event] = []

    async def work() -> bool:
        store = await open_store(path)
        await store.create(Collection("main"))
        await add(documents, "main", store, None, Run())
        if tuned:
            await store.configure("main", Choice(expand=True).metadata("none"))
        retriever = HybridRetriever(store, ("main",))
        layers = SWITCHES if on else LAYERS
        options = AskOptions(layers=layers, expand=expand)
        found = await expands(options, retriever, "Which ship brought granite?", Run(emit=events.append))
        await store.close()
        return found

    return go(work()), [event.text for event in events if isinstance(event, Notice)]


PROSE = [document(f"{LONG} Ship {n} brought granite.", f"{n}.md", f"Day {n}") for n in range(3)]
NOTES = [document(f"Ship {n}: granite.", f"{n}.md", f"Day {n}") for n in range(3)]


@pytest.mark.parametrize(
    ("documents", "expand", "on", "tuned", "found"),
    [
        (PROSE, "suited", True, False, True),
        (PROSE, "suited", False, True, False),
        (PROSE, "tuned", False, False, False),
        (PROSE, "tuned", False, True, True),
        (NOTES, "suited", True, False, False),
        (NOTES, "suited", True, True, True),
        (NOTES, "always", True, False, True),
        (NOTES, "always", False, True, False),
    ],
)
def test_what_a_person_says_of_a_question_goes_before_what_is_tuned_and_what_suits(
    tmp_path: Path, documents: Sequence[Document], expand: Expand, on: bool, tuned: bool, found: bool
) -> None:
    assert decided(tmp_path, documents, expand, on=on, tuned=tuned)[0] is found


def test_short_passages_and_tables_say_why_they_have_no_other_words(tmp_path: Path) -> None:
    rows = "\n".join(
        f"| Ship {n} | granite | brought in load {n} of the year for the quay |" for n in range(60)
    )
    table = document(f"| ship | cargo | note |\n|---|---|---|\n{rows}", "table.md", "Cargo")
    table = replace(table, blocks=(Block("table", 0, len(table.text)),))
    short = decided(tmp_path / "notes", NOTES, "suited", on=True)[1]
    tables = decided(tmp_path / "tables", [table], "suited", on=True)[1]
    assert short == ["The question is not put into other words: the passages are short."]
    assert tables == ["The question is not put into other words: most of what it meets are tables."]
