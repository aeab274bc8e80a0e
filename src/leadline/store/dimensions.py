"""Vectors and collections that do not fit together, said with what to do."""

from collections.abc import Sequence

from leadline.embeddings.base import Vectors
from leadline.errors import EmbeddingMismatch
from leadline.store.base import Entry
from leadline.types import Collection


def check_same(there: Collection, given: Collection) -> None:
    """Refuse to make a collection again with another encoder."""
    if (there.embedding, there.dimension) != (given.embedding, given.dimension):
        raise mismatch(there, given.embedding, given.dimension)


def check_vectors(collection: Collection, entries: Sequence[Entry]) -> None:
    """Refuse vectors of another length than the collection's."""
    for entry in entries:
        if not entry.chunks:
            continue
        given = 0 if entry.vectors is None else int(entry.vectors.shape[1])
        if given != collection.dimension:
            raise mismatch(collection, "another embedding" if given else "none", given)


def check_question(collection: Collection, vector: Vectors) -> None:
    """Refuse to search with a vector of another length."""
    if vector.shape != (collection.dimension,):
        raise EmbeddingMismatch(
            f"Collection `{collection.name}` is indexed with {collection.embedding} "
            f"({collection.dimension} dimensions) and cannot be searched with a vector of {vector.shape[-1]}; "
            "use the embedding it was loaded with."
        )


def mismatch(collection: Collection, embedding: str, dimension: int) -> EmbeddingMismatch:
    return EmbeddingMismatch(
        f"Collection `{collection.name}` is indexed with {collection.embedding} ({collection.dimension} dimensions), "
        f"not {embedding} ({dimension}). To index anew, `leadline load PATH --collection OTHER`, "
        f"or `leadline collections drop {collection.name}` and load again."
    )
