"""The questions of examples/, asked of examples/corpus, offline.

    python -m benchmarks.examples [--fast] [--show] [--json]

Per type of question: how many there are, in how many answers the expected string stands, how many cite every
document they need, and how many say that something was found (which is right unless none can be).
"""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from leadline import Answer, Leadline

EXAMPLES = Path(__file__).parents[1] / "examples"
FIGURES = ("questions", "expected", "all_cited", "found")


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask, count and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.examples")
    parser.add_argument("--fast", action="store_true", help="one round instead of a deep search")
    parser.add_argument("--show", action="store_true", help="print the answers that lack the expected string")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(arguments)
    lines = (EXAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    counts: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as folder, Leadline(folder) as leadline:
        leadline.load(EXAMPLES / "corpus")
        for question in map(json.loads, lines):
            answer = leadline.ask(question["question"], agent="fast" if chosen.fast else "deep")
            counted = figures(answer, question)
            for row in (question["type"], "all"):
                counts.setdefault(row, Counter()).update(counted)
            if chosen.show and not counted["expected"]:
                print(f"{question['question']}\n  -> {answer.text or '(nothing)'}\n")
    if chosen.json:
        print(json.dumps(counts))
    else:
        print(table(counts))


def figures(answer: Answer, question: dict[str, str | list[str]]) -> dict[str, int]:
    """What one answer adds to the counts."""
    expected = [
        text.casefold() for text in (question["answer"], *question["aliases"]) if isinstance(text, str)
    ]
    cited = {citation.source for claim in answer.claims for citation in claim.citations}
    needed = {str(EXAMPLES / "corpus" / name) for name in question["supporting_ids"]}
    return {
        "questions": 1,
        "expected": int(any(text and text in answer.text.casefold() for text in expected)),
        "all_cited": int(bool(needed) and needed <= cited),
        "found": int(answer.found),
    }


def table(counts: dict[str, Counter[str]]) -> str:
    """A Markdown table, the sum last."""
    head = f"| type | {' | '.join(FIGURES)} |\n|{' --- |' * (len(FIGURES) + 1)}"
    order = [*sorted(name for name in counts if name != "all"), "all"]
    rows = (f"| {name} | {' | '.join(str(counts[name][figure]) for figure in FIGURES)} |" for name in order)
    return "\n".join([head, *rows])


if __name__ == "__main__":
    main()
