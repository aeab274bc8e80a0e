"""`leadline demo`: the whole way, on documents that come with the package."""

import json
import tempfile
from pathlib import Path
from typing import Annotated

import typer

import leadline
from leadline.apps.cli.ask_view import AskView, show_answer
from leadline.apps.cli.door import Door
from leadline.apps.cli.load_view import STOPPING, LoadBar, show_report
from leadline.apps.cli.output import out, plain
from leadline.errors import UsageError

Question = Annotated[str | None, typer.Argument(help="Your own question about the example documents.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo")(demo)


def demo(context: typer.Context, question: Question = None) -> None:
    """Load the example documents and answer a question over three of them; --data keeps what was loaded."""
    examples = examples_folder()
    asked = question or first_question(examples)
    door = Door.of(context)
    with tempfile.TemporaryDirectory(prefix="leadline-demo-") as folder:
        here = door if door.data else Door(Path(folder), door.config, flags=door.flags)
        _show(here, examples / "corpus", asked)


def examples_folder() -> Path:
    """The examples inside the installed package, or those of the checkout it runs from."""
    package = Path(leadline.__file__).parent
    for folder in (package / "_examples", *(above / "examples" for above in package.parents[1:2])):
        if (folder / "corpus").is_dir():
            return folder
    raise UsageError("the example documents are not there. Install Leadline again, or run from a checkout.")


def first_question(examples: Path) -> str:
    """The question the demo asks: the first of the examples' own."""
    with (examples / "questions.jsonl").open(encoding="utf-8") as lines:
        question: str = json.loads(next(lines))["question"]
    return question


def _show(door: Door, corpus: Path, question: str) -> None:
    console = out()
    console.print(plain(f"$ leadline load {corpus}"), soft_wrap=True)
    with LoadBar() as bar:
        report = door.run(
            lambda workspace, run: workspace.load([corpus], run=run), emit=bar.show, on_cancel=STOPPING
        )
    show_report(report)
    console.print(plain(f'\n$ leadline ask --deep --explain "{question}"'), soft_wrap=True)
    with AskView(explaining=True, style="terminal") as view:
        answer = door.run(
            lambda workspace, run: workspace.ask(question, agent="deep", run=run),
            emit=view.show,
            on_cancel="Answering with what was found so far; Ctrl-C again stops at once.",
        )
    show_answer(answer, "terminal")
