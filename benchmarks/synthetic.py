"""Synthetic chunks and questions for measuring stores, the same in every run."""

from dataclasses import dataclass

import numpy as np

from leadline.embeddings.base import Vectors
from leadline.store.base import Entry
from leadline.types import Chunk, Document, Section

DIMENSION = 256
VOCABULARY = 50_000
LENGTH = 110
"""Terms in a chunk."""

CLUSTERS = 2_000
PER_DOCUMENT = 20
BATCH = 5_000
YEARS = (2000, 2025)
SINCE = 2015
"""Two fifths of the chunks are from this year or later."""


@dataclass(frozen=True, slots=True)
class Question:
    """One query, and the ids of the ten chunks nearest to it by exact search."""

    vector: Vectors
    terms: tuple[str, ...]
    nearest: frozenset[str]


class Corpus:
    """Chunks whose words follow Zipf's law and whose vectors lie in clusters; the same for every run."""

    def __init__(self, chunks: int) -> None:
        self.size = chunks
        random = np.random.default_rng(2024)
        self.words = np.array([f"w{number}" for number in range(VOCABULARY)])
        odds = 1.0 / np.arange(3, VOCABULARY + 3)
        self.odds = np.cumsum(odds / odds.sum())
        self.centres = random.standard_normal((CLUSTERS, DIMENSION)).astype(np.float32)
        self.vectors = self._vectors(random, chunks)
        self.years = random.integers(*YEARS, chunks)

    def _vectors(self, random: np.random.Generator, count: int) -> Vectors:
        around = self.centres[random.integers(0, CLUSTERS, count)]
        spread = around + random.standard_normal((count, DIMENSION)).astype(np.float32)
        return (spread / np.linalg.norm(spread, axis=1, keepdims=True)).astype(np.float32)

    def terms(self, random: np.random.Generator, count: int, length: int) -> list[str]:
        drawn = np.minimum(np.searchsorted(self.odds, random.random((count, length))), VOCABULARY - 1)
        return [" ".join(row) for row in self.words[drawn]]

    def chunks(self, start: int, end: int) -> list[Chunk]:
        texts = self.terms(np.random.default_rng(start), end - start, LENGTH)
        return [self._chunk(start + at, text) for at, text in enumerate(texts)]

    def _chunk(self, number: int, terms: str) -> Chunk:
        whole = f"d{number // PER_DOCUMENT}"
        first = (number % PER_DOCUMENT) * 1000
        return Chunk(
            id=f"c{number}",
            document_id=whole,
            section_id=f"{whole}-s",
            ordinal=number % PER_DOCUMENT,
            start=first,
            end=first + len(terms),
            text=terms,
            source=f"folder/{whole}.md",
            title=f"Document {whole}",
            heading_path=("Part", "Chapter"),
            page=number % PER_DOCUMENT,
            terms=terms,
            metadata={"year": int(self.years[number])},
        )

    def questions(self, count: int) -> list[Question]:
        random = np.random.default_rng(7)
        vectors = self._vectors(random, count)
        rare = self.terms(random, count, 40)
        found: list[Question] = []
        for vector, words in zip(vectors, rare, strict=True):
            nearest = np.argpartition(-(self.vectors @ vector), 10)[:10]
            # The five rarest of forty words drawn: questions name what they are about.
            rarest = sorted(set(words.split()), key=lambda word: -int(word[1:]))[:5]
            found.append(Question(vector, tuple(rarest), frozenset(f"c{one}" for one in nearest)))
        return found


def entries(corpus: Corpus, start: int, end: int) -> list[Entry]:
    """Documents of `PER_DOCUMENT` chunks each."""
    chunks = corpus.chunks(start, end)
    made: list[Entry] = []
    for first in range(0, len(chunks), PER_DOCUMENT):
        held = chunks[first : first + PER_DOCUMENT]
        text = "\n".join(chunk.text for chunk in held)
        document = Document(
            held[0].document_id, held[0].source, text, held[0].title, "hash", held[0].metadata
        )
        section = Section(held[0].section_id, document.id, 0, 0, len(text))
        vectors = corpus.vectors[start + first : start + first + len(held)]
        made.append(Entry(document, (section,), tuple(held), vectors, "print"))
    return made
