"""Is a difference more than chance? A paired bootstrap over questions (Efron, 1979)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

DRAWS = 4_000
SEED = 17
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean difference, and between which bounds it lies with 95% confidence."""

    mean: float
    low: float
    high: float

    @property
    def is_gain(self) -> bool:
        """Whether it is above 0 for all that chance explains."""
        return self.low > 0


def interval(groups: Sequence[Sequence[float]]) -> Interval:
    """The mean over groups (sets) of the mean difference of their questions.

    Questions are drawn again within each group, so that a large set does not speak for a small one.
    """
    random = np.random.default_rng(SEED)
    drawn = np.zeros(DRAWS)
    whole = 0.0
    for group in groups:
        values = np.array(group, dtype=float)
        picks = random.integers(0, len(values), (DRAWS, len(values)))
        drawn += values[picks].mean(axis=1) / len(groups)
        whole += float(values.mean()) / len(groups)
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(drawn, [tail, 100 - tail])
    return Interval(whole, float(low), float(high))
