"""No page, redirect or name server leads Leadline to this machine, into a closed network or to a cloud's metadata.

Each address is refused before a byte is sent: a server on this machine sees nobody come.
"""

import socket
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from leadline.errors import DocumentError
from leadline.testing.running import go
from leadline.web.fetching import Fetcher
from leadline.web.guard import is_public
from tests.web.hostile_addresses import DIRECT, HOSTS, REDIRECTED, written
from tests.web.server import Served, serving


@dataclass
class Trap:
    """Takes connections on both of this machine's addresses, and says nothing."""

    sockets: list[socket.socket]
    port: int

    def caught(self) -> int:
        found = 0
        for each in self.sockets:
            try:
                each.accept()[0].close()
            except BlockingIOError:
                continue
            found += 1
        return found


@pytest.fixture
def trap() -> Iterator[Trap]:
    first = socket.create_server(("127.0.0.1", 0))
    port = first.getsockname()[1]
    sockets = [first]
    if socket.has_ipv6:
        sockets.append(socket.create_server(("::1", port), family=socket.AF_INET6))
    for each in sockets:
        each.setblocking(False)
    yield Trap(sockets, port)
    for each in sockets:
        each.close()


@pytest.fixture(scope="module")
def site() -> Iterator[Served]:
    with serving() as served:
        yield served


@dataclass
class NameServer:
    """Knows the names of the table, and reads every way of writing an address that the system reads."""

    asked: list[str] = field(default_factory=list[str])
    turns: Counter[str] = field(default_factory=Counter[str])

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        self.turns[host] += 1
        if host in ("site.example", "localhost", "a.localhost", "intranet"):
            return ["127.0.0.1"]
        if host == "turning.example":
            return ["93.184.216.34"] if self.turns[host] > 1 else ["127.0.0.1"]
        if host in HOSTS:
            return HOSTS[host]
        try:
            return [socket.inet_ntoa(socket.inet_aton(host))]
        except OSError:
            found = socket.getaddrinfo(host, port, flags=socket.AI_NUMERICHOST)
            return [str(each[4][0]) for each in found]


def fetch(url: str, names: NameServer, allow: Sequence[str] = ()) -> None:
    async def work() -> None:
        async with Fetcher(allow, resolve=names, seconds=20) as fetcher:
            await fetcher(url)

    go(work())


@pytest.mark.parametrize("name", DIRECT)
def test_it_is_refused_before_a_byte_is_sent(name: str, trap: Trap) -> None:
    with pytest.raises(DocumentError):
        fetch(written(DIRECT[name], trap.port), NameServer())
    assert trap.caught() == 0


@pytest.mark.parametrize("name", REDIRECTED)
def test_it_is_refused_when_a_page_redirects_to_it(name: str, trap: Trap, site: Served) -> None:
    url = REDIRECTED[name].replace("START/", f"http://site.example:{site.port}/")
    url = url.replace("START", f"http://site.example:{site.port}/to").replace("SITE", str(site.port))
    before = len(site.asked)
    with pytest.raises(DocumentError):
        fetch(written(url, trap.port), NameServer(), [f"site.example:{site.port}"])
    assert trap.caught() == 0
    assert len(site.asked) > before


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "loop.example", "loop-six.example"])
def test_the_trap_does_catch_who_is_let_through(host: str, trap: Trap) -> None:
    async def work() -> None:
        async with Fetcher([f"{host}:{trap.port}"], resolve=NameServer(), seconds=0.3) as fetcher:
            await fetcher(written(f"~{host}:PORT/", trap.port))

    with pytest.raises(DocumentError, match=r"within 0\.3 seconds"):
        go(work())
    assert trap.caught() == 1


def test_a_host_that_is_let_through_opens_no_other_way_to_its_address(trap: Trap) -> None:
    for host in ("127.0.0.1", "localhost", "loop.example", "LOOP.example.example", "[::1]"):
        with pytest.raises(DocumentError):
            fetch(written(f"~{host}:PORT/", trap.port), NameServer(), ["site.example", "::1.example"])
    assert trap.caught() == 0


def test_no_name_server_is_asked_for_names_that_are_none_of_the_web() -> None:
    names = NameServer()
    for host in ("localhost", "metadata.google.internal", "a.onion", "metadata", "127.1", "printer.local"):
        with pytest.raises(DocumentError):
            fetch(written(f"~{host}/", 80), names)
    assert names.asked == []


def test_the_address_that_was_checked_is_the_one_connected_to() -> None:
    asked: list[str] = []

    async def turning(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return ["93.184.216.34"] if len(asked) == 1 else ["127.0.0.1"]

    async def work() -> None:
        async with Fetcher(resolve=turning) as fetcher:
            await fetcher("http://turning.example/")

    # Tests may connect to this machine only: what stops this one says where it was about to go.
    stopped = pytest.RaisesExc(AssertionError, match=r"93\.184\.216\.34")
    with pytest.RaisesGroup(stopped, flatten_subgroups=True):
        go(work())
    assert asked == ["turning.example"]


def test_the_table_is_as_long_as_it_was_promised() -> None:
    assert len(DIRECT) + len(REDIRECTED) >= 60
    assert is_public("93.184.216.34")
