"""Where rows go: one file for each kind of sink, imported when it is first named."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leadline.flow.sinks.collection import Collection
    from leadline.flow.sinks.csv_file import Csv
    from leadline.flow.sinks.jsonl import Jsonl
    from leadline.flow.sinks.markdown import Markdown
    from leadline.flow.sinks.parquet import Parquet
    from leadline.flow.sinks.sql import Sql
    from leadline.flow.sinks.stdout import Stdout

__all__ = [
    "Collection",
    "Csv",
    "Jsonl",
    "Markdown",
    "Parquet",
    "Sql",
    "Stdout",
]

_HOMES = {
    "Collection": "collection",
    "Csv": "csv_file",
    "Jsonl": "jsonl",
    "Markdown": "markdown",
    "Parquet": "parquet",
    "Sql": "sql",
    "Stdout": "stdout",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'leadline.flow.sinks' has no attribute {name!r}")
    return getattr(import_module(f"leadline.flow.sinks.{home}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
