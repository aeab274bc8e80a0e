"""Which of what searches found is read: each address once, of the sites and days that are asked for.

listings -> their results in turn -> addresses not seen yet -> pages; what a search engine shows of those that cannot be read
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import zip_longest

from leadline.analysis.language import language
from leadline.documents.identity import content_hash, document_id
from leadline.documents.normalising import normalise, one_line
from leadline.types import Document, MetaValue
from leadline.web.base import FETCHED, PUBLISHED, SITE, SNIPPET, URL, Page, WebResult
from leadline.web.canonical import canonical, host_of, is_of

LONGEST_TITLE = 300

LONGEST_TEXT = 1_000_000
"""Characters of one page that a run searches, some thousand passages. More of it takes the time of all the others."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Hosts that are read (all, where none is named), hosts that never are, and days (ISO, "" for any) between which
    a page must be published where it names a day."""

    sites: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    since: str = ""
    until: str = ""

    def admit(self, url: str, published: str) -> bool:
        """Whether a page there, of that day, is asked for."""
        if is_of(url, self.without) or (self.sites and not is_of(url, self.sites)):
            return False
        day = published[:10]
        return not day or ((not self.since or day >= self.since) and (not self.until or day <= self.until))


def wanted(listings: Sequence[Sequence[WebResult]], seen: set[str], bounds: Bounds) -> list[WebResult]:
    """The results to read, those that came first in any listing first. Their addresses are added to `seen`."""
    chosen: list[WebResult] = []
    for row in zip_longest(*listings):
        for result in row:
            if result is None or not bounds.admit(result.url, result.published):
                continue
            address = canonical(result.url)
            if address not in seen:
                seen.add(address)
                chosen.append(result)
    return chosen


def dated(page: Page, result: WebResult) -> Page:
    """The page; where it names no day of its own, with the one that the search engine names for it, else with that on which
    its file was made, as a PDF tells."""
    document = page.document
    day = result.published or str(document.metadata.get("created", ""))[:10]
    if document.metadata.get(PUBLISHED) or not day:
        return page
    metadata = {**document.metadata, PUBLISHED: day}
    return replace(page, document=replace(document, metadata=metadata))


def beginning(document: Document) -> Document:
    """The document, or as much of its beginning as a run searches."""
    if len(document.text) <= LONGEST_TEXT:
        return document
    head = document.text[:LONGEST_TEXT]
    line, word = head.rfind("\n"), head.rfind(" ")
    end = next((at for at in (line, word) if at > LONGEST_TEXT // 2), LONGEST_TEXT)
    return replace(
        document,
        text=document.text[:end],
        pages=tuple(replace(each, end=min(each.end, end)) for each in document.pages if each.start < end),
        headings=tuple(each for each in document.headings if each.end <= end),
        blocks=tuple(replace(each, end=min(each.end, end)) for each in document.blocks if each.start < end),
    )


def snippet_document(result: WebResult, now: datetime) -> Document | None:
    """What a search engine shows of a page, as a document that says that it is no more; None where it shows nothing."""
    text, title = normalise(result.snippet).strip(), one_line(result.title)[:LONGEST_TITLE]
    if not text:
        return None
    metadata: dict[str, MetaValue] = {
        "source": result.url,
        "title": title,
        "type": "snippet",
        "language": language(text),
        URL: result.url,
        SITE: host_of(result.url),
        PUBLISHED: result.published,
        FETCHED: now.isoformat(timespec="seconds"),
        SNIPPET: True,
    }
    return Document(
        id=document_id(result.url),
        source=result.url,
        text=text,
        title=title or result.url,
        content_hash=content_hash(text.encode("utf-8", "surrogatepass")),
        metadata={key: value for key, value in metadata.items() if value != ""},
    )
