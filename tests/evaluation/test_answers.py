"""Answers are measured against the stored text and the passages that should be cited."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from leadline.evaluation.answers import AnswerRow, answer_figures, measure_answer, wrong_quotes
from leadline.evaluation.cases import Case, read_set
from leadline.evaluation.indexing import as_document, indexed
from leadline.evaluation.setup import Setup, unwatched
from leadline.events import Called, CallFailed, Defaulted, Event
from leadline.run import Run
from leadline.testing.running import go
from leadline.types import Answer, Citation, Claim, StopReason, Usage

Opening = Callable[[], AbstractAsyncContextManager[Setup]]
ROW = AnswerRow(
    id="q", type="bridge", yes_no=False, answered=True, contains=True, exact=False, sentences=2, characters=80,
    quotes=2, wrong_quotes=(), citation_recall=1.0, citation_precision=0.5, searches=4, rounds=2, stop="answered",
    ms=10.0, text="...",
)  # fmt: skip
HEARD = Called("plan", "m", 1, 1, None, 1.0)
FAILED = CallFailed("plan", "m", "it is off")
RETRIED = replace(FAILED, again=1.0)
UNWRITTEN = Defaulted("write", "no call is left", "it is quoted")
OTHERWISE = replace(UNWRITTEN, step="judge")


def cite(document_id: str, source: str, quote: str, start: int) -> Citation:
    return Citation(document_id, "c", source, "", quote, start, start + len(quote))


def test_a_row_measures_quotes_citations_and_length(opening: Opening, harbour: Path) -> None:
    questions = read_set(harbour)
    text = "It was designed by Ada Merrow and first lit in 1871."
    lighthouse = as_document(questions.passages[0])
    quay = as_document(questions.passages[4])
    right = cite(lighthouse.id, lighthouse.source, text, lighthouse.text.index(text))
    wrong = cite(quay.id, quay.source, "a quote that is nowhere", 3)
    answer = Answer(
        "?",
        (Claim(text, (right,)), Claim("It stands. It is high.", (wrong,))),
        (),
        StopReason.ANSWERED,
        found=True,
        rounds=2,
        usage=Usage(searches=5),
    )

    async def measured(case: Case, given: Answer) -> AnswerRow:
        async def ask(question: str, run: Run) -> Answer:
            return replace(given, question=question)

        async with opening() as setup:
            collection = await indexed(questions, setup, fresh=False, progress=unwatched)
            return await measure_answer(case, ask, setup.store, collection)

    case = Case("q", "Who?", "Ada Merrow", (), ("h-01", "h-02"), "bridge")
    row = go(measured(case, answer))
    assert (row.answered, row.contains, row.exact, row.yes_no) == (True, True, False, False)
    assert (row.sentences, row.quotes, row.searches, row.rounds, row.stop) == (3, 2, 5, 2, "answered")
    assert row.characters == len(text) + len(" It stands. It is high.")
    assert (row.citation_recall, row.citation_precision) == (0.5, 0.5)
    assert row.wrong_quotes == ("h-05 3:26 'a quote that is nowhere'",)
    not_found = go(measured(case, replace(answer, found=False)))
    assert (not_found.answered, not_found.contains, not_found.citation_recall) == (False, False, 0)
    assert (not_found.sentences, len(not_found.wrong_quotes)) == (0, 1)


def test_an_empty_quote_and_a_vanished_document_are_wrong(opening: Opening, harbour: Path) -> None:
    questions = read_set(harbour)
    lighthouse = as_document(questions.passages[0])
    citations = [
        cite(lighthouse.id, "h-01", "", 4),
        cite("nobody", "x", "The", 0),
        cite(lighthouse.id, "h-01", "The", 0),
    ]

    async def work() -> tuple[str, ...]:
        async with opening() as setup:
            collection = await indexed(questions, setup, fresh=False, progress=unwatched)
            return await wrong_quotes(citations, setup.store, collection)

    assert go(work()) == ("h-01 4:4 ''", "x 0:3 'The'")


def test_figures_tell_answered_from_unanswered_and_yes_no_from_the_rest() -> None:
    rows = [
        ROW,
        replace(ROW, answered=False, contains=False, citation_recall=0.0, stop="nothing_found"),
        replace(ROW, yes_no=True, contains=False),
        replace(ROW, sentences=6, wrong_quotes=("x",)),
    ]
    found = answer_figures(rows)
    assert (found.questions, found.answered, found.yes_no) == (4, 0.75, 1)
    assert (found.quotes, found.wrong_quotes, found.too_long, found.max_sentences) == (8, 1, 1, 6)
    assert (found.citation_recall, found.citation_precision) == (0.75, 0.5)
    assert found.contains == 2 / 3
    assert found.contains_when_answered == 1
    assert found.contains_yes_no == 0
    assert found.stops == {"answered": 3, "nothing_found": 1}
    assert answer_figures([]).answered == 0
    alone = answer_figures([replace(ROW, without_model=True), replace(ROW, without_model=True, calls=3), ROW])
    assert (alone.questions, alone.without_model) == (3, 2)


@pytest.mark.parametrize(
    ("events", "calls", "expected"),
    [
        ((), 0, (False, False, "")),
        ((HEARD,), 1, (False, False, "")),
        ((FAILED, HEARD), 1, (False, False, "it is off")),
        ((RETRIED,), 0, (False, False, "")),
        ((FAILED,), 0, (True, True, "it is off")),
        ((HEARD, FAILED, UNWRITTEN), 1, (True, False, "it is off")),
        ((UNWRITTEN,), 0, (True, True, "")),
        ((HEARD, OTHERWISE), 1, (False, False, "")),
    ],
)
def test_a_row_tells_whether_the_model_wrote_it(
    opening: Opening, harbour: Path, events: tuple[Event, ...], calls: int, expected: tuple[bool, bool, str]
) -> None:
    answer = Answer("?", (), (), StopReason.NOTHING_FOUND, found=False, usage=Usage(calls=calls))

    async def ask(question: str, run: Run) -> Answer:
        for event in events:
            run.emit(event)
        return answer

    async def measured() -> AnswerRow:
        async with opening() as setup:
            return await measure_answer(Case("q", "?", "Ada", (), (), ""), ask, setup.store, "harbour")

    row = go(measured())
    assert (row.without_model, row.unheard, row.failure) == expected


def test_the_longest_allowed_answer_fits() -> None:
    assert replace(ROW, sentences=5, characters=800).fits
    assert not replace(ROW, characters=801).fits
