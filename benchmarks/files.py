"""Read every file of a manifest and check that it behaves as expected: `python benchmarks/files.py DIR`.

DIR holds manifest.tsv with the columns path, expect and phrase. `expect` is `text` (the phrase must be in the text), `ocr`
(only by OCR), `password:X`, `error` (must fail cleanly) or `empty`. Texts are compared after NFKC, without white space,
case and bidi controls.
"""

import argparse
import asyncio
import csv
import re
import shutil
import sys
import time
import unicodedata
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from leadline.documents.base import Extracted
from leadline.documents.kinds import kind_of
from leadline.documents.pool import ReaderPool
from leadline.errors import DocumentError

_IGNORED = re.compile("[\\s\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+")


@dataclass(frozen=True)
class Row:
    """One line of the manifest."""

    path: str
    expect: str
    phrase: str


def comparable(text: str) -> str:
    """What is left of a text when only its letters count."""
    return _IGNORED.sub("", unicodedata.normalize("NFKC", text)).casefold()


async def outcome(
    pool: ReaderPool, path: Path, passwords: tuple[str, ...], ocr: bool
) -> Extracted | DocumentError:
    """What reading gives, an error included."""
    if not kind_of(path):
        return DocumentError("is not a kind of document Leadline reads")
    try:
        return await pool.read(path, passwords, ocr=ocr)
    except DocumentError as error:
        return error


async def failure(pool: ReaderPool, folder: Path, row: Row, has_ocr: bool) -> str:
    """Why a row does not behave, "" when it does."""
    path = folder / row.path
    expect, _, password = row.expect.partition(":")
    ocr = expect != "ocr" or has_ocr
    found = await outcome(pool, path, (password,) if password else (), ocr)
    if expect == "error" or not ocr:
        return (
            ""
            if isinstance(found, DocumentError) and found.remedy
            else f"expected an error with a remedy, got {found}"
        )
    if isinstance(found, DocumentError):
        return str(found)
    if expect == "empty":
        return "" if not found.text else f"expected no text, got {len(found.text)} characters"
    if comparable(row.phrase) not in comparable(found.text):
        return f"the phrase is not in its {len(found.text)} characters"
    if any(found.text[h.start : h.end] != h.text for h in found.headings):
        return "a heading is not where it says"
    if password and not isinstance(await outcome(pool, path, (), True), DocumentError):
        return "opened without its password"
    return ""


async def check(folder: Path, workers: int) -> int:
    """Check every row, print the counts, return how many misbehave."""
    with (folder / "manifest.tsv").open(encoding="utf-8", newline="") as file:
        rows = [
            Row(r["path"], r["expect"], r["phrase"])
            for r in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        ]
    has_ocr = shutil.which("tesseract") is not None
    began = time.perf_counter()
    async with ReaderPool(workers, seconds=120, memory_mb=2048) as pool:
        failures = await asyncio.gather(*(failure(pool, folder, row, has_ocr) for row in rows))
    seconds = time.perf_counter() - began
    total, good = Counter[str](), Counter[str]()
    for row, why in zip(rows, failures, strict=True):
        kind = row.expect.partition(":")[0]
        total[kind] += 1
        good[kind] += not why
        if why:
            print(f"FAIL {row.path} ({row.expect}): {why}")
    print(", ".join(f"{kind} {good[kind]}/{total[kind]}" for kind in sorted(total)))
    ocr = "with tesseract" if has_ocr else "tesseract is not installed: scans must be refused with a remedy"
    print(f"{sum(good.values())} of {len(rows)} files behave as expected, {seconds:.1f} s, {ocr}")
    return len(rows) - sum(good.values())


def main() -> None:
    """Parse the command line and check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    sys.exit(1 if asyncio.run(check(arguments.folder, arguments.workers)) else 0)


if __name__ == "__main__":
    main()
