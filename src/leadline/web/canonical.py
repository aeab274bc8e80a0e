"""When two addresses are those of one page, and which hosts an address belongs to."""

import re
from collections.abc import Iterable
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

TRACKING = re.compile(
    r"utm_\w+|(?:g|fb|y|dc|ms|tw|gb|wb)clid|msclkid|mc_[ce]id|igshid|_ga|_gl|_hs(?:enc|mi)|ref_src|ref_url|spm|srsltid|vero_\w+"
)
"""Parameters that say how somebody came to a page, not which page it is."""

_INDEX = re.compile(r"/(?:index|default)\.html?$")


def canonical(url: str) -> str:
    """What all addresses of one page have in common: to compare, not to fetch.

    >>> canonical("HTTPS://www.Harbour.example:443/a/../lamp/index.html?utm_source=x&b=2&a=1#top")
    'harbour.example/lamp?a=1&b=2'
    >>> canonical("http://harbour.example/lamp/?b=2&a=1&gclid=7"), canonical("no address")
    ('harbour.example/lamp?a=1&b=2', 'no address')
    """
    try:
        split = urlsplit(url.strip())
        port = split.port
    except ValueError:
        return url
    if split.scheme.lower() not in ("http", "https") or not split.hostname:
        return url
    at = "" if port in (None, 80, 443) else f":{port}"
    path = _INDEX.sub("/", _resolved(split.path))
    pairs = sorted(
        pair
        for pair in parse_qsl(split.query, keep_blank_values=True, errors="surrogateescape")
        if not TRACKING.fullmatch(pair[0].lower())
    )
    query = f"?{urlencode(pairs, errors='surrogateescape')}" if pairs else ""
    # A page that a script makes of what stands behind `#!` has no other address.
    fragment = f"#{split.fragment}" if split.fragment.startswith(("!", "/")) else ""
    return f"{host_of(url).removeprefix('www.')}{at}{path.rstrip('/')}{query}{fragment}"


def _resolved(path: str) -> str:
    """Without detours, and with the same letters encoded, whoever wrote it."""
    kept: list[str] = []
    for part in path.split("/"):
        # Browsers take `%2e%2e` for a step up, and `%2F` for a letter.
        plain = unquote(part, errors="surrogateescape")
        if plain == "..":
            kept = kept[:-1]
        elif plain not in ("", "."):
            kept.append(quote(plain, safe="", errors="surrogateescape"))
    return "/" + "/".join(kept)


def host_of(url: str) -> str:
    """The host of an address as name servers know it; "" for none.

    >>> host_of("https://Münster.example/x"), host_of("mailto:a@b.example")
    ('xn--mnster-3ya.example', '')
    """
    try:
        host = (urlsplit(url.strip()).hostname or "").rstrip(".")
    except ValueError:
        return ""
    return _ascii(host)


def _ascii(host: str) -> str:
    try:
        return host.lower() if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return host.lower()


def is_of(url: str, sites: Iterable[str]) -> bool:
    """Whether an address belongs to one of the sites: a host, or all below it.

    >>> [is_of("https://news.harbour.example/x", [site]) for site in ("harbour.example", "our.example", "www.harbour.example")]
    [True, False, False]
    """
    host = host_of(url)
    named = [_ascii(site.strip().rstrip(".")) for site in sites]
    return bool(host) and any(
        host.removeprefix("www.") == site.removeprefix("www.") or host.endswith(f".{site}")
        for site in named
        if site
    )
