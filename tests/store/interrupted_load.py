"""A load in small batches, for whoever kills it or reads meanwhile: here, or in a process of its own."""

import sys
from pathlib import Path

from leadline.store.lance import LanceStore
from leadline.testing.entries import VECTORS, entry

DOCUMENTS = 36
BATCH = 6


async def load(folder: Path, version: int) -> None:
    """Bring every document to this version, batch by batch; "begun" is written when the work begins."""
    store = LanceStore(folder)
    await store.create(VECTORS)
    sys.stdout.write("begun\n")
    sys.stdout.flush()
    have = await store.fingerprints("vectors")
    entries = [
        entry(f"d{n}", f"word w{n} v{version}", f"more w{n}", metadata={f"m{n % 9}": n}, vectors=[n % 8, 7])
        for n in range(DOCUMENTS)
    ]
    todo = [one for one in entries if have.get(one.document.id, ("", ""))[1] != one.fingerprint]
    for begin in range(0, len(todo), BATCH):
        await store.replace("vectors", todo[begin : begin + BATCH])
        if begin % (3 * BATCH) == 0:
            await store.optimise("vectors")
    await store.close()
