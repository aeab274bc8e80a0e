"""Where a page leads: the addresses that it names, as whole ones, and whether it lets itself be kept.

what its reader noted -> counted from its address -> http and https only -> without fragments -> each once
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from leadline.documents.base import Extracted
from leadline.documents.kinds import BASE, LINKS, ROBOTS
from leadline.errors import DocumentError
from leadline.web.fetching import checked, joined

MOST_LINKS = 1_000
"""Of one page that are followed."""


def apart(found: Extracted) -> tuple[Extracted, tuple[str, ...], str, str]:
    """A page without what was noted for us, and that: links as they stand, the address they count from, and its rules."""
    kept = {name: value for name, value in found.metadata.items() if name not in (LINKS, BASE, ROBOTS)}
    links = found.metadata.get(LINKS, ())
    base, robots = (str(found.metadata.get(name, "")) for name in (BASE, ROBOTS))
    return replace(found, metadata=kept), links if isinstance(links, tuple) else (), base, robots


def followed(links: Iterable[str], url: str, base: str = "", robots: str = "") -> tuple[str, ...]:
    """The addresses that the page at `url` leads to; none where its rules say not to follow them.

    >>> followed(["b?c#d", "/e", "mailto:a@site.example", "b?c"], "https://site.example/a/", "", "index")
    ('https://site.example/a/b?c', 'https://site.example/e')
    >>> followed(["b"], "https://site.example/", "", "noindex, nofollow")
    ()
    """
    if not {"nofollow", "none"}.isdisjoint(_rules(robots)):
        return ()
    start = next(_whole([base], url), url)
    return tuple(islice(_whole(links, start), MOST_LINKS))


def indexable(robots: str) -> bool:
    """Whether a page may be kept for being found.

    >>> indexable("index, follow"), indexable("NOINDEX"), indexable("leadline: noindex"), indexable("otherbot: noindex")
    (True, False, False, True)
    """
    return {"noindex", "none"}.isdisjoint(_rules(robots))


def _rules(robots: str) -> Iterator[str]:
    """The rules that are for everybody or for us."""
    agent = ""
    for rule in robots.lower().split(","):
        name, colon, rest = rule.partition(":")
        if colon and name.strip() not in ("unavailable_after", "max-snippet", "max-image-preview"):
            agent, rule = name.strip(), rest
        if agent in ("", "leadline"):
            yield rule.strip()


def _whole(links: Iterable[str], start: str) -> Iterator[str]:
    """Each address once, and none of what is no address."""
    at, seen = checked(start), set[str]()
    for link in filter(None, links):
        try:
            url = str(checked(joined(at, link)))
        except DocumentError:
            continue
        if url not in seen:
            seen.add(url)
            yield url
