"""Hits that no judge got to: good scores are kept, so that nothing found is lost."""

from collections.abc import Sequence

from leadline.types import Hit, Verdict

KEPT_FROM = 0.5
"""What was not judged is kept from this share of the best score on."""
NOT_JUDGED = "not judged, by score"
"""The reason of such a verdict."""


def by_score(hits: Sequence[Hit], best: float | None = None) -> list[Verdict]:
    """A verdict for each hit from its score alone; `best` is the best score of all that were found together."""
    top = best if best is not None else max((hit.score for hit in hits), default=0.0)
    shares = [hit.score / (top or 1.0) for hit in hits]
    return [Verdict(share >= KEPT_FROM, share, NOT_JUDGED) for share in shares]
