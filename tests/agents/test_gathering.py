"""What a run makes of what its queries found: what a mere clause of the question found comes late."""

from leadline.agents.gathering import Gathering
from leadline.agents.options import LAYERS, AskOptions
from leadline.agents.state import SearchState
from leadline.retrieval.base import Results
from leadline.run import Run
from leadline.testing.builders import hit
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.running import go
from leadline.types import Evidence, Query
from tests.agents.harbour import OSPREY, QUAY, YARD, harbour

ASKED = "The ferry, who founded the Mirren Yard and built the Osprey there?"
BY_SCORE = AskOptions(layers=LAYERS - {"rerank"})
"""Without the coverage of the question, which has an order of its own."""
CLAUSE, PART = Query("The ferry", "sub"), Query("who founded the Mirren Yard", "sub")


def found(*sources: str) -> Results:
    """The chunks of these documents, the first with the highest score there is."""
    by_source = {each.source: each for each in harbour().over}
    return Results(tuple(hit(by_source[source], 1 - n / 10) for n, source in enumerate(sources)))


def gathered(*results: tuple[Query, Results]) -> Gathering:
    work = Gathering(ScriptedReasoner(), harbour(), BY_SCORE)

    async def one_round() -> None:
        queries = tuple(query for query, _ in results)
        state = SearchState(ASKED, queries=queries)
        await work.judge(await work.take(state, [each for _, each in results], Run()), Run())

    go(one_round())
    return work


def order(evidence: list[Evidence]) -> list[str]:
    return [each.chunk.source for each in evidence]


def test_what_a_clause_finds_does_not_come_before_what_the_question_finds() -> None:
    whole = Query(ASKED), found(YARD.source, OSPREY.source)
    clause, part = found(QUAY.source), found(YARD.source)
    alone = gathered(whole, (CLAUSE, clause))
    assert order(alone.evidence(ASKED)) == [YARD.source, QUAY.source, OSPREY.source]
    work = gathered(whole, (CLAUSE, clause), (PART, part))
    assert 0 < work.worth[CLAUSE.text] < work.worth[PART.text] == 1.0
    assert order(work.evidence(ASKED)) == [YARD.source, OSPREY.source, QUAY.source]


def test_a_later_round_knows_nothing_of_the_worth_of_an_earlier_one() -> None:
    work = gathered((Query(ASKED), found(YARD.source)), (CLAUSE, found(QUAY.source)), (PART, found()))
    assert work.worth
    state = SearchState(ASKED, round=1, queries=(Query("Ada Brandt", "gap", 2),))
    go(work.take(state, [found(OSPREY.source)], Run()))
    assert work.worth == {}
