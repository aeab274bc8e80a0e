"""The check of what was written: one chance to put right what fails; documents that are copies are one witness."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from leadline.agents.answering import still_open
from leadline.agents.checking import independent
from leadline.agents.options import LAYERS, AskOptions
from leadline.errors import BudgetSpent
from leadline.events import Verified
from leadline.reasoning.base import Draft, Passage, Reflection
from leadline.retrieval.base import Results, TermWeights
from leadline.retrieval.diversity import without_duplicates
from leadline.run import Run
from leadline.testing.builders import chunk, chunks, document
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.retriever import ListRetriever
from leadline.types import Chunk, Citation, Claim, Query, Support
from tests.agents.harbour import BRANDT, HARBOUR, YARD, ask, gap

TRUE = Claim("Ada Brandt was born in Velden.")
FALSE = Claim("Ada Brandt was born in Oxley.")


def citing(claim: Claim, *pieces: Chunk) -> Claim:
    cited = [Citation(p.document_id, p.id, p.source, p.title, p.text, p.start, p.end) for p in pieces]
    return replace(claim, citations=tuple(cited))


BORN = chunks(BRANDT)[0]
FOUNDED = chunks(YARD)[0]


@dataclass(slots=True)
class Spent(ScriptedReasoner):
    """Has no budget left for a repair."""

    async def mend(
        self,
        question: str,
        claims: Sequence[Claim],
        passages: Sequence[Passage],
        weights: TermWeights,
        run: Run,
    ) -> Sequence[Claim | None]:
        raise BudgetSpent("calls: 9 of 9 used", "calls")


def writes(*claims: Claim, **more: object) -> ScriptedReasoner:
    return ScriptedReasoner(drafts=lambda _: Draft(claims, True, 0.9, None), **more)  # pyright: ignore[reportArgumentType]


def test_a_claim_that_fails_is_mended_once_and_what_stands_then_is_shown() -> None:
    reasoner = writes(citing(FALSE, BORN), citing(TRUE, BORN), mends={FALSE.text: citing(TRUE, BORN)})
    asked = ask(reasoner)
    assert [claim.text for claim in asked.answer.claims] == [TRUE.text, TRUE.text]
    ((failed,),) = reasoner.calls("mend")
    assert failed.note.startswith("not in the cited text: Oxley")
    assert asked.of(Verified) == [Verified(2, 0, 0, 1)]


def test_a_claim_that_fails_again_is_dropped_or_keeps_its_warning() -> None:
    nowhere = Claim("The moon is a paper lantern.")
    half = citing(FALSE, BORN)
    reasoner = writes(citing(TRUE, BORN), nowhere, half, mends={nowhere.text: nowhere})
    answer = ask(reasoner).answer
    assert [(claim.text, claim.support) for claim in answer.claims] == [
        (TRUE.text, Support.SUPPORTED),
        (FALSE.text, Support.PARTLY),
    ]
    assert len(reasoner.calls("mend")) == 1


def test_claims_that_hold_cost_no_repair() -> None:
    reasoner = writes(citing(TRUE, BORN))
    ask(reasoner)
    assert reasoner.calls("mend") == []


def test_without_checking_nothing_is_mended() -> None:
    reasoner = writes(citing(FALSE, BORN))
    answer = ask(reasoner, options=AskOptions(layers=LAYERS - {"verify"})).answer
    assert (answer.found, reasoner.calls("mend")) == (True, [])


def test_a_budget_that_ends_before_the_repair_loses_no_claim_that_holds() -> None:
    reasoner = Spent(drafts=lambda _: Draft((citing(TRUE, BORN), Claim("It sank.")), True, 0.9))
    assert [claim.text for claim in ask(reasoner).answer.claims] == [TRUE.text]


def test_a_claim_says_on_how_many_independent_documents_it_rests() -> None:
    other = document("Brandt, Ada: born in Velden, 1871.", "register.md", "Register")
    retriever = ListRetriever(chunks(*HARBOUR, other), (*HARBOUR, other))
    answer = ask(writes(citing(TRUE, BORN, chunks(other)[0])), retriever).answer
    assert [claim.documents for claim in answer.claims] == [2]


@pytest.mark.parametrize(
    ("texts", "count"),
    [
        (["Born in Velden."] * 2, 2),
        (
            ["Ada Brandt, who founded the yard at Mirren in 1901, was born at Velden on a March morning."]
            * 2,
            1,
        ),
        (["Ada Brandt was born in Velden in 1871.", "She came from Velden."], 2),
    ],
)
def test_a_long_sentence_shared_word_for_word_is_one_witness(texts: list[str], count: int) -> None:
    pieces = [chunk(text, f"{n}.md") for n, text in enumerate(texts)]
    assert independent(citing(TRUE, *pieces)) == count


def test_every_source_of_a_text_is_named() -> None:
    twins = [chunk(BRANDT.text, f"copy{n}.md", title="Ada Brandt") for n in range(3)]
    (only,) = ask(ScriptedReasoner(), ListRetriever(twins)).answer.evidence
    assert {only.chunk.source, *only.also_in} == {"copy0.md", "copy1.md", "copy2.md"}


def test_what_the_last_reflection_missed_stays_open_unless_it_is_said_after_all() -> None:
    missed = Reflection(0.5, ("the toll of the ferry", "born in Velden"), ())
    reasoner = writes(citing(TRUE, BORN), reflections=[gap("granite"), missed])
    answer = ask(reasoner, options=AskOptions(gain=0.0)).answer
    assert answer.missing == ("the toll of the ferry",)


def test_nothing_said_leaves_all_open() -> None:
    assert still_open(("the year", "?"), ()) == ("the year", "?")
    assert still_open(("the year 1901",), (citing(Claim("It was the year 1901."), FOUNDED),)) == ()


def test_an_answer_of_which_claims_were_dropped_is_less_sure() -> None:
    whole = ask(writes(citing(TRUE, BORN))).answer
    half = ask(writes(citing(TRUE, BORN), Claim("It sank."))).answer
    assert (whole.confidence, half.confidence) == (0.9, 0.45)


def test_a_source_that_a_search_left_out_for_its_twin_is_named_too() -> None:
    @dataclass(slots=True)
    class Distinct(ListRetriever):
        async def search(self, query: Query, k: int, run: Run) -> Results:
            found = await ListRetriever.search(self, query, k, run)
            return replace(found, hits=tuple(without_duplicates(found.hits, k)))

    twins = [chunk(BRANDT.text, f"copy{n}.md", title="Ada Brandt") for n in range(3)]
    (only,) = ask(ScriptedReasoner(), Distinct(twins)).answer.evidence
    assert (only.also, only.also_in) == ((), ("copy1.md", "copy2.md"))
