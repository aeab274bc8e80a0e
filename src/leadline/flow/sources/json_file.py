"""The elements of a JSON array as rows, one in memory at a time."""

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from leadline.flow.base import Row, Rows, Scope
from leadline.flow.ends import Source
from leadline.flow.sources.files import Broken, found, opened, why
from leadline.flow.sources.jsonl import finite, refuse, refuse_deep, within

LARGEST = 256 << 20
"""Characters of one element, or of a file that is read whole."""

_BLOCK = 1 << 16
_DELIMITERS = tuple(",] \t\r\n")
_BLANK = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Json(Source):
    """Rows from a JSON file: the elements of its array, or its values one after the other, each an object.

    An element that is no object is told and the next one is read. JSON that is broken has no next element: what stands
    behind it is told as one lost row.

    path: the file, or a pattern such as `data/*.json`; `.gz` is unpacked.
    at: where in the file the array is, as names with dots (`data.items`); such a file is read whole.
    into: the field for elements that are no objects; without it they cannot be read.

    Example:
        json: {path: books.json, at: library.books}
    """

    path: str | Path
    at: str = ""
    into: str | None = None

    async def rows(self, scope: Scope) -> Rows:
        label = self.label or "json"
        for path in found(self.path, label):
            with opened(path, label) as file:
                for row in self._rows_of(file, Broken(scope, label, path)):
                    yield row

    def _rows_of(self, file: IO[bytes], broken: Broken) -> Iterator[Row]:
        reader = _Reader(file)
        try:
            for value in self._values(reader):
                try:
                    reader.check(value)
                    yield cast(Row, value) if type(value) is dict else within(value, self.into)
                except ValueError as error:
                    broken(reader.line, why(error), json.dumps(value)[:1000])
        except (ValueError, RecursionError, OSError, EOFError) as error:
            broken(reader.line, f"{why(error)}. Nothing behind it was read", reader.shown())

    def _values(self, reader: "_Reader") -> Iterator[Any]:
        if not self.at:
            yield from reader.values()
            return
        found: Any = next(reader.values(whole=True), None)
        reader.check(found)
        for name in self.at.split("."):
            if not isinstance(found, dict) or name not in found:
                raise ValueError(f"has no `{self.at}`: `{name}` is not there")
            found = cast(Row, found)[name]
        yield from cast(list[Any], found) if isinstance(found, list) else [found]


class _Reader:
    """Decodes value after value from a window over the file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._decode = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._at = 0
        self._ended = False
        self._decoder = json.JSONDecoder(parse_constant=refuse, parse_float=self._float)
        self._fault = ""
        self._brackets = 0
        self.line = 1

    def shown(self) -> str:
        """What stands where it is."""
        return self._text[self._at : self._at + 300]

    def check(self, value: Any) -> None:
        """ValueError where the last value cannot be used, though one can read on behind it."""
        if self._fault:
            raise ValueError(self._fault)
        refuse_deep(value, self._brackets)

    def _float(self, text: str) -> float:
        try:
            return finite(text)
        except ValueError as error:
            self._fault = str(error)
            return 0.0

    def values(self, whole: bool = False) -> Iterator[Any]:
        """The elements of the array that the file begins with; else all values of the file, one after the other."""
        array = not whole and self._next() == "["
        if array:
            self._skip()
        first = True
        while (character := self._next()) and not (array and character == "]"):
            if array and not first:
                if character != ",":
                    raise ValueError("is no JSON: a comma is missing between two elements")
                self._skip()
            self._next()
            yield self._value()
            first = False
        if not array:
            return
        if not character:
            raise ValueError("is no JSON: the array has no end")
        self._skip()
        if self._next():
            raise ValueError("is no JSON: something stands behind the end of the array")

    def _value(self) -> Any:
        wanted = _BLOCK
        while True:
            try:
                self._fault = ""
                value, end = self._decoder.raw_decode(self._text, self._at)
                if self._ended or not self._cut(value, end):
                    self._brackets = sum(self._text.count(each, self._at, end) for each in "[{")
                    self._move(end)
                    return value
            except json.JSONDecodeError:
                if self._ended:
                    raise
            if len(self._text) - self._at > LARGEST:
                raise ValueError("the element is too long")
            self._more(wanted)
            wanted *= 2

    def _cut(self, value: Any, end: int) -> bool:
        """Whether what was decoded up to `end` may be a number that goes on behind the window."""
        return isinstance(value, int | float) and self._text[end : end + 1] not in _DELIMITERS

    def _next(self) -> str:
        """The next character that is not blank, "" at the end of the file."""
        while True:
            blank = _BLANK.match(self._text, self._at)
            self._move(blank.end() if blank else self._at)
            if self._at < len(self._text):
                return self._text[self._at]
            if self._ended:
                return ""
            self._more(_BLOCK)

    def _skip(self) -> None:
        self._move(self._at + 1)

    def _move(self, to: int) -> None:
        self.line += self._text.count("\n", self._at, to)
        self._at = to

    def _more(self, size: int) -> None:
        data = self._file.read(size)
        self._ended = not data
        self._text = self._text[self._at :] + self._decode.decode(data, self._ended)
        self._at = 0
