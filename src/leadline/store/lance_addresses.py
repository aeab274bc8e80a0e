"""Where the rows of a large table lie: chunk id -> row number, kept in memory over many commits.

ids -> row numbers as they were once read -> rows taken by number -> those that hold another chunk, or none by now,
       are looked up by their ids instead -> enough looked up? read all numbers anew, beside the searches

Looking eighty chunks up by their ids takes three times as long as taking them by number. Numbers change when files are
merged, so they are only a guess, which whoever uses it checks: a row holds the id of its chunk.
"""
# pyarrow is not typed
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from leadline.store.lance_table import LanceTable

logger = logging.getLogger(__name__)

Numbers = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]

WORTH = 4000
"""Of so many rows one chunk looked up by its id makes it worth reading the numbers of all, half a second for a million."""

_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Addresses:
    """The row numbers of one table's chunks as they were when they were last read; at first there are none."""

    def __init__(self, table: str) -> None:
        self.table = table
        self._keys = np.zeros(0, np.uint64)
        self._rows = np.zeros(0, np.uint64)
        self._looked_up = 0
        self._reading: asyncio.Task[None] | None = None

    @property
    def size(self) -> int:
        """Bytes."""
        return self._keys.nbytes + self._rows.nbytes

    def rows_of(self, ids: Sequence[str]) -> list[int]:
        """The rows that may hold these chunks, in any order; there may be fewer or others."""
        if not len(self._keys):
            return []
        wanted = keys_of_texts(ids)
        places = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        return self._rows[places[self._keys[places] == wanted]].tolist()

    def looked_up(self, ids: int, table: LanceTable, rows: int) -> None:
        """Count chunks that had to be looked up by their ids in a table of `rows`; begin to read when it pays."""
        self._looked_up += ids
        if WORTH * self._looked_up >= rows and (self._reading is None or self._reading.done()):
            self._looked_up = 0
            self._reading = asyncio.create_task(self._read(table))

    def close(self) -> None:
        """Stop reading."""
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    async def _read(self, table: LanceTable) -> None:
        keys, rows = [np.zeros(0, np.uint64)], [np.zeros(0, np.uint64)]
        try:
            async for part in table.batches(["id"], numbered=True):
                keys.append(await asyncio.to_thread(keys_of, part.column("id").combine_chunks()))
                rows.append(part.column("_rowid").to_numpy())
        except (ValueError, OSError, RuntimeError) as error:
            # The version was deleted by whoever merged its files; the next searches count anew.
            logger.debug("The row numbers of a table could not be read: %s", error)
            return
        self._keys, self._rows = await asyncio.to_thread(_sorted, np.concatenate(keys), np.concatenate(rows))


def keys_of_texts(texts: Sequence[str]) -> Numbers:
    """A number for each text."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    return _keys(np.frombuffer(b"".join(encoded), np.uint8), np.cumsum([0, *map(len, encoded)]))


def keys_of(texts: Any) -> Numbers:
    """A number for each text of an Arrow array of strings, the same as `keys_of_texts` gives it."""
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1].astype(np.int64)
    return _keys(np.frombuffer(data, np.uint8)[ends[0] : ends[-1]], ends - ends[0])


def _keys(data: Bytes, ends: Places) -> Numbers:
    """Each text's bytes times the powers of a factor, summed; `ends` begins with 0."""
    lengths = np.diff(ends)
    powers = np.full(lengths.max(initial=0) + 1, _FACTOR).cumprod(dtype=np.uint64)
    within = np.arange(len(data)) - np.repeat(ends[:-1], lengths)
    summed = np.concatenate([np.zeros(1, np.uint64), np.cumsum((data + np.uint64(1)) * powers[within])])
    return summed[ends[1:]] - summed[ends[:-1]]


def _sorted(keys: Numbers, rows: Numbers) -> tuple[Numbers, Numbers]:
    order = np.argsort(keys)
    return keys[order], rows[order]
