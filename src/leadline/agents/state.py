"""What a deep search knows of itself: plain data, ids and not texts, so that it can be stored and resumed."""

from dataclasses import dataclass

from leadline.retrieval.rewriting import REWRITES
from leadline.types import Query, StopReason


@dataclass(frozen=True, slots=True)
class SearchState:
    """`queries` are open, `asked` were searched for; `kept` are chunk ids the judge kept, best first.

    `new` are the ids to judge in this round (first seen, or rejected earlier), `barren` the texts of its queries of which nothing was kept.
    """

    question: str
    round: int = 0
    queries: tuple[Query, ...] = ()
    asked: tuple[Query, ...] = ()
    kept: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    barren: tuple[str, ...] = ()
    coverage: float = 0.0
    missing: tuple[str, ...] = ()
    stop: StopReason | None = None
    detail: str = ""

    @property
    def questions(self) -> tuple[Query, ...]:
        """What was asked, each once: without the same in other words."""
        return tuple(query for query in self.asked if query.kind not in REWRITES)
