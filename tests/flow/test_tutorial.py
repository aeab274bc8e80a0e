"""Every block of docs/flows.md runs and prints what the page says."""

import re

from benchmarks.tutorial import PAGE, played


def timeless(text: str) -> str:
    """The text without what times and their width change."""
    figure = re.compile(r"\d+(?:\.\d+)?(?= (?:s|ms|files/s|rows/s)\b)")
    return figure.sub("_", re.sub(r"[ \t]+", " ", text))


def test_the_tutorial_prints_what_it_shows() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert timeless(page) == timeless(played(page)), "bring it up to date: python -m benchmarks.tutorial"
