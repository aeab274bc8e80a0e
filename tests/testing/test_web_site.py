import socket
import time

import httpx2
import pytest

from leadline.testing.page_search import Listed, PageSearch
from leadline.testing.web_site import SITE, Served, WebSite
from tests.site.planted import AGAINST, FACTS, STALE, Planted
from tests.site.town import LURES, TRAPS, WINTER, body, leaves, search, served

LEAVES = {leaf.path: leaf for leaf in leaves()}


def got(site: WebSite, path: str, **headers: str) -> httpx2.Response:
    with httpx2.Client(trust_env=False) as client:
        return client.get(site.url + path, headers={k.replace("_", "-"): v for k, v in headers.items()})


def test_the_town_has_forty_pages_and_every_fact_where_it_is_said_to_stand() -> None:
    assert len(LEAVES) == 40
    assert len(FACTS) >= 25
    for fact in (*FACTS, *STALE, AGAINST):
        on = {path for path, leaf in LEAVES.items() if fact.value in " ".join(leaf.text.split())}
        assert on == {fact.path, *fact.also}, fact.id


@pytest.mark.parametrize("fact", (*STALE, AGAINST), ids=lambda fact: fact.id)
def test_what_contradicts_a_fact_is_of_an_earlier_day(fact: Planted) -> None:
    (newer,) = (each for each in FACTS if each.id == fact.id)
    assert LEAVES[fact.path].date < LEAVES[newer.path].date


def test_pages_are_in_the_bytes_they_are_in_whatever_they_declare() -> None:
    assert "Café Böe".encode("cp1252") in body(LEAVES["/town/cafe"])
    assert "友好城市".encode("gb18030") in body(LEAVES["/zh/friendship"])
    assert "متحف".encode("cp1256") in body(LEAVES["/ar/visitors"])
    assert body(LEAVES["/reserve/counts.pdf"]).startswith(b"%PDF")


def test_a_page_that_is_the_same_is_not_sent_twice() -> None:
    with WebSite(served()) as site:
        first = got(site, "/ferry/vessel")
        assert first.status_code == 200
        assert "180 passengers" in first.text
        assert f'href="{site.url}/market/auction"' in first.text
        assert got(site, "/ferry/vessel", If_None_Match=first.headers["etag"]).status_code == 304
        since = {"If_Modified_Since": first.headers["last-modified"]}
        assert got(site, "/ferry/vessel", **since).status_code == 304
        site.put(Served("/ferry/vessel", b"<p>Sold.</p>", day="2024-05-01"))
        assert got(site, "/ferry/vessel", If_None_Match=first.headers["etag"]).status_code == 200
        assert got(site, "/ferry/vessel", **since).text == "<p>Sold.</p>"
        assert [(v.status, v.conditional) for v in site.visits] == [
            (200, False),
            (304, True),
            (304, True),
            (200, True),
            (200, True),
        ]


def test_the_site_maps_name_the_forty_pages() -> None:
    with WebSite(served()) as site:
        index = got(site, "/sitemap.xml").text
        maps = [got(site, f"/sitemap-{n}.xml").text for n in (1, 2)]
        assert all(f"{site.url}/sitemap-{n}.xml" in index for n in (1, 2))
        assert all(sum(f"<loc>{site.url}{path}</loc>" in each for each in maps) == 1 for path in LEAVES)
        assert "/private/" in got(site, "/robots.txt").text
        assert got(site, "/nowhere").status_code == 404


def test_traps_do_what_they_are_there_for() -> None:
    with WebSite(served()) as site:
        assert got(site, "/old/winter-berths").status_code == 500
        assert got(site, "/loop/one").headers["location"] == f"{site.url}/loop/two"
        assert "169.254" in got(site, "/go/office").headers["location"]
        with httpx2.Client(trust_env=False) as client:
            with client.stream("GET", site.url + "/media/regatta") as reply:
                assert int(reply.headers["content-length"]) == 2 << 30
                assert next(reply.iter_raw())
            with client.stream("GET", site.url + "/live/webcam") as reply:
                assert len(next(reply.iter_raw())) <= 2
        until = time.monotonic() + 60
        while site.open and time.monotonic() < until:
            time.sleep(0.05)
        assert not site.open, "who goes away ends the stream"
        assert site.sent < 100 << 20
        with socket.create_connection(("127.0.0.1", site.port)) as line:
            line.sendall(b"\r\n")
            assert line.recv(10) == b""


def test_the_search_engine_finds_pages_by_their_words_and_knows_the_traps() -> None:
    with WebSite(served()) as site:
        find = search(site)
        best = find("When was the swing bridge opened?", 3)
        assert best[0].url == site.url + "/bridge/history"
        assert best[0].published == "2020-03-01"
        assert [r.url for r in find("布伦尼克 友好城市", 1)] == [site.url + "/zh/friendship"]
        assert [r.url for r in find("متحف برينيك", 1)] == [site.url + "/ar/visitors"]
        winter = find("winter berths of the marina", 1)[0]
        assert winter.url == site.url + "/old/winter-berths"
        assert winter.snippet.startswith(WINTER)
        assert find("zzz", 5) == []
        assert len(find("Brennick", 100)) == len({r.url for r in find("Brennick", 100)}) > 35
        assert {trap.path for trap in TRAPS if trap.path != "/loop/two"} | {"/private/pilots"} == set(LURES)


def test_a_snippet_is_the_sentence_that_the_words_stand_in() -> None:
    text = "Ropes were made here. The rope walk was three hundred paces long. It burned down."
    found = PageSearch([Listed("http://a.example/rope", "Rope", text)])("long walk", 5)
    assert [each.snippet for each in found] == ["The rope walk was three hundred paces long."]
    assert SITE not in found[0].url
