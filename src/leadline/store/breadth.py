"""How many candidates a walk through an HNSW index keeps where nobody asks for a number (`ef`)."""

from leadline.types import Collection

PER_RESULT, ENOUGH = 5, 200
"""Results of a search and of the walk it rests on: the ten nearest among few results are found no worse than among many."""

CHUNKS_PER_CANDIDATE, MOST = 1_750, 1_000


def breadth_of(collection: Collection, k: int) -> int:
    """The candidates of a walk for `k` results: what the collection says, more where that finds too little.

    The larger the collection the more near neighbours lie between a question and its nearest ones: at a million chunks
    64 candidates held 75% of the ten nearest and 512 held 98% (`benchmarks.million`), at 50,000 chunks 64 held 91% and
    256 held 99% (`benchmarks.hnsw`).
    """
    return max(
        collection.index.ef,
        min(PER_RESULT * k, ENOUGH),
        min(collection.chunks // CHUNKS_PER_CANDIDATE, MOST),
    )
