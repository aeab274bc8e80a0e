"""The facts of one run: each checked against its source, each said once, with all the places that say it.

statements -> quote found in the source? -> what the source says -> said before? -> its sources join -> new facts
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from leadline.agents.hedging import turned
from leadline.agents.sameness import Sameness
from leadline.citing.edges import sentence_spans
from leadline.citing.verify import verify
from leadline.events import FactsFound
from leadline.reasoning.verifiable import has_values, verifiable
from leadline.run import Run
from leadline.types import Citation, Claim, Document, Fact, Support

SOURCES = 8
"""Places that one fact cites at most."""
LONGEST = 400
"""Characters of a sentence that stands in for a statement which says more than it."""
_INCOMPARABLE = ("the source is in another language", "names in another script")
"""How the check begins to say what it cannot compare; all else that it says of a statement is against it."""

Documents = Mapping[str, Document]


@dataclass(slots=True)
class Facts:
    """Kept in the order in which they were found, at most so many."""

    sameness: Sameness = field(default_factory=Sameness)
    kept: list[Fact] = field(default_factory=list[Fact])
    most: int | None = None

    async def take(self, claims: Sequence[Claim], documents: Documents, round: int, run: Run) -> int:
        """Take in what a round stated, and tell it; return how many facts are new."""
        found = [fact for claim in claims if (fact := checked_fact(claim, documents, round))]
        await self.sameness.learn([fact.statement for fact in found])
        before = len(self.kept)
        for fact in found:
            self._add(fact)
        # A source that says what a fact says joins it also where there is room for no further fact.
        came = len(self.kept) - before
        room = came if self.most is None else max(self.most - before, 0)
        self.kept[before:] = best_of(self.kept[before:], room)
        new = len(self.kept) - before
        unverified, merged = len(claims) - len(found), len(found) - came
        run.emit(FactsFound(round, len(claims), unverified, merged, new, len(self.kept), came - new))
        return new

    def _add(self, fact: Fact) -> None:
        """The first of several that say the same is kept, and gets the sources of all."""
        for place, known in enumerate(self.kept):
            if self.sameness.same(fact, known):
                self.kept[place] = replace(known, citations=_joined(known.citations, fact.citations))
                return
        self.kept.append(fact)


def best_of(facts: Sequence[Fact], room: int) -> list[Fact]:
    """At most so many, in their order: their documents take turns, each with what tells a number, a day or a name first."""
    if len(facts) <= room:
        return list(facts)
    documents: dict[str, list[int]] = {}
    for place in sorted(range(len(facts)), key=lambda place: not has_values(facts[place].statement)):
        documents.setdefault(facts[place].citations[0].document_id, []).append(place)
    first = sorted(documents.values(), key=min)
    turns = [place for turn in zip_longest(*first) for place in turn if place is not None]
    return [facts[place] for place in sorted(turns[:room])]


def checked_fact(claim: Claim, documents: Documents, round: int) -> Fact | None:
    """The claim as a fact, if its source bears it out: a statement that says more than its quote is replaced by the
    sentence that is quoted, and so is one that leaves out what turns it; one whose quote is nowhere is none."""
    found = verify(claim, documents)
    if found.support is Support.UNSUPPORTED:
        return None
    if found.support is Support.PARTLY and not _only_incomparable(found.note):
        return _in_its_words(found.citations[0], documents, round)
    bearing = [each for each in found.citations if not turned(found.text, _sentence(each, documents))]
    if not bearing:
        return _in_its_words(found.citations[0], documents, round)
    return Fact(" ".join(found.text.split()), tuple(bearing[:SOURCES]), round)


def _sentence(citation: Citation, documents: Documents) -> str:
    """The sentences that a quote touches, whole."""
    text = documents[citation.document_id].text
    spans = sentence_spans(text, (citation.start, citation.end))
    return text[spans[0][0] : spans[-1][1]] if spans else citation.quote


def _only_incomparable(note: str) -> bool:
    return all(part.strip().startswith(_INCOMPARABLE) for part in note.split(";"))


def _in_its_words(citation: Citation, documents: Documents, round: int) -> Fact | None:
    """The sentence that a quote is from, as the fact."""
    text = documents[citation.document_id].text
    spans = sentence_spans(text, (citation.start, citation.end))
    if not spans:
        return None
    start, end = spans[0][0], spans[-1][1]
    quote = text[start:end]
    if len(quote) > LONGEST or not verifiable(quote):
        return None
    said = " ".join(quote.split())
    whole = verify(Claim(said, (replace(citation, quote=quote, start=start, end=end),), "quoted"), documents)
    return Fact(said, whole.citations, round) if whole.support is Support.SUPPORTED else None


def _joined(known: Sequence[Citation], new: Sequence[Citation]) -> tuple[Citation, ...]:
    """Each place once, those known first."""
    places = {(each.document_id, each.start, each.end): each for each in (*known, *new)}
    return tuple(places.values())[:SOURCES]
