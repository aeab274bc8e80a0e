"""Where a crawl goes: breadth first, in order, each page once, and never further than it was told."""

import pytest

from leadline.web.frontier import CrawlOptions, Frontier, Stop
from leadline.web.links import MOST_LINKS

START = "https://harbour.example/"


def frontier(*, same_site: bool = True, pages: int = 200) -> Frontier:
    made = Frontier(CrawlOptions(3, same_site, pages))
    made.give(START)
    return made


def order(made: Frontier) -> list[str]:
    found: list[str] = []
    while (stop := made.next()) is not None:
        found.append(stop.url)
    return found


def test_addresses_are_gone_to_in_the_order_in_which_they_are_named() -> None:
    made = frontier()
    made.lead(["https://harbour.example/b", "https://harbour.example/a"], 1)
    made.lead(["https://harbour.example/c"], 2)
    assert order(made) == [START, *(f"https://harbour.example/{name}" for name in "bac")]


@pytest.mark.parametrize(
    "again",
    [
        "https://harbour.example/a",
        "http://harbour.example/a",
        "https://www.harbour.example/a/",
        "https://harbour.example/x/../a#top",
        "https://harbour.example/a?utm_source=letter",
        "https://harbour.example/a/index.html",
    ],
)
def test_the_same_page_is_gone_to_once_however_it_is_written(again: str) -> None:
    made = frontier()
    made.lead(["https://harbour.example/a", again], 1)
    assert order(made) == [START, "https://harbour.example/a"]


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("https://www.harbour.example/a", True),
        ("http://harbour.example/a", True),
        ("https://news.harbour.example/a", False),
        ("https://harbour.example.evil.example/a", False),
        ("https://harbour.example:8443/a", False),
        ("https://other.example/a", False),
    ],
)
def test_a_site_is_its_host_and_its_www_twin(url: str, inside: bool) -> None:
    made, anywhere = frontier(), frontier(same_site=False)
    made.lead([url], 1)
    anywhere.lead([url], 1)
    assert order(made) == ([START, url] if inside else [START])
    assert order(anywhere) == [START, url]


def test_what_is_no_address_is_of_no_site() -> None:
    assert not frontier().inside(f"http:{'//'}\u2603.example/")


@pytest.mark.parametrize("name", ["photo.JPG", "style.css", "app.js", "film.mp4", "all.zip", "setup.exe"])
def test_what_is_no_text_is_not_followed_to_but_may_be_named(name: str) -> None:
    made = frontier()
    made.lead([f"https://harbour.example/{name}"], 1)
    assert order(made) == [START]
    made.give(f"https://harbour.example/{name}")
    assert order(made) == [f"https://harbour.example/{name}"]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        f"https://harbour.example/{'a' * 5_000}",
        "https://",
        "mailto:a",
    ],
)
def test_what_is_no_address_of_a_page_is_not_gone_to(url: str) -> None:
    made = frontier(same_site=False)
    made.lead([url], 1)
    assert order(made) == [START]


def test_what_globs_name_is_left_out() -> None:
    made = Frontier(CrawlOptions(1), lambda url: "/calendar/" in url)
    made.give(START)
    made.lead(["https://harbour.example/calendar/2031", "https://harbour.example/a"], 1)
    assert order(made) == [START, "https://harbour.example/a"]


def test_a_site_without_end_does_not_fill_the_memory() -> None:
    made = frontier(pages=5)
    for page in range(10):
        made.lead([f"https://harbour.example/{page}/{link}" for link in range(MOST_LINKS)], 1)
    assert len(made) <= MOST_LINKS + 50
    assert len(made) + made.beyond == 10 * MOST_LINKS + 1


def test_where_redirects_lead_is_one_page() -> None:
    made = frontier()
    made.lead(["https://harbour.example/old", "https://harbour.example/new"], 1)
    first, old = made.next(), made.next()
    assert first is not None
    assert old is not None
    assert made.arrive(first, START)
    assert made.arrive(old, "https://harbour.example/new")
    assert made.next() is None
    assert not made.arrive(Stop("https://harbour.example/other"), "https://harbour.example/new")


def test_a_redirect_of_what_was_named_takes_its_site_with_it_and_that_of_a_link_does_not() -> None:
    made = frontier()
    first = made.next()
    assert first is not None
    assert made.arrive(first, "https://moved.example/")
    assert made.inside("https://moved.example/a")
    assert made.arrive(Stop("https://harbour.example/b", 1), "https://away.example/b")
    assert not made.inside("https://away.example/b")
