"""From facts to a report: those that disagree side by side, composed in sections, every sentence checked.

facts -> arranged -> composed -> checked; what fails is told by its facts as they stand -> disputed ones marked -> Answer
"""

from collections.abc import Iterator, Sequence

from leadline.agents.answering import ended, still_open, without_twins
from leadline.agents.checking import LACKING, confidence, counted, tally
from leadline.agents.contradicting import arranged, disputed, resting_on
from leadline.agents.gathering import Gathering
from leadline.agents.state import SearchState
from leadline.citing.verify import verify_all
from leadline.errors import BudgetSpent, Cancelled
from leadline.reasoning.base import Draft
from leadline.reasoning.offline_facts import listed, stated
from leadline.retrieval.base import Context
from leadline.run import Run
from leadline.types import Answer, Claim, Fact, StopReason, Support

_GAPS_LAST = {StopReason.FACT_BUDGET, StopReason.NO_NEW_EVIDENCE, StopReason.REPEATED_QUERIES}
"""After these nothing was found that may have closed the last gaps."""


async def reported(work: Gathering, state: SearchState, found: Sequence[Fact], run: Run) -> Answer:
    """The report on what was found. Every fact loop ends here."""
    facts = arranged(found)
    evidence = without_twins(await work.final(state.question, run, by_document=True))
    draft = await _composed(work, state, facts, run)
    claims = await _borne_out(work, draft, facts, run)
    if facts and not claims:
        draft = listed(state.question, facts, draft.missing or state.missing, work.weights, enough=0.0)
        claims = await _borne_out(work, draft, facts, run)
    sure = confidence(draft.confidence, draft.claims, claims)
    answered = draft.found and bool(claims)
    notices = [
        work.reasoner.notice,
        *draft.notices,
        *work.notices,
        *work.stage.notices,
        *_counts(facts, state),
    ]
    return Answer(
        question=state.question,
        # What was found is told, with what it leaves open, also where it is no full answer.
        claims=claims,
        evidence=tuple(evidence),
        stop=ended(state, answered),
        found=answered,
        rounds=state.round,
        queries=state.asked,
        missing=_missing(draft, state, claims),
        notices=tuple(dict.fromkeys(text for text in notices if text)),
        usage=run.usage(),
        confidence=sure,
        agent="research",
        facts=facts,
    )


async def _composed(work: Gathering, state: SearchState, facts: Sequence[Fact], run: Run) -> Draft:
    if not facts:
        return Draft((), False, 0.0, state.missing)
    open_points = still_open(state.missing, [stated(fact) for fact in facts])
    try:
        return await work.reasoner.compose(state.question, facts, open_points, state.round, work.weights, run)
    except (BudgetSpent, Cancelled) as error:
        work.notices.append(
            f"The report could not be composed ({error}); the facts are listed as they stand."
        )
        return listed(state.question, facts, open_points, work.weights, enough=0.0)


async def _borne_out(work: Gathering, draft: Draft, facts: Sequence[Fact], run: Run) -> tuple[Claim, ...]:
    """The claims that their sources bear out; in place of one that fails, the facts it rests on. Facts against them follow."""
    pool = work.pool.hits
    ids = dict.fromkeys(each.chunk_id for fact in facts for each in fact.citations)
    context = await work.retriever.context([pool[key].chunk for key in ids if key in pool])
    checked, verified = verify_all(draft.claims, context.documents)
    claims = [
        each
        for written, claim in zip(draft.claims, checked, strict=True)
        for each in (_instead(written, facts, context) if _fails(claim) else [claim])
    ]
    told = list(dict.fromkeys(_side_by_side(claims, facts, context)))
    run.emit(tally(told, verified.repaired))
    return counted(told)


def _missing(draft: Draft, state: SearchState, claims: Sequence[Claim]) -> tuple[str, ...]:
    """What could not be answered. Gaps in all of the facts stay open even where the report names none."""
    if draft.missing or (draft.missing is not None and state.stop not in _GAPS_LAST):
        return draft.missing
    return still_open(state.missing, claims)


def _fails(claim: Claim) -> bool:
    return claim.support is Support.UNSUPPORTED or (claim.kind == "stated" and LACKING in claim.note)


def _instead(claim: Claim, facts: Sequence[Fact], context: Context) -> list[Claim]:
    own = [stated(facts[at], claim.topic) for at in resting_on(claim, facts)]
    return [each for each in verify_all(own, context.documents)[0] if not _fails(each)]


def _side_by_side(claims: Sequence[Claim], facts: Sequence[Fact], context: Context) -> Iterator[Claim]:
    """The claims, those of disputed facts marked; a fact against one that no claim tells is told behind it."""
    told = {at for claim in claims for at in resting_on(claim, facts)}
    for claim in claims:
        yield disputed(claim, facts)
        own = resting_on(claim, facts)
        for other in dict.fromkeys(number - 1 for at in own for number in facts[at].against):
            if other not in told:
                told.add(other)
                (checked,), _ = verify_all([stated(facts[other], claim.topic)], context.documents)
                yield disputed(checked, facts)


def _counts(facts: Sequence[Fact], state: SearchState) -> list[str]:
    if not facts:
        return []
    places = len({each.source or each.document_id for fact in facts for each in fact.citations})
    return [
        f"{_count(len(facts), 'fact')} from {_count(places, 'source')}, gathered in {_count(state.round, 'round')} of searching."
    ]


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" + "s" * (count != 1)
