"""A page of the web: its main part, without the menus, banners and footers around it, and what it says of itself.

tree -> our blocks (headings, paragraphs, lists, tables) -> those whose words an extractor of main parts has found too -> text

The extractor says what is main, our own reading how it is built: so tables, lists and headings are as in any HTML file. Where
it finds too little, the page is read whole.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import trafilatura

from leadline.analysis.values import dates
from leadline.documents.archives import Element, attribute, descendants
from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.decoding import declared_encoding, decode
from leadline.documents.formats.html import Walker, head_of, main_of, parse
from leadline.documents.kinds import BASE, LINKS, ROBOTS
from leadline.documents.sources import Source

MOST_LINKS = 5_000
_LONGEST_LINK = 2_000
_LEAST = 0.1
"""Where the main part is said to be less than this of the page, little is sure, and all of it is read."""

_MOST_MARKUP = 3_000_000
"""Characters; looking for the main part of a larger page takes longer than it is worth."""

_SHORT = 40
_NO_WORD = re.compile(r"[\W_]+")
_SENTENCE = re.compile(r"(?<=[.!?؟])\s+|(?<=[。！？])|\n")


def read(source: Source) -> Extracted:
    """One page."""
    text = decode(source.data, declared_encoding(source.data))
    composer = Composer(source.kind)
    root = parse(text)
    if root is None:
        return composer.build()
    head_of(root, composer)
    _about(root, composer)
    blocks = _Blocks()
    Walker(blocks).walk(main_of(root))
    main, day = _main_lines(text, composer)
    for block in _kept(blocks.said, main):
        block.write(composer)
    composer.notes += blocks.notes
    found = composer.build()
    if day and (_states(root, day) or day in dates(found.text)):
        found = replace(found, metadata={"published": day, **found.metadata})
    return found


Kind = Literal["heading", "text", "whole"]


@dataclass(frozen=True, slots=True)
class _Block:
    """One piece of a page: its lines, and how it is written."""

    kind: Kind
    lines: tuple[str, ...]
    write: Callable[[Composer], None]


class _Blocks(Composer):
    """Collects what a walk would write."""

    def __init__(self) -> None:
        super().__init__("")
        self.said: list[_Block] = []

    def heading(self, level: int, text: str) -> None:
        self._say("heading", [text], lambda composer: composer.heading(level, text))

    def paragraph(self, text: str) -> None:
        self._say("text", _SENTENCE.split(text), lambda composer: composer.paragraph(text))

    def item(self, text: str, depth: int = 0) -> None:
        self._say("text", _SENTENCE.split(text), lambda composer: composer.item(text, depth))

    def code(self, text: str) -> None:
        self._say("whole", text.splitlines(), lambda composer: composer.code(text))

    def figure(self, *texts: str, caption: str = "") -> None:
        self._say("whole", [*texts, caption], lambda composer: composer.figure(*texts, caption=caption))

    def table(self, rows: Iterable[Sequence[str]]) -> None:
        held = [tuple(row) for row in rows]
        self._say("whole", [" ".join(row) for row in held], lambda composer: composer.table(held))

    def _say(self, kind: Kind, lines: Iterable[str], write: Callable[[Composer], None]) -> None:
        self.said.append(_Block(kind, tuple(filter(None, map(_squeezed, lines))), write))


def _kept(blocks: Sequence[_Block], main: Sequence[str]) -> list[_Block]:
    """The blocks of the main part, in order; all where that leaves too little."""
    lines, joined = frozenset(main), "\n".join(main)
    found = [_is_main(block, lines, joined) for block in blocks]
    sizes = [sum(map(len, block.lines)) for block in blocks]
    main_size = sum(size for size, is_main in zip(sizes, found, strict=True) if is_main)
    if True not in found or main_size < _LEAST * sum(sizes):
        return list(blocks)
    first, last = found.index(True), len(found) - 1 - found[::-1].index(True)
    for place, block in enumerate(blocks):
        # What is no running text may not be found by its words; the heading of a part belongs to it.
        if block.kind == "whole" and first < place < last:
            found[place] = True
    for place in reversed(range(len(blocks) - 1)):
        if blocks[place].kind == "heading" and found[place + 1]:
            found[place] = True
    return [block for block, is_main in zip(blocks, found, strict=True) if is_main]


def _is_main(block: _Block, lines: frozenset[str], joined: str) -> bool:
    size = sum(map(len, block.lines))
    there = sum(
        len(line) for line in block.lines if line in lines or (len(line) >= _SHORT and line in joined)
    )
    return size > 0 and there * 2 >= size


def _main_lines(text: str, composer: Composer) -> tuple[list[str], str]:
    """What the extractor takes for the main part, line by line and sentence by sentence, and for the day of the page;
    what else it has read of the page's head is noted."""
    if len(text) > _MOST_MARKUP:
        return [], ""
    try:
        found = trafilatura.bare_extraction(
            text,
            include_comments=False,
            include_formatting=False,
            favor_recall=True,
            with_metadata=True,
            date_extraction_params={"extensive_search": False, "original_date": True},
        )
    except Exception:  # noqa: BLE001 - whatever it makes of a broken page, our own reading of it is there
        return [], ""
    if found is None or isinstance(found, dict):
        return [], ""
    told = {"author": found.author, "site_name": found.sitename}
    for name, value in told.items():
        if value:
            composer.metadata.setdefault(name, value)
    composer.title = found.title or composer.title
    said = (part for line in (found.text or "").splitlines() for part in (line, *_SENTENCE.split(line)))
    return list(dict.fromkeys(filter(None, map(_squeezed, said)))), found.date or ""


def _states(root: Element, day: str) -> bool:
    """Whether the page states a day as its own, which one in a footer is not."""
    told = (attribute(element, "content") for element in descendants(root, "meta"))
    timed = (attribute(element, "datetime") for element in descendants(main_of(root), "time"))
    scripts = (script for script in descendants(root, "script") if "ld+json" in attribute(script, "type"))
    return any(day in each for each in (*told, *timed, *(script.text or "" for script in scripts)))


def _squeezed(text: str) -> str:
    """Letters and digits alone, so that marks and blanks that either reader adds make no difference."""
    return _NO_WORD.sub("", text).casefold()


def _about(root: Element, composer: Composer) -> None:
    """Where the page leads, and what it allows."""
    for base in descendants(root, "base"):
        composer.metadata[BASE] = attribute(base, "href").strip()[:_LONGEST_LINK]
        break
    robots = [
        attribute(meta, "content").lower()
        for meta in descendants(root, "meta")
        if attribute(meta, "name").lower() in ("robots", "leadline")
    ]
    composer.metadata[ROBOTS] = ", ".join(robots)[:_LONGEST_LINK]
    links = (attribute(link, "href").strip() for link in descendants(root, "a") if not _is_closed(link))
    whole = (link for link in links if link and len(link) <= _LONGEST_LINK and not link.startswith("#"))
    composer.metadata[LINKS] = tuple(dict.fromkeys(whole))[:MOST_LINKS]


def _is_closed(link: Element) -> bool:
    return not {"nofollow", "ugc", "sponsored"}.isdisjoint(attribute(link, "rel").lower().split())
