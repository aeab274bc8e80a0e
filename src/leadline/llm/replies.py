"""The file of kept replies: a hash of what was asked and what came back. It holds no question and no prompt, but a reply
may quote documents. When it cannot be read or written, models are called as if there were none.
"""

import sqlite3
from pathlib import Path

from leadline.kept_file import KeptFile, Table
from leadline.llm.base import Reply

FILE = "replies.sqlite"
"""Its name in the data folder."""

LIMIT = 512 << 20
"""Bytes after which the oldest replies make room."""

_TABLE = Table(
    "replies",
    1,
    (
        "CREATE TABLE replies (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, text TEXT NOT NULL, "
        "input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, whole INTEGER NOT NULL)",
    ),
    setting="llm.cache_file",
)
_FIND = """
SELECT text, input_tokens, output_tokens, whole FROM replies
WHERE key = ? AND typeof(text) = 'text' AND typeof(input_tokens) = 'integer' AND typeof(output_tokens) = 'integer'
"""
_KEEP = """
INSERT OR IGNORE INTO replies (key, text, input_tokens, output_tokens, whole) VALUES (?, ?, ?, ?, ?)
"""
_DROP = "DELETE FROM replies WHERE id IN (SELECT id FROM replies ORDER BY id LIMIT ?)"


class Replies(KeptFile):
    """At most about `limit` bytes at `file`, which the first reply makes. Its methods block."""

    def __init__(self, file: Path, limit: int = LIMIT) -> None:
        super().__init__(file, limit, _TABLE)

    def find(self, key: bytes) -> Reply | None:
        """The reply that is kept under `key`."""
        return self.read(lambda connection: _reply(connection.execute(_FIND, (key,)).fetchone()))

    def keep(self, key: bytes, reply: Reply) -> None:
        """Add one; the oldest make room for it."""
        text = reply.text.encode("utf-8", "replace").decode("utf-8")
        row = (key, text, reply.input_tokens, reply.output_tokens, reply.whole)

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(_KEEP, row)
            if surplus := self.surplus(connection):
                connection.execute(_DROP, (surplus,))

        self.write(work)


def _reply(row: tuple[str, int, int, int] | None) -> Reply | None:
    return None if row is None else Reply(row[0], row[1], row[2], whole=bool(row[3]))
