"""Writing to the terminal: results on stdout, everything else on stderr, nothing a document says obeyed."""

import json
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from leadline.citing.render.plain import safe

UNKNOWN_WIDTH = 80
FILE_WIDTH = 200


def out() -> Console:
    """Where results go; plain text where that is no terminal."""
    return _console(stderr=False)


def err() -> Console:
    """Where progress, notices and errors go."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    console = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if console.width < 1:
        console.width = UNKNOWN_WIDTH
    if not console.is_terminal and console.width == UNKNOWN_WIDTH:
        # Nobody's window is this narrow when the output goes to a file; wrapping there only hurts.
        console.width = FILE_WIDTH
    return console


def plain(value: object) -> Text:
    """Text of a document or file name, made harmless to show."""
    return Text(safe(str(value)))


def plain_line(value: object) -> Text:
    """The same on one line, whatever line breaks a name holds."""
    return Text(safe(str(value)).replace("\n", " "))


def someone_there() -> bool:
    """Whether a person can be asked something; without a standard input there is nobody."""
    stdin: object = sys.stdin
    return stdin is not None and sys.stdin.isatty()


def near(source: str) -> str:
    """A source as a person here would write it: below this folder without the folder's name."""
    here = f"{Path.cwd()}/"
    return source.removeprefix(here)


def write_json(value: object) -> None:
    """One JSON value and a line end on stdout."""
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(value, ensure_ascii=not utf8, indent=2, default=str))


def many(count: int, one: str, more: str = "") -> str:
    """A number and what it counts.

    >>> many(1, "document"), many(2, "document"), many(0, "search", "searches")
    ('1 document', '2 documents', '0 searches')
    """
    return f"{count} {one if count == 1 else more or one + 's'}"


def rate(count: float, seconds: float, things: str) -> str:
    """How many a second, with as many digits as tell something.

    >>> rate(1200, 10, "rows"), rate(3, 8.1, "rows"), rate(1, 50, "rows")
    ('120 rows/s', '0.4 rows/s', '0.02 rows/s')
    """
    each = count / seconds
    digits = ".0f" if each >= 10 else ".1f" if each >= 0.1 else ".1g"
    return f"{each:{digits}} {things}/s"


def size(count: float) -> str:
    """Bytes, for a person.

    >>> size(2_600_000)
    '2.5 MiB'
    """
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    raise AssertionError("GiB is the last unit")
