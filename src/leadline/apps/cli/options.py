"""Options that several commands share, spelled once."""

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
Things = Annotated[list[str], typer.Argument(help="Files, folders and addresses.", show_default=False)]
Seconds = Annotated[
    float | None, typer.Option("--deadline", help="Answer with what is there after this many seconds.")
]
MaxSearches = Annotated[int | None, typer.Option(min=1, help="Most searches of the run.")]
MaxCalls = Annotated[int | None, typer.Option(min=1, help="Most model calls of the run.")]
MaxTokens = Annotated[int | None, typer.Option(min=1, help="Most model tokens of the run.")]
MaxUsd = Annotated[float | None, typer.Option(help="Most US dollars of the run, where prices are known.")]
Model = Annotated[str | None, typer.Option(help="Language model, as `openai:gpt-4o` or `gguf:FILE`.")]
FastModel = Annotated[str | None, typer.Option(help="Model that judges, routes and rewrites.")]
Web = Annotated[bool, typer.Option("--web", help="Search the web: only it, or with --collection both.")]
Sites = Annotated[
    list[str] | None, typer.Option("--site", help="Of the web, only this host; may be repeated.")
]
Since = Annotated[
    str | None,
    typer.Option(help="Of the web, no pages published before this day, month or year; undated ones stay."),
]
Until = Annotated[
    str | None, typer.Option(help="Of the web, no pages published after then; undated ones stay.")
]
SavePages = Annotated[str | None, typer.Option(help="Collection that the pages which were read are kept in.")]

FLAGS = {
    "collection": "--collection",
    "model": "--model",
    "fast_model": "--fast-model",
    "ask.rounds": "--rounds",
    "ask.steps": "--rounds",
    "research.rounds": "--rounds",
    "budget.seconds": "--deadline",
    "budget.searches": "--max-searches",
    "budget.calls": "--max-calls",
    "budget.tokens": "--max-tokens",
    "budget.usd": "--max-usd",
    "hnsw.m": "--hnsw-m",
    "hnsw.ef_construction": "--hnsw-ef-construction",
    "hnsw.ef": "--hnsw-ef",
}
"""How a person spells a setting that a flag can give a bad value, so that the error names the flag."""
