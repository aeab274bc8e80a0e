"""Which addresses may be fetched from: those of the open web, checked where the connection is made.

host -> a name of the open web? -> resolved once -> every address public? -> connected to that address, under the host's name

A page, a redirect and a name server are other people's: without this, a link to the machine's own services, to the local
network or to a cloud's metadata would be followed like any other.
"""

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from socket import SOCK_STREAM, gaierror

import httpx2

from leadline.errors import DocumentError

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]

CLOSED = tuple(
    map(
        ip_network,
        ("168.63.129.16", "192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2001:db8::/32", "3fff::/20"),
    )
)
"""Services of the cloud that a machine runs in, addresses used inside networks, and those kept for special purposes,
whatever Python's own table says of them."""

CLOSED_NAMES = (
    "localhost localdomain local internal intranet private corp home lan onion i2p test invalid "
    "home.arpa in-addr.arpa ip6.arpa"
).split()
"""Last labels of names that are never hosts of the open web; no name server is asked for them."""

CLOSED_PORTS = frozenset(
    (1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061)
    + (5432, 5672, 5900, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9200, 9300)
    + (10080, 10250, 11211, 27017)
)
"""From 1024 on, ports of services that take a request for a command, or that nobody means to open."""

_OPEN = IPv6Network("2000::/3")
_TRANSLATED = IPv6Network("64:ff9b::/96")
_MAPPED = IPv6Network("::ffff:0:0/96")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
_NAME = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)+")


def is_public(text: str) -> bool:
    """Whether an address is one of the open web, and so is any that is wrapped in it.

    >>> [is_public(text) for text in ("93.184.216.34", "2606:2800:220:1::1", "127.0.0.1", "10.0.0.1", "169.254.169.254")]
    [True, True, False, False, False]
    >>> [is_public(text) for text in ("::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:7f00:1::", "100.64.0.1", "fe80::1%1")]
    [False, False, False, False, False, False]
    """
    try:
        address = ip_address(text)
    except ValueError:
        return False
    wrapped = list(_wrapped(address))
    if isinstance(address, IPv6Address):
        outside = address in _OPEN or address in _TRANSLATED or address in _MAPPED
        if not outside or address.scope_id or (address not in _OPEN and not wrapped):
            return False
    # A mapped or translated address is what it leads to.
    plain = isinstance(address, IPv4Address) or address in _OPEN
    return all(
        each.is_global and not each.is_multicast and not any(each in network for network in CLOSED)
        for each in ((address, *wrapped) if plain else wrapped)
    )


def _wrapped(address: Address) -> Iterator[Address]:
    """IPv4 addresses that an IPv6 address leads to."""
    if isinstance(address, IPv4Address):
        return
    if address.sixtofour:
        yield address.sixtofour
    # In the last two, and in addresses made for tunnels inside a site, it stands at the end.
    tunnel = address.packed[8:12] in (b"\0\0\x5e\xfe", b"\x02\0\x5e\xfe")
    if tunnel or address in _TRANSLATED or address in _MAPPED:
        yield IPv4Address(address.packed[12:])


async def resolved(host: str, port: int) -> list[str]:
    """The addresses of a host."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


class Allowed:
    """Hosts that may be anywhere: `intranet.example` at every port, or `intranet.example:8080`.

    >>> allowed = Allowed(["Intranet.example", "[::1]:8080"])
    >>> allowed("intranet.example", 80), allowed("::1", 8080), allowed("::1", 80)
    (True, True, False)
    """

    def __init__(self, hosts: Collection[str]) -> None:
        self._hosts = frozenset(each.strip().lower() for each in hosts)

    def __call__(self, host: str, port: int) -> bool:
        shown = f"[{host}]" if ":" in host else host
        return not self._hosts.isdisjoint({host, shown, f"{shown}:{port}"})


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Connects to public addresses, and to hosts in `allow` wherever they are. `remedy` is said where naming a host there
    does not help.

    No proxy is used, and no connection twice: each request is checked by itself.
    """

    def __init__(
        self,
        allow: Collection[str] = (),
        resolve: Resolve = resolved,
        trust: ssl.SSLContext | bool = True,
        remedy: str = "",
    ) -> None:
        self._remedy = remedy
        self._allowed = Allowed(allow)
        self._resolve = resolve
        self._inner = httpx2.AsyncHTTPTransport(
            verify=trust, limits=httpx2.Limits(max_keepalive_connections=0)
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        host, port = place_of(url)
        addresses = await self._addresses(host, port)
        request.extensions = {**request.extensions, "sni_hostname": host}
        for place, address in enumerate(addresses, 1):
            request.url = url.copy_with(host=address)
            try:
                return await self._inner.handle_async_request(request)
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                if place == len(addresses):
                    raise
            finally:
                request.url = url
        raise AssertionError("there is at least one address, and the last one returns or raises")

    async def _addresses(self, host: str, port: int) -> Sequence[str]:
        allowed = self._allowed(host, port)
        if not allowed:
            refuse_strange(host, port, self._remedy)
        try:
            addresses = await self._resolve(host, port)
        except (gaierror, UnicodeError, OSError):
            addresses = ()
        if not addresses:
            raise DocumentError(
                f"`{host}` is not found.", "Check the address, and whether this machine is online."
            )
        if not allowed and not all(map(is_public, addresses)):
            raise _closed(host, self._remedy)
        return addresses

    async def aclose(self) -> None:
        await self._inner.aclose()


def place_of(url: httpx2.URL) -> tuple[str, int]:
    """Host and port that an address leads to."""
    host = url.raw_host.decode("ascii").lower().rstrip(".")
    port = url.port if url.port is not None else 443 if url.scheme == "https" else 80
    return host, port


def refuse_strange(host: str, port: int, remedy: str = "") -> None:
    """Refuse a host or a port that no page of the open web has, before any name server is asked."""
    if not _is_address(host):
        if _NUMBER.fullmatch(host.rpartition(".")[2]):
            raise DocumentError(
                f"`{host}` is an address written in an unusual way.", "Write it as `192.0.2.1`."
            )
        # A name without a dot is one of this network.
        inside = any(host.endswith(f".{name}") for name in CLOSED_NAMES)
        if inside or not _NAME.fullmatch(host):
            raise _closed(host, remedy)
    if port in CLOSED_PORTS or (port < 1024 and port not in (80, 443)):
        raise DocumentError(
            f"port {port} of `{host}` is not one that pages are at.",
            remedy or f"Name `{host}:{port}` in the setting `web.allow_hosts` if it may be fetched from.",
        )


def _closed(host: str, remedy: str = "") -> DocumentError:
    return DocumentError(
        f"`{host}` is an address of this machine or of a closed network.",
        remedy or "Name it in the setting `web.allow_hosts` if it may be fetched from.",
    )


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
