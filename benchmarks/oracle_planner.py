"""What a perfect planner is worth: deep and chain search with a scripted model that knows how questions fall apart.

    python -m benchmarks.oracle_planner DIR [--limit N] [--data DIR] [--json]

DIR is a question set whose questions carry `decomposition`: [{"q": "Who composed X?", "a": "Y"}, {"q": "Where was #1
born?", "a": "Z"}]. The script knows the sub-questions, but an answer only once a passage that it was shown has it. It
judges nothing, so that what is measured is the plan. Beside it: one hybrid search, and deep search without a model.
"""

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from leadline.agents.chain import ChainOfRAG
from leadline.agents.deep import DeepSearch
from leadline.config import Settings
from leadline.evaluation.cases import Case, QuestionSet, read_set
from leadline.evaluation.indexing import indexed
from leadline.evaluation.methods import Rank, hybrid, ranked, searching
from leadline.evaluation.metrics import distinct, mean, places_of, recall_at
from leadline.evaluation.setup import Progress, Setup, opened
from leadline.events import Event, Searched
from leadline.llm.base import Reply, Request, Told
from leadline.reasoning.base import Reasoner
from leadline.reasoning.model import ModelReasoner
from leadline.reasoning.offline import OfflineReasoner
from leadline.retrieval.hybrid import HybridRetriever
from leadline.retrieval.phrases import phrase
from leadline.run import Budget, Run
from leadline.types import Hit

DEPTH = 50
ROUNDS = 4
"""As many as the longest decomposition has steps; the searches of a chain too."""
WAYS = ("hybrid", "deep offline", "chain offline", "deep oracle", "chain oracle")
_REFERENCE = re.compile(r"#(\d)")
_SHOWN = re.compile(r"\[(\d+) (\w+)\][^\n]*\n(.*?)\n\[/\1 \2\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Step:
    """One sub-question, with references to the answers of earlier ones, and its answer."""

    question: str
    answer: str


@dataclass(slots=True)
class Oracle:
    """The scripted model, for one question. It remembers what it has asked, and what it was shown."""

    steps: Sequence[Step]
    asked: list[str] = field(default_factory=list[str])
    known: set[int] = field(default_factory=set[int])

    name = "scripted:oracle"
    context = 200_000

    async def ask(self, request: Request, run: Run, told: Told | None = None) -> Reply:
        text = "\n".join(message.text for message in request.messages)
        said = {"plan": self.plan, "reflect": self.reflect, "follow_up": self.follow_up, "note": self.note}
        run.call_spent(0)
        return Reply(json.dumps(said[request.step](text) if request.step in said else {"found": False}))

    async def close(self) -> None: ...

    def plan(self, _: str) -> dict[str, Any]:
        return {"queries": self._next()}

    def reflect(self, text: str) -> dict[str, Any]:
        """The sub-questions whose references the documents have answered by now."""
        self._read("\n".join(body for _, _, body in _SHOWN.findall(text)))
        queries = self._next()
        return {"sufficient": not queries, "missing": [], "queries": queries}

    def follow_up(self, _: str) -> dict[str, Any]:
        queries = self._next(1)
        return {"question": queries[0] if queries else "", "enough": not queries}

    def note(self, text: str) -> dict[str, Any]:
        """The answer of the last sub-question, if a document has it: the first of them supports it."""
        step = next(n for n, _ in enumerate(self.steps) if self._filled(n) == self.asked[-1])
        answer = phrase(self.steps[step].answer)
        for number, _, body in _SHOWN.findall(text):
            if answer in phrase(body):
                self.known.add(step)
                return {"answer": self.steps[step].answer, "documents": [int(number)]}
        return {"answer": "", "documents": []}

    def _read(self, shown: str) -> None:
        words = phrase(shown)
        self.known |= {n for n, step in enumerate(self.steps) if phrase(step.answer) in words}

    def _next(self, most: int = 4) -> list[str]:
        ready = [
            self._filled(number)
            for number, step in enumerate(self.steps)
            if all(int(one) - 1 in self.known for one in _REFERENCE.findall(step.question))
        ]
        queries = [text for text in ready if text not in self.asked][:most]
        self.asked += queries
        return queries

    def _filled(self, number: int) -> str:
        """As a question; relations are written "Aurora >> shipyard"."""
        text = self.steps[number].question.replace(" >> ", " ")
        return _REFERENCE.sub(lambda one: self.steps[int(one[1]) - 1].answer, text)


@dataclass(frozen=True, slots=True)
class Found:
    """Recall of supporting passages over all questions, in percent, and over those of each number of hops at 10."""

    way: str
    questions: int
    recall_5: float
    recall_10: float
    recall_20: float
    searches: float
    by_hops: dict[str, float]


def decompositions(folder: Path) -> dict[str, tuple[Step, ...]]:
    """The sub-questions of each question, by its id."""
    found: dict[str, tuple[Step, ...]] = {}
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        fields = cast(Mapping[str, Any], json.loads(line))
        found[fields["id"]] = tuple(Step(one["q"], one["a"]) for one in fields.get("decomposition", ()))
    return found


Ranked = Callable[[Case], Awaitable[tuple[Sequence[Hit], int]]]


def ways(setup: Setup, collection: str, steps: Mapping[str, Sequence[Step]]) -> dict[str, Ranked]:
    """What is compared, by name."""
    options = replace(setup.ask, rounds=ROUNDS, steps=ROUNDS)
    unjudged = replace(options, layers=options.layers - {"judge", "verify"})
    retriever = HybridRetriever(setup.store, (collection,), setup.embedder, setup.retrieval)

    def by(agent_of: Callable[..., Any], reasoner_of: Callable[[Case], Reasoner], how: Any) -> Ranked:
        async def rank(case: Case) -> tuple[Sequence[Hit], int]:
            searched: list[Searched] = []

            def note(event: Event) -> None:
                if isinstance(event, Searched):
                    searched.append(event)

            agent = agent_of(reasoner_of(case), retriever, how)
            answer = await agent(case.question, Run(Budget(searches=None), note))
            return ranked(answer, searched), answer.usage.searches

        return rank

    def offline(_: Case) -> Reasoner:
        return OfflineReasoner()

    def oracle(case: Case) -> Reasoner:
        model = Oracle(steps[case.id])
        return ModelReasoner(model, model)

    once = searching(hybrid)(setup, collection, DEPTH)
    return {
        "hybrid": _alone(once),
        "deep offline": by(DeepSearch, offline, options),
        "chain offline": by(ChainOfRAG, offline, options),
        "deep oracle": by(DeepSearch, oracle, unjudged),
        "chain oracle": by(ChainOfRAG, oracle, options),
    }


def _alone(once: Rank) -> Ranked:
    async def rank(case: Case) -> tuple[Sequence[Hit], int]:
        found = await once(case.question)
        return found.hits, found.searches

    return rank


async def measured(way: str, rank: Ranked, cases: Sequence[Case]) -> Found:
    """One way over all questions."""
    places: list[list[float]] = []
    searches: list[float] = []
    for case in cases:
        hits, spent = await rank(case)
        places.append(places_of(distinct(hit.chunk.source for hit in hits), set(case.supporting)))
        searches.append(spent)
    hops = sorted({case.type[:1] for case in cases})

    def percent(k: int, wanted: str = "") -> float:
        of = [p for p, case in zip(places, cases, strict=True) if case.type.startswith(wanted)]
        return round(100 * mean([recall_at(one, k) for one in of]), 1)

    by_hops = {hop: percent(10, hop) for hop in hops}
    return Found(way, len(cases), percent(5), percent(10), percent(20), round(mean(searches), 1), by_hops)


def show(progress: Progress) -> None:
    """One line that is written over, on a terminal."""
    if sys.stderr.isatty():
        print(f"\r{progress.stage} {progress.done}/{progress.total}", end="", file=sys.stderr, flush=True)


async def compared(
    questions: QuestionSet, steps: Mapping[str, Sequence[Step]], data: Path, chosen: Sequence[str] = WAYS
) -> list[Found]:
    """Every way over every question that has a decomposition."""
    cases = [case for case in questions.supported if steps.get(case.id)]
    async with opened(Settings(data=data)) as setup:
        collection = await indexed(questions, setup, fresh=False, progress=show)
        known = ways(setup, collection, steps)
        return [await measured(name, known[name], cases) for name in chosen]


def table(found: Sequence[Found]) -> str:
    """A Markdown table."""
    hops = list(found[0].by_hops)
    head = ["", "recall@5", "recall@10", "recall@20", *(f"{hop} hops @10" for hop in hops), "searches"]
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    for one in found:
        cells = (one.recall_5, one.recall_10, one.recall_20, *one.by_hops.values(), one.searches)
        lines.append(f"| {one.way} | {' | '.join(f'{cell:.1f}' for cell in cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.oracle_planner", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("folder", type=Path, help="a set whose questions carry `decomposition`")
    parser.add_argument("--limit", type=int, help="only the first questions")
    parser.add_argument("--data", type=Path, default=Path(".leadline"), help="data folder")
    parser.add_argument("--json", action="store_true", help="one JSON line for each way")
    given = parser.parse_args()
    questions = read_set(given.folder).pick(given.limit, None)
    found = asyncio.run(compared(questions, decompositions(given.folder), given.data))
    print("\n".join(json.dumps(asdict(one)) for one in found) if given.json else table(found))


if __name__ == "__main__":
    main()
