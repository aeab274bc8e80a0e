"""The forty pages of the town and its traps, read as a run reads them."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from leadline.documents.pool import ReaderPool
from leadline.errors import DocumentError
from leadline.run import Budget, Run
from leadline.testing.running import go
from leadline.testing.web_site import WebSite
from leadline.types import Document
from leadline.web.pages import PageOptions, PageReader
from tests.site.planted import AGAINST, FACTS, STALE
from tests.site.town import TRAPS, leaves, served

LEAVES = {leaf.path: leaf for leaf in leaves()}
TRAPPED = [trap.path for trap in TRAPS if trap.path != "/loop/two"] + ["/private/pilots"]
NOISE = (
    "cookies",
    "Accept all",
    "newsletter",
    "All rights reserved",
    "Advertisement",
    "Read also",
    "Log in to comment",
    "window.seen",
)


@dataclass(frozen=True, slots=True)
class Town:
    """What reading everything gave: documents by path, why the others could not be read, what the site saw."""

    read: dict[str, Document]
    refused: dict[str, str]
    visited: list[str]
    most: int
    sent: int


@pytest.fixture(scope="module")
def town() -> Town:
    async def work() -> Town:
        with WebSite(served()) as site:
            options = PageOptions(page_seconds=5, page_mb=4, allow_hosts=(site.host,))
            async with ReaderPool(2) as pool, PageReader(options, pool) as reader:
                run, read, refused = Run(Budget(seconds=120)), dict[str, Document](), dict[str, str]()

                async def one(path: str) -> None:
                    try:
                        read[path] = (await reader(site.url + path, run)).document
                    except DocumentError as error:
                        refused[path] = str(error)

                await asyncio.gather(*map(one, (*LEAVES, *TRAPPED)))
            visited = site.paths()
        return Town(read, refused, visited, site.most, site.sent)

    return go(work())


def flat(text: str) -> str:
    return " ".join(text.split())


def test_every_page_is_read_and_no_trap_is(town: Town) -> None:
    assert set(LEAVES) - set(town.read) == set()
    assert set(town.refused) == set(TRAPPED)
    assert "500" in town.refused["/old/winter-berths"]
    assert "redirect" in town.refused["/loop/one"]
    assert "closed network" in town.refused["/go/office"]
    assert "larger" in town.refused["/media/regatta"]
    assert "robots.txt" in town.refused["/private/pilots"]
    assert "/private/pilots" not in town.visited
    assert town.sent < 64 << 20


def test_a_host_is_asked_for_no_more_than_two_pages_at_once(town: Town) -> None:
    assert town.most <= PageOptions().per_host


@pytest.mark.parametrize("fact", (*FACTS, *STALE, AGAINST), ids=lambda fact: f"{fact.id} {fact.value}")
def test_what_was_planted_stands_in_the_text_whatever_the_page_declares(town: Town, fact: object) -> None:
    planted = next(each for each in (*FACTS, *STALE, AGAINST) if each is fact)
    for path in (planted.path, *planted.also):
        assert planted.value in flat(town.read[path].text)


def test_what_stands_around_a_text_is_left_out(town: Town) -> None:
    found = [
        (path, noise) for path, document in town.read.items() for noise in NOISE if noise in document.text
    ]
    assert found == []


@pytest.mark.parametrize("path", LEAVES)
def test_title_and_day_are_those_of_the_page(town: Town, path: str) -> None:
    leaf, document = LEAVES[path], town.read[path]
    assert flat(document.title).startswith(leaf.title)
    # A PDF does not say when it was published, only when its file was made.
    assert document.metadata["published"] == (leaf.date if leaf.kind == "html" else "")
    assert document.metadata["language"] == leaf.lang
    assert str(document.metadata["url"]) == document.source
    assert document.source.endswith(path)


def test_structure_is_kept(town: Town) -> None:
    depths = town.read["/harbour/depths"]
    assert "Where it is shallower" in [heading.text for heading in depths.headings]
    assert [block.kind for block in depths.blocks if block.kind == "table"] == ["table"]
    assert Path(depths.source).name == "depths"
    for heading in depths.headings:
        assert depths.text[heading.start : heading.end] == heading.text
