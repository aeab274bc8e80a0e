"""Pages that were read lately are not fetched again, and a server is asked whether an older one is still the same."""

import logging
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from leadline.documents.identity import document_id
from leadline.errors import DocumentError, StoreError
from leadline.run import Run
from leadline.testing.running import go
from leadline.types import Block, Document, Heading
from leadline.types import Page as Sheet
from leadline.web.base import Page
from leadline.web.cache import FILE, Kept, PageCache
from leadline.web.pages import PageOptions, PageReader
from tests.web.paged import Here, Reply, Site, html

ALLOWED = PageOptions(allow_hosts=("127.0.0.1",), robots=False)
DAY = 86_400.0
OLD, NEW = (
    html(f"<h1>Ferry</h1><p>The ferry leaves at {hour} every day of the week.</p>") for hour in (7, 8)
)


class Clock:
    """Seconds since 1970, moved by hand."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def site() -> Iterator[Site]:
    with Site({"/page": Reply(OLD, etag='"a"')}) as served:
        yield served


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[PageCache]:
    kept = PageCache(tmp_path / FILE)
    yield kept
    kept.close()


def read(
    site: Site,
    cache: PageCache | None,
    clock: Clock,
    options: PageOptions = ALLOWED,
    known: Page | None = None,
) -> Page:
    async def work() -> Page:
        async with PageReader(options, Here(), cache, clock=clock) as reader:
            return await reader(f"{site.url}/page", Run(), known=known)

    return go(work())


def conditions(site: Site) -> list[str]:
    """What each request named as known."""
    return [
        call.headers.get("if-none-match", call.headers.get("if-modified-since", "")) for call in site.asked
    ]


def a_page(url: str, text: str = "Words.") -> Page:
    document = Document(
        document_id(url),
        url,
        text,
        "Title",
        "hash",
        {"url": url, "tags": ("a", "b"), "year": 2021, "share": 0.5, "open": True},
        (Sheet(1, 0, 3),),
        (Heading(1, text[:2], 0, 2),),
        (Block("table", 0, 3),),
    )
    return Page(document, '"a"', "yesterday", ("https://site.example/",), 5, indexable=False)


def test_a_page_is_fetched_once_a_day(site: Site, cache: PageCache) -> None:
    clock = Clock()
    first = read(site, cache, clock)
    clock.now += DAY - 1
    site.pages["/page"] = Reply(NEW, etag='"b"')
    assert read(site, cache, clock) == first
    assert conditions(site) == [""]


def test_an_older_one_is_asked_about_and_is_fresh_again_where_it_is_the_same(
    site: Site, cache: PageCache
) -> None:
    clock = Clock()
    first = read(site, cache, clock)
    clock.now += DAY + 1
    again = read(site, cache, clock)
    assert again.document.text == first.document.text
    assert str(again.document.metadata["fetched"]) > str(first.document.metadata["fetched"])
    clock.now += DAY - 1
    assert read(site, cache, clock) == again
    assert conditions(site) == ["", '"a"']


def test_one_that_changed_is_read_anew(site: Site, cache: PageCache) -> None:
    clock = Clock()
    read(site, cache, clock)
    site.pages["/page"] = Reply(NEW, etag='"b"')
    clock.now += DAY + 1
    assert "leaves at 8" in read(site, cache, clock).document.text
    assert "leaves at 8" in read(site, cache, clock).document.text
    assert conditions(site) == ["", '"a"']


def test_what_a_caller_knows_is_asked_about_even_on_the_same_day(site: Site, cache: PageCache) -> None:
    clock = Clock()
    known = read(site, cache, clock)
    assert read(site, cache, clock, known=known) is known
    dated = replace(known, etag="", modified="Tue, 14 Nov 2023 22:13:20 GMT")
    assert "leaves at 7" in read(site, cache, clock, known=dated).document.text
    site.pages["/page"] = Reply(NEW, etag='"b"')
    assert "leaves at 8" in read(site, None, clock, known=known).document.text
    assert conditions(site) == ["", '"a"', dated.modified, '"a"']


def test_what_a_page_was_called_is_told_to_nobody_but_the_address_it_was_at(site: Site, clock: Clock) -> None:
    known = read(site, None, clock)
    site.pages["/page"] = Reply(status=301, headers={"Location": "/new"})
    site.pages["/new"] = Reply(NEW, etag='"a"')
    moved = read(site, None, clock, known=known)
    assert ("leaves at 8" in moved.document.text, moved.moved) == (True, True)
    assert moved.document.source == f"{site.url}/new"
    assert conditions(site) == ["", '"a"', ""]
    assert read(site, None, clock, known=moved) is moved
    assert conditions(site)[3:] == ["", '"a"']


def test_a_server_that_says_unasked_that_nothing_changed_is_not_believed(site: Site, clock: Clock) -> None:
    known = read(site, None, clock)
    site.pages["/page"] = Reply(status=302, headers={"Location": "/new"})
    site.pages["/new"] = Reply(status=304)
    with pytest.raises(DocumentError, match="answered 304"):
        read(site, None, clock, known=known)


def test_what_a_server_calls_a_page_breaks_no_request(site: Site, cache: PageCache) -> None:
    known = read(site, cache, Clock())
    for etag in ("a\r\nHost: bank.example", "\u2603", "a\0b"):
        assert read(site, None, Clock(), known=replace(known, etag=etag)) is not known
    assert conditions(site) == [""] * 4


def test_nothing_is_kept_where_nothing_is_to_be(site: Site, cache: PageCache) -> None:
    for _ in range(2):
        read(site, cache, Clock(), replace(ALLOWED, cache_hours=0))
    assert conditions(site) == ["", ""]
    assert not cache.file.exists()


def test_a_page_that_a_setting_opened_is_closed_with_it(site: Site, cache: PageCache) -> None:
    clock = Clock()
    read(site, cache, clock)
    with pytest.raises(DocumentError, match="closed network"):
        read(site, cache, clock, PageOptions(robots=False))


def test_failures_are_not_kept(site: Site, cache: PageCache) -> None:
    whole = site.pages.pop("/page")
    with pytest.raises(DocumentError, match="answered 404"):
        read(site, cache, Clock())
    site.pages["/page"] = whole
    assert "leaves at 7" in read(site, cache, Clock()).document.text


def test_a_page_comes_back_as_it_was_put(cache: PageCache) -> None:
    kept = Kept(a_page("https://site.example/a", "\u6f6e \U0001f600 \ud83d"), 5.0, opened=True)
    assert cache.find("https://site.example/a") is None
    cache.keep("https://site.example/b", kept)
    assert cache.find("https://site.example/b") == kept
    assert cache.find("https://site.example/a") is None
    newer = replace(kept, read=6.0)
    cache.keep("https://site.example/b", newer)
    assert PageCache(cache.file).find("https://site.example/b") == newer
    cache.clear()
    assert cache.find("https://site.example/b") is None


def test_the_pages_read_longest_ago_make_room(tmp_path: Path) -> None:
    cache = PageCache(tmp_path / FILE, limit=1 << 20)
    texts = [
        f"{place} " + "".join(chr(0x4E00 + place * 37 * each % 9_973) for each in range(12_000))
        for place in range(60)
    ]
    for place, text in enumerate(texts):
        cache.keep(str(place), Kept(a_page(f"https://site.example/{place}", text), float(place)))
    there = [cache.find(str(place)) is not None for place in range(60)]
    cache.close()
    assert not there[0]
    assert there[-1]
    assert there == sorted(there)
    assert cache.file.stat().st_size < 3 << 20


def test_a_page_too_large_to_keep_beside_others_is_not_kept(tmp_path: Path) -> None:
    cache = PageCache(tmp_path / FILE, limit=4_000)
    cache.keep("a", Kept(a_page("https://site.example/a", str(list(range(3_000)))), 1.0))
    assert cache.find("a") is None
    cache.close()


def test_a_page_that_is_packed_small_and_is_large_is_not_kept_and_costs_the_others_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leadline.web.cache.LARGEST", 100_000)
    cache = PageCache(tmp_path / FILE)
    cache.keep("a", Kept(a_page("https://site.example/a"), 1.0))
    cache.keep("b", Kept(a_page("https://site.example/b", "tide " * 50_000), 1.0))
    assert cache.find("b") is None
    assert cache.find("a") is not None
    cache.close()


def test_what_is_cleared_is_gone_from_the_disk_and_so_is_what_was_put_aside(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"SQLite format 3\0 The secret harbour" * 99)
    cache = PageCache(tmp_path / FILE)
    assert cache.find("a") is None
    assert (tmp_path / f"{FILE}.damaged").exists()
    cache.keep("a", Kept(a_page("https://site.example/a"), 1.0))
    cache.clear()
    cache.close()
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    assert b"site.example" not in cache.file.read_bytes()


def test_a_damaged_file_is_deleted_with_the_rest(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"SQLite format 3\0 The secret harbour" * 99)
    PageCache(tmp_path / FILE).clear()
    assert list(tmp_path.iterdir()) == []


def test_that_pages_cannot_be_deleted_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leadline.kept_file.PATIENCE", 0.05)
    cache = PageCache(tmp_path / FILE)
    cache.keep("a", Kept(a_page("https://site.example/a"), 1.0))
    cache.close()
    other = sqlite3.connect(cache.file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="cannot be deleted"):
        cache.clear()
    other.close()
    cache.clear()
    assert cache.find("a") is None
    cache.close()


def test_several_may_use_the_file_at_once(tmp_path: Path) -> None:
    def work(name: int) -> None:
        cache = PageCache(tmp_path / FILE)
        for place in range(20):
            cache.keep(f"{name}/{place}", Kept(a_page(f"https://site.example/{name}/{place}"), float(place)))
        cache.close()

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cache = PageCache(tmp_path / FILE)
    assert all(cache.find(f"{name}/{place}") for name in range(4) for place in range(20))
    cache.close()


@pytest.mark.parametrize("held", [b"SQLite format 3\0" + b"nonsense" * 999, b"not a database at all" * 99])
def test_a_damaged_file_is_put_aside(tmp_path: Path, held: bytes, caplog: pytest.LogCaptureFixture) -> None:
    cache = PageCache(tmp_path / FILE)
    cache.file.write_bytes(held)
    with caplog.at_level(logging.WARNING):
        assert cache.find("a") is None
    assert "damaged" in caplog.text
    assert (tmp_path / f"{FILE}.damaged").read_bytes() == held
    cache.keep("a", Kept(a_page("https://site.example/a"), 1.0))
    assert cache.find("a") is not None
    cache.close()


@pytest.mark.parametrize("held", [b"x", b"", b"{}"])
def test_a_page_that_is_not_as_it_was_written_is_fetched_again(
    site: Site, tmp_path: Path, held: bytes
) -> None:
    cache, clock = PageCache(tmp_path / FILE), Clock()
    read(site, cache, clock)
    cache.close()
    with sqlite3.connect(cache.file) as connection:
        connection.execute("UPDATE pages SET page = ?", (held,))
    connection.close()
    assert "leaves at 7" in read(site, cache, clock).document.text
    assert conditions(site) == ["", ""]
    assert cache.find(f"{site.url}/page") is not None
    cache.close()


def test_somebody_elses_file_is_left_as_it_is(
    site: Site, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / FILE
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE theirs (a)")
    connection.close()
    before = file.read_bytes()
    cache = PageCache(file)
    with caplog.at_level(logging.WARNING):
        assert "leaves at 7" in read(site, cache, Clock()).document.text
    assert "not used" in caplog.text
    assert file.read_bytes() == before


def test_where_nothing_can_be_written_pages_are_fetched(site: Site, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    cache = PageCache(tmp_path / "file" / FILE)
    for _ in range(2):
        assert "leaves at 7" in read(site, cache, Clock()).document.text
    assert conditions(site) == ["", ""]
