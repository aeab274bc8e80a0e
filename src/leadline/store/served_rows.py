"""What a server that keeps rows is to a store: tables with made-up names, searched by vector and by keyword.

An adapter is one small file that implements `Rows`. It may return too much (rows that are no longer visible, rows
that a filter it cannot express should have shut out): `ServedStore` compares again. It must not return too little.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from leadline.embeddings.base import Vectors
from leadline.store.base import Entry
from leadline.store.fields import Field, column_values, fields_of
from leadline.store.filters import Filter
from leadline.store.rows import body_of, unit
from leadline.types import Chunk, IndexOptions, MetaValue

Column = Literal["id", "document", "section"]


@dataclass(frozen=True, slots=True)
class Address:
    """Where rows are kept: `uri` is a server or a file, "" for a file in the data folder."""

    uri: str = ""
    token: str = field(default="", repr=False)

    @property
    def place(self) -> str:
        """The address without user, password and what follows `?`, where keys are written, too."""
        head, mark, rest = self.uri.partition("://")
        if not mark:
            return head
        if "@" in rest.partition("?")[2]:
            return f"{head}{mark}..."  # which part of it is secret is anybody's guess
        return head + mark + re.split("[?#]", rest.rpartition("@")[2])[0]


@dataclass(frozen=True, slots=True)
class Row:
    """A chunk on its way to a server. `values` are those of the collection's fields, by column.

    `length` is the mean number of terms of the collection's chunks, for engines that weigh terms when they are written.
    """

    id: str
    document: str
    section: str
    generation: int
    body: str
    terms: str
    values: Mapping[str, MetaValue]
    vector: Vectors | None
    length: float

    @property
    def key(self) -> str:
        """A name for this chunk in this generation: 32 hexadecimal digits."""
        return hashlib.blake2b(f"{self.generation}/{self.id}".encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Kept:
    """A row as it comes back; `score` is higher for better ones, 0 where nothing was searched for."""

    document: str
    generation: int
    body: str
    score: float = 0.0
    vector: Vectors | None = None


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a search is narrowed to: a filter, and the columns that its fields are in."""

    where: Filter | None = None
    fields: Sequence[Field] = ()


EVERYTHING = Narrowing()


@dataclass(frozen=True, slots=True)
class Words:
    """A keyword search: each term's weight, and its number of chunks; `length` is that of the mean chunk."""

    idf: Mapping[str, float]
    frequency: Mapping[str, int]
    length: float


class Rows(Protocol):
    """Tables of rows. Raises `StoreUnreachable`, or `StoreError` when a table is missing or a row does not fit."""

    most: int
    """More results than this no search gives."""

    async def reach(self) -> str:
        """What the server says it is."""
        ...

    async def notices(self) -> tuple[str, ...]:
        """What of searching this server does less well than another one, and what to do about it."""
        ...

    async def create(self, table: str, dimension: int, index: IndexOptions) -> None: ...

    async def drop(self, table: str) -> None:
        """Drop a table; one that is not there is no failure."""
        ...

    async def add_fields(self, table: str, fields: Sequence[Field]) -> None:
        """Rows with these columns are about to come."""
        ...

    async def add(self, table: str, rows: Sequence[Row]) -> None: ...

    async def delete(self, table: str, documents: Sequence[str], generation: int) -> None:
        """Delete what these documents have of a generation."""
        ...

    async def dense(
        self, table: str, vector: Vectors, k: int, narrowing: Narrowing, ef: int
    ) -> list[Kept]: ...

    async def keyword(self, table: str, words: Words, k: int, narrowing: Narrowing) -> list[Kept]: ...

    async def among(
        self, table: str, column: Column, keys: Sequence[str], *, vectors: bool = False
    ) -> list[Kept]:
        """Every row whose column is one of `keys`, in any order."""
        ...

    async def tidy(self, table: str) -> None:
        """Merge what many small writes left, where the engine does not do so by itself."""
        ...

    async def close(self) -> None: ...


def rows_of(entries: Iterable[Entry], fields: Sequence[Field], generation: int, length: float) -> list[Row]:
    """Every chunk of the entries as a row, its vector of length 1."""
    rows: list[Row] = []
    for entry in entries:
        vectors = None if entry.vectors is None or not len(entry.chunks) else unit(entry.vectors)
        for place, (chunk, values) in enumerate(_with_values(entry.chunks, fields)):
            vector = None if vectors is None else vectors[place]
            rows.append(row_of(chunk, values, generation, vector, length))
    return rows


def row_of(
    chunk: Chunk, values: Mapping[str, MetaValue], generation: int, vector: Vectors | None, length: float
) -> Row:
    ids = (chunk.id, chunk.document_id, chunk.section_id)
    return Row(*ids, generation, body_of(chunk), chunk.terms, values, vector, length)


def copies_of(
    kept: Sequence[Kept], chunks: Sequence[Chunk], fields: Sequence[Field], length: float
) -> list[Row]:
    """Rows for another table from rows that were read with their vectors."""
    pairs = zip(kept, _with_values(chunks, fields), strict=True)
    return [row_of(chunk, values, one.generation, one.vector, length) for one, (chunk, values) in pairs]


def _with_values(
    chunks: Sequence[Chunk], fields: Sequence[Field]
) -> Iterator[tuple[Chunk, dict[str, MetaValue]]]:
    metadata = [fields_of(chunk) for chunk in chunks]
    columns = [(field.column, column_values(field, metadata)) for field in fields]
    for place, chunk in enumerate(chunks):
        yield chunk, {name: column[place] for name, column in columns if column[place] is not None}
