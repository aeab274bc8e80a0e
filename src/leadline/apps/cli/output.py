"""Writing to the terminal: results on stdout, everything else on stderr, nothing a document says obeyed."""

import json
import sys
import unicodedata

from rich.console import Console
from rich.text import Text

KEPT = "\n\t"


def out() -> Console:
    """Where results go. Without a terminal it writes plain text, as wide as the text is."""
    return _console(stderr=False)


def err() -> Console:
    """Where progress, notices and errors go."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=False)


def plain(value: object) -> Text:
    """Text of a document or file name, without control characters that a terminal would obey.

    >>> plain("a\\x1b[31mb").plain
    'a[31mb'
    """
    text = "".join(
        character
        for character in str(value)
        if character in KEPT or unicodedata.category(character) not in ("Cc", "Cs")
    )
    return Text(text)


def write_json(value: object) -> None:
    """One JSON value and a line end on stdout."""
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(value, ensure_ascii=not utf8, indent=2, default=str))


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
