"""Work out what a question compares or computes, from values that the passages state; nothing is guessed.

question -> comparison -> each subject's value with the sentence that states it -> result -> one claim, cited

Small models get the dates right and the comparison wrong, and without a model nobody else would compare.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from leadline.analysis.sentences import sentences
from leadline.computation import Computation, Operand
from leadline.reasoning.arithmetic import Result, work_out
from leadline.reasoning.base import Draft, Passage
from leadline.reasoning.comparative_words import compares
from leadline.reasoning.comparing import Comparison, comparison
from leadline.reasoning.stated import Sentence, Value, about, cite
from leadline.reasoning.stated_dates import dates_of, spans_of
from leadline.reasoning.stated_numbers import amounts_of
from leadline.reasoning.stated_people import countries_of, people_of
from leadline.reasoning.wording import Part, worded
from leadline.types import Citation, Claim

SURE = 0.9
"""How far an answer that was worked out is to be trusted: the values are cited, that they are the right ones is read."""
SENTENCES, CHARACTERS = 5, 800
PEOPLE = 3
"""So many of those who share a role (two directors) are looked up."""


@dataclass(frozen=True, slots=True)
class _Found:
    """The value of one subject, of the person `through` whom it is found, and the sentences that say so."""

    subject: str
    value: Value
    said: tuple[Citation, ...]
    through: str = ""

    @property
    def operand(self) -> Operand:
        return Operand(self.subject, self.value.value, self.value.document_id, self.value.unit)


def computed(question: str, passages: Sequence[Passage]) -> Claim | None:
    """One claim with its calculation, or None: not such a question, a value is missing, or they don't decide it."""
    asked = comparison(question)
    if asked is None or not passages:
        return None
    for reading in asked.readings:
        found = _operands(asked, reading, passages)
        operands = tuple(one.operand for one in found)
        result = work_out(asked.quantity, asked.relation, operands, asked.unit) if found else None
        if result is not None:
            return _claim(question, asked, found, result)
    return None


def with_computed(draft: Draft, question: str, passages: Sequence[Passage]) -> Draft:
    """The draft with what could be worked out at its head, and without what it says about that itself.

    Of its quotes those stay that are from the documents the values are from, as far as an answer may be long.
    """
    claim = computed(question, passages)
    if claim is None:
        return draft
    documents = {citation.document_id for citation in claim.citations}
    kept = [one for one in draft.claims if draft.found and _beside(one, claim, documents)]
    claims = [claim]
    for one in kept:
        whole = " ".join(each.text for each in (*claims, one))
        if len(whole) <= CHARACTERS and len(sentences(whole)) <= SENTENCES:
            claims.append(one)
    return replace(
        draft, claims=tuple(claims), found=True, confidence=max(draft.confidence, SURE), missing=()
    )


def _beside(one: Claim, worked_out: Claim, documents: set[str]) -> bool:
    """Whether a claim can stand beside one that was worked out: a source's own words, or no comparison of its own."""
    if one.kind == "quoted":
        return any(citation.document_id in documents for citation in one.citations)
    done = worked_out.computation
    named = done is not None and any(
        operand.label.casefold() in one.text.casefold() for operand in done.operands
    )
    return not (named and compares(one.text))


def _operands(asked: Comparison, reading: Sequence[str], passages: Sequence[Passage]) -> list[_Found]:
    """A value for every subject, each in a place of its own; else none."""
    found: list[_Found] = []
    for index, subject in enumerate(reading):
        event = asked.events[index] if index < len(asked.events) else asked.event
        taken = {one.value.place for one in found}
        value = next(
            (one for one in _values(asked, event, subject, passages) if one.value.place not in taken), None
        )
        if value is None:
            return []
        found.append(value)
    return found


def _values(asked: Comparison, event: str, subject: str, passages: Sequence[Passage]) -> Iterator[_Found]:
    said = list(about(subject, passages))
    if not asked.role:
        for value in _stated(asked, event, said):
            yield _Found(subject, value, (_cited(value),))
        return
    for number, (name, sentence) in enumerate(people_of(asked.role, said)):
        if number == PEOPLE:
            return
        for value in _stated(asked, event, list(about(name, passages))):
            yield _Found(subject, value, (cite(sentence), _cited(value)), name)


def _stated(asked: Comparison, event: str, said: list[Sentence]) -> list[Value]:
    match asked.quantity:
        case "date":
            return dates_of(event, asked.cues, said)
        case "span":
            return spans_of(said)
        case "number":
            return amounts_of(asked.cues, asked.measured, said)
        case "country":
            return countries_of(said)


def _cited(value: Value) -> Citation:
    return cite(value.sentence, (value.start, value.end))


def _claim(question: str, asked: Comparison, found: Sequence[_Found], result: Result) -> Claim:
    parts = [
        Part(one.subject, one.through, one.value.shown, one.value.value, one.value.event) for one in found
    ]
    citations = tuple(dict.fromkeys(citation for one in found for citation in one.said))
    operands = tuple(one.operand for one in found)
    computation = Computation(asked.quantity, asked.relation, operands, *result)
    return Claim(worded(question, asked, parts, result), citations, "computed", computation=computation)
