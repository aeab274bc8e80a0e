"""The reranker's part in one run: asked when it can help, bounded in time, and never the end of a run.

hits in fused order -> does it know the question's script? -> time left? -> scores -> hits in its order, or None
"""

import asyncio
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from leadline.analysis.scripts import script
from leadline.errors import BudgetSpent, Cancelled, RerankingFailed
from leadline.events import Notice, Reranked
from leadline.reranking.base import Reranker
from leadline.run import RESERVE, Run
from leadline.types import Chunk, Hit

LONGEST_QUESTION = 2_000
LONGEST_PASSAGE = 4_000
"""Characters of a passage that are shown; a cross-encoder reads some 512 tokens."""


@dataclass(slots=True)
class Stage:
    """Made for one run. A reranker that failed once is not asked again in it, and that is said once.

    `notices` are for the answer: what a reader must know. `broken`: the reranker has failed in this run.
    """

    reranker: Reranker | None = None
    seconds: float = 20.0
    notices: list[str] = field(default_factory=list[str])
    broken: bool = False
    _scored: dict[str, dict[str, float]] = field(default_factory=dict[str, dict[str, float]])

    async def order(self, question: str, hits: Sequence[Hit], run: Run, keep: int = 0) -> list[Hit] | None:
        """The hits by the reranker's score, best first and with it as theirs; None leaves them as they are.

        Equal scores keep their order. `keep` tells the event how many of them go on (0: all). What one
        request has scored for the same question already is not asked for again.
        """
        if len(hits) < 2 or not self._helps(question, run):
            return None
        ids = [hit.chunk.id for hit in hits]
        known = self._scored.get(question, {})
        started = time.perf_counter()
        if not all(one in known for one in ids):
            found = await self._asked(question, hits, run)
            if found is None:
                return None
            known = self._scored[question] = dict(zip(ids, found, strict=True))
        ordered = sorted(
            (replace(hit, score=known[hit.chunk.id]) for hit in hits), key=lambda hit: -hit.score
        )
        after = tuple((hit.chunk.id, hit.score) for hit in ordered)
        milliseconds = (time.perf_counter() - started) * 1000
        name = self.reranker.name if self.reranker else ""
        run.emit(Reranked(question, name, tuple(ids), after, keep or len(ids), milliseconds))
        return ordered

    def _helps(self, question: str, run: Run) -> bool:
        if self.reranker is None or self.broken or run.cancelled:
            return False
        asked = script(question)
        known = self.reranker.scripts
        if known is None or asked in known:
            return True
        self._say(
            f"The reranker {self.reranker.name} is not for questions in {asked} (only "
            f"{', '.join(sorted(known))}); passages stay in the order of the search.",
            run,
        )
        return False

    async def _asked(self, question: str, hits: Sequence[Hit], run: Run) -> list[float] | None:
        assert self.reranker is not None
        left = _left(run)
        if left <= 0:
            return None
        passages = [shown(hit.chunk) for hit in hits]
        work = self.reranker.rerank(question[:LONGEST_QUESTION], passages, run)
        try:
            scores = await asyncio.wait_for(work, min(self.seconds, left))
        except (BudgetSpent, Cancelled):
            return None
        except TimeoutError:
            if left <= self.seconds:
                return None
            return self._failed(f"no reply in {self.seconds:g} s", run)
        except RerankingFailed as error:
            return self._failed(str(error), run)
        if len(scores) != len(hits) or not all(map(math.isfinite, scores)):
            return self._failed("it did not give one finite score for each passage", run)
        return scores

    def _failed(self, why: str, run: Run) -> None:
        if not self.broken and self.reranker is not None:
            self.broken = True
            name = self.reranker.name
            self._say(f"The reranker {name} failed ({why}); passages stay in the order of the search.", run)

    def _say(self, text: str, run: Run) -> None:
        if text not in self.notices:
            self.notices.append(text)
            run.emit(Notice(text))


def shown(chunk: Chunk) -> str:
    """What the reranker reads: where the text stands, what belongs to it, and the text."""
    above = [chunk.title, *chunk.heading_path[-1:], chunk.context]
    parts = dict.fromkeys(part.strip() for part in above if part.strip() and not chunk.text.startswith(part))
    return "\n".join([*parts, chunk.text])[:LONGEST_PASSAGE]


def _left(run: Run) -> float:
    """Seconds that gathering may still take."""
    if run.budget.seconds is None:
        return math.inf
    return run.budget.seconds * (1 - RESERVE) - (run.clock() - run.started)
