"""A part of the phrase index: the phrases of some chunks, both ways round, in a few sorted arrays."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from leadline.analysis.phrases import Keys, chunk_phrases, number
from leadline.types import Chunk

Places = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.uint32]
Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

_ARRAYS: tuple[tuple[str, type[np.generic]], ...] = (
    ("documents", np.uint64),
    ("id_keys", np.uint64),
    ("phrases", np.uint64),
    ("id_rows", np.uint32),
    ("id_ends", np.uint32),
    ("own_ends", np.uint32),
    ("own", np.uint32),
    ("ends", np.uint32),
    ("rows", np.uint32),
    ("ids", np.uint8),
    ("own_about", np.uint8),
    ("about", np.uint8),
)
_HEADER = 256

TITLED = 40
"""So many chunks of a document, from its start, are found by its title."""


@dataclass(frozen=True, slots=True, eq=False)
class PhraseSegment:
    """An immutable part of the index: n chunks (rows from 0), u phrases, m mentions.

    `own_ends` (n) cuts `own` and `own_about` (m) into the phrases of each chunk, as places in `phrases` (u,
    sorted); `ends` (u) cuts `rows` and `about` (m) into the chunks of each phrase. `ids` cut by `id_ends` (n)
    are the chunk ids; `id_keys` (n, sorted) with `id_rows` find them; `documents` (n) has their documents' numbers.
    """

    documents: Keys
    id_keys: Keys
    phrases: Keys
    id_rows: Numbers
    id_ends: Numbers
    own_ends: Numbers
    own: Numbers
    ends: Numbers
    rows: Numbers
    ids: Bytes
    own_about: Bytes
    about: Bytes

    @property
    def size(self) -> int:
        """How many chunks it holds, removed ones included."""
        return len(self.own_ends)

    def id_of(self, row: int) -> bytes:
        """A chunk's id, encoded."""
        start = int(self.id_ends[row - 1]) if row else 0
        return self.ids[start : int(self.id_ends[row])].tobytes()

    def to_bytes(self) -> bytes:
        """A header with the arrays' lengths, then the arrays; `from_bytes` reads it back."""
        arrays: list[npt.NDArray[np.generic]] = [getattr(self, name) for name, _ in _ARRAYS]
        header = json.dumps([len(array) for array in arrays]).encode().ljust(_HEADER)
        return b"".join((header, *(array.tobytes() for array in arrays)))

    @classmethod
    def from_bytes(cls, data: bytes) -> "PhraseSegment":
        lengths: list[int] = json.loads(data[:_HEADER])
        arrays: dict[str, npt.NDArray[np.generic]] = {}
        start = _HEADER
        for (name, kind), length in zip(_ARRAYS, lengths, strict=True):
            arrays[name] = np.frombuffer(data, kind, length, start)
            start += arrays[name].nbytes
        return cls(**arrays)  # pyright: ignore[reportArgumentType] - each of the kind listed above


def segment_of(chunks: Sequence[Chunk]) -> PhraseSegment:
    """A segment of new chunks."""
    held = [chunk_phrases(chunk.text, _title(chunk), chunk.heading_path) for chunk in chunks]
    return _segment(
        [_encoded(chunk.id) for chunk in chunks],
        np.fromiter((number(chunk.document_id) for chunk in chunks), np.uint64),
        np.fromiter((len(one) for one in held), np.int64),
        np.fromiter((phrase for one in held for phrase in one), np.uint64),
        np.fromiter((about for one in held for about in one.values()), np.uint8),
    )


def _title(chunk: Chunk) -> str:
    """What is linked to as a document's title; were it each chunk of a long one, the title would be a common phrase."""
    return chunk.title if chunk.ordinal < TITLED else ""


def merged(parts: Sequence[tuple[PhraseSegment, Mask]]) -> PhraseSegment:
    """One segment of several, without the rows marked (True) as removed."""
    ids: list[bytes] = []
    documents: list[Keys] = []
    counts: list[Places] = []
    phrases: list[Keys] = []
    about: list[Bytes] = []
    for segment, gone in parts:
        kept = np.flatnonzero(~gone)
        ids += [segment.id_of(int(row)) for row in kept]
        documents.append(segment.documents[kept])
        owner, places = spread(segment.own_ends, kept)
        counts.append(np.bincount(owner, minlength=len(kept)))
        phrases.append(segment.phrases[segment.own[places]])
        about.append(segment.own_about[places])
    return _segment(
        ids, np.concatenate(documents), np.concatenate(counts), np.concatenate(phrases), np.concatenate(about)
    )


def _segment(
    ids: Sequence[bytes], documents: Keys, counts: Places, phrases: Keys, about: Bytes
) -> PhraseSegment:
    """From the phrases of each chunk in turn to the chunks of each phrase."""
    unique, own = np.unique(phrases, return_inverse=True)
    order = np.argsort(own, kind="stable")
    rows = np.repeat(np.arange(len(ids)), counts)
    keys = np.fromiter((number(one.decode("utf-8", "surrogatepass")) for one in ids), np.uint64)
    by_key = np.argsort(keys, kind="stable")
    return PhraseSegment(
        documents=documents,
        id_keys=keys[by_key],
        phrases=unique,
        id_rows=by_key.astype(np.uint32),
        id_ends=np.cumsum([len(one) for one in ids], dtype=np.uint32),
        own_ends=np.cumsum(counts, dtype=np.uint32),
        own=own.astype(np.uint32),
        ends=np.cumsum(np.bincount(own, minlength=len(unique)), dtype=np.uint32),
        rows=rows[order].astype(np.uint32),
        ids=np.frombuffer(b"".join(ids), np.uint8),
        own_about=about,
        about=about[order],
    )


def spread(ends: Numbers, places: Places) -> tuple[Places, Places]:
    """Of the runs that `ends` cuts, those at `places`, laid end to end: (which of `places`, where) for each element."""
    long = lengths(ends, places)
    owner = np.repeat(np.arange(len(places)), long)
    before = np.cumsum(long) - long
    starts = ends[places].astype(np.int64) - long
    return owner, np.arange(len(owner)) + (starts - before)[owner]


def lengths(ends: Numbers, places: Places) -> Places:
    """How long the runs at `places` are."""
    starts = np.where(places > 0, ends[places - 1], 0) if len(places) else np.zeros(0, np.int64)
    return ends[places].astype(np.int64) - starts.astype(np.int64)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
