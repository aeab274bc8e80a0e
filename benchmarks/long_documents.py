"""Questions over several long documents of an invented country: hybrid search next to linked recall.

    python -m benchmarks.long_documents [--write DIR] [--limit N] [--data DIR] [--json]

Writes a set of whole Markdown documents with `docs.jsonl`, `corpus.jsonl` (the passages that answer) and
`questions.jsonl`, and measures it as `leadline eval retrieval DIR --long` does: a passage is found once the chunks
so far hold 60% of its text.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from benchmarks.long_world import World, build
from benchmarks.long_writing import Writer, Written
from leadline.config import Settings
from leadline.evaluation.experiment import EvalOptions, evaluate_retrieval
from leadline.evaluation.figures import Figures
from leadline.evaluation.report import json_line, markdown
from leadline.evaluation.setup import opened, work_folder
from leadline.evaluation.variants import Variation

SEED = 47
NAME = "invented_country"
METHODS = ("keyword", "hybrid", "linked")
PAIRS = 60

Asked = tuple[str, str, tuple[str, ...]]
"""Type, question, and the names of the facts that answer it together."""


def questions(world: World) -> Iterator[Asked]:
    """Two, three and four passages to a question, from documents that do not name what is asked."""
    random = Random(SEED)
    born = {person.name: person.birthplace for person in world.persons}
    founders = {firm.name: firm.founder for firm in world.firms}
    for work in world.works:
        designer = work.designer
        said = random.choice(
            (
                f"In which town was the designer of the {work.name} born?",
                f"Where was the person born who drew the {work.name}?",
            )
        )
        yield "two documents", said, (f"designer {work.name}", f"life {designer}")
    for work in world.works[::2]:
        town = born[work.designer]
        said = f"What is celebrated each year in the birthplace of the designer of the {work.name}?"
        yield "three documents", said, (f"designer {work.name}", f"life {work.designer}", f"feast {town}")
    for work in world.works[1::2]:
        said = f"From whom did the founder of the firm that built the {work.name} learn the trade?"
        founder = founders[work.firm]
        yield "table first", said, (f"builder {work.name}", f"founder {work.firm}", f"life {founder}")
    for _ in range(PAIRS):
        one, other = random.sample(world.works, 2)
        if one.designer != other.designer:
            said = f"Who was born earlier, the designer of the {one.name} or that of the {other.name}?"
            facts = (
                f"designer {one.name}",
                f"designer {other.name}",
                f"life {one.designer}",
                f"life {other.designer}",
            )
            yield "comparison", said, facts


def write_set(folder: Path) -> None:
    """The set as files; the same in every run."""
    world = build()
    written = Writer(world).write()
    asked = list(questions(world))
    folder.mkdir(parents=True, exist_ok=True)
    documents = [
        {"id": key, "title": title, "text": text} for key, (title, text) in written.documents.items()
    ]
    _write(folder / "docs.jsonl", documents)
    needed = dict.fromkeys(fact for _, _, facts in asked for fact in facts)
    _write(folder / "corpus.jsonl", [_passage(fact, written) for fact in needed])
    rows = [
        {"id": f"q{at}", "question": said, "type": kind, "supporting_ids": list(facts)}
        for at, (kind, said, facts) in enumerate(asked)
    ]
    _write(folder / "questions.jsonl", rows)


def _passage(fact: str, written: Written) -> dict[str, str]:
    key, text = written.facts[fact]
    return {"id": fact, "doc_id": key, "title": written.documents[key][0], "text": text}


def _write(file: Path, rows: Sequence[object]) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


async def measure(
    folder: Path, data: Path, limit: int | None, methods: Sequence[str] = METHODS
) -> list[Figures]:
    """Figures of the set by each method; `limit` questions are drawn from all types."""
    settings = Settings(data=data)
    options = EvalOptions(work_folder(settings), limit, 0 if limit else None, variation=Variation(whole=True))
    async with opened(settings) as setup:
        return await evaluate_retrieval([folder], methods, options, setup)


def main() -> None:
    """Write, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", type=Path, help="write the set here and measure nothing")
    parser.add_argument("--limit", type=int, help="so many questions, drawn at random")
    parser.add_argument("--data", type=Path, default=Path(".leadline"), help="data folder")
    parser.add_argument("--json", action="store_true", help="one JSON line for each method")
    given = parser.parse_args()
    if given.write:
        write_set(given.write)
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, NAME)
        write_set(folder)
        found = asyncio.run(measure(folder, given.data, given.limit))
    print("\n".join(json_line(one) for one in found) if given.json else markdown(found))


if __name__ == "__main__":
    main()
