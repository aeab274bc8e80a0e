"""A provider's reply is hostile input: what of it becomes a result, and what is said of a refusal.

Nothing that a provider says of a failure is passed on, only its number and our own words.
"""

import json
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from html import unescape
from typing import Any, cast
from urllib.parse import urlsplit

from leadline.errors import ProviderFailed
from leadline.web.base import WebResult

Row = Mapping[str, Any]

LARGEST = 4 << 20
"""Bytes of one reply."""

LONGEST_URL = 4_096
LONGEST_TITLE = 300
LONGEST_SNIPPET = 2_000
LONGEST_HINT = 1_000

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_MONTHS = {
    name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
_WORDED = re.compile(
    r"([A-Za-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4})|(\d{1,2})\s+([A-Za-z]{3})[a-z]*\.?\s+(\d{4})"
)


def parsed(provider: str, reply: bytes | str) -> Row:
    """The object that a reply is."""
    try:
        found = json.loads(reply)
    except (ValueError, RecursionError):
        raise ProviderFailed(provider, "sent a reply that is no JSON") from None
    if not isinstance(found, dict):
        raise other_form(provider)
    return cast(Row, found)


def other_form(provider: str) -> ProviderFailed:
    """What is said of a reply of other types than agreed."""
    return ProviderFailed(provider, "sent a reply of another form than it is known for")


def rows(provider: str, said: object) -> list[Row]:
    """The rows of a list that must be there."""
    if not isinstance(said, list):
        raise other_form(provider)
    listed = cast(list[object], said)
    found = [cast(Row, each) for each in listed if isinstance(each, dict)]
    if listed and not found:
        raise other_form(provider)
    return found


def results(
    provider: str, found: Iterable[tuple[object, object, object, object]], limit: int
) -> list[WebResult]:
    """Results of (url, title, snippet, day); `ProviderFailed` where there are rows and none of them can be used."""
    made: list[WebResult] = []
    seen = 0
    for url, title, snippet, published in found:
        seen += 1
        address = _address(url)
        if address and len(made) < limit:
            made.append(
                WebResult(
                    address,
                    plain(title, LONGEST_TITLE),
                    plain(snippet, LONGEST_SNIPPET),
                    day(published),
                    provider,
                )
            )
    if seen and not made:
        raise other_form(provider)
    return made


def plain(text: object, longest: int) -> str:
    """Text in one line, without markup and what cannot be printed; "" for what is no text.

    >>> plain("a <strong>lamp</strong> &amp; x < 3\\x00", 50), plain(7, 50)
    ('a lamp & x < 3', '')
    """
    if not isinstance(text, str):
        return ""
    said = unescape(_TAG.sub("", text[: longest * 4]))
    kept = "".join(each if unicodedata.category(each)[0] != "C" or each == "\u200d" else " " for each in said)
    return " ".join(kept.split())[:longest].rstrip()


def day(said: object) -> str:
    """The ISO day that a date names, however it is written; "" for none.

    >>> day("2024-05-15T10:00:00Z"), day("Wed, 15 May 2024 10:00:00 GMT"), day("May 15, 2024"), day("3 days ago")
    ('2024-05-15', '2024-05-15', '2024-05-15', '')
    """
    if not isinstance(said, str):
        return ""
    text = said.strip()[:60]
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        return _worded(text)


def _worded(text: str) -> str:
    found = _WORDED.search(text)
    if found is None:
        return ""
    month = _MONTHS.get((found[1] or found[5]).lower(), 0)
    try:
        return date(int(found[3] or found[6]), month, int(found[2] or found[4])).isoformat()
    except ValueError:
        return ""


def _address(url: object) -> str:
    """An address of the web; "" for anything else. Where it leads is checked when it is read."""
    if not isinstance(url, str) or not 0 < len(url.strip()) <= LONGEST_URL or not url.strip().isprintable():
        return ""
    try:
        split = urlsplit(url.strip())
        good = split.scheme.lower() in ("http", "https") and bool(split.hostname) and not split.username
    except ValueError:
        return ""
    return url.strip().replace(" ", "%20") if good else ""


def refusal(
    provider: str, status: int, retry_after: str, remedy: str, now: datetime | None = None
) -> ProviderFailed:
    """What a reply that is no success means. `remedy` says what to do about a key or an address that is refused."""
    wait = seconds(retry_after, now or datetime.now(UTC))
    if status in (401, 403):
        return ProviderFailed(provider, f"refuses the search ({status}). {remedy}", again=False, lasting=True)
    if status in (402, 432, 433):
        return ProviderFailed(
            provider, f"says that its plan is used up ({status})", again=False, lasting=True
        )
    if status == 429:
        return ProviderFailed(provider, "takes no more searches for now (429)", wait=wait)
    if 300 <= status < 400 or status in (404, 405, 410):
        return ProviderFailed(
            provider, f"is not at that address ({status}). {remedy}", again=False, lasting=True
        )
    if 400 <= status < 500 and status not in (408, 409, 425):
        return ProviderFailed(provider, f"does not take this search ({status})", again=False)
    return ProviderFailed(provider, f"has a fault of its own ({status})", wait=wait)


def seconds(retry_after: str, now: datetime) -> float:
    """What a Retry-After asks for, in seconds or as a date; 0 where it cannot be read.

    >>> now = datetime(2024, 5, 15, 10, 0, tzinfo=UTC)
    >>> seconds("7", now), seconds("Wed, 15 May 2024 10:00:30 GMT", now), seconds("inf", now), seconds("-3", now)
    (7.0, 30.0, 0.0, 0.0)
    """
    said = retry_after.strip()[:60]
    try:
        asked = float(said)
    except ValueError:
        try:
            until = parsedate_to_datetime(said)
            asked = (until if until.tzinfo else until.replace(tzinfo=UTC)).timestamp() - now.timestamp()
        except (ValueError, OverflowError):
            return 0.0
    return max(asked, 0.0) if math.isfinite(asked) else 0.0
