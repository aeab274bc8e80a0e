"""What a site's robots.txt closes is not asked for, however it is led to."""

import asyncio
from collections.abc import Iterator

import pytest

from leadline.errors import DocumentError
from leadline.run import Run, settle
from leadline.testing.running import go
from leadline.web.base import Page
from leadline.web.pages import PageOptions, PageReader
from leadline.web.robots import LARGEST, REMEMBERED
from tests.web.paged import Here, Reply, Site, html

ALLOWED = PageOptions(allow_hosts=("127.0.0.1", "localhost"))
WORDS = html("<p>The ferry leaves at seven every day of the week.</p>")
RULES = b"""User-agent: *
Disallow: /closed
Disallow: /*.pdf$
Allow: /closed/but-this

User-agent: otherbot
Disallow: /

Sitemap: https://site.example/sitemap.xml
"""


@pytest.fixture
def site() -> Iterator[Site]:
    paths = ("/open", "/closed", "/closed/a", "/closed/but-this", "/a.pdf", "/a.pdf.html")
    with Site({path: Reply(WORDS) for path in paths}) as served:
        yield served


def read(site: Site, *paths: str, options: PageOptions = ALLOWED) -> list[bool]:
    """Which of the pages could be read, one after the other by one reader."""

    async def work() -> list[bool]:
        async with PageReader(options, Here()) as reader:
            found = await settle(lambda path: reader(site.url + path, Run()), paths, limit=1)
            return [isinstance(each, Page) for each in found]

    return go(work())


def test_what_is_closed_is_not_asked_for(site: Site) -> None:
    site.pages["/robots.txt"] = Reply(RULES, "text/plain")
    paths = ("/open", "/closed", "/closed/a", "/closed/but-this", "/a.pdf", "/a.pdf.html")
    assert read(site, *paths) == [True, False, False, True, False, True]
    assert site.paths() == ["/open", "/closed/but-this", "/a.pdf.html"]
    assert [call.path for call in site.asked].count("/robots.txt") == 1


def test_the_reason_says_what_to_do(site: Site) -> None:
    site.pages["/robots.txt"] = Reply(RULES, "text/plain")

    async def work() -> None:
        async with PageReader(ALLOWED, Here()) as reader:
            await reader(f"{site.url}/closed", Run())

    with pytest.raises(DocumentError, match=r"robots\.txt.*`web\.robots`"):
        go(work())


def test_rules_for_us_stand_before_those_for_all(site: Site) -> None:
    rules = b"User-agent: *\nDisallow: /open\n\nUser-agent: Leadline\nDisallow: /closed\n"
    site.pages["/robots.txt"] = Reply(rules)
    assert read(site, "/open", "/closed") == [True, False]


@pytest.mark.parametrize("status", [404, 401, 403, 410, 429])
def test_a_site_without_one_is_open(site: Site, status: int) -> None:
    site.pages["/robots.txt"] = Reply(b"User-agent: *\nDisallow: /", status=status)
    assert read(site, "/open") == [True]


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_site_whose_server_fails_is_closed(site: Site, status: int) -> None:
    site.pages["/robots.txt"] = Reply(b"", status=status)
    assert read(site, "/open") == [False]
    assert site.paths() == []


def test_one_that_cannot_be_had_is_none(site: Site) -> None:
    for raw in (b"nonsense\r\n\r\n", b"HTTP/1.1 302 Found\r\nLocation: //10.0.0.1/robots.txt\r\n\r\n"):
        site.pages["/robots.txt"] = Reply(raw=raw)
        assert read(site, "/open") == [True]


def test_one_that_is_a_page_or_nonsense_closes_nothing(site: Site) -> None:
    for body in (WORDS, bytes(range(256)) * 40, b"Disallow: /\n" * 9, b"User-agent\0: *\nDisallow: \xff\n"):
        site.pages["/robots.txt"] = Reply(body)
        assert read(site, "/open") == [True]


def test_only_so_much_of_one_is_read(site: Site) -> None:
    start = b"User-agent: *\nDisallow: /closed\n"
    site.pages["/robots.txt"] = Reply(start + b"# \n" * (LARGEST // 3) + b"Disallow: /open\n")
    assert read(site, "/open", "/closed") == [True, False]


def test_a_redirect_leads_into_nothing_that_is_closed(site: Site) -> None:
    site.pages["/robots.txt"] = Reply(RULES)
    site.pages["/to"] = Reply(status=302, headers={"Location": "/closed"})
    assert read(site, "/to") == [False]
    assert site.paths() == ["/to"]


def test_each_site_has_its_own(site: Site) -> None:
    with Site({"/page": Reply(WORDS), "/robots.txt": Reply(b"User-agent: *\nDisallow: /")}) as other:
        site.pages["/robots.txt"] = Reply(RULES)
        site.pages["/to"] = Reply(status=302, headers={"Location": f"{other.url}/page"})
        assert read(site, "/to", "/open") == [False, True]
        assert other.paths() == []


def test_it_is_asked_for_once_however_many_pages_are_read_at_once(site: Site) -> None:
    site.pages["/robots.txt"] = Reply(RULES, busy=0.1)

    async def work() -> None:
        async with PageReader(ALLOWED, Here()) as reader:
            await asyncio.gather(*(reader(f"{site.url}/open?{place}", Run()) for place in range(6)))

    go(work())
    assert [call.path for call in site.asked].count("/robots.txt") == 1


def test_it_is_asked_for_again_after_a_while(site: Site) -> None:
    site.pages["/robots.txt"] = Reply(RULES)
    now = [0.0]

    async def work() -> None:
        async with PageReader(ALLOWED, Here(), clock=lambda: now[0]) as reader:
            await reader(f"{site.url}/open", Run())
            site.pages["/robots.txt"] = Reply(b"User-agent: *\nDisallow: /")
            now[0] += REMEMBERED + 1
            with pytest.raises(DocumentError, match="closed"):
                await reader(f"{site.url}/open", Run())

    go(work())


def test_who_gives_up_waiting_for_it_keeps_nobody_from_it(site: Site) -> None:
    site.pages["/robots.txt"] = Reply(RULES, busy=0.3)

    async def work() -> Page:
        async with PageReader(ALLOWED, Here()) as reader:
            first = asyncio.create_task(reader(f"{site.url}/open", Run()))
            await asyncio.sleep(0.1)
            second = asyncio.create_task(reader(f"{site.url}/closed/but-this", Run()))
            await asyncio.sleep(0.05)
            first.cancel()
            return await second

    assert go(work()).document.text


def test_it_can_be_left_aside(site: Site) -> None:
    site.pages["/robots.txt"] = Reply(RULES)
    assert read(site, "/closed", options=PageOptions(allow_hosts=("127.0.0.1",), robots=False)) == [True]
    assert [call.path for call in site.asked] == ["/closed"]


def test_what_else_a_site_says_of_itself(site: Site) -> None:
    site.pages["/robots.txt"] = Reply(RULES + b"\nUser-agent: leadline\nCrawl-delay: 2.5\n")

    async def work() -> tuple[float, tuple[str, ...]]:
        async with PageReader(ALLOWED, Here()) as reader:
            url = f"{site.url}/open"
            return await reader.robots.delay(url), await reader.robots.sitemaps(url)

    assert go(work()) == (2.5, ("https://site.example/sitemap.xml",))
