"""Answers of deep search, offline, over a whole question set: quotes, citations, length, gold.

    python -m benchmarks.answers DIR [--limit N] [--remove-gold 100] [--processes 2] [--json]

Every quote is compared with the stored text at its recorded span. With --remove-gold the supporting
passages of so many questions are left out of the collection, and it counts how often it still answers.
"""

import argparse
import asyncio
import json
import multiprocessing
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path

from leadline.agents.deep import DeepSearch
from leadline.config import Settings
from leadline.evaluation.answers import AnswerFigures, AnswerRow, answer_figures, measure_answer
from leadline.evaluation.cases import Case, QuestionSet, read_set
from leadline.evaluation.indexing import indexed
from leadline.evaluation.setup import Progress, opened
from leadline.retrieval.hybrid import HybridRetriever


async def load(questions: QuestionSet, data: Path) -> str:
    """Load the set unless it is there; return its collection."""
    async with opened(Settings(data=data)) as setup:
        return await indexed(questions, setup, fresh=False, progress=show)


def show(progress: Progress) -> None:
    """One line that is written over, on a terminal."""
    if not sys.stderr.isatty():
        return
    end = "\n" if progress.done >= progress.total else ""
    print(
        f"\r{progress.set_name}: {progress.stage} {progress.done}/{progress.total}",
        end=end,
        file=sys.stderr,
        flush=True,
    )


def answer_some(cases: Sequence[Case], collection: str, data: Path) -> list[AnswerRow]:
    """One process's part."""
    return asyncio.run(_answer_some(cases, collection, data))


async def _answer_some(cases: Sequence[Case], collection: str, data: Path) -> list[AnswerRow]:
    async with opened(Settings(data=data), read_only=True) as setup:
        retriever = HybridRetriever(setup.store, (collection,), setup.embedder, setup.retrieval)
        agent = DeepSearch(setup.reasoner, retriever, setup.ask)
        return [await measure_answer(case, agent, setup.store, collection) for case in cases]


async def answer_all(questions: QuestionSet, data: Path, processes: int) -> list[AnswerRow]:
    """Load the set, then answer its questions in several processes; rows in the set's order."""
    collection = await load(questions, data)
    return await asyncio.to_thread(_answer_in_processes, questions, collection, data, processes)


def _answer_in_processes(
    questions: QuestionSet, collection: str, data: Path, processes: int
) -> list[AnswerRow]:
    parts = [part for start in range(processes) if (part := questions.cases[start::processes])]
    with ProcessPoolExecutor(len(parts), multiprocessing.get_context("spawn")) as pool:
        jobs = [pool.submit(answer_some, part, collection, data) for part in parts]
        rows = {row.id: row for job in jobs for row in job.result()}
    return [rows[case.id] for case in questions.cases]


def describe(name: str, found: AnswerFigures) -> str:
    """The figures as text, one a line."""
    return f"""{name}: {found.questions} questions
  quotes at their span        {found.quotes - found.wrong_quotes} of {found.quotes}
  answered                    {found.answered:.1%}
  over 5 sentences or 800 ch. {found.too_long} (longest: {found.max_sentences} sentences, {found.max_characters} characters)
  citation recall, precision  {found.citation_recall:.1%}, {found.citation_precision:.1%}
  gold in the answer          {found.contains:.1%} ({found.contains_when_answered:.1%} of those answered; exactly: {found.exact:.1%})
  yes/no questions            {found.yes_no}, the word in {found.contains_yes_no:.1%}
  per question                {found.searches_per_question:.1f} searches, {found.rounds_per_question:.1f} rounds, {found.ms_per_question:.0f} ms
  stopped by                  {", ".join(f"{reason} {count}" for reason, count in found.stops.items())}"""


def by_type(rows: Sequence[AnswerRow]) -> str:
    """Gold in the answer and citation recall for each type of question."""
    lines = [""]
    for name in sorted({row.type for row in rows}):
        found = answer_figures([row for row in rows if row.type == name])
        lines.append(
            f"    {name:24} {found.questions:4}  answered {found.answered:6.1%}  "
            f"citation recall {found.citation_recall:6.1%}  gold {found.contains:6.1%}"
        )
    return "\n".join(lines)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.answers", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("folder", type=Path, help="a set: corpus.jsonl and questions.jsonl")
    parser.add_argument("--limit", type=int, help="only the first questions")
    parser.add_argument(
        "--remove-gold", type=int, default=0, metavar="N", help="again, without the gold of N questions"
    )
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--data", type=Path, default=Path(".leadline"), help="data folder")
    parser.add_argument("--rows", type=Path, help="write each question's row to this file, as JSON lines")
    parser.add_argument("--json", action="store_true", help="one JSON line for each run")
    return parser.parse_args()


def main() -> int:
    """Measure and print; 1 if any quote is not where it is said to be."""
    given = arguments()
    questions = read_set(given.folder).pick(given.limit, None)
    runs = [(questions.name, questions)]
    if given.remove_gold:
        runs.append((f"{questions.name} without gold", questions.without_gold(given.remove_gold)))
    wrong: list[str] = []
    for name, part in runs:
        rows = asyncio.run(answer_all(part, given.data, given.processes))
        found = answer_figures(rows)
        print(
            json.dumps({"run": name, **asdict(found)})
            if given.json
            else describe(name, found) + by_type(rows)
        )
        wrong += [quote for row in rows for quote in row.wrong_quotes]
        if given.rows:
            with given.rows.open("a", encoding="utf-8") as out:
                out.writelines(
                    json.dumps({"run": name, **asdict(row)}, ensure_ascii=False) + "\n" for row in rows
                )
    for quote in wrong[:20]:
        print(f"not at its span: {quote}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
