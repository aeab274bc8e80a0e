"""Pages are fetched from the open web and from nowhere else, whoever asks and however they lead there."""

from collections.abc import Iterator, Sequence
from urllib.parse import quote

import pytest

from leadline.errors import DocumentError
from leadline.testing.running import go
from leadline.web.fetching import Fetched, Fetcher
from leadline.web.guard import Resolve, is_public, resolved
from tests.web.server import HTML, Served, serving

SCHEME = "http://"


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serving() as served:
        yield served


def fetched(
    url: str,
    allow: Sequence[str] = (),
    *,
    resolve: Resolve = resolved,
    seconds: float = 20.0,
    largest: int = 1 << 20,
) -> Fetched:
    async def work() -> Fetched:
        async with Fetcher(allow, resolve=resolve, seconds=seconds, largest=largest) as fetch:
            return await fetch(url)

    return go(work())


def names(**hosts: Sequence[str]) -> Resolve:
    """A name server that knows these hosts, `_` standing for a dot."""

    async def resolve(host: str, port: int) -> Sequence[str]:
        return hosts[host.replace(".", "_")]

    return resolve


INSIDE = [
    *(
        "127.0.0.1",
        "127.1.2.3",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "100.100.100.200",
    ),
    *(
        "169.254.169.254",
        "168.63.129.16",
        "192.0.0.192",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "240.0.0.1",
    ),
    *(
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
    ),
    *("64:ff9b::7f00:1", "2002:7f00:1::", "2002:a9fe:a9fe::", "2001:0:7f00:1::1"),
]


@pytest.mark.parametrize("address", INSIDE)
def test_addresses_inside_are_told_from_the_open_web(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "1.1.1.1", "2606:4700::1111", "::ffff:93.184.216.34"])
def test_addresses_of_the_open_web_are_let_through(address: str) -> None:
    assert is_public(address)


def test_a_page_of_a_host_that_is_allowed_comes_whole(server: Served) -> None:
    page = fetched(f"{server.url}/page?a=1", ["127.0.0.1"])
    assert page == Fetched(f"{server.url}/page?a=1", "text/html", HTML, "utf-8")
    for path in ("/packed", "/deflated", "/deflated-bare"):
        assert fetched(server.url + path, [f"127.0.0.1:{server.port}"]).data == HTML


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1", "[::ffff:127.0.0.1]", "0", "localhost."],
)
def test_this_machine_is_closed_however_it_is_written(server: Served, host: str) -> None:
    before = len(server.asked)
    with pytest.raises(DocumentError, match="closed network|unusual way"):
        fetched(f"{SCHEME}{host}:{server.port}/page")
    assert len(server.asked) == before


def test_a_host_that_is_allowed_at_one_port_is_closed_at_others(server: Served) -> None:
    with pytest.raises(DocumentError, match="closed network"):
        fetched(f"{server.url}/page", ["127.0.0.1:1"])


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["169.254.169.254"]])
def test_a_name_that_leads_inside_is_closed(server: Served, addresses: list[str]) -> None:
    with pytest.raises(DocumentError, match="closed network"):
        fetched(f"http://site.example:{server.port}/page", resolve=names(site_example=addresses))


def test_a_name_is_resolved_once_and_the_address_that_was_checked_is_the_one_connected_to(
    server: Served,
) -> None:
    asked: list[str] = []

    async def turning(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["192.0.2.1"]

    fetched(f"http://site.example:{server.port}/text", ["site.example"], resolve=turning)
    assert asked == ["site.example"]
    assert server.asked[-1][1] == f"site.example:{server.port}"


def test_a_redirect_is_checked_like_any_address(server: Served) -> None:
    resolve = names(site_example=["127.0.0.1"], inside_example=["127.0.0.1"])
    start = f"http://site.example:{server.port}/to?"

    def led(to: str) -> Fetched:
        return fetched(start + to, ["site.example"], resolve=resolve)

    assert led("/text").data == b"Plain words."
    assert led(f"http://site.example:{server.port}/text").url.endswith("/text")
    with pytest.raises(DocumentError, match="closed network"):
        led(f"http://inside.example:{server.port}/text")
    for to in ("file:///etc/hostname", "ftp://site.example/a", "gopher://site.example"):
        with pytest.raises(DocumentError, match="no address"):
            led(to)
    with pytest.raises(DocumentError, match="name or a password"):
        led("http://word@site.example/")


def test_redirects_end(server: Served) -> None:
    loop = f"{server.url}/to?{server.url}/to?"
    with pytest.raises(DocumentError, match="redirects more than 5 times"):
        fetched(loop * 6 + f"{server.url}/text", ["127.0.0.1"])


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/hostname",
        "ftp://site.example/",
        "data:text/plain,x",
        "site.example",
        "http://",
        "",
        f"{SCHEME}[",
        "x" * 5000,
    ],
)
def test_what_is_no_address_of_the_web_is_refused(url: str) -> None:
    with pytest.raises(DocumentError, match="no address|closed network"):
        fetched(url)


@pytest.mark.parametrize(
    "host", ["a~xn--b", "_xn--8", "[fe80::1%25\u00e9]", "[fe80::1%25a%b]", "[::1", "xn--\u00e9.example"]
)
def test_a_host_that_there_cannot_be_is_refused_wherever_it_stands(server: Served, host: str) -> None:
    before = len(server.asked)
    with pytest.raises(DocumentError, match="no address"):
        fetched(f"{SCHEME}{host}/")
    with pytest.raises(DocumentError, match="no address"):
        fetched(f"{server.url}/to?//{quote(host, safe='[]:%~')}/", ["127.0.0.1"])
    assert len(server.asked) == before + 1


def test_passwords_are_neither_sent_nor_shown() -> None:
    with pytest.raises(DocumentError) as raised:
        fetched("http://hunter2@site.example/?key=hunter2")
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize("path", ["/endless", "/bomb"])
def test_a_page_without_end_is_cut_off(server: Served, path: str) -> None:
    with pytest.raises(DocumentError, match="larger than"):
        fetched(server.url + path, ["127.0.0.1"])


def test_a_slow_page_is_given_up(server: Served) -> None:
    with pytest.raises(DocumentError, match=r"did not come within 0\.3 seconds"):
        fetched(f"{server.url}/slow", ["127.0.0.1"], seconds=0.3)


def test_an_answer_that_is_no_page_is_said(server: Served) -> None:
    with pytest.raises(DocumentError, match="answered 404"):
        fetched(f"{server.url}/nix", ["127.0.0.1"])
    with pytest.raises(DocumentError, match="packed in a way"):
        fetched(f"{server.url}/odd", ["127.0.0.1"])
    with pytest.raises(DocumentError, match="cannot be fetched"):
        fetched("http://127.0.0.1:1/", ["127.0.0.1"])


def test_no_cookie_goes_from_one_page_to_the_next(server: Served) -> None:
    async def work() -> None:
        async with Fetcher(["127.0.0.1"]) as fetch:
            for _ in range(2):
                await fetch(f"{server.url}/page")

    go(work())
    assert server.asked[-1] == ("/page", f"127.0.0.1:{server.port}", "")
