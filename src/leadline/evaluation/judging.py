"""From what a method ranked to the places of what it should have found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from leadline.evaluation.cases import Case, QuestionSet
from leadline.evaluation.metrics import Places, distinct, places_of
from leadline.evaluation.whole import Gold, as_whole_document, gold_of
from leadline.types import Document, Hit

Row = Mapping[str, Any]
"""What is kept of one question: `ranking`, passage ids, or over whole documents `spans`; and times."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Knows where each gold passage stands; `gold` is empty where passages are found as a whole."""

    gold: Mapping[str, Gold] = field(default_factory=dict[str, Gold])

    @classmethod
    def of(cls, questions: QuestionSet) -> "Judge":
        """The judge of a set; over whole documents every gold passage is located first."""
        if not questions.whole:
            return cls()
        asked = dict.fromkeys(name for case in questions.cases for name in case.supporting)
        passages = {passage.id: passage for passage in questions.passages}
        sources = {passages[name].document for name in asked}
        documents: dict[str, Document] = {
            one.id: as_whole_document(one) for one in questions.whole if one.id in sources
        }
        return cls({name: gold_of(passages[name], documents[passages[name].document]) for name in asked})

    def places(self, case: Case, row: Row) -> Places:
        """The place of each of the case's passages."""
        if not self.gold:
            return places_of(row["ranking"], set(case.supporting))
        spans = [(str(name), int(start), int(end)) for name, start, end in row["spans"]]
        return [self.gold[name].place(spans) for name in case.supporting]


def ranked_row(questions: QuestionSet, hits: Sequence[Hit], depth: int) -> dict[str, object]:
    """The part of a row that says what was found, best first."""
    if questions.whole:
        chunks = [hit.chunk for hit in hits[:depth]]
        return {"spans": [[chunk.source, chunk.start, chunk.end] for chunk in chunks]}
    return {"ranking": passages_of(hits)[:depth]}


def passages_of(hits: Sequence[Hit]) -> tuple[str, ...]:
    """The passages that these chunks came from, each at its best chunk's place."""
    return distinct(hit.chunk.source for hit in hits)
