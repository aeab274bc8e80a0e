"""Which addresses may be fetched from: those of the open web, checked where the connection is made.

host -> resolved once -> every address public? -> connected to that address, under the host's name

A page, a redirect and a name server are other people's: without this, a link to the machine's own services, to the local
network or to a cloud's metadata would be followed like any other.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from socket import SOCK_STREAM, gaierror

import httpx2

from leadline.errors import DocumentError

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]

CLOSED = tuple(map(ip_network, ("168.63.129.16", "192.0.0.0/24", "64:ff9b:1::/48")))
"""Services of the cloud that a machine runs in, and addresses used inside networks, whatever their numbers say."""

_TRANSLATED = IPv6Network("64:ff9b::/96")


def is_public(text: str) -> bool:
    """Whether an address is one of the open web, and so is any that is wrapped in it.

    >>> [is_public(text) for text in ("93.184.216.34", "2606:2800:220:1::1", "127.0.0.1", "10.0.0.1", "169.254.169.254")]
    [True, True, False, False, False]
    >>> [is_public(text) for text in ("::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:7f00:1::", "100.64.0.1", "fe80::1%1")]
    [False, False, False, False, False, False]
    """
    address = ip_address(text.partition("%")[0])
    return all(
        each.is_global and not each.is_multicast and not any(each in network for network in CLOSED)
        for each in (address, *_wrapped(address))
    )


def _wrapped(address: Address) -> Iterator[Address]:
    """IPv4 addresses that an IPv6 address leads to."""
    if isinstance(address, IPv4Address):
        return
    yield from (each for each in (address.ipv4_mapped, address.sixtofour, *(address.teredo or ())) if each)
    if address in _TRANSLATED or not any(address.packed[:12]):
        yield IPv4Address(address.packed[12:])


async def resolved(host: str, port: int) -> list[str]:
    """The addresses of a host."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Connects to public addresses, and to hosts in `allow` (`intranet.example` or `intranet.example:8080`) wherever they are.

    No proxy is used, and no connection twice: each request is checked by itself.
    """

    def __init__(
        self, allow: Collection[str] = (), resolve: Resolve = resolved, trust: ssl.SSLContext | bool = True
    ) -> None:
        self._allow = frozenset(each.lower() for each in allow)
        self._resolve = resolve
        self._inner = httpx2.AsyncHTTPTransport(
            verify=trust, limits=httpx2.Limits(max_keepalive_connections=0)
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        host = url.raw_host.decode("ascii").lower().rstrip(".")
        port = url.port or (443 if url.scheme == "https" else 80)
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
        try:
            addresses = await self._resolve(host, port)
        except (gaierror, UnicodeError, OSError):
            addresses = ()
        if not addresses:
            raise DocumentError(
                f"`{host}` is not found.", "Check the address, and whether this machine is online."
            )
        if not {host, f"{host}:{port}"} & self._allow and not all(map(is_public, addresses)):
            raise DocumentError(
                f"`{host}` is an address of this machine or of a closed network.",
                "Name it in the setting `web.allow_hosts` if it may be fetched from.",
            )
        return addresses

    async def aclose(self) -> None:
        await self._inner.aclose()
