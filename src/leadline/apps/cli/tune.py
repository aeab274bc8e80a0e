"""`leadline tune`: how a collection is searched best, by the user's own questions."""

from pathlib import Path
from typing import Annotated

import typer

from leadline.apps.cli import options
from leadline.apps.cli.door import Door
from leadline.apps.cli.evaluating import EvalBar
from leadline.apps.cli.output import err, write_json
from leadline.citing.render.outline import spent
from leadline.evaluation.report import table
from leadline.evaluation.setup import Setup
from leadline.evaluation.tuning import Tuning, as_record, tune, tuning_table
from leadline.retrieval.tuned import UNTUNED
from leadline.run import Run
from leadline.workspace import Workspace

Folder = Annotated[
    Path | None,
    typer.Argument(
        help="Folder with questions.jsonl, or such a file; each question has `sources`.", show_default=False
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Measure, and change nothing.")]
Forget = Annotated[bool, typer.Option("--forget", help="Search the usual way again; needs no questions.")]
Rewrite = Annotated[
    bool,
    typer.Option(
        "--rewrite/--no-rewrite",
        help="Measure a model's other words too: one or two calls for each question.",
    ),
]
HEAD = ("choice", "R@5", "nDCG@10", "score")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("tune")(tune_collection)


def tune_collection(
    context: typer.Context,
    folder: Folder = None,
    collection: options.Collection = None,
    dry_run: DryRun = False,
    forget: Forget = False,
    rewrite: Rewrite = True,
    as_json: options.Json = False,
) -> None:
    """Measure ways to search on your own questions, and keep the best one in the collection."""
    door = Door.of(context)
    name = collection or door.settings().collection
    if forget:
        door.run(lambda workspace, _: workspace.configure(name, UNTUNED))
        err().print(f"`{name}` is searched the usual way again.")
        return
    if folder is None:
        raise typer.BadParameter("give a folder with questions.jsonl.", param_hint="FOLDER")
    with EvalBar() as bar:
        tuning = door.run(
            lambda workspace, run: _measure(workspace, folder, name, bar, run if rewrite else None)
        )
    kept = tuning.pays and not dry_run
    if kept:
        embedding = door.run(lambda workspace, _: workspace.collection(name)).embedding
        chosen = tuning.best.choice.metadata(embedding)
        door.run(lambda workspace, _: workspace.configure(name, chosen))
    if as_json:
        write_json({"collection": name, **as_record(tuning), "kept": kept})
        return
    rows = tuning_table(tuning)
    print("\n".join(table(rows, HEAD)))
    if len(rows) < len(tuning.tried):
        err().print(
            f"{len(tuning.tried)} ways were measured; shown are the usual one and the best others, {len(rows)} in all. --json lists every one.",
            soft_wrap=True,
        )
    err().print(_said(tuning, name, kept), soft_wrap=True)


async def _measure(workspace: Workspace, folder: Path, name: str, bar: EvalBar, run: Run | None) -> Tuning:
    known = await workspace.collection(name)
    setup = await Setup.of(workspace, await workspace.reading(), known)
    # Without a model nobody has other words.
    told = run if workspace.settings.model else None
    tuning = await tune(folder, name, setup, bar.show, told)
    if told and told.calls:
        err().print(f"The questions in other words: {spent(told.usage())}.")
    return tuning


def _said(tuning: Tuning, name: str, kept: bool) -> str:
    gain = tuning.gain
    measured = (
        f"chosen on one half of {len(tuning.usual.scores)} questions and measured on the other, "
        f"the best choice scores {gain.mean:+.1f} points (95%: {gain.low:+.1f} to {gain.high:+.1f}), {tuning.moved} questions differ"
    )
    if tuning.best is tuning.usual:
        return f"the usual choice is the best; `{name}` was not changed."
    if not tuning.pays:
        return f"{measured}: within chance, so `{name}` was not changed."
    if not kept:
        return f"{measured}. Without --dry-run, `{name}` would be searched so: {tuning.best.choice.words()}."
    return f"{measured}. `{name}` is now searched so: {tuning.best.choice.words()}."
