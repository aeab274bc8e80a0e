"""Measure answers: are the quotes where they are said to be, are the right passages cited, is the gold there."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from leadline.evaluation.answer_metrics import (
    citation_precision,
    citation_recall,
    contains,
    exact_match,
    is_yes_no,
    sentence_count,
    token_f1,
)
from leadline.evaluation.cases import Case
from leadline.evaluation.metrics import mean
from leadline.events import Called, CallFailed, Defaulted, Event, Searched
from leadline.run import Budget, Run
from leadline.store.base import Store
from leadline.types import Answer, Citation

Ask = Callable[[str, Run], Awaitable[Answer]]
MAX_SENTENCES = 5
MAX_CHARACTERS = 800


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One question's answer, measured. Passages shown with "not found" are quotes, but cite nothing.

    `wrong_quotes` name each quote that does not stand at its span in the stored text. `exact` and `f1` are of the whole
    text or of its short answer (the first claim; of a computed one the result), whichever is better. `recall` is the
    share of the supporting passages that any search found, `kept` that of those in the evidence; `hit_at_3` is 1 if one
    is among the best three of it; all of them are 0 where nothing is `supported`, known to support an answer.
    `without_model`: a model was asked, and did not write the answer; `failure` is why its last failed call did.
    """

    id: str
    type: str
    yes_no: bool
    answered: bool
    contains: bool
    exact: bool
    sentences: int
    characters: int
    quotes: int
    wrong_quotes: tuple[str, ...]
    citation_recall: float
    citation_precision: float
    searches: int
    rounds: int
    stop: str
    ms: float
    text: str
    f1: float = 0.0
    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    recall: float = 0.0
    kept: float = 0.0
    hit_at_3: float = 0.0
    supported: bool = True
    without_model: bool = False
    failure: str = ""

    @property
    def unheard(self) -> bool:
        """Whether not one call of a model succeeded: this says what the offline rules can, and nothing of the model."""
        return self.without_model and not self.calls

    @property
    def fits(self) -> bool:
        """Whether the answer is as short as answers should be."""
        return self.sentences <= MAX_SENTENCES and self.characters <= MAX_CHARACTERS


@dataclass(slots=True)
class _Heard:
    """What the events of one run tell: which sources searches found, and what came of asking a model."""

    searched: set[str] = field(default_factory=set[str])
    replies: int = 0
    unwritten: bool = False
    failure: str = ""

    def __call__(self, event: Event) -> None:
        match event:
            case Searched():
                self.searched.update(hit.chunk.source for hit in event.hits)
            case Called():
                self.replies += 1
            case CallFailed(again=None):
                self.failure = event.reason
            case Defaulted(step="write"):
                self.unwritten = True
            case _:
                pass

    @property
    def without_model(self) -> bool:
        return self.unwritten or (bool(self.failure) and not self.replies)


async def measure_answer(
    case: Case, ask: Ask, store: Store, collection: str, budget: Budget | None = None
) -> AnswerRow:
    """Ask one question and measure what comes back, quotes against what the store holds."""
    heard = _Heard()
    run = Run(budget or Budget(searches=None), heard)
    started = time.perf_counter()
    answer = await ask(case.question, run)
    milliseconds = (time.perf_counter() - started) * 1000
    citations = [citation for claim in answer.claims for citation in claim.citations]
    golds = (case.answer, *case.aliases)
    cited = {citation.source for citation in citations} if answer.found else set[str]()
    claims = [claim.text for claim in answer.claims] if answer.found else []
    said = (answer.text, short_answer(answer)) if answer.found else ()
    evidence = [item.chunk.source for item in answer.evidence]
    supporting = set(case.supporting)
    return AnswerRow(
        id=case.id,
        type=case.type,
        yes_no=is_yes_no(case.answer),
        answered=answer.found,
        contains=answer.found and contains(answer.text, golds),
        exact=any(exact_match(text, golds) for text in said),
        sentences=sentence_count(claims),
        characters=len(" ".join(claims)),
        quotes=len(citations),
        wrong_quotes=await wrong_quotes(citations, store, collection),
        citation_recall=citation_recall(cited, set(case.supporting)),
        citation_precision=citation_precision(cited, set(case.supporting)),
        searches=answer.usage.searches,
        rounds=answer.rounds,
        stop=str(answer.stop),
        ms=milliseconds,
        text=answer.text,
        f1=max((token_f1(text, golds) for text in said), default=0.0),
        calls=answer.usage.calls,
        tokens=answer.usage.tokens,
        usd=answer.usage.usd,
        recall=citation_recall(heard.searched | set(evidence), supporting),
        kept=citation_recall(set(evidence), supporting),
        supported=bool(supporting),
        hit_at_3=float(not supporting.isdisjoint(list(dict.fromkeys(evidence))[:3])),
        without_model=heard.without_model,
        failure=heard.failure,
    )


def short_answer(answer: Answer) -> str:
    """The result of what was computed, else the first claim."""
    first = next(iter(answer.claims), None)
    if first is None:
        return ""
    return first.computation.result if first.computation else first.text


async def wrong_quotes(citations: Sequence[Citation], store: Store, collection: str) -> tuple[str, ...]:
    """The citations whose quote is not the stored text of their document at their span, described."""
    wrong: list[str] = []
    for citation in citations:
        document = await store.document(collection, citation.document_id)
        at_span = document.text[citation.start : citation.end] if document else ""
        if not citation.quote or at_span != citation.quote:
            wrong.append(f"{citation.source} {citation.start}:{citation.end} {citation.quote[:80]!r}")
    return tuple(wrong)


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """Over all questions, as fractions and means; `contains_yes_no` is over yes/no questions alone.

    Citation recall is over all questions that have supporting passages, an unanswered one counting 0; precision over the
    answered ones. `contains` and
    `exact` leave yes/no questions out, `right` is `contains` over all.
    """

    questions: int
    answered: float
    too_long: int
    max_sentences: int
    max_characters: int
    quotes: int
    wrong_quotes: int
    citation_recall: float
    citation_precision: float
    contains: float
    contains_when_answered: float
    exact: float
    yes_no: int
    contains_yes_no: float
    searches_per_question: float
    rounds_per_question: float
    ms_per_question: float
    stops: Mapping[str, int]
    f1: float = 0.0
    calls_per_question: float = 0.0
    tokens_per_question: float = 0.0
    usd_per_question: float = 0.0
    recall: float = 0.0
    kept: float = 0.0
    hit_at_3: float = 0.0
    right: float = 0.0
    supported: int = 0
    without_model: int = 0


def answer_figures(rows: Sequence[AnswerRow]) -> AnswerFigures:
    """Put the rows together."""
    answered = [row for row in rows if row.answered]
    open_ended = [row for row in rows if not row.yes_no]
    yes_no = [row for row in rows if row.yes_no]
    known = [row for row in rows if row.supported]
    stops = sorted({row.stop for row in rows})
    return AnswerFigures(
        questions=len(rows),
        answered=mean([row.answered for row in rows]),
        too_long=sum(not row.fits for row in rows),
        max_sentences=max((row.sentences for row in rows), default=0),
        max_characters=max((row.characters for row in rows), default=0),
        quotes=sum(row.quotes for row in rows),
        wrong_quotes=sum(len(row.wrong_quotes) for row in rows),
        citation_recall=mean([row.citation_recall for row in known]),
        citation_precision=mean([row.citation_precision for row in answered if row.supported]),
        contains=mean([row.contains for row in open_ended]),
        contains_when_answered=mean([row.contains for row in open_ended if row.answered]),
        exact=mean([row.exact for row in open_ended]),
        yes_no=len(yes_no),
        contains_yes_no=mean([row.contains for row in yes_no]),
        searches_per_question=mean([row.searches for row in rows]),
        rounds_per_question=mean([row.rounds for row in rows]),
        ms_per_question=mean([row.ms for row in rows]),
        stops={stop: sum(row.stop == stop for row in rows) for stop in stops},
        f1=mean([row.f1 for row in rows]),
        calls_per_question=mean([row.calls for row in rows]),
        tokens_per_question=mean([row.tokens for row in rows]),
        usd_per_question=mean([row.usd for row in rows]),
        recall=mean([row.recall for row in known]),
        kept=mean([row.kept for row in known]),
        hit_at_3=mean([row.hit_at_3 for row in known]),
        right=mean([row.contains for row in rows]),
        supported=len(known),
        without_model=sum(row.without_model for row in rows),
    )
