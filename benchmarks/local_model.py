"""Answers with a model on this machine: recall of supporting passages, calls, tokens, seconds, and what is right.

    python -m benchmarks.local_model MODEL.gguf DIR... [--agents deep,chain] [--limit 40] [--threads 2]
        [--context 2048] [--set ask.judge=false ...] [--data DIR] [--fresh] [--json]

Each set is asked by each agent with the model and, beside it, without one; `hybrid` is one search. What is finished
already is not asked again, so that a run of hours can be stopped. Prompts are what costs time here: a small `--context`
lets in fewer passages.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from leadline.agents.asking import AgentChoice, Asking
from leadline.config import Settings, settings
from leadline.evaluation.answering import row_of
from leadline.evaluation.answers import answer_figures, measure_answer
from leadline.evaluation.cases import Case, QuestionSet, read_set
from leadline.evaluation.fingerprint import fingerprint
from leadline.evaluation.finished import FinishedRows
from leadline.evaluation.indexing import indexed
from leadline.evaluation.methods import hybrid, ranked, searching
from leadline.evaluation.metrics import distinct, mean, places_of, recall_at
from leadline.evaluation.setup import Progress, Setup, opened, work_folder
from leadline.events import Event, Searched
from leadline.llm.gguf import read_weights
from leadline.reasoning.offline import OfflineReasoner
from leadline.retrieval.hybrid import HybridRetriever
from leadline.run import Run
from leadline.types import Answer

HYBRID, OFFLINE = "hybrid", " offline"
TOLD: Mapping[str, object] = {
    "llm.cache": False,
    "llm.seconds": 600,
    "ask.judge": False,
    "ask.passages": 5,
    "ask.router": "rule",
}
"""A model of one or two billion parameters judges no better than retrieval does, at several seconds a passage."""

Row = Mapping[str, Any]
Ask = Callable[[Case], Awaitable[Row]]


@dataclass(frozen=True, slots=True)
class Line:
    """One agent on one set. Fractions are in percent; what is only asked for passages has no answers."""

    set: str
    way: str
    questions: int
    recall_5: float
    recall_10: float
    seconds: float
    calls: float = 0.0
    tokens: float = 0.0
    searches: float = 1.0
    answered: float = 0.0
    right: float = 0.0
    exact: float = 0.0
    f1: float = 0.0
    citation_recall: float = 0.0
    citation_precision: float = 0.0
    wrong_quotes: int = 0


def asking(setup: Setup, collection: str, way: str) -> Ask:
    """How one question is asked and measured."""
    retriever = HybridRetriever(setup.store, (collection,), setup.embedder, setup.retrieval)
    agent = cast(AgentChoice, way.removesuffix(OFFLINE))

    async def row(case: Case) -> Row:
        searched: list[Searched] = []
        found: list[Answer] = []

        async def ask(question: str, run: Run) -> Answer:
            outer = run.emit

            def note(event: Event) -> None:
                outer(event)
                if isinstance(event, Searched):
                    searched.append(event)

            run.emit = note
            offline = way.endswith(OFFLINE)
            reasoner = OfflineReasoner() if offline else await setup.new_reasoner()
            whole = Asking(reasoner, retriever, setup.ask, modelled=not offline)
            found.append(await whole(question, run, agent))
            return found[-1]

        measured = await measure_answer(case, ask, setup.store, collection)
        return {
            **asdict(measured),
            **recalls(case, [hit.chunk.source for hit in ranked(found[-1], searched)]),
        }

    return row


def searching_once(setup: Setup, collection: str) -> Ask:
    """One hybrid search."""
    once = searching(hybrid)(setup, collection, 50)

    async def row(case: Case) -> Row:
        started = time.perf_counter()
        found = await once(case.question)
        milliseconds = (time.perf_counter() - started) * 1_000
        sources = [hit.chunk.source for hit in found.hits]
        return {"id": case.id, "ms": milliseconds, **recalls(case, sources)}

    return row


def recalls(case: Case, sources: Sequence[str]) -> dict[str, float]:
    """Of the supporting passages, those among the first five and ten."""
    places = places_of(distinct(sources), set(case.supporting))
    return {"recall_5": recall_at(places, 5), "recall_10": recall_at(places, 10)}


def line(name: str, way: str, rows: Sequence[Row]) -> Line:
    """The figures of one agent on one set."""
    five, ten = mean([row["recall_5"] for row in rows]), mean([row["recall_10"] for row in rows])
    seconds = mean([row["ms"] for row in rows]) / 1_000
    found = Line(name, way, len(rows), percent(five), percent(ten), round(seconds, 2))
    if way == HYBRID:
        return found
    figures = answer_figures([row_of(row) for row in rows])
    return Line(
        *(name, way, len(rows), found.recall_5, found.recall_10, found.seconds),
        calls=round(figures.calls_per_question, 1),
        tokens=round(figures.tokens_per_question),
        searches=round(figures.searches_per_question, 1),
        answered=percent(figures.answered),
        right=percent(figures.right),
        exact=percent(mean([row["exact"] for row in rows])),
        f1=percent(figures.f1),
        citation_recall=percent(figures.citation_recall),
        citation_precision=percent(figures.citation_precision),
        wrong_quotes=figures.wrong_quotes,
    )


def percent(share: float) -> float:
    return round(100 * share, 1)


async def measured(
    questions: QuestionSet, ways: Sequence[str], how: Settings, model: str, fresh: bool
) -> list[Line]:
    """Every way on one set; a line of progress for each question."""
    lines: list[Line] = []
    async with opened(how) as setup:
        collection = await indexed(questions, setup, fresh=False, progress=show)
        for way in ways:
            told = "" if way == HYBRID or way.endswith(OFFLINE) else (model, how.llm, setup.ask)
            key = fingerprint(questions.digest, setup.embedding, setup.retrieval, way, told)
            file = work_folder(how) / "rows" / f"local-{questions.name}-{way.replace(' ', '-')}-{key}.jsonl"
            finished = FinishedRows.open(file, fresh=fresh)
            ask = searching_once(setup, collection) if way == HYBRID else asking(setup, collection, way)
            for done, case in enumerate(questions.cases, start=1):
                if case.id not in finished.rows:
                    finished.append(await ask(case))
                show(Progress(questions.name, way, done, len(questions.cases)))
            lines.append(line(questions.name, way, [finished.rows[case.id] for case in questions.cases]))
    return lines


def show(progress: Progress) -> None:
    """One line that is written over, on a terminal."""
    if sys.stderr.isatty():
        print(
            f"\r{progress.set_name}: {progress.stage} {progress.done}/{progress.total} ",
            end="",
            file=sys.stderr,
        )


def table(lines: Sequence[Line]) -> str:
    """A Markdown table."""
    names = [name for name in asdict(lines[0]) if name != "wrong_quotes"]
    rows = [" | ".join(str(asdict(one)[name]) for name in names) for one in lines]
    head = " | ".join(name.replace("_", " ") for name in names)
    return "\n".join([f"| {head} |", f"|{' --- |' * len(names)}", *(f"| {row} |" for row in rows)])


def value(text: str) -> object:
    """A setting's value as it is written in TOML, else as text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.local_model", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("model", type=Path, help="a GGUF file")
    parser.add_argument("folders", type=Path, nargs="+", help="sets: corpus.jsonl and questions.jsonl")
    parser.add_argument("--agents", default="deep,chain", help="with commas, of fast, deep, chain, auto")
    parser.add_argument("--limit", type=int, default=40, help="only the first questions")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--context", type=int, default=2_048, help="tokens of the model's context")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="any setting")
    parser.add_argument("--data", type=Path, default=Path(".leadline"), help="data folder")
    parser.add_argument("--only-model", action="store_true", help="without what it is compared with")
    parser.add_argument("--fresh", action="store_true", help="ask again what is finished")
    parser.add_argument("--json", action="store_true", help="one JSON line for each set and agent")
    return parser.parse_args()


def main() -> int:
    """Measure and print; 1 if any quote is not where it is said to be."""
    given = arguments()
    flags = {**TOLD, "data": given.data, "llm.threads": given.threads, "llm.context": given.context}
    flags |= {"model": f"gguf:{given.model}"}
    flags |= {key: value(text) for key, _, text in (each.partition("=") for each in given.set)}
    how = settings(flags=flags)
    agents = given.agents.split(",")
    beside = [] if given.only_model else [HYBRID, *(f"{agent}{OFFLINE}" for agent in agents)]
    lines: list[Line] = []
    for folder in given.folders:
        questions = read_set(folder).pick(given.limit, None)
        name = read_weights(str(given.model)).name
        lines += asyncio.run(measured(questions, [*beside, *agents], how, name, given.fresh))
    print("\n".join(json.dumps(asdict(one)) for one in lines) if given.json else table(lines))
    return 1 if any(one.wrong_quotes for one in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
