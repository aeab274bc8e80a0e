"""What a page is, is told at once, whatever it begins with."""

import subprocess
import sys

import pytest

from leadline.web.fetching import Fetched
from leadline.web.sniffing import as_file

AT = "https://site.example/a"
TOLD = """
from leadline.web.fetching import Fetched
from leadline.web.sniffing import as_file

for comment in ("<!-- -->", "<!---->", "<!-- -->\\n", "<!--"):
    for rest in ("<p2>The museum opened.</p2>", "<main>", ""):
        data = (comment * 900 + rest).encode()
        print(as_file(Fetched("https://site.example/a", "text/html", data))[0])
"""


def test_many_comments_before_a_page_take_no_longer_than_their_number() -> None:
    # In a process of its own, since a pattern that tries every way of cutting them could not be stopped here.
    done = subprocess.run(
        [sys.executable, "-c", TOLD], capture_output=True, text=True, timeout=600, check=True
    )
    assert done.stdout.split() == ["page.webpage"] * 12


@pytest.mark.parametrize(
    ("kind", "data", "name"),
    [
        ("text/plain", b"<!-- a -->\n<!-- b -->\n<!DOCTYPE html><p>Mill", "page.webpage"),
        ("text/plain", b"\xef\xbb\xbf  <article>Mill", "page.webpage"),
        ("text/plain", b"<!-- a --> The mill", "page.txt"),
        ("text/plain", b"<tile>", "page.txt"),
    ],
)
def test_markup_is_known_by_its_first_element_behind_comments(kind: str, data: bytes, name: str) -> None:
    assert as_file(Fetched(AT, kind, data))[0] == name
