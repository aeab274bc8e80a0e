"""JSON lines as rows."""

import asyncio
import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, cast

from leadline.flow.base import Row, Rows, Scope
from leadline.flow.ends import Source
from leadline.flow.sources.files import Broken, Line, count_lines, found, lines

DEEPEST = 100
"""Lists in lists and mappings in mappings of one row."""


def refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no value of JSON")


def finite(text: str) -> float:
    if math.isinf(number := float(text)):
        raise ValueError(f"the number {text:.20} is too large")
    return number


DECODER = json.JSONDecoder(parse_constant=refuse, parse_float=finite)
_scan = cast(Callable[[str, int], tuple[Any, int]], cast(Any, DECODER).scan_once)


def _value(text: str) -> Any:
    """What a line says: mostly one object and nothing around it, which needs no search for white space."""
    try:
        value, end = _scan(text, 0)
    except StopIteration:
        return DECODER.decode(text)
    return value if end == len(text) else DECODER.decode(text)


@dataclass(frozen=True, slots=True)
class Jsonl(Source):
    """Rows from a file of JSON lines, one object a line.

    A line that cannot be read is told with file and line, and the next one is read. Blank lines don't count.

    path: the file, or a pattern such as `data/*.jsonl`, whose files are read in order of their names; `.gz` is unpacked.
    into: the field for a line that holds something else than an object; without it such a line cannot be read.

    Example:
        jsonl: {path: questions.jsonl}
    """

    path: str | Path
    into: str | None = None

    async def rows(self, scope: Scope) -> Rows:
        label = self.label or "jsonl"
        for path in found(self.path, label):
            for row in rows_of(lines(path, label), Broken(scope, label, path), self.into):
                yield row

    async def total(self, scope: Scope) -> int | None:
        return await asyncio.to_thread(lambda: count_lines(found(self.path, self.label or "jsonl")))


def rows_of(given: Iterator[Line], broken: Broken, into: str | None = None) -> Iterator[Row]:
    """The rows that lines of JSON hold."""
    for line in given:
        try:
            value = _value(text := line.text())
            refuse_deep(value, text.count("[") + text.count("{"))
            if type(value) is not dict:
                value = within(value, into)
        except (ValueError, RecursionError) as error:
            broken.line(line, error)
        else:
            yield value


def refuse_deep(value: Any, brackets: int) -> None:
    """ValueError for what is nested more deeply than steps can follow; with so many brackets it may be."""
    if brackets <= DEEPEST:
        return
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for each in level for inner in _inside(each) if isinstance(inner, list | dict)]
        if not level:
            return
    raise ValueError(f"is nested more than {DEEPEST} levels deep")


def _inside(value: Any) -> Iterable[Any]:
    return cast(Row, value).values() if isinstance(value, dict) else cast(list[Any], value)


def within(value: Any, into: str | None) -> Row:
    """A row of what is no object."""
    if into is None:
        raise ValueError("is no object; set `into` to take it as the value of a field")
    return {into: value}
