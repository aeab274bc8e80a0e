"""Made-up prose for measuring the whole write path: documents on topics that name each other, the same in every run.

A topic has words and names of its own. A chunk uses mostly those, and names its document's subject and two more, some of
them of other topics: so vectors lie in clusters, words follow Zipf's law, and there is something to link.
"""

import random
from collections.abc import Iterator

from leadline.documents.splitting import SplitOptions
from leadline.types import Document

SYLLABLES = (
    *("ba", "cor", "den", "el", "far", "gra", "hol", "im", "jor", "ka", "lun", "mar", "nes", "or", "pal"),
    *("qui", "ros", "sel", "tam", "ul", "ven", "wil", "xan", "yor", "zem", "bri", "clo", "dru", "fen", "gil"),
)
TOPICS = 2_000
WORDS_OF_TOPIC = 150
NAMES_OF_TOPIC = 40
PER_DOCUMENT = 20
SPLIT = SplitOptions(chunk_size=450, section_size=4_000)
"""Fits the paragraphs below, so that each becomes one chunk."""


class Prose:
    """`TOPICS` topics, or one for every 500 chunks if that is fewer."""

    def __init__(self, chunks: int) -> None:
        self.chunks = chunks
        self.topics = max(20, min(TOPICS, chunks // 500))
        draw = random.Random(11)
        common = [_word(draw, 2) for _ in range(800)]
        self.words = [
            [*draw.choices(common, k=30), *(_word(draw, draw.choice((2, 3))) for _ in range(WORDS_OF_TOPIC))]
            for _ in range(self.topics)
        ]
        self.weights = [1.0 / (rank + 3) for rank in range(30 + WORDS_OF_TOPIC)]
        self.names = [
            [f"{_word(draw, 2).title()} {_word(draw, 3).title()}" for _ in range(NAMES_OF_TOPIC)]
            for _ in range(self.topics)
        ]

    def documents(self, start: int = 0, end: int | None = None) -> Iterator[Document]:
        """The documents of the chunks from `start` to `end`, `PER_DOCUMENT` chunks each."""
        last = self.chunks if end is None else min(end, self.chunks)
        for first in range(start, last, PER_DOCUMENT):
            yield self._document(first // PER_DOCUMENT, min(PER_DOCUMENT, last - first))

    def questions(self, count: int) -> list[str]:
        """Each asks about a name of some topic, in the words of that topic."""
        draw = random.Random(23)
        asked: list[str] = []
        for _ in range(count):
            topic = draw.randrange(self.topics)
            words = " ".join(draw.choices(self.words[topic], self.weights, k=6))
            asked.append(f"Which {words} did {draw.choice(self.names[topic])} have?")
        return asked

    def _document(self, number: int, paragraphs: int) -> Document:
        draw = random.Random(number)
        topic = draw.randrange(self.topics)
        title = f"{draw.choice(self.names[topic])} {number}"
        text = "\n\n".join(self._paragraph(draw, topic) for _ in range(paragraphs))
        return Document(f"d{number}", f"folder/d{number}.md", text, title, f"hash {number}", {"year": 2000})

    def _paragraph(self, draw: random.Random, topic: int) -> str:
        sentences: list[str] = []
        for _ in range(4):
            words = draw.choices(self.words[topic], self.weights, k=11)
            other = topic if draw.random() < 0.7 else draw.randrange(self.topics)
            words.insert(draw.randrange(2, 9), draw.choice(self.names[other]))
            sentences.append(" ".join(words).capitalize()[:1] + " ".join(words)[1:] + ".")
        return " ".join(sentences)


def _word(draw: random.Random, syllables: int) -> str:
    return "".join(draw.choices(SYLLABLES, k=syllables))
