"""Sitemaps are read in bounds, whatever they hold."""

import gzip
from collections.abc import Mapping

import pytest

from leadline.errors import DocumentError
from leadline.testing.running import go
from leadline.web import sitemaps
from leadline.web.fetching import Bounds, Fetched
from leadline.web.sitemaps import Listed, Sitemap, listed, parsed

SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
HOME = "https://harbour.example"
MAP = f"{HOME}/sitemap.xml"


def urlset(*paths: str) -> bytes:
    rows = "".join(f"<url><loc> {HOME}{path}\n</loc><lastmod>2020-01-01</lastmod></url>" for path in paths)
    return f'<?xml version="1.0"?><urlset {SPACE}>{rows}</urlset>'.encode()


def index(*paths: str) -> bytes:
    rows = "".join(f"<sitemap><loc>{HOME}{path}</loc></sitemap>" for path in paths)
    return f"<sitemapindex {SPACE}>{rows}</sitemapindex>".encode()


def read(files: Mapping[str, bytes], start: str = MAP) -> tuple[Listed | None, list[str]]:
    """What sitemaps lead to, and which of them were fetched."""
    asked: list[str] = []

    async def fetch(url: str, bounds: Bounds) -> Fetched:
        asked.append(url.removeprefix(HOME))
        if url.removeprefix(HOME) not in files:
            raise DocumentError("is not there")
        return Fetched(url, "text/xml", files[url.removeprefix(HOME)])

    return go(listed(start, fetch)), asked


def test_addresses_come_in_order_and_once() -> None:
    found, _ = read({"/sitemap.xml": urlset("/b", "/a?x=1&amp;y=2", "/b")})
    assert found is not None
    assert found.pages == [f"{HOME}/b", f"{HOME}/a?x=1&y=2"]


def test_an_index_leads_to_its_sitemaps_packed_ones_too_and_one_that_fails_loses_nothing_else() -> None:
    files = {
        "/sitemap.xml": index("/1.xml", "/gone.xml", "/2.xml.gz"),
        "/1.xml": urlset("/a"),
        "/2.xml.gz": gzip.compress(urlset("/b")),
    }
    found, asked = read(files)
    assert found is not None
    assert found.pages == [f"{HOME}/a", f"{HOME}/b"]
    assert [url for url, _ in found.failed] == [f"{HOME}/gone.xml"]
    assert asked == ["/sitemap.xml", "/1.xml", "/gone.xml", "/2.xml.gz"]


def test_indexes_that_lead_to_each_other_and_down_without_end_end() -> None:
    round_about = {"/sitemap.xml": index("/b.xml"), "/b.xml": index("/sitemap.xml", "/b.xml", "/c.xml")}
    found, asked = read({**round_about, "/c.xml": urlset("/a")})
    assert found is not None
    assert (found.pages, asked) == ([f"{HOME}/a"], ["/sitemap.xml", "/b.xml", "/c.xml"])
    down = {f"/{n}.xml": index(f"/{n + 1}.xml") for n in range(20)}
    found, asked = read({"/sitemap.xml": index("/0.xml"), **down})
    assert found is not None
    assert found.cut
    assert len(asked) == 1 + sitemaps.DEEPEST


def test_there_is_a_most_of_sitemaps_and_of_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    many = {f"/{n}.xml": urlset(f"/page-{n}") for n in range(300)}
    found, asked = read({"/sitemap.xml": index(*many), **many})
    assert found is not None
    assert found.cut
    assert len(asked) == sitemaps.MOST_SITEMAPS
    monkeypatch.setattr(sitemaps, "MOST_ADDRESSES", 10)
    found, _ = read({"/sitemap.xml": urlset(*(f"/{n}" for n in range(50)))})
    assert found is not None
    assert found.cut
    assert len(found.pages) == 10


def test_a_page_is_no_sitemap() -> None:
    for page in (
        b"<!doctype html><html><body><loc>x</loc></body></html>",
        b"<rss><url><loc>x</loc></url></rss>",
        b"{}",
    ):
        assert read({"/sitemap.xml": page})[0] is None


BOMB = b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><urlset><url><loc>https://harbour.example/&c;</loc></url></urlset>"""
OUTSIDE = b"""<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>
<urlset><url><loc>https://harbour.example/&a;</loc></url></urlset>"""


@pytest.mark.parametrize("data", [BOMB, OUTSIDE])
def test_entities_are_not_read(data: bytes) -> None:
    assert parsed(data, MAP) == Sitemap()


def test_what_unpacks_to_too_much_and_what_is_damaged_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "BOUNDS", Bounds(30.0, 10_000))
    with pytest.raises(DocumentError, match="unpacks to more than 10,000 bytes"):
        parsed(gzip.compress(b"<urlset>" + b" " * 1_000_000), MAP)
    with pytest.raises(DocumentError, match="damaged"):
        parsed(b"\x1f\x8b" + b"no" * 50, MAP)
    with pytest.raises(DocumentError, match="damaged"):
        parsed(b"<urlset><url><loc", MAP)


def test_one_that_nests_without_end_is_not_read_to_it() -> None:
    nested = urlset("/a").replace(b"</urlset>", b"<x>" * 200 + b"</x>" * 200 + urlset("/b")[8:])
    assert parsed(nested, MAP).pages == (f"{HOME}/a",)


def test_one_that_breaks_off_gives_what_it_has() -> None:
    assert parsed(urlset("/a", "/b")[:-40], MAP).pages[0] == f"{HOME}/a"


def test_only_addresses_of_pages_are_taken() -> None:
    rows = b"".join(
        b"<url><loc>%b</loc></url>" % each
        for each in (
            b"file:///etc/passwd",
            b"javascript:1",
            b"https://a:b@harbour.example/",
            b"/relative",
            b"",
        )
    )
    assert parsed(b"<urlset>" + rows + b"</urlset>", MAP) == Sitemap((), (), known=True)


def test_it_may_be_written_in_utf_16_or_be_a_list() -> None:
    text = urlset("/a").decode().replace('<?xml version="1.0"?>', '<?xml version="1.0" encoding="utf-16"?>')
    assert parsed(text.encode("utf-16"), MAP).pages == (f"{HOME}/a",)
    assert parsed(f"{HOME}/a\r\n\r\n{HOME}/b".encode(), f"{HOME}/sitemap.txt").pages == (
        f"{HOME}/a",
        f"{HOME}/b",
    )


@pytest.mark.parametrize(
    "encoding", ["hex", "rot13", "zip", "idna", "no-such", "gb2312", "utf-7", "undefined"]
)
def test_an_encoding_that_is_none_costs_nothing(encoding: str) -> None:
    data = urlset("/a", "/b").replace(b'"1.0"', f'"1.0" encoding="{encoding}"'.encode())
    assert parsed(data, MAP).pages == (f"{HOME}/a", f"{HOME}/b")


def test_a_sitemap_is_read_in_the_encoding_it_is_in() -> None:
    text = urlset("/\u706f").decode().replace('"1.0"', '"1.0" encoding="{}"')
    for encoding in ("utf-8", "utf-16", "gb18030"):
        data = text.format(encoding).encode(encoding)
        assert parsed(data, MAP).pages == (f"{HOME}/%E7%81%AF",)


def test_an_address_that_is_none_costs_itself() -> None:
    strange = urlset("/a", "/b").replace(b"<url>", b"<url><loc>http:~a~xn--b/</loc></url><url>", 1)
    data = strange.replace(b"http:~", b"http:" + b"//", 1)
    assert parsed(data, MAP).pages == (f"{HOME}/a", f"{HOME}/b")
    rows = "\n".join((f"{HOME}/a", "http:" + "//_xn--8/", f"{HOME}/b"))
    assert parsed(rows.encode(), f"{HOME}/sitemap.txt").pages == (f"{HOME}/a", f"{HOME}/b")
