"""Comparison questions, offline: how often the right one is worked out where the values are in the evidence.

    python -m benchmarks.computing DIR [--half even|odd] [--agent fast|deep] [--limit N] [--json]

"Values there" are the questions whose supporting passages are all among the passages that the answer is written from.
A question counts as right when the computed result is the expected answer, by itself; with none computed it is not right.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from leadline.agents.deep import DeepSearch
from leadline.agents.fast import FastSearch
from leadline.config import Settings
from leadline.evaluation.answer_metrics import contains, exact_match
from leadline.evaluation.cases import Case, read_set
from leadline.evaluation.indexing import indexed
from leadline.evaluation.setup import Setup, opened, unwatched
from leadline.evaluation.variants import Half, half
from leadline.retrieval.hybrid import HybridRetriever
from leadline.run import Budget, Run
from leadline.types import Answer


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question: its type, what was computed ("" for nothing), and whether the values were there."""

    id: str
    type: str
    there: bool
    result: str
    right: bool
    said: bool


def kind_of(case: Case) -> str:
    """The type of the set, apart by what is compared."""
    return f"{case.type}, {'country' if 'same' in case.question.casefold() else 'date'}"


def outcome(case: Case, answer: Answer, passages: int) -> Outcome:
    """What an answer worked out."""
    shown = {item.chunk.source for item in answer.evidence[:passages]}
    claim = next((claim for claim in answer.claims if claim.computation is not None), None)
    result = claim.computation.result if claim and claim.computation else ""
    golds = (case.answer, *case.aliases)
    right = bool(result) and exact_match(result, golds)
    said = answer.found and contains(answer.text, golds)
    return Outcome(case.id, kind_of(case), set(case.supporting) <= shown, result, right, said)


async def measure(
    folder: Path, which: Half | None, agent: str, limit: int | None, data: Path
) -> list[Outcome]:
    """Ask every comparison question."""
    questions = read_set(folder)
    async with opened(Settings(data=data)) as setup:
        collection = await indexed(questions, setup, fresh=False, progress=unwatched)
        chosen = (half(questions, which) if which else questions).cases
        cases = [case for case in chosen if "comparison" in case.type][:limit]
        return [
            outcome(case, await ask(setup, collection, agent, case), setup.ask.passages) for case in cases
        ]


async def ask(setup: Setup, collection: str, agent: str, case: Case) -> Answer:
    """One question, by the agent."""
    retriever = HybridRetriever(setup.store, (collection,), setup.embedder, setup.retrieval)
    search = {"deep": DeepSearch, "fast": FastSearch}[agent](setup.reasoner, retriever, setup.ask)
    return await search(case.question, Run(Budget(searches=None)))


def table(outcomes: Sequence[Outcome]) -> str:
    """Counts by type, and over all."""
    lines = [
        "| type | questions | values there | computed | right | right where values there |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name in [*sorted({one.type for one in outcomes}), "all"]:
        own = [one for one in outcomes if name in {one.type, "all"}]
        there = [one for one in own if one.there]
        share = sum(one.right for one in there) / max(len(there), 1)
        counts = (len(own), len(there), sum(bool(one.result) for one in own), sum(one.right for one in own))
        lines.append(f"| {name} | {' | '.join(map(str, counts))} | {share:.0%} |")
    return "\n".join(lines)


def main() -> int:
    """Measure and print; 1 where less than 65% are right."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.computing", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("folder", type=Path, help="a set: corpus.jsonl and questions.jsonl")
    parser.add_argument("--half", choices=("even", "odd"))
    parser.add_argument("--agent", choices=("fast", "deep"), default="deep")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--data", type=Path, default=Path(".leadline"), help="data folder")
    parser.add_argument("--json", action="store_true", help="a JSON line for each question")
    given = parser.parse_args()
    outcomes = asyncio.run(measure(given.folder, given.half, given.agent, given.limit, given.data))
    if given.json:
        for one in outcomes:
            print(json.dumps({name: getattr(one, name) for name in Outcome.__slots__}, ensure_ascii=False))
    else:
        print(table(outcomes))
    there = [one for one in outcomes if one.there]
    return 0 if sum(one.right for one in there) >= 0.65 * len(there) else 1


if __name__ == "__main__":
    sys.exit(main())
