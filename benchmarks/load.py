"""A load of many small Markdown files, a second one of the same files, and one file more.

    python -m benchmarks.load [--files 1000] [--embedding static] [--json]

Prints documents a second of the first load, the share of its time that the second takes, and the seconds that one
more file takes when it is named, and when the whole folder is. Everything that `leadline load` does is in it: walking,
reader processes, splitting, embedding, commits, indexes.
"""

import argparse
import asyncio
import json
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

from leadline.config import Settings
from leadline.ingest import LoadReport
from leadline.workspace import Workspace

WORDS = (
    *("harbour", "lantern", "river", "committee", "budget", "engine", "report", "vessel", "survey", "depth"),
    *("sound", "rope", "copper", "valve", "pressure", "north", "bridge", "signal", "archive", "winter"),
)


def write_notes(folder: Path, count: int) -> int:
    """Write `count` notes of about 2 KB with four headings each; return how many bytes they have."""
    words = random.Random(1)
    size = 0
    for number in range(count):
        lines = [f"# Note {number} on the {words.choice(WORDS)} {words.choice(WORDS)}"]
        for part in range(3):
            sentences = (
                " ".join(words.choices(WORDS, k=12)).capitalize() + f" {words.randint(1, 999)}."
                for _ in range(6)
            )
            lines += [f"## Part {part}", " ".join(sentences)]
        text = "\n\n".join(lines) + "\n"
        size += len(text)
        (folder / f"note-{number:06}.md").write_text(text, encoding="utf-8")
    return size


async def load_again(folder: Path, data: Path, embedding: str) -> list[LoadReport]:
    """A first and a second load, one of a new file, and one of the folder with another; a workspace for each."""
    new, other = folder / "new.md", folder / "other.md"
    reports: list[LoadReport] = []
    for path, added in ((folder, None), (folder, None), (new, new), (folder, other)):
        if added is not None:
            added.write_text("# New\n\nA heliograph.\n", encoding="utf-8")
        async with await Workspace.open(Settings(data=data, embedding=embedding)) as workspace:
            reports.append(await workspace.load([path]))
    return reports


def main(arguments: Sequence[str] | None = None) -> None:
    """Run it and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1_000)
    parser.add_argument("--embedding", default="static")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "notes"
        folder.mkdir()
        size = write_notes(folder, chosen.files)
        first, second, named, found = asyncio.run(load_again(folder, Path(place) / "data", chosen.embedding))
    figures = {
        "documents": first.loaded,
        "chunks": first.chunks,
        "megabytes": round(size / 1e6, 2),
        "first_seconds": round(first.seconds, 3),
        "documents_per_second": round(first.loaded / first.seconds, 1),
        "second_seconds": round(second.seconds, 3),
        "second_unchanged": second.unchanged,
        "second_to_first": round(second.seconds / first.seconds, 4),
        "one_more_seconds": round(named.seconds, 3),
        "one_more_in_the_folder_seconds": round(found.seconds, 3),
    }
    if chosen.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name.replace('_', ' '):32}{value:>12}")


if __name__ == "__main__":
    main()
