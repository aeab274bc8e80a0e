"""A page says where it leads and what may be done with it."""

from collections.abc import Iterator, Mapping

import pytest

from leadline.run import Run
from leadline.testing.running import go
from leadline.web.base import Page
from leadline.web.links import followed
from leadline.web.pages import PageOptions, PageReader
from tests.web.paged import Here, Reply, Site, html

LINKS = (
    "<p>The ferry leaves at seven.</p><a href='/a'>A</a><a href='b?c=d#e'>B</a><a href='/a'>again</a><a href='#top'>top</a>"
    "<a href='mailto:a@site.example'>mail</a><a href='javascript:alert(1)'>run</a><a rel='nofollow' href='/ad'>ad</a>"
    "<a rel='noopener UGC' href='/said'>said</a><a href='https://site.example/x'>X</a><a href=''>none</a><a>nothing</a>"
    "<a href='//site.example/y'>Y</a><a href='https://who@site.example/'>who</a><a href='http:~[bad'>bad</a>"
    "<nav><a href='/menu'>menu</a></nav>"
).replace("~", "//")


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as served:
        yield served


def page_of(site: Site, body: bytes, headers: Mapping[str, str] | None = None) -> Page:
    site.pages["/in/page"] = Reply(body, headers=headers or {})

    async def work() -> Page:
        async with PageReader(PageOptions(allow_hosts=("127.0.0.1",)), Here()) as read:
            return await read(f"{site.url}/in/page", Run())

    return go(work())


def test_the_addresses_that_a_page_names_are_whole_and_each_there_once(site: Site) -> None:
    page = page_of(site, html(LINKS))
    at = site.url
    assert page.links == (
        f"{at}/a",
        f"{at}/in/b?c=d",
        "https://site.example/x",
        "http://site.example/y",
        f"{at}/menu",
    )
    assert "links" not in page.document.metadata


def test_they_count_from_where_the_page_says(site: Site) -> None:
    page = page_of(site, html("<p>Words of it.</p><a href='a'>A</a>", "<base href='/docs/one/'>"))
    assert page.links == (f"{site.url}/docs/one/a",)


@pytest.mark.parametrize(
    ("rule", "header", "followed", "indexable"),
    [
        ("", "", True, True),
        ("index, follow", "all", True, True),
        ("noindex", "", True, False),
        ("NoFollow", "", False, True),
        ("none", "", False, False),
        ("", "noindex, nofollow", False, False),
        ("", "otherbot: noindex", True, True),
        ("", "leadline: noindex", True, False),
        ("", "unavailable_after: 25 Jun 2010 15:00:00 PST, noindex", True, False),
    ],
)
def test_a_page_says_whether_it_may_be_kept_and_followed(
    site: Site, rule: str, header: str, followed: bool, indexable: bool
) -> None:
    meta = f"<meta name='ROBOTS' content='{rule}'>" if rule else ""
    headers = {"X-Robots-Tag": header} if header else {}
    page = page_of(site, html("<p>Words of it.</p><a href='/a'>A</a>", meta), headers)
    assert (bool(page.links), page.indexable) == (followed, indexable)


def test_a_page_of_links_alone_does_not_run_over(site: Site) -> None:
    body = "".join(f"<a href='/{place}'>{place}</a> " for place in range(5_200))
    page = page_of(site, html("<p>Words of it.</p>" + body + f"<a href='/{'a' * 9_000}'>long</a>"))
    assert page.links == tuple(f"{site.url}/{place}" for place in range(1_000))


def test_a_base_that_is_none_is_left_out() -> None:
    for base in ("http:~[".replace("~", "//"), "data:a", "mailto:a@site.example", "javascript:alert(1)"):
        assert followed(["/a"], "https://site.example/b", base, "") in (("https://site.example/a",), ())
