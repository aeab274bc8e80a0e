"""The file of pages read lately: an address and the page as a document. It holds what stood on pages of the web. When it
cannot be read or written, pages are fetched as if there were none.
"""

import json
import sqlite3
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from leadline.kept_file import DamagedRow, KeptFile, Table
from leadline.types import Block, Document, Heading, MetaValue
from leadline.types import Page as Sheet
from leadline.web.base import Page

FILE = "pages.sqlite"
"""Its name in the data folder."""

LIMIT = 256 << 20
"""Bytes after which the pages read longest ago make room."""

LARGEST = 64 << 20
"""Of one page, unpacked: what is packed well is still held whole in memory where it is read."""

_TABLE = Table(
    "pages",
    1,
    (
        "CREATE TABLE pages (url TEXT NOT NULL PRIMARY KEY, page BLOB NOT NULL, read REAL NOT NULL, "
        "opened INTEGER NOT NULL) WITHOUT ROWID",
        "CREATE INDEX pages_read ON pages (read)",
    ),
)
_FIND = """
SELECT page, read, opened FROM pages
WHERE url = ? AND typeof(page) = 'blob' AND typeof(read) = 'real' AND typeof(opened) = 'integer'
"""
_KEEP = "INSERT OR REPLACE INTO pages (url, page, read, opened) VALUES (?, ?, ?, ?)"
_DROP = "DELETE FROM pages WHERE url IN (SELECT url FROM pages WHERE url != ? ORDER BY read LIMIT ?)"


@dataclass(frozen=True, slots=True)
class Kept:
    """A page, when it was read or last found unchanged (seconds since 1970), and whether only a setting let it be read."""

    page: Page
    read: float
    opened: bool = False


class PageCache(KeptFile):
    """At most about `limit` bytes at `file`, which the first page makes. Its methods block."""

    def __init__(self, file: Path, limit: int = LIMIT) -> None:
        super().__init__(file, limit, _TABLE)

    def find(self, url: str) -> Kept | None:
        """The page that was read at `url`."""
        return self.read(lambda connection: _kept(connection.execute(_FIND, (url,)).fetchone()))

    def keep(self, url: str, kept: Kept) -> None:
        """Put a page in the place of the one that was read at `url` before; those read longest ago make room. One that is
        too large is not kept."""
        told = json.dumps(asdict(kept.page)).encode("utf-8")
        held = zlib.compress(told, 1)
        if len(told) > LARGEST or len(held) * 4 > self.limit:
            return

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(_KEEP, (url, held, float(kept.read), int(kept.opened)))
            if surplus := self.surplus(connection):
                connection.execute(_DROP, (url, surplus))

        self.write(work)


def _kept(row: tuple[bytes, float, int] | None) -> Kept | None:
    if row is None:
        return None
    held, read, opened = row
    try:
        data = zlib.decompressobj().decompress(held, LARGEST)
        return Kept(_page(json.loads(data)), read, bool(opened))
    except (zlib.error, ValueError, TypeError, KeyError, AttributeError) as error:
        raise DamagedRow(type(error).__name__) from error


def _page(told: dict[str, Any]) -> Page:
    document = told.pop("document")
    document["metadata"] = {name: _value(value) for name, value in document["metadata"].items()}
    for name, make in (("pages", Sheet), ("headings", Heading), ("blocks", Block)):
        document[name] = tuple(make(**each) for each in document[name])
    told["links"] = tuple(told["links"])
    return Page(Document(**document), **told)


def _value(value: Any) -> MetaValue:
    return tuple(cast(list[str], value)) if isinstance(value, list) else value
