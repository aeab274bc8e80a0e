"""One request to a provider over HTTP, bounded in time and size.

A key goes to the configured address only: redirects are not followed.
"""

import asyncio
import ssl
from collections.abc import Mapping

import httpx2

from leadline.endpoints import is_here
from leadline.errors import BadKey, ConfigError, ProviderFailed
from leadline.web.base import late
from leadline.web.providers.replies import LARGEST, Row, parsed, refusal


class Asking:
    """Asks the server at `url`. `remedy` says what to do where it refuses the key or is not there."""

    def __init__(
        self, provider: str, url: str, remedy: str, headers: Mapping[str, str] | None = None
    ) -> None:
        self._provider = provider
        self._url = base(provider, url)
        self._remedy = remedy
        self._headers = {"Accept": "application/json", "Accept-Encoding": "identity", **(headers or {})}
        self._trust: ssl.SSLContext | bool = True

    async def get(self, path: str, params: Mapping[str, str], seconds: float) -> Row:
        """What is at `path`."""
        return await self._asked("GET", path, seconds, params=params)

    async def post(self, path: str, body: Mapping[str, object], seconds: float) -> Row:
        """What is replied to `body`."""
        return await self._asked("POST", path, seconds, body=body)

    async def _asked(
        self,
        method: str,
        path: str,
        seconds: float,
        params: Mapping[str, str] | None = None,
        body: Mapping[str, object] | None = None,
    ) -> Row:
        url = f"{self._url}{path}"
        if self._trust is True and url.startswith("https:"):
            # It reads every certificate: once, not per request.
            self._trust = await asyncio.to_thread(httpx2.create_ssl_context)
        client = httpx2.AsyncClient(
            headers=self._headers,
            timeout=seconds,
            verify=self._trust,
            trust_env=not is_here(httpx2.URL(url).host),
        )
        try:
            async with (
                asyncio.timeout(seconds),
                client,
                client.stream(method, url, params=params, json=body) as response,
            ):
                if response.status_code != 200:
                    waits = response.headers.get("retry-after", "")
                    raise refusal(self._provider, response.status_code, waits, self._remedy)
                return parsed(self._provider, await self._body(response))
        except (TimeoutError, httpx2.TimeoutException):
            raise late(self._provider, seconds) from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise unreachable(self._provider, error) from None

    async def _body(self, response: httpx2.Response) -> bytes:
        parts: list[bytes] = []
        size = 0
        async for part in response.aiter_raw():
            size += len(part)
            if size > LARGEST:
                raise too_large(self._provider)
            parts.append(part)
        return b"".join(parts)


def unreachable(provider: str, error: Exception) -> ProviderFailed:
    """What is said of a connection that fails; the error's own words may hold what the server sent."""
    return ProviderFailed(provider, f"cannot be reached, or breaks off ({type(error).__name__})")


def too_large(provider: str, largest: int = LARGEST) -> ProviderFailed:
    """What is said of a reply without end."""
    return ProviderFailed(provider, f"sent more than {largest >> 20} MiB")


def base(provider: str, url: str) -> str:
    """An address to which a path is added; `ConfigError` for what is none."""
    try:
        found = httpx2.URL(url)
    except httpx2.InvalidURL as error:
        raise ConfigError(f"`web.{provider}_url` `{url}` is not an address: {error}.") from error
    if found.scheme not in ("http", "https") or not found.host:
        raise ConfigError(f"`web.{provider}_url` `{url}` must begin with http:// or https:// and a host.")
    if found.userinfo:
        raise ConfigError(f"`web.{provider}_url` must not hold a name or a password.")
    return str(found.copy_with(path=found.path.rstrip("/"), query=None, fragment=None)).rstrip("/")


def good_key(provider: str, variable: str, key: str) -> str:
    """A key that can stand in a header; `BadKey` for none, and for one that cannot."""
    if not key:
        raise BadKey(f"`{provider}` needs a key: set the environment variable {variable}.")
    if not (key.isascii() and key.isprintable()):
        raise BadKey(f"{variable} holds a character that no key has. Copy the key again.")
    return key
