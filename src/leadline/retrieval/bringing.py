"""What a reader must know of a round on the web: that nothing came, or not all that was asked for, is never silent.

searches, pages, what was kept of them -> sentences
"""

import re
from collections import Counter
from collections.abc import Sequence

from leadline.errors import DocumentError
from leadline.types import Document
from leadline.web.base import PUBLISHED, SNIPPET
from leadline.web.wanted import LONGEST_TEXT, Bounds

LONGEST_REASON = 160

_NAMED = re.compile(r"`[^`]*` (?=\S)")


def unread(pages: Sequence[object], kept: Sequence[Document]) -> list[str]:
    """How many pages could not be read, and why most of them could not."""
    errors = [page for page in pages if isinstance(page, DocumentError)]
    if not errors:
        return []
    (why, remedy), count = Counter((_why(each.reason), each.remedy) for each in errors).most_common(1)[0]
    told = f"{len(errors)} of {len(pages)} pages could not be read"
    if len(errors) == 1:
        told = f"{told}: {why}."
    elif count == len(errors):
        told = f"{told}, each because {why}."
    else:
        told = f"{told}, {count} of them because {why}."
    snippets = sum(SNIPPET in each.metadata for each in kept)
    shown = f"For {snippets}, what the search engine shows of it stands in." if snippets else ""
    return [" ".join(part for part in (told, remedy, shown) if part)]


def _why(reason: str) -> str:
    """A reason without the address that it is about, so that those of several pages can be counted.

    >>> _why("`https://a.example/b` answered 404"), _why("port 22 of `a.example` is closed.")
    ('it answered 404', 'port 22 of it is closed')
    """
    return _NAMED.sub("it ", reason, count=1).strip().rstrip(".")[:LONGEST_REASON]


def outside(count: int, pages: Sequence[object], bounds: Bounds) -> list[str]:
    """How many pages were left out when they were read, for where they led to or the day that they name."""
    if not count:
        return []
    told = f"{count} of {len(pages)} pages {'is' if count == 1 else 'are'} not of the sites or days asked for"
    return [f"{told}{_asked_for(bounds)}, as the page itself says; left out."]


def undated(kept: Sequence[Document], bounds: Bounds) -> list[str]:
    """How many pages may be of other days than those asked for, since they name none."""
    count = sum(not each.metadata.get(PUBLISHED) for each in kept) if bounds.since or bounds.until else 0
    if not count:
        return []
    they = "1 page names" if count == 1 else f"{count} pages name"
    return [
        f"{they} no day of publication and may not be of the days asked for{_asked_for(bounds)}; kept all the same."
    ]


def _asked_for(bounds: Bounds) -> str:
    days = (("since", bounds.since), ("until", bounds.until))
    said = " ".join(f"{name} {day}" for name, day in days if day)
    return f" ({said})" if said else ""


def shortened(sources: Sequence[str]) -> list[str]:
    """Which pages are searched in part only."""
    if not sources:
        return []
    named = ", ".join(f"`{source:.120}`" for source in sources[:3])
    more = f" and {len(sources) - 3} more" if len(sources) > 3 else ""
    return [f"Only the first {LONGEST_TEXT:,} characters are searched of {named}{more}."]


def unfinished(cut: int, stopped: bool) -> list[str]:
    """That searches or pages were left off, and whether a person or the deadline ended them."""
    if not cut:
        return []
    if stopped:
        return ["It was stopped before all searches and pages of the web had come."]
    return ["There was no time left for all searches and pages of the web."]


def unshelved(left: int, total: int) -> str:
    """That pages which were read are not searched, for want of time."""
    some = "" if left == total else f" {left} of {total} of"
    return f"There was no time left to make{some} the pages that were read searchable."
