"""A collection of a few hundred chunks and questions to it, the same in every run."""

import random

from leadline.store.base import Entry
from leadline.testing.entries import entry

WORDS = [f"w{number}" for number in range(400)]


def zipf(chance: random.Random, count: int) -> list[str]:
    """Words as frequent as in prose: the n-th one n times as rarely as the first."""
    return chance.choices(WORDS, [1 / (1 + place) for place in range(len(WORDS))], k=count)


def collection(documents: int = 60) -> list[Entry]:
    chance = random.Random(3)
    return [
        entry(
            f"d{number:03}",
            *(" ".join(zipf(chance, chance.randrange(20, 120))) for _ in range(8)),
            vectors=[0] * 8,
        )
        for number in range(documents)
    ]


def questions(count: int = 25) -> list[list[str]]:
    chance = random.Random(4)
    return [list(dict.fromkeys(zipf(chance, 3) + chance.choices(WORDS, k=3))) for _ in range(count)]
