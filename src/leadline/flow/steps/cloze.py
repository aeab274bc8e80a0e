"""Cloze: questions made of a text's own sentences, each with one thing left out. No model is asked.

text -> sentences -> a number or name in each -> the sentence with a gap is the question, what was there the answer
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from leadline.analysis.names import name_spans
from leadline.analysis.sentences import sentences
from leadline.flow.base import FieldKind, Row, Scope, Shape
from leadline.flow.operators.shapes import having, reading
from leadline.flow.stepping import Step
from leadline.flow.steps.values import text_at, value_at

GAP = "____"
SHORTEST, LONGEST = 30, 400
"""Characters of a sentence that a question is made of. One of a script without spaces says more with fewer."""

_NUMBER = re.compile(r"(?<![A-Za-z0-9_.,])\d+(?:[.,]\d+)*(?![A-Za-z0-9_]|[.,]\d)")
_DENSE = 12


@dataclass(frozen=True, slots=True)
class Cloze(Step):
    """Makes questions and answers of a text's own sentences: what is left out of a sentence is the answer.

    Left out is a number, else a name, that stands in the sentence once and not in the title. A pair has `question` (the
    title, and the sentence with a gap), `answer`, and `quote`, the sentence itself, at `start` and `end` of the text.

    text: the field with the text.
    title: the field with what the text is about.
    into: the field for the list of pairs.
    most: the most pairs of one text, from its beginning.

    Example:
        cloze: {text: chunk.text, title: title, into: pairs, most: 2}
    """

    text: str = "text"
    title: str = "title"
    into: str = "pairs"
    most: int = 3

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(self.text, kind="text")

    def after(self, before: Shape) -> Shape:
        return having(before, {self.into: "list"})

    def apply(self, row: Row, scope: Scope) -> list[Row]:
        title = value_at(row, self.title)
        pairs = _pairs(text_at(row, self.text), title if isinstance(title, str) else "")
        return [{**row, self.into: [pair for pair, _ in zip(pairs, range(self.most), strict=False)]}]


def _pairs(text: str, title: str) -> Iterator[Row]:
    for start, end in sentences(text):
        sentence = text[start:end]
        if not _is_prose(sentence):
            continue
        for a, b in _gaps(sentence, title):
            question = f"{sentence[:a]}{GAP}{sentence[b:]}"
            yield {
                "question": f"{title}: {question}" if title else question,
                "answer": sentence[a:b],
                "quote": sentence,
                "start": start,
                "end": end,
            }
            break


def _is_prose(sentence: str) -> bool:
    least = SHORTEST if sentence.isascii() or " " in sentence else _DENSE
    ends = sentence.rstrip("\"'”’»)」』）】》")[-1:] in ".!。！۔…"
    return (
        least <= len(sentence) <= LONGEST and ends and "\n" not in sentence and sentence[0] not in "#|>-*•=`"
    )


def _gaps(sentence: str, title: str) -> Iterator[tuple[int, int]]:
    """What may be left out, the most telling first."""
    spans = [*(found.span() for found in _NUMBER.finditer(sentence)), *name_spans(sentence)]
    for start, end in spans:
        answer = sentence[start:end]
        if sentence.count(answer) == 1 and answer.casefold() not in title.casefold():
            yield start, end
