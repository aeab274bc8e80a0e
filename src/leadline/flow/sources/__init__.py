"""Where rows come from: one file for each kind of source, imported when it is first named."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leadline.flow.sources.collection import Collection
    from leadline.flow.sources.csv_file import Csv
    from leadline.flow.sources.folder import Folder
    from leadline.flow.sources.inline import InlineRows
    from leadline.flow.sources.json_file import Json
    from leadline.flow.sources.jsonl import Jsonl
    from leadline.flow.sources.parquet import Parquet
    from leadline.flow.sources.search import Search
    from leadline.flow.sources.sql import Sql
    from leadline.flow.sources.stdin import Stdin
    from leadline.flow.sources.text import Text

__all__ = [
    "Collection",
    "Csv",
    "Folder",
    "InlineRows",
    "Json",
    "Jsonl",
    "Parquet",
    "Search",
    "Sql",
    "Stdin",
    "Text",
]

_HOMES = {
    "Collection": "collection",
    "Csv": "csv_file",
    "Folder": "folder",
    "InlineRows": "inline",
    "Json": "json_file",
    "Jsonl": "jsonl",
    "Parquet": "parquet",
    "Search": "search",
    "Sql": "sql",
    "Stdin": "stdin",
    "Text": "text",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'leadline.flow.sources' has no attribute {name!r}")
    return getattr(import_module(f"leadline.flow.sources.{home}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
