"""Figures of answers for people and programs, and the three numbers that tell where a loss is.

found by searching -> kept, and ranked into the best three -> said in the answer
"""

import json
from collections.abc import Sequence
from dataclasses import asdict

from leadline.evaluation.answering import AnsweredSet
from leadline.evaluation.answers import AnswerFigures
from leadline.evaluation.report import cells, machine, table

HEAD = (
    "set",
    "agent",
    "questions",
    "answered",
    "right",
    "exact",
    "F1",
    "cite R",
    "cite P",
    "calls",
    "tokens",
    "s",
)
LEVELS = ("set", "type", "questions", "found", "kept", "hit@3", "cited", "right", "most is lost in")


def answers_json(one: AnsweredSet) -> str:
    """One line for a set; shares are fractions."""
    figures = asdict(one.figures)
    types = {name: asdict(own) for name, own in one.types.items()}
    return json.dumps({"set": one.name, "agent": one.agent, **figures, "types": types}, ensure_ascii=False)


def answers_page(measured: Sequence[AnsweredSet], settings: Sequence[tuple[str, str]] = ()) -> str:
    """A report in Markdown."""
    rows = [[one.name, one.agent, *_numbers(one.figures)] for one in measured]
    wrong = sum(one.figures.wrong_quotes for one in measured)
    quotes = sum(one.figures.quotes for one in measured)
    parts = [
        "# Answers",
        "",
        *table(rows, HEAD),
        "",
        *_without_model(measured),
        "## Where a loss is",
        "",
        *_levels(measured),
        "",
    ]
    parts += [
        "Figures are in per cent; calls, tokens and seconds are of a question. `right`: the expected answer stands in the"
        " given one. `exact` and `F1` are of the whole text or of the first claim, whichever is better.",
        "`found`: the supporting passages that any search found; `kept`: those in the evidence; `hit@3`: one of them is"
        " among its best three; `cited`: those that the answer cites.",
        "",
        f"- quotes that stand where they are said to: {quotes - wrong} of {quotes}",
        *(f"- {name}: {value}" for name, value in (*settings, *machine())),
    ]
    return "\n".join(parts) + "\n"


def _without_model(measured: Sequence[AnsweredSet]) -> list[str]:
    """Which figures are not all the model's."""
    counts = ((one, one.figures) for one in measured)
    lines = [
        f"- {one.name}: {own.without_model} of {own.questions} answered in quotes, without the model"
        for one, own in counts
        if own.without_model
    ]
    return [*lines, ""] if lines else []


def _numbers(one: AnswerFigures) -> list[str]:
    shares = (one.answered, one.right, one.exact, one.f1, one.citation_recall, one.citation_precision)
    return [
        str(one.questions),
        *cells([100 * share for share in shares]),
        *cells([one.calls_per_question, one.tokens_per_question]),
        f"{one.ms_per_question / 1000:.2f}",
    ]


def _levels(measured: Sequence[AnsweredSet]) -> list[str]:
    rows: list[list[str]] = []
    for one in measured:
        rows.append([one.name, "all", *_level(one.figures)])
        rows += [[one.name, name, *_level(own)] for name, own in one.types.items() if len(one.types) > 1]
    return table(rows, LEVELS)


def _level(one: AnswerFigures) -> list[str]:
    if not one.supported:
        return [str(one.questions), "-", "-", "-", "-", *cells([100 * one.right]), "not known"]
    shares = [one.recall, one.kept, one.hit_at_3, one.citation_recall, one.right]
    return [str(one.questions), *cells([100 * share for share in shares]), lost_in(one)]


def lost_in(one: AnswerFigures) -> str:
    """The step that loses most of what should be found, kept and said."""
    steps = {
        "search": 1 - one.recall,
        "keeping": one.recall - one.kept,
        "writing": max(one.kept - one.right, 0.0),
    }
    worst = max(steps, key=lambda name: steps[name])
    return worst if steps[worst] > 0 else "nothing"
