"""Whether an encoder knows the scripts of the documents it is given."""

from collections import Counter
from collections.abc import Iterable

from leadline.analysis.scripts import script
from leadline.embeddings.base import Embedder

SAMPLE = 2_000
"""Characters of a document that tell its script."""


def blind(embedder: Embedder | None, scripts: Iterable[str]) -> list[str]:
    """The scripts that the encoder knows nothing of."""
    if embedder is None:
        return []
    return sorted({each for each in scripts if each != "other" and not embedder.strength.weight(each)})


def remedy(collection: str) -> str:
    """What to do about scripts that are not known."""
    return (
        "Such text is found by keywords and links only. For search by meaning: pip install "
        f"'leadline[multilingual]', then `leadline reindex --embedding multilingual --collection {collection}`."
    )


class Coverage:
    """Counts documents by script during a load, so that one notice at its end can say what is not covered."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._seen: Counter[str] = Counter()

    def see(self, text: str) -> None:
        """Count one document."""
        if self._embedder is not None:
            self._seen[script(text[:SAMPLE])] += 1

    def notice(self, collection: str) -> str:
        """What to say at the end; "" when everything is covered."""
        unknown = blind(self._embedder, self._seen)
        if not unknown or self._embedder is None:
            return ""
        count = sum(self._seen[each] for each in unknown)
        return (
            f"{count} of {self._seen.total()} documents are in a script that the embedding "
            f"{self._embedder.name} does not know ({', '.join(unknown)}). {remedy(collection)}"
        )
