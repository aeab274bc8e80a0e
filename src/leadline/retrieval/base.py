"""What a retriever is to an agent: files and the web look the same from there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from leadline.embeddings.base import Embedder
from leadline.errors import BudgetSpent, Cancelled
from leadline.run import Run
from leadline.types import Chunk, Document, Hit, Query, Section


@dataclass(frozen=True, slots=True)
class TermWeights:
    """How much each analysed term of a question tells, and what a term frequency is worth.

    `idf` maps a term to its inverse document frequency (natural log, BM25's form, > 0); `length` is the
    mean number of terms in a chunk. A term that no chunk holds is in `unknown` and not in `idf`.
    """

    idf: Mapping[str, float] = field(default_factory=dict[str, float])
    unknown: frozenset[str] = frozenset()
    length: float = 1.0
    chunks: int = 0


@dataclass(frozen=True, slots=True)
class Link:
    """Chunk `child` is reached from chunk `parent`, which holds a phrase that `child` holds too.

    `strength` (0..1) is how rare the phrase is and how much `child` is about it. `name` is the phrase as it is
    written, where that is known already; else `phrase` is its key in `analysis.phrases`.
    """

    parent: str
    child: str
    strength: float
    name: str = ""
    phrase: int = 0


@dataclass(frozen=True, slots=True)
class Results:
    """One search's result: hits best first, and how many each recall path gave.

    `asked` are the filters that the question itself named, as text. `links` are those between the hits, and `scores` the hits' scores before links raised them and coverage
    ordered them: what further searches of the same run are ranked together with.
    """

    hits: tuple[Hit, ...]
    paths: tuple[tuple[str, int], ...] = ()
    notices: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class Context:
    """The documents and sections that chunks came from, by id. What has vanished meanwhile is left out."""

    documents: Mapping[str, Document] = field(default_factory=dict[str, Document])
    sections: Mapping[str, Section] = field(default_factory=dict[str, Section])


class Retriever(Protocol):
    """Finds chunks for a query, and the text around a chunk."""

    async def search(self, query: Query, k: int, run: Run) -> Results:
        """At most `k` hits for one query, best first."""
        ...

    async def weights(self, texts: Sequence[str], chunks: Sequence[Chunk] = ()) -> TermWeights:
        """Weights of the analysed terms of all `texts` and `chunks` together."""
        ...

    async def context(self, chunks: Sequence[Chunk]) -> Context:
        """What stands around `chunks`: their whole documents and sections."""
        ...


@runtime_checkable
class Knowing(Protocol):
    """A retriever that can be told the vector of a query, which it then does not compute."""

    @property
    def embedder(self) -> Embedder | None:
        """What makes its vectors; None where none are searched for."""
        ...

    def knowing(self, text: str, vector: Sequence[float]) -> Retriever:
        """The same retriever, with the vector of `text`."""
        ...


@runtime_checkable
class Bringing(Protocol):
    """A retriever that must be told what a round asks before any of it is searched for."""

    async def bring(self, queries: Sequence[Query], number: int, run: Run) -> tuple[str, ...]:
        """Get what all `queries` of round `number` are to be searched in; return what a reader must know of it. It raises
        nothing: what came before a failure, a limit or a cancel is there."""
        ...

    @property
    def ending(self) -> BudgetSpent | Cancelled | None:
        """What has kept it from bringing all that a round asked, after which there is no further one."""
        ...


@runtime_checkable
class Encoding(Protocol):
    """A retriever that has an encoder, or none, which statements can be compared with."""

    @property
    def embedder(self) -> Embedder | None: ...
