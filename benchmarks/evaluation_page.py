"""Measure everything that docs/evaluation.md says, and write it there.

    python -m benchmarks.evaluation_page SETS_DIR [--only NAME]... [--limit N] [--data DIR] [--page FILE]

The page has marks: what stands between `<!-- measured: NAME -->` and `<!-- end -->` is written anew, the rest is
left. What is finished is not measured again, so a stopped run goes on where it was.
"""

import argparse
import asyncio
import os
import platform
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.evaluation_sections import SECTIONS, Measuring
from leadline.errors import LeadlineError

HERE = Path(__file__).resolve().parents[1]
PAGE = HERE / "docs" / "evaluation.md"


def filled(page: str, name: str, text: str) -> str:
    """The page with one section written anew.

    >>> filled("a <!-- measured: x -->old<!-- end --> b", "x", "new")
    'a <!-- measured: x -->\\n\\nnew\\n\\n<!-- end --> b'
    """
    mark = re.compile(rf"(<!-- measured: {re.escape(name)} -->).*?(<!-- end -->)", re.DOTALL)
    if not mark.search(page):
        raise SystemExit(f"the page has no section `{name}`: add `<!-- measured: {name} --><!-- end -->`.")
    return mark.sub(lambda found: f"{found[1]}\n\n{text.strip()}\n\n{found[2]}", page, count=1)


def provenance() -> str:
    """Which code on which machine."""
    cores = os.cpu_count()
    machine = f"{platform.system()}, {cores} {platform.machine()} cores, Python {platform.python_version()}"
    return f"Measured at commit {commit()} on {machine}."


def commit() -> str:
    """The commit of the working tree, marked where the sources differ from it."""
    head = _git("rev-parse", "--short", "HEAD")
    changed = _git("status", "--porcelain", "--untracked-files=no", "src", "benchmarks")
    return f"{head} (changed since)" if changed else head


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=HERE, capture_output=True, text=True, check=True)
    return done.stdout.strip()


async def measure(names: Sequence[str], measuring: Measuring, page: Path) -> list[str]:
    """Write each section as soon as it is measured; return what could not be."""
    failed: list[str] = []
    for name in names:
        print(f"{name} ...", file=sys.stderr, flush=True)
        try:
            text = await SECTIONS[name](measuring)
        except LeadlineError as error:
            print(f"{name} not measured: {error}", file=sys.stderr)
            failed.append(name)
            continue
        write(page, name, text)
    return failed


def write(page: Path, name: str, text: str) -> None:
    """Put a section into the page, with where it was measured."""
    whole = filled(page.read_text(encoding="utf-8"), name, f"{provenance()}\n\n{text}")
    page.write_text(whole, encoding="utf-8")


def main() -> int:
    """Measure the sections asked for; 1 if any could not be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, help="folder of sets")
    parser.add_argument(
        "--only", action="append", choices=list(SECTIONS), help="only this section; repeatable"
    )
    parser.add_argument("--limit", type=int, help="only so many questions of a set, for trying it")
    parser.add_argument("--data", type=Path, default=Path(".leadline"), help="data folder")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page to write")
    given = parser.parse_args()
    measuring = Measuring(given.sets, given.data, given.limit)
    return int(bool(asyncio.run(measure(given.only or list(SECTIONS), measuring, given.page))))


if __name__ == "__main__":
    sys.exit(main())
