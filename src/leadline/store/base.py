"""What a store is to the rest of Leadline.

The unit of change is a document: `replace` makes a batch of documents and all their chunks visible at
once or not at all. Readers never see half a batch, in this process or another, nor after a kill.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from leadline.embeddings.base import Vectors
from leadline.store.filters import Filter
from leadline.store.phrases import PhraseIndex
from leadline.types import Chunk, Collection, Document, MetaValue, Section


@dataclass(frozen=True, slots=True)
class Entry:
    """One document ready to be stored. `vectors` has one row per chunk, or is None without embedding.

    `fingerprint` is whatever decides that a file is unchanged (its content hash, the metadata given with
    it, how it was split and embedded). Section ids and chunk ids are unique within the collection.
    """

    document: Document
    sections: tuple[Section, ...]
    chunks: tuple[Chunk, ...]
    vectors: Vectors | None
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Scored:
    """A chunk and the score its store gave it; higher is better, whatever the engine's own sign."""

    chunk: Chunk
    score: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """Term statistics of one collection, for scoring outside the store.

    `frequency` is the number of visible chunks that hold each asked term (0 when none), `chunks` their
    number in all, `length` the mean number of terms in a chunk.
    """

    frequency: Mapping[str, int] = field(default_factory=dict[str, int])
    chunks: int = 0
    length: float = 0.0


FieldKind = Literal["text", "number", "truth", "texts", "date"]
"""What values a field has; `date` is text that is an ISO date, `texts` a list."""


@dataclass(frozen=True, slots=True)
class FieldSummary:
    """What is known of one field of a collection's documents, those of its values that are of one kind.

    `documents` have it, with `distinct` different values between `minimum` and `maximum`; `values` are the
    commonest with their numbers of documents, all of them when there are not many. A long text counts by
    its beginning.
    """

    name: str
    kind: FieldKind
    documents: int
    distinct: int
    minimum: str | int | float | bool
    maximum: str | int | float | bool
    values: tuple[tuple[str | int | float | bool, int], ...] = ()


class Reading(Protocol):
    """Collections of documents and chunks, searched by vector and by keyword.

    Raises `UnknownCollection` for a name that is not there, `EmbeddingMismatch` for vectors of another dimension.
    """

    async def collections(self) -> list[Collection]: ...

    async def collection(self, name: str) -> Collection: ...

    async def fingerprints(self, name: str) -> dict[str, tuple[str, str]]:
        """Every visible document: id -> (source, fingerprint)."""
        ...

    async def dense(
        self, name: str, vector: Vectors, k: int, where: Filter | None = None, *, ef: int | None = None
    ) -> list[Scored]:
        """The `k` nearest chunks by cosine similarity to `vector`, shape (dimension,).

        `ef` stands for the collection's own breadth of search, where there is an HNSW index.
        """
        ...

    async def keyword(
        self, name: str, terms: Sequence[str], k: int, where: Filter | None = None
    ) -> list[Scored]:
        """The `k` best chunks by BM25 over their analysed terms."""
        ...

    async def statistics(self, name: str, terms: Sequence[str]) -> Statistics: ...

    async def terms_with(self, name: str, character: str) -> list[str]:
        """The commonest indexed terms that hold a character, at most a hundred."""
        ...

    async def phrases(self, name: str) -> PhraseIndex:
        """Which chunks hold which phrases, as one state; cheap to ask for again."""
        ...

    async def fields(self, name: str) -> list[FieldSummary]:
        """The fields of the collection's documents, by name; cheap to ask for again."""
        ...

    async def chunks(self, name: str, ids: Sequence[str], where: Filter | None = None) -> list[Chunk]:
        """Chunks by id, in the order asked; unknown ids and those that `where` shuts out are left out."""
        ...

    async def section_chunks(self, name: str, section_id: str) -> list[Chunk]:
        """All chunks of one section, in document order."""
        ...

    async def sections(self, name: str, ids: Sequence[str]) -> list[Section]: ...

    async def document(self, name: str, document_id: str) -> Document | None:
        """A whole document with its text, or None."""
        ...

    def scan(self, name: str, after: str = "") -> AsyncGenerator[Entry]:
        """Every document whose id comes after `after`, whole, in order of id; vectors are of length 1."""
        ...

    async def notices(self) -> tuple[str, ...]:
        """What of searching works less well here than elsewhere, and what to do about it."""
        ...


class Store(Reading, Protocol):
    """What is read, and how it is changed.

    Raises `StoreLocked` and `StoreUnwritable` from writing methods.
    """

    async def create(self, collection: Collection) -> None:
        """Make a collection; one that exists with the same embedding and dimension is left as it is."""
        ...

    async def describe(self, name: str, description: str) -> None: ...

    async def configure(self, name: str, metadata: Mapping[str, MetaValue | None]) -> None:
        """Change these keys of a collection's metadata; None takes one away."""
        ...

    async def drop(self, name: str) -> None: ...

    async def replace(self, name: str, entries: Sequence[Entry]) -> None:
        """Make these the only visible versions of their documents, all in one commit."""
        ...

    async def remove(self, name: str, document_ids: Sequence[str], *, purge: bool = False) -> int:
        """Remove documents and all that came from them; return how many there were.

        With `purge`, nothing of their text stays on disk.
        """
        ...

    async def optimise(self, name: str) -> None:
        """Bring indexes up to date and compact; searching works without it, slower."""
        ...

    async def close(self) -> None: ...


class Swap(Protocol):
    """Another encoder for a collection, under way: `left` of `total` chunks are still to be embedded."""

    total: int

    @property
    def left(self) -> int: ...

    async def next(self, count: int) -> list[Chunk]:
        """The next chunks to embed, at most `count`; none when all are done."""
        ...

    async def add(self, vectors: Vectors | None) -> None:
        """Write the chunks that `next` gave last, with their vectors in the same order."""
        ...

    async def finish(self) -> None:
        """Make the new vectors the collection's, in one commit; until then searches see the old ones."""
        ...


@runtime_checkable
class Reaching(Protocol):
    """A store whose rows are somewhere else."""

    async def reach(self) -> str:
        """What the server says it is; `StoreUnreachable` when it does not answer."""
        ...


@runtime_checkable
class Swapping(Protocol):
    """A store that can give a collection another encoder in place."""

    async def swap(self, name: str, embedding: str, dimension: int) -> Swap:
        """Begin, or go on with what a killed or stopped process began."""
        ...
