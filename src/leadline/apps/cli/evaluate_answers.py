"""`leadline eval answers` and `leadline eval compare`."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from leadline.agents.asking import AgentChoice
from leadline.apps.cli import evaluating, options
from leadline.apps.cli.door import Door
from leadline.apps.cli.evaluating import variation, with_setup, work_folder
from leadline.apps.cli.output import write_json
from leadline.errors import UsageError
from leadline.evaluation.answer_report import answers_json, answers_page
from leadline.evaluation.answering import AnsweredSet, evaluate_answers
from leadline.evaluation.experiment import EvalOptions
from leadline.evaluation.paired import compare as compare_rows
from leadline.evaluation.paired import compared_table
from leadline.evaluation.setup import OnProgress, Setup
from leadline.run import Budget

Agent = Annotated[AgentChoice, typer.Option("--agent", help="Who answers.")]
Rows = Annotated[
    Path | None, typer.Option("--rows", help="Write a JSON line for each question here, for `eval compare`.")
]
Report = Annotated[Path | None, typer.Option("--report", help="Write a Markdown report here.")]
First = Annotated[Path, typer.Argument(help="Rows of the one run.", show_default=False)]
Second = Annotated[Path, typer.Argument(help="Rows of the other.", show_default=False)]


def answers(
    context: typer.Context,
    folders: evaluating.Folders,
    agent: Agent = "auto",
    limit: evaluating.Limit = None,
    sample: evaluating.Sample = None,
    half: evaluating.EvenOrOdd = None,
    fresh: evaluating.Fresh = False,
    model: options.Model = None,
    fast_model: options.FastModel = None,
    max_calls: options.MaxCalls = None,
    max_tokens: options.MaxTokens = None,
    max_usd: options.MaxUsd = None,
    deadline: options.Seconds = None,
    rows: Rows = None,
    report: Report = None,
    as_json: options.Json = False,
) -> None:
    """Exact match, F1, citations, cost and where losses are; limits are of a question, what is finished is kept."""
    for name, file in (("--rows", rows), ("--report", report)):
        if file is not None and not file.absolute().parent.is_dir():
            raise UsageError(f"{name} `{file}`: there is no such folder. Make it first.")
    door = Door.of(context).with_flags(
        **{"model": model, "fast_model": fast_model, "budget.calls": max_calls, "budget.tokens": max_tokens},
        **{"budget.usd": max_usd, "budget.seconds": deadline},
    )
    how = EvalOptions(
        work=work_folder(door),
        limit=limit,
        seed=sample,
        fresh=fresh,
        variation=variation(False, False, half, None, False),
    )
    budget = door.settings().budget.of_run()

    async def measure(setup: Setup, progress: OnProgress) -> list[AnsweredSet]:
        return await evaluate_answers(folders, agent, how, setup, budget, progress)

    measured = with_setup(door, measure)
    page = answers_page(measured, _settings(door, budget))
    print("\n".join(map(answers_json, measured)) if as_json else page)
    _write(rows, "--rows", _lines(measured))
    _write(report, "--report", page)


def compare(context: typer.Context, first: First, second: Second, as_json: options.Json = False) -> None:
    """Two runs over the same questions: each figure, its difference, and whether chance explains it."""
    found = compare_rows(first, second)
    if as_json:
        write_json([{**asdict(one), "verdict": one.verdict} for one in found])
        return
    print(f"{found[0].questions} questions of both; A is {first.name}, B is {second.name}\n")
    print(compared_table(found))


def _settings(door: Door, budget: Budget) -> list[tuple[str, str]]:
    settings = door.settings()
    limits = [f"{name} {limit:g}" for name, limit in asdict(budget).items() if limit is not None]
    models = ", ".join(str(name) for name in (settings.model, settings.fast_model) if name)
    return [("model", models or "none"), ("limits of a question", ", ".join(limits) or "none")]


def _lines(measured: Sequence[AnsweredSet]) -> str:
    lines = [
        json.dumps({"set": one.name, **asdict(row)}, ensure_ascii=False)
        for one in measured
        for row in one.rows
    ]
    return "\n".join(lines) + "\n"


def _write(file: Path | None, flag: str, text: str) -> None:
    if file is None:
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{flag} `{file}` cannot be written: {error.strerror}.") from None
