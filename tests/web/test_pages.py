"""Pages become documents, whatever their servers say of them, and nothing that a server does costs more than its page."""

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from leadline.config import settings
from leadline.documents.identity import content_hash, document_id
from leadline.documents.pool import ReaderPool
from leadline.errors import Cancelled, DocumentError
from leadline.events import Event
from leadline.run import Budget, Run, settle
from leadline.settings import Settings
from leadline.testing.running import go
from leadline.web.base import Page
from leadline.web.cache import PageCache
from leadline.web.pages import UNNAMED, PageOptions, PageReader, page_options
from leadline.web_events import PageRead
from tests.documents.samples import docx, words
from tests.web.paged import Here, Reply, Site, html

ALLOWED = PageOptions(allow_hosts=("127.0.0.1",))
STORY = (
    "<h1>Tide mills</h1><p>The mill at Saltby was built in 1784 by John Carr, and the tide turned its wheel twice a "
    "day for more than a century.</p><h2>Wheels</h2><p>Both wheels were of oak, and the larger one is kept in the "
    "museum of the town.</p><table><tr><th>Wheel</th><th>Diameter</th></tr><tr><td>North</td><td>5.2 m</td></tr>"
    "<tr><td>South</td><td>4.8 m</td></tr></table><ul><li>The sluice is of stone.</li><li>The pond is dry.</li></ul>"
)
AROUND = (
    "<div class='cookie-banner'><p>We use cookies. Accept all of them?</p></div>"
    "<div id='menu'><a href='/'>Home</a> <a href='/shop'>Shop</a> <a href='/jobs'>Jobs</a></div>"
    "<main>{}</main>"
    "<footer><p>© 2026 Saltby Museum. All rights reserved. Imprint. Privacy.</p></footer>"
)
HEAD = (
    "<title>Tide mills - Saltby Museum</title><meta property='og:site_name' content='Saltby Museum'>"
    "<meta property='article:published_time' content='2021-03-04T10:00:00Z'><meta name='author' content='Ada Reed'>"
)
FETCHED = 1_700_000_000.0


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as served:
        yield served


def page_of(
    site: Site,
    path: str = "/page",
    options: PageOptions = ALLOWED,
    *,
    cache: PageCache | None = None,
    known: Page | None = None,
    clock: Callable[[], float] = lambda: FETCHED,
    run: Run | None = None,
) -> Page:
    async def work() -> Page:
        async with PageReader(options, Here(), cache, clock=clock) as read:
            return await read(site.url + path, run or Run(), known=known)

    return go(work())


def served(site: Site, body: bytes, kind: str = "text/html", **more: Any) -> Page:
    site.pages["/page"] = Reply(body, kind, **more)
    return page_of(site)


def test_a_page_is_a_document_with_where_and_when_it_was_read(site: Site) -> None:
    site.pages["/old"] = Reply(status=301, headers={"Location": "/page"})
    site.pages["/page"] = Reply(html(AROUND.format(STORY), HEAD))
    page = page_of(site, "/old#part")
    document = page.document
    assert document.source == f"{site.url}/page"
    assert document.id == document_id(document.source)
    assert document.title == "Tide mills"
    told = dict(document.metadata)
    assert told["url"] == document.source
    assert (told["site"], told["type"]) == ("127.0.0.1", "html")
    assert (told["published"], told["fetched"]) == ("2021-03-04", "2023-11-14T22:13:20+00:00")
    assert (told["author"], told["site_name"], told["year"]) == ("Ada Reed", "Saltby Museum", 2021)
    assert "modified" not in told
    assert document.content_hash == content_hash(f"{document.title}\n{document.text}".encode())
    assert page.size == len(site.pages["/page"].body)


def test_the_main_part_is_read_with_its_structure(site: Site) -> None:
    document = served(site, html(AROUND.format(STORY), HEAD)).document
    for left_out in ("cookies", "Home", "Shop", "rights reserved"):
        assert left_out not in document.text
    assert [(each.level, each.text) for each in document.headings] == [(1, "Tide mills"), (2, "Wheels")]
    assert "| North | 5.2 m |" in document.text
    assert "- The sluice is of stone.\n- The pond is dry." in document.text
    assert {each.kind for each in document.blocks} == {"paragraph", "table", "list"}
    for each in document.headings:
        assert document.text[each.start : each.end] == each.text


@pytest.mark.parametrize(
    "body",
    [
        "<p>Saltby.</p>",
        "<div>Open from <b>9</b> to 17</div>",
        "<table><tr><td>Port dues</td><td>14 crowns</td></tr></table>",
    ],
)
def test_a_page_with_little_on_it_is_read_whole(site: Site, body: str) -> None:
    assert len(served(site, html(body)).document.text) > 5


def test_a_page_of_another_language_is_read_too(site: Site) -> None:
    chinese = "<h1>潮汐磨坊</h1><p>盐村的磨坊建于1784年，由约翰·卡尔建造，一百多年里潮水每天两次转动它的水轮。</p><p>两个水轮都是橡木的，较大的一个保存在镇上的博物馆里。</p>"
    document = served(site, html(AROUND.format(chinese), "<title>潮汐磨坊</title>")).document
    assert document.metadata["language"] == "zh"
    assert "1784年" in document.text
    assert "cookies" not in document.text


@pytest.mark.parametrize("kind", ["application/pdf", "text/html", "application/octet-stream", ""])
def test_what_a_page_is_its_bytes_say(site: Site, kind: str) -> None:
    page = served(site, docx(words("The lighthouse was lit in 1851.")), kind)
    assert page.document.metadata["type"] == "docx"
    assert "1851" in page.document.text
    assert served(site, html(STORY), kind).document.metadata["type"] == "html"


@pytest.mark.parametrize(
    ("kind", "path", "body", "type"),
    [
        ("text/plain", "/page", b"Plain words.", "text"),
        ("text/plain", "/notes.md", b"# Notes\n\nPlain words.", "markdown"),
        ("", "/notes.md", b"# Notes\n\nPlain words.", "markdown"),
        ("text/csv", "/page", b"a,b\n1,2\n", "csv"),
        ("application/json; charset=utf-8", "/page", b'{"a": "Plain words."}', "json"),
        ("application/rss+xml", "/page", b"<?xml version='1.0'?><rss><a>Plain words.</a></rss>", "xml"),
        ("text/html", "/page", b"Plain words.", "html"),
        ("application/pdf", "/page", b"<html><body><p>Sign in first, please.</p></body></html>", "html"),
        ("text/plain", "/page", b"<!-- a --><html><body><p>Plain words.</p></body></html>", "html"),
        ("text/html", "/page", b"<html><title>%PDF-1.4 explained</title><p>Plain words.</p></html>", "html"),
    ],
)
def test_then_its_server_then_its_address(site: Site, kind: str, path: str, body: bytes, type: str) -> None:
    site.pages[path] = Reply(body, kind)
    assert page_of(site, path).document.metadata["type"] == type


def test_what_is_no_text_is_refused(site: Site) -> None:
    for body in (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, b"   \n", b"", b"%PDF-1.7 broken"):
        with pytest.raises(DocumentError, match="127"):
            served(site, body, "text/html")


WORDS = {
    "gb18030": "盐村的磨坊建于一千七百八十四年，由约翰建造。潮水每天两次转动它的水轮，一百多年没有停过。",
    "big5": "鹽村的磨坊建於一千七百八十四年，由約翰建造。潮水每天兩次轉動它的水輪，一百多年沒有停過。",
    "shift_jis": "この水車小屋は一七八四年に建てられました。潮の満ち引きで一日に二回、水車が回ります。",
    "euc_kr": "이 물레방앗간은 천칠백팔십사년에 지어졌습니다. 밀물과 썰물이 하루에 두 번 바퀴를 돌립니다.",
    "windows-1251": "Мельница в этой деревне была построена в прошлом веке, и прилив дважды в день вращал её колесо.",
    "windows-1256": "بنيت هذه الطاحونة في القرن الثامن عشر، وكان المد يدير عجلتها مرتين في اليوم طوال أكثر من قرن.",
    "iso-8859-1": "Die Mühle wurde früher gebaut, und die Flut drehte über hundert Jahre lang täglich zweimal die Räder.",
    "utf-16": "Млин у цьому селі збудували давно, і приплив двічі на день обертав його колесо.",
}


@pytest.mark.parametrize("encoding", WORDS)
@pytest.mark.parametrize("told", ["header", "meta", "both wrong", "header wrong", "nothing"])
def test_the_encoding_is_found_whatever_is_said_of_it(site: Site, encoding: str, told: str) -> None:
    named = {"meta": encoding, "header wrong": encoding, "both wrong": "utf-8"}.get(told, "")
    meta = f"<meta charset='{named}'>" if named else ""
    header = {"header": encoding, "header wrong": "iso-8859-1", "both wrong": "utf-8"}.get(told, "")
    body = f"<html><head>{meta}<title>{WORDS[encoding][:8]}</title></head><body><p>{WORDS[encoding]}</p></body></html>"
    kind = f"text/html; charset={header}" if header else "text/html"
    page = served(site, body.encode(encoding), kind)
    assert WORDS[encoding] in page.document.text
    assert page.document.title == WORDS[encoding][:8].strip()


def test_text_without_markup_has_an_encoding_too(site: Site) -> None:
    page = served(site, WORDS["windows-1251"].encode("windows-1251"), "text/plain; charset=windows-1251")
    assert page.document.text == WORDS["windows-1251"]


@pytest.mark.parametrize("day", ["2999-01-01", "spring", "", "0000-00-00"])
def test_a_day_that_cannot_be_is_none(site: Site, day: str) -> None:
    head = f"<title>Mills</title><meta property='article:published_time' content='{day}'>"
    assert served(site, html(STORY, head)).document.metadata["published"] == ""


def test_a_page_cannot_say_of_itself_what_only_its_reading_knows(site: Site) -> None:
    front = b"---\nurl: https://bank.example/\nsite: bank.example\nfetched: 2001-01-01\nsnippet: true\n---\n# A\n\nWords."
    told = served(site, front, "text/markdown").document.metadata
    assert told["site"] == "127.0.0.1"
    assert "bank" not in str(told["url"])
    assert str(told["fetched"]).startswith("2023")
    assert "snippet" not in told


def test_no_words_of_a_server_stand_in_the_reason(site: Site) -> None:
    for raw in (
        b"IGNORE-ALL nonsense\r\n\r\n",
        b"HTTP/1.1 999 IGNORE-ALL\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nIGNORE-ALL\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: IGNORE-ALL\r\n\r\nx",
        b"HTTP/1.1 302 Found\r\nLocation: //[IGNORE-ALL\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nIGNORE-ALL\r\n",
        b"",
    ):
        site.pages["/page"] = Reply(raw=raw or b"\0")
        with pytest.raises(DocumentError) as raised:
            page_of(site)
        assert "IGNORE" not in str(raised.value)


def test_hostile_pages_are_read_in_a_worker_and_cost_themselves_only(site: Site) -> None:
    site.pages["/deep"] = Reply(b"<html><body>" + b"<div>" * 200_000 + b"Words.")
    site.pages["/page"] = Reply(html(AROUND.format(STORY), HEAD))

    async def work() -> list[object]:
        async with ReaderPool(1, 20.0, 1_024) as pool, PageReader(ALLOWED, pool) as read:
            urls = [f"{site.url}/deep", f"{site.url}/page"]
            return list(await settle(lambda url: read(url, Run()), urls))

    deep, page = go(work())
    assert isinstance(page, Page)
    assert "built in 1784" in page.document.text
    assert isinstance(deep, Page | DocumentError)


def test_events_say_what_was_read_and_what_was_kept(site: Site, tmp_path: Path) -> None:
    site.pages["/page"] = Reply(html(STORY))
    seen: list[Event] = []
    cache = PageCache(tmp_path / "pages.sqlite")
    for _ in range(2):
        page_of(site, cache=cache, run=Run(emit=seen.append))
    with pytest.raises(DocumentError):
        page_of(site, "/missing", cache=cache, run=Run(emit=seen.append))
    cache.close()
    statuses = [(each.url, each.status, each.bytes) for each in seen if isinstance(each, PageRead)]
    size = len(html(STORY))
    assert statuses == [(f"{site.url}/page", "read", size), (f"{site.url}/page", "kept", size)]


def test_hosts_that_are_left_out_are_not_asked(site: Site) -> None:
    options = PageOptions(allow_hosts=("127.0.0.1", "localhost"), without=("localhost",))
    site.pages["/page"] = Reply(status=302, headers={"Location": f"http://localhost:{site.port}/there"})
    with pytest.raises(DocumentError, match=r"web\.without"):
        page_of(site, options=options)
    assert site.paths() == ["/page"]
    with pytest.raises(DocumentError, match=r"web\.without"):
        page_of(site, options=replace(options, without=("0.0.1", "127.0.0.1")))
    assert site.paths() == ["/page"]


def test_only_so_many_pages_are_read_at_once(site: Site) -> None:
    site.pages |= {f"/{place}": Reply(html(STORY), busy=0.05) for place in range(12)}
    options = replace(ALLOWED, per_host=2, robots=False)

    async def work() -> list[Page]:
        async with PageReader(options, Here()) as read:
            return await asyncio.gather(*(read(f"{site.url}/{place}", Run()) for place in range(12)))

    assert len(go(work())) == 12
    assert site.most == 2


def test_waiting_for_a_turn_takes_none_of_a_pages_seconds(site: Site) -> None:
    site.pages |= {f"/{place}": Reply(html(STORY), busy=0.4) for place in range(4)}
    options = replace(ALLOWED, per_host=1, robots=False, page_seconds=1.2)

    async def work() -> list[Page]:
        async with PageReader(options, Here()) as read:
            return await asyncio.gather(*(read(f"{site.url}/{place}", Run()) for place in range(4)))

    assert len(go(work())) == 4


def test_a_page_that_trickles_ends_with_its_seconds_or_with_the_runs(site: Site) -> None:
    site.pages["/page"] = Reply(slow=0.05)
    with pytest.raises(DocumentError, match=r"within 0\.3 seconds"):
        page_of(site, options=replace(ALLOWED, page_seconds=0.3))
    started = time.monotonic()
    with pytest.raises(DocumentError, match="time that was left"):
        page_of(site, run=Run(Budget(seconds=0.3)))
    assert time.monotonic() - started < ALLOWED.page_seconds


def test_a_cancelled_run_reads_nothing(site: Site) -> None:
    run = Run()
    run.cancel()
    with pytest.raises(Cancelled):
        page_of(site, run=run)
    assert site.asked == []


def test_the_settings_are_the_defaults_and_a_stray_file_opens_no_host() -> None:
    assert page_options(Settings()) == PageOptions()
    given = Settings.model_validate({"web": {"allow_hosts": ["127.0.0.1"], "robots": False}})
    assert page_options(given) == PageOptions(allow_hosts=("127.0.0.1",), robots=False)


def test_a_refusal_says_that_the_file_which_opens_the_host_was_not_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: Site
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "leadline.toml").write_text('[web]\nallow_hosts = ["127.0.0.1"]\n', encoding="utf-8")
    stray, named = settings(environ={}), settings(config=tmp_path / "leadline.toml", environ={})
    assert page_options(named).allow_hosts == ("127.0.0.1",)
    with pytest.raises(DocumentError) as refused:
        page_of(site, options=page_options(stray))
    assert refused.value.remedy == UNNAMED
    assert "--config" in UNNAMED
    assert "LEADLINE_WEB_ALLOW_HOSTS" in UNNAMED
    assert site.asked == []
