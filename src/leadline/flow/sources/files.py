"""The files that a source reads: found by path or pattern, opened, cut into lines of a bounded size."""

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import has_magic
from pathlib import Path
from typing import IO, NamedTuple, cast

from leadline.errors import FlowError
from leadline.flow.base import DeadLetter, Row, Scope

LONGEST_LINE = 64 << 20
COUNTABLE = 256 << 20
"""Files up to this many bytes are read once more to know how many lines they have."""

LOOKED_INTO = 100
"""Files of a pattern, to know their columns before any row is read."""
SHOWN = 300
_BLOCK = 1 << 20


class Line(NamedTuple):
    """A line as bytes without its end, and its number from 1. `whole`: it was not longer than is read."""

    number: int
    data: bytes
    whole: bool = True

    def text(self) -> str:
        """What it says; a ValueError where that cannot be read."""
        if not self.whole:
            raise ValueError("the line is too long")
        return self.data.decode()


@dataclass(frozen=True, slots=True)
class Broken:
    """Tells of records that cannot be read: each is one lost row, and the next one is read."""

    scope: Scope
    step: str
    path: Path

    def line(self, line: Line, error: Exception) -> None:
        """Tell of a whole line."""
        self(line.number, why(error), line.data[: 4 * SHOWN].decode("utf-8", "replace"))

    def __call__(self, line: int, reason: str, record: str = "") -> None:
        row: Row = {"file": str(self.path), "line": line, "record": record[:SHOWN]}
        self.scope.lose(DeadLetter(self.step, f"{self.path}:{line}: {reason}", row, "skip"))


def why(error: Exception) -> str:
    """What is wrong with a record, in words that name no code."""
    if isinstance(error, UnicodeDecodeError):
        return f"is no UTF-8 (byte {error.start + 1})"
    if isinstance(error, json.JSONDecodeError):
        return f"is no JSON: {error.msg} (character {error.pos + 1})"
    if isinstance(error, RecursionError):
        return "is nested too deeply"
    return str(error)


def found(path: str | Path, label: str) -> list[Path]:
    """The files that a path or a pattern (`data/*.jsonl`) names, in order of their names."""
    path = Path(path)
    if path.is_file():
        return [path]
    if has_magic(str(path)):
        start = Path(path.anchor)
        paths = sorted(each for each in start.glob(str(path.relative_to(start))) if each.is_file())
        if paths:
            return paths
        raise FlowError(f"{label}: no file is like `{path}`. Check the pattern.")
    if path.is_dir():
        raise FlowError(f"{label}: `{path}` is a folder. Name its files, for example `{path}/*`.")
    if path.exists():  # a pipe
        return [path]
    raise FlowError(f"{label}: `{path}` is not there. Check the path.")


def present(path: str | Path) -> list[Path]:
    """The same, as far as they are there and can be read more than once; none where there are too many to look into."""
    path = Path(path)
    if path.is_file():
        return [path]
    if not has_magic(str(path)):
        return []
    start = Path(path.anchor)
    paths = sorted(each for each in start.glob(str(path.relative_to(start))) if each.is_file())
    return paths if len(paths) <= LOOKED_INTO else []


def opened(path: Path, label: str) -> IO[bytes]:
    """The bytes of a file; one named `.gz` is unpacked on the way."""
    try:
        return cast(IO[bytes], gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")
    except OSError as error:
        raise FlowError(
            f"{label}: `{path}` cannot be read: {error.strerror}. Check its permissions."
        ) from None


def lines(path: Path, label: str) -> Iterator[Line]:
    """The lines of a file that are not blank, one in memory at a time."""
    with opened(path, label) as file:
        number = 0
        try:
            while data := file.readline(LONGEST_LINE):
                number += 1
                if number > 1 and len(data) < LONGEST_LINE:  # all but a few, and there may be millions
                    data = data.rstrip(b"\r\n")
                    if data and not data.isspace():
                        yield Line(number, data)
                    continue
                whole = data.endswith(b"\n") or len(data) < LONGEST_LINE
                if not whole:
                    _skip(file)
                if line := trimmed(number, data, whole):
                    yield line
        except (OSError, EOFError) as error:
            raise FlowError(f"{label}: {path}:{number + 1}: cannot be read on: {error}.") from None


def trimmed(number: int, data: bytes, whole: bool = True) -> Line | None:
    """A line without its end and the mark that a file may begin with; None for a blank one."""
    data = data.rstrip(b"\r\n")
    if number == 1:
        data = data.removeprefix(b"\xef\xbb\xbf")
    return Line(number, data, whole) if data and not data.isspace() else None


def _skip(file: IO[bytes]) -> None:
    """To the end of a line."""
    while (rest := file.readline(_BLOCK)) and not rest.endswith(b"\n"):
        pass


def count_lines(paths: Sequence[Path]) -> int | None:
    """How many lines there are that are not empty, for files where that is quick."""
    if any(not path.is_file() or path.suffix == ".gz" for path in paths):
        return None
    if sum(path.stat().st_size for path in paths) > COUNTABLE:
        return None
    return sum(map(_count, paths))


def _count(path: Path) -> int:
    with opened(path, str(path)) as file:
        return sum(not line.isspace() for line in file)


def delimiter_of(path: Path) -> str:
    """What stands between the values of a table in a file of that name, packed or not.

    >>> delimiter_of(Path("a.csv")), delimiter_of(Path("b.TSV.gz"))
    (',', '\\t')
    """
    return "\t" if Path(re.sub(r"\.gz$", "", path.name)).suffix.lower() == ".tsv" else ","
