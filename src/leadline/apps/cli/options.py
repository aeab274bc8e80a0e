"""Options that several commands share, spelled once."""

from pathlib import Path
from typing import Annotated

import typer

Question = Annotated[str, typer.Argument(help="The question, in quotes.", show_default=False)]
Collections = Annotated[
    list[str] | None,
    typer.Option("--collection", "-c", help="Collection to search; may be given several times."),
]
Collection = Annotated[str | None, typer.Option("--collection", "-c", help="Collection to use.")]
Where = Annotated[
    str | None,
    typer.Option(help="""Filter, as in 'year >= 2023 and lang == "zh" and not source ~ "draft"'."""),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Limit = Annotated[int, typer.Option("--limit", "-k", min=1, max=1000, help="Most passages.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Paths = Annotated[list[Path], typer.Argument(help="Files and folders.", show_default=False)]
Seconds = Annotated[
    float | None, typer.Option("--deadline", help="Answer with what is there after this many seconds.")
]
MaxSearches = Annotated[int | None, typer.Option(min=1, help="Most searches of the run.")]
