"""What all configured model endpoints share: their address, when a request is tried again, how long to wait before."""

import math
from ipaddress import ip_address

import httpx2

from leadline.errors import ConfigError

MAY_PASS = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""Answers after which the same request may succeed."""

WAIT = 0.5
"""Seconds before the second attempt; each further one waits twice as long."""


def address(family: str, provider: str, url: str, model: str, path: str) -> httpx2.URL:
    """The address of a server's `path`, from the settings `FAMILY_url` and `FAMILY_model`; `ConfigError` without.

    >>> str(address("embedding", "remote", "http://localhost:8000/v1/", "m", "/embeddings"))
    'http://localhost:8000/v1/embeddings'
    """
    if not model or not url:
        missing = f"{family}_url" if model else f"{family}_model"
        raise ConfigError(
            f"`{family} = {provider}` needs `{missing}`: set `{family}_url` to where `{path}` is added, "
            f"as in `http://localhost:8000/v1`, and `{family}_model` to the model's name there."
        )
    try:
        found = httpx2.URL(url)
    except httpx2.InvalidURL as error:
        raise ConfigError(f"`{family}_url` `{url}` is not an address: {error}.") from error
    if found.scheme not in ("http", "https") or not found.host:
        raise ConfigError(f"`{family}_url` `{url}` must begin with http:// or https:// and a host.")
    base = found.path.rstrip("/")
    return found.copy_with(path=base if base.endswith(path) else f"{base}{path}")


def entrusted(family: str, url: str, key: str, *, stray: bool) -> str:
    """The key for the address `FAMILY_url`; refused where a `stray` file, which nobody named, says where it would go.

    >>> entrusted("embedding", "http://127.0.0.1:8000/v1", "k", stray=True)
    'k'
    """
    if key and url and stray and not is_here(httpx2.URL(url).host):
        name = f"LEADLINE_{family.upper()}"
        raise ConfigError(
            f"`{family}_url` stands in the configuration file of this folder, {name}_KEY in the environment: the key "
            f"is not sent to an address that only such a file names. Set {name}_URL to it as well, or name the file "
            "with --config."
        )
    return key


def is_here(host: str) -> bool:
    """Whether it is this machine, to which no proxy leads."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def pause(attempt: int, retry_after: str, longest: float) -> float:
    """Seconds to wait after an attempt (from 1): what the server asks for, within bounds.

    >>> pause(1, "", 20.0), pause(3, "", 20.0), pause(1, "7", 20.0), pause(1, "inf", 20.0), pause(1, "900", 20.0)
    (0.5, 2.0, 7.0, 0.5, 20.0)
    """
    try:
        asked = float(retry_after)
    except ValueError:
        asked = 0.0
    return min(max(WAIT * 2 ** (attempt - 1), asked if math.isfinite(asked) else 0.0), longest)
