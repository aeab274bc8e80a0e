"""The facts of one run: each checked against its source, each said once, with all the places that say it.

statements -> quote found in the source? -> what the source says -> said before? -> its sources join -> new facts
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from math import ceil

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
    """Kept in the order in which they were found, at most so many. `waiting` are those for which a round had no room."""

    sameness: Sameness = field(default_factory=Sameness)
    kept: list[Fact] = field(default_factory=list[Fact])
    most: int | None = None
    waiting: list[Fact] = field(default_factory=list[Fact])

    @property
    def known(self) -> tuple[Fact, ...]:
        """All that was found, also what waits."""
        return (*self.kept, *self.waiting)

    async def take(
        self,
        claims: Sequence[Claim],
        documents: Documents,
        round: int,
        run: Run,
        *,
        rounds: int | None = None,
    ) -> int:
        """Take in what a round stated, and tell it; return how many facts are new. Where the first of `claims` are the most
        telling, a round keeps no more than its share of the room for itself and the `rounds` that may follow; the others
        wait."""
        found = [fact for claim in claims if (fact := checked_fact(claim, documents, round))]
        await self.sameness.learn([fact.statement for fact in found])
        # A source that says what a fact says joins it also where there is room for no further fact.
        came = list[Fact]()
        for fact in found:
            self._add(fact, came)
        room = len(came) if self.most is None else max(self.most - len(self.kept), 0)
        kept = best_of(came, room) if rounds is None else came[: ceil(room / (rounds + 1))]
        if rounds is not None:
            self.waiting += came[len(kept) :]
        self.kept += in_order(kept) if rounds is not None else kept
        unverified, merged = len(claims) - len(found), len(found) - len(came)
        told = FactsFound(
            round, len(claims), unverified, merged, len(kept), len(self.kept), len(came) - len(kept)
        )
        run.emit(told)
        return len(came if rounds is not None else kept)

    def fill(self, round: int, run: Run) -> None:
        """Keep what waited, as far as there is room at the end."""
        room = len(self.waiting) if self.most is None else max(self.most - len(self.kept), 0)
        late, self.waiting = self.waiting[:room], self.waiting[room:]
        if late:
            self.kept = in_order([*self.kept, *late])
            run.emit(FactsFound(round, len(late), 0, 0, len(late), len(self.kept), len(self.waiting)))

    def _add(self, fact: Fact, came: list[Fact]) -> None:
        """The first of several that say the same is kept, and gets the sources of all."""
        for facts in (self.kept, self.waiting, came):
            for place, known in enumerate(facts):
                if self.sameness.same(fact, known):
                    facts[place] = replace(known, citations=_joined(known.citations, fact.citations))
                    return
        came.append(fact)


def in_order(facts: Sequence[Fact]) -> list[Fact]:
    """Document by document, as they come first, and in each as its text has them."""
    documents = list(dict.fromkeys(fact.citations[0].document_id for fact in facts))
    places = {document: place for place, document in enumerate(documents)}
    return sorted(facts, key=lambda fact: (places[fact.citations[0].document_id], fact.citations[0].start))


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
