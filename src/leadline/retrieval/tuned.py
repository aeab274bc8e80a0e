"""What `leadline tune` found best for a collection, kept in the collection's metadata and followed by searches."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from leadline.retrieval.candidates import Fusion
from leadline.retrieval.hybrid import RetrievalOptions
from leadline.types import Collection, Metadata, MetaValue

PREFIX = "tuned."
EMBEDDING = f"{PREFIX}embedding"
KEYS = (
    EMBEDDING,
    *(f"{PREFIX}{name}" for name in ("fusion", "dense_weight", "linked", "coverage", "expand")),
)


@dataclass(frozen=True, slots=True)
class Choice:
    """What can be tuned. `dense_weight` of None is what the embedder says of itself; `expand`: a question is searched
    for in a model's other words too."""

    fusion: Fusion = "score"
    dense_weight: float | None = None
    linked: bool = True
    coverage: bool = True
    expand: bool = False

    def on(self, options: RetrievalOptions) -> RetrievalOptions:
        """The options with this choice; a path that is off stays off."""
        paths = options.paths if self.linked else options.paths - {"linked"}
        return replace(
            options,
            fusion=self.fusion,
            tuned_weight=self.dense_weight,
            paths=paths,
            coverage=self.coverage and options.coverage,
        )

    def metadata(self, embedding: str) -> dict[str, MetaValue | None]:
        """As keys of a collection's metadata, for vectors of this embedding."""
        return {
            EMBEDDING: embedding,
            f"{PREFIX}fusion": self.fusion,
            f"{PREFIX}dense_weight": self.dense_weight,
            f"{PREFIX}linked": self.linked,
            f"{PREFIX}coverage": self.coverage,
            f"{PREFIX}expand": self.expand or None,
        }

    @classmethod
    def of(cls, metadata: Metadata) -> "Choice":
        """Read back what `metadata` made; whatever else stands there counts as not chosen."""
        weight = metadata.get(f"{PREFIX}dense_weight")
        return cls(
            fusion="rrf" if metadata.get(f"{PREFIX}fusion") == "rrf" else "score",
            dense_weight=min(1.0, max(0.0, float(weight))) if isinstance(weight, int | float) else None,
            linked=metadata.get(f"{PREFIX}linked") is not False,
            coverage=metadata.get(f"{PREFIX}coverage") is not False,
            expand=metadata.get(f"{PREFIX}expand") is True,
        )

    def words(self) -> str:
        """For a person: `score, dense 0.25, linked, coverage`."""
        weight = "dense as the encoder says" if self.dense_weight is None else f"dense {self.dense_weight:g}"
        return ", ".join(
            (
                "by score" if self.fusion == "score" else "by rank",
                weight,
                "linked" if self.linked else "not linked",
                "coverage" if self.coverage else "no coverage",
                *(["in other words too"] if self.expand else []),
            )
        )


UNTUNED: Mapping[str, MetaValue | None] = dict.fromkeys(KEYS)
"""The change of metadata that forgets a choice."""


def choice_of(collection: Collection) -> Choice | None:
    """What was tuned for a collection; None if nothing was, or for vectors that it no longer has."""
    if collection.metadata.get(EMBEDDING) != collection.embedding:
        return None
    return Choice.of(collection.metadata)


def tuned(
    options: RetrievalOptions, collections: Sequence[Collection], said: Container[str] = ()
) -> RetrievalOptions:
    """The options as tuned for these collections, where all were tuned alike.

    What a person has set (`said` holds "fusion") is not overruled.
    """
    choices = {choice_of(collection) for collection in collections}
    choice = choices.pop() if len(choices) == 1 else None
    if choice is None:
        return options
    changed = choice.on(options)
    return replace(changed, fusion=options.fusion) if "fusion" in said else changed
