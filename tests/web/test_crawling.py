"""A crawl follows what links there are, as far as it was told and the site allows."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

from leadline.errors import DocumentError
from leadline.run import Budget, Run
from leadline.testing.loopback import Call
from leadline.testing.running import go
from leadline.web.cache import PageCache
from leadline.web.crawling import Crawl, Visited
from leadline.web.frontier import CrawlOptions, Frontier
from leadline.web.pages import PageOptions, PageReader
from tests.site.town import METADATA
from tests.web.paged import Here, Reply, Site, html

ALLOWED = PageOptions(allow_hosts=("127.0.0.1",))


def page(name: str, *links: str, head: str = "", tag: str = "") -> Reply:
    """A page that links to others, and an ETag that goes with its name."""
    anchors = " ".join(f'<a href="{link}">to {link}</a>' for link in links)
    text = (
        f"<h1>Quay {name}</h1><p>At quay {name} the boats of the morning are unloaded by hand. {anchors}</p>"
    )
    return Reply(html(text, f"<title>{name}</title>{head}"), etag=f'"{tag or name}"')


def tree() -> dict[str, Reply]:
    """Each page leads to its first two; the last ones lead back."""
    return {
        "/": page("start", "/b", "/a", "/b#part"),
        "/a": page("a", "/aa", "/", "/ab"),
        "/b": page("b", "/ba", "/a"),
        "/aa": page("aa", "/"),
        "/ab": page("ab"),
        "/ba": page("ba", "/deep"),
        "/deep": page("deep"),
    }


class Crawled:
    """A crawl of a site, and all that it told."""

    crawl: Crawl

    def __init__(
        self,
        site: Site,
        *starts: str,
        options: CrawlOptions,
        reading: PageOptions = ALLOWED,
        cache: PageCache | None = None,
        run: Run | None = None,
        stop_at: int = 0,
        held: Sequence[str] = (),
    ) -> None:
        self.visited: list[Visited] = []
        self.site = site

        async def work() -> None:
            async with PageReader(reading, Here(), cache) as reader:
                self.crawl = Crawl(Frontier(options), reader, run or Run())
                given = [site.url + start for start in starts or ("/",)]
                async with aclosing(self.crawl(given, [site.url + path for path in held])) as visits:
                    async for visited in visits:
                        self.visited.append(visited)
                        if len(self.visited) == stop_at:
                            self.crawl.run.cancel()

        go(work())

    def paths(self) -> list[str]:
        return [each.url.removeprefix(self.site.url) for each in self.visited]

    def failed(self) -> dict[str, str]:
        return {
            each.url.removeprefix(self.site.url): str(each.error)
            for each in self.visited
            if isinstance(each.error, DocumentError)
        }


def test_pages_come_breadth_first_in_the_order_of_the_links() -> None:
    with Site(tree()) as site:
        assert Crawled(site, options=CrawlOptions(0)).paths() == ["/"]
        assert Crawled(site, options=CrawlOptions(1)).paths() == ["/", "/b", "/a"]
        assert Crawled(site, options=CrawlOptions(9)).paths() == [
            "/",
            "/b",
            "/a",
            "/ba",
            "/aa",
            "/ab",
            "/deep",
        ]


def test_no_more_pages_are_asked_for_than_was_said_and_what_is_left_is_counted() -> None:
    with Site(tree()) as site:
        crawled = Crawled(site, options=CrawlOptions(9, pages=4))
        assert crawled.paths() == ["/", "/b", "/a", "/ba"]
        assert len(site.paths()) == 4
        assert crawled.crawl.left >= 2


def test_what_robots_txt_closes_is_not_asked_for_and_takes_no_place() -> None:
    pages = tree() | {"/robots.txt": Reply(b"User-agent: *\nDisallow: /b\n", "text/plain")}
    with Site(pages) as site:
        crawled = Crawled(site, options=CrawlOptions(9, pages=4))
        assert crawled.paths() == ["/", "/a", "/aa", "/ab"]
        assert crawled.crawl.closed == 1
        assert "/b" not in site.paths()
        assert "closed" in Crawled(site, "/b", options=CrawlOptions()).failed()["/b"]


def test_a_page_that_says_not_to_follow_its_links_leads_nowhere() -> None:
    pages = tree() | {"/": page("start", "/a", "/b", head='<meta name="robots" content="nofollow">')}
    with Site(pages) as site:
        assert Crawled(site, options=CrawlOptions(9)).paths() == ["/"]


def test_a_page_that_fails_costs_itself() -> None:
    pages = tree() | {"/b": Reply(b"no", status=500)}
    with Site(pages) as site:
        crawled = Crawled(site, options=CrawlOptions(2))
        assert crawled.paths() == ["/", "/b", "/a", "/aa", "/ab"]
        assert "500" in crawled.failed()["/b"]


def test_pages_that_lead_to_the_same_page_are_one() -> None:
    moved = Reply(status=301, headers={"Location": "/a"})
    pages = {"/": page("start", "/old", "/older", "/a"), "/old": moved, "/older": moved, "/a": page("a")}
    with Site(pages) as site:
        crawled = Crawled(site, options=CrawlOptions(1))
        sources = [each.page.document.source for each in crawled.visited if each.page and not each.copy]
        assert sources == [f"{site.url}/", f"{site.url}/a"]
        assert crawled.crawl.copies == 2


def test_links_to_hosts_that_there_cannot_be_cost_themselves() -> None:
    strange = ["http:~a~xn--b/", "~_xn--8/x", "http:~[fe80::1%25\u00e9]/", "~[", "http:~a.example:99999/"]
    links = [link.replace("~", "//", 1) for link in strange]
    pages = {"/": page("start", *links, "/a"), "/a": page("a"), "/to": page("to")}
    pages["/to"] = Reply(status=302, headers={"Location": links[0]})
    with Site(pages) as site:
        crawled = Crawled(site, "/to", "/", options=CrawlOptions(1, same_site=False))
        assert crawled.paths() == ["/to", "/", "/a"]
        assert "no address" in crawled.failed()["/to"]


def test_a_link_that_redirects_to_another_site_is_told_and_not_taken() -> None:
    with Site({"/": page("other")}) as other, Site({"/": page("start", "/out")}) as site:
        site.pages["/out"] = Reply(status=302, headers={"Location": f"{other.url}/"})
        crawled = Crawled(site, options=CrawlOptions(1))
        assert "another site" in crawled.failed()["/out"]
        crawled = Crawled(site, options=CrawlOptions(1, same_site=False))
        assert [each.page.document.source for each in crawled.visited if each.page][1] == f"{other.url}/"


def test_a_calendar_without_end_ends() -> None:
    class Calendar(Site):
        async def answer(
            self, call: Call, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
        ) -> bool:
            day = call.path.count("x")
            self.pages[call.path] = page(f"day {day}", f"{call.path}x")
            return await super().answer(call, reader, writer)

    with Calendar() as site:
        assert len(Crawled(site, "/x", options=CrawlOptions(500, pages=25)).visited) == 25


def test_each_page_that_is_known_is_asked_about_and_its_links_are_followed_as_they_were(
    tmp_path: Path,
) -> None:
    cache = PageCache(tmp_path / "pages.sqlite")
    with Site(tree()) as site:
        first = Crawled(site, options=CrawlOptions(9), cache=cache)
        site.asked.clear()
        second = Crawled(site, options=CrawlOptions(9), cache=cache)
        assert second.paths() == first.paths()
        asked = [call for call in site.asked if call.path != "/robots.txt"]
        assert len(asked) == 7
        assert all("if-none-match" in call.headers for call in asked)
        assert [each.page for each in second.visited] == [each.known for each in second.visited]
        cache.clear()
        site.asked.clear()
        assert Crawled(site, options=CrawlOptions(9), cache=cache).paths() == first.paths()
        assert not any("if-none-match" in call.headers for call in site.asked)
    cache.close()


def test_a_stopped_crawl_asks_for_no_more() -> None:
    endless = {"/": page("start", *(f"/{n}" for n in range(100)))} | {
        f"/{n}": page(str(n)) for n in range(100)
    }
    with Site(endless) as site:
        crawled = Crawled(site, options=CrawlOptions(1), stop_at=10)
        assert len(crawled.visited) == 10
        assert len(site.paths()) < 30


def test_a_crawl_whose_time_is_over_ends() -> None:
    with Site(tree() | {"/b": Reply(html("<p>late</p>"), busy=30.0)}) as site:
        crawled = Crawled(site, options=CrawlOptions(9), run=Run(Budget(seconds=2.0)))
        assert crawled.paths()[0] == "/"
        assert crawled.crawl.left


def test_a_site_is_asked_no_oftener_than_it_says() -> None:
    pages = tree() | {"/robots.txt": Reply(b"User-agent: *\nCrawl-delay: 0.2\n", "text/plain")}
    with Site(pages) as site:
        assert len(Crawled(site, options=CrawlOptions(1)).visited) == 3
        times = [call.at for call in site.asked if call.path != "/robots.txt"]
        assert times[-1] - times[0] >= 0.2


def sitemap(site: Site, *paths: str) -> Reply:
    rows = "".join(f"<url><loc>{site.url}{path}</loc></url>" for path in paths)
    return Reply(f"<urlset>{rows}</urlset>".encode(), "application/xml")


def test_a_sitemap_is_what_it_names_and_those_of_a_site_are_read_when_asked_for() -> None:
    with Site(tree()) as site:
        site.pages["/map.xml"] = sitemap(site, "/ab", "/deep")
        site.pages["/robots.txt"] = Reply(f"Sitemap: {site.url}/map.xml\n".encode(), "text/plain")
        assert Crawled(site, "/map.xml", options=CrawlOptions()).paths() == ["/ab", "/deep"]
        assert Crawled(site, options=CrawlOptions()).paths() == ["/"]
        assert Crawled(site, options=CrawlOptions(sitemaps=True)).paths() == ["/", "/ab", "/deep"]
        site.pages["/robots.txt"] = Reply(b"", "text/plain")
        site.pages["/sitemap.xml"] = sitemap(site, "/aa")
        assert Crawled(site, options=CrawlOptions(sitemaps=True)).paths() == ["/", "/aa"]


def test_a_sitemap_leads_to_no_other_site() -> None:
    with Site({"/": page("other")}) as other, Site() as site:
        site.pages["/map.xml"] = sitemap(other, "/")
        assert Crawled(site, "/map.xml", options=CrawlOptions()).visited == []
        assert other.asked == []


def test_a_sitemap_that_is_not_there_is_told() -> None:
    with Site(tree()) as site:
        assert "404" in Crawled(site, "/no.xml", options=CrawlOptions()).failed()["/no.xml"]
        told = Crawled(site, options=CrawlOptions(sitemaps=True))
        assert "404" in told.failed()["/sitemap.xml"]
        assert "/" in told.paths()


def test_a_sitemap_of_no_address_costs_itself() -> None:
    with Site(tree()) as site:
        lines = (f"Sitemap: http:{'//'}\u2603.example/map.xml", f"Sitemap: {site.url}/map.xml")
        site.pages["/robots.txt"] = Reply("\n".join(lines).encode(), "text/plain")
        site.pages["/map.xml"] = sitemap(site, "/ab")
        assert Crawled(site, options=CrawlOptions(sitemaps=True)).paths() == ["/", "/ab"]


def test_pages_held_are_asked_for_at_the_end_and_their_links_are_not_followed() -> None:
    with Site(tree() | {"/alone": page("alone", "/never")}) as site:
        crawled = Crawled(site, options=CrawlOptions(1), held=["/a", "/alone", "/gone"])
        assert crawled.paths() == ["/", "/b", "/a", "/alone", "/gone"]
        assert "404" in crawled.failed()["/gone"]


def test_nothing_of_this_machine_is_gone_to() -> None:
    with Site(tree()) as inner, Site({"/": page("start")}) as site:
        site.pages["/"] = page("start", inner.url + "/", f"http:{'//'}{METADATA}/latest/")
        reading = PageOptions(allow_hosts=(f"127.0.0.1:{site.port}",))
        crawled = Crawled(site, options=CrawlOptions(1, same_site=False), reading=reading)
        assert len(crawled.failed()) == 2
        assert inner.asked == []
