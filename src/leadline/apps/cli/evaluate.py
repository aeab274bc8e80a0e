"""`leadline eval`: retrieval, answers, compare, ablate and index."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from leadline.apps.cli import evaluating, options
from leadline.apps.cli.door import Door
from leadline.apps.cli.evaluate_answers import answers, compare
from leadline.apps.cli.evaluate_index import index
from leadline.apps.cli.evaluating import variation, with_setup, work_folder
from leadline.apps.cli.output import write_json
from leadline.errors import UsageError
from leadline.evaluation.ablation import ablate as measure_ablation
from leadline.evaluation.ablation import ablation_table
from leadline.evaluation.experiment import EvalOptions, evaluate_retrieval
from leadline.evaluation.figures import Figures
from leadline.evaluation.methods import METHODS, available
from leadline.evaluation.report import json_line, markdown
from leadline.evaluation.setup import OnProgress, Setup

Methods = Annotated[
    list[str] | None,
    typer.Option("--method", help=f"{', '.join(METHODS)}; all there are parts for if not given."),
]
Report = Annotated[Path | None, typer.Option("--report", help="Write a Markdown report here.")]
Ablated = Annotated[str, typer.Option("--method", help="`linked` or `deep`.")]


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(
        no_args_is_help=True, rich_markup_mode=None, help="Measure retrieval and answers on questions."
    )
    group.callback()(_group)
    group.command("retrieval")(retrieval)
    group.command("answers")(answers)
    group.command("compare")(compare)
    group.command("ablate")(ablate)
    group.command("index")(index)
    app.add_typer(group, name="eval")


def _group() -> None: ...


def retrieval(
    context: typer.Context,
    folders: evaluating.Folders,
    method: Methods = None,
    limit: evaluating.Limit = None,
    sample: evaluating.Sample = None,
    union: evaluating.Union = False,
    untitled: evaluating.Untitled = False,
    half: evaluating.EvenOrOdd = None,
    corpus: evaluating.Across = None,
    whole: evaluating.Whole = False,
    fresh: evaluating.Fresh = False,
    report: Report = None,
    as_json: options.Json = False,
) -> None:
    """Recall, MRR and time of every method on every set; what is finished is not measured again."""
    if report is not None and not report.absolute().parent.is_dir():
        raise UsageError(f"--report `{report}`: there is no such folder. Make it first.")
    door = Door.of(context)
    how = EvalOptions(
        work=work_folder(door),
        limit=limit,
        seed=sample,
        fresh=fresh,
        variation=variation(union, untitled, half, corpus, whole),
    )

    async def measure(setup: Setup, progress: OnProgress) -> list[Figures]:
        return await evaluate_retrieval(folders, method or available(setup), how, setup, progress)

    _write(with_setup(door, measure), report, as_json)


def ablate(
    context: typer.Context,
    folders: evaluating.Folders,
    method: Ablated = "linked",
    limit: evaluating.Limit = None,
    sample: evaluating.Sample = None,
    untitled: evaluating.Untitled = False,
    half: evaluating.EvenOrOdd = None,
    whole: evaluating.Whole = False,
    fresh: evaluating.Fresh = False,
    as_json: options.Json = False,
) -> None:
    """What each recall path and each step earns: all of it, then without one at a time."""
    door = Door.of(context)
    how = EvalOptions(
        work=work_folder(door),
        limit=limit,
        seed=sample,
        fresh=fresh,
        variation=variation(False, untitled, half, None, whole),
    )
    found = with_setup(door, lambda setup, progress: measure_ablation(folders, method, how, setup, progress))
    if as_json:
        write_json([asdict(one) for one in found])
    else:
        print(ablation_table(found))


def _write(measured: Sequence[Figures], report: Path | None, as_json: bool) -> None:
    page = markdown(measured)
    print("\n".join(json_line(each) for each in measured) if as_json else page)
    if report is not None:
        try:
            report.write_text(page, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"--report `{report}` cannot be written: {error.strerror}.") from None
