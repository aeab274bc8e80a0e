"""The check of what was written: verify, one chance to put right what fails, verify again, drop what still fails.

claims -> verified -> those that fail -> mended -> verified -> the better of both -> claims with their documents counted
"""

from collections.abc import Sequence
from dataclasses import replace

from leadline.analysis.terms import analyse
from leadline.citing.verify import verify_all
from leadline.errors import BudgetSpent, Cancelled
from leadline.events import Verified
from leadline.reasoning.base import Passage, Reasoner
from leadline.retrieval.base import Context, TermWeights
from leadline.run import Run
from leadline.types import Claim, Support

MOST = 10
"""Claims that are mended, of those that fail: the repair is one call and must not outgrow the writing."""
PARTLY = 0.7
"""What a partly supported claim counts beside a supported one."""
SHARED = 8
"""Terms of a sentence that no two people write alike by chance."""
LACKING = "not in the cited text"
"""How the check begins to say which facts of a claim its sources do not have."""


async def checked(
    reasoner: Reasoner,
    question: str,
    claims: Sequence[Claim],
    passages: Sequence[Passage],
    context: Context,
    weights: TermWeights,
    run: Run,
) -> tuple[Claim, ...]:
    """The claims that their sources bear out, wholly or in part, each with what the check found."""
    found, verified = verify_all(claims, context.documents)
    better = await _mended(reasoner, question, found, passages, context, weights, run)
    changed = sum(old is not new for old, new in zip(found, better, strict=True))
    run.emit(tally(better, verified.repaired + changed))
    return tuple(claim for claim in better if claim.support is not Support.UNSUPPORTED)


async def _mended(
    reasoner: Reasoner,
    question: str,
    claims: Sequence[Claim],
    passages: Sequence[Passage],
    context: Context,
    weights: TermWeights,
    run: Run,
) -> list[Claim]:
    """Each failing claim replaced by its mend where that stands the check better."""
    failing = [claim for claim in claims if _fails(claim)][:MOST]
    if not failing:
        return list(claims)
    try:
        mends = await reasoner.mend(question, failing, passages, weights, run)
    except (BudgetSpent, Cancelled):
        return list(claims)
    given = [mend for mend in mends if mend is not None]
    again = iter(verify_all(given, context.documents)[0])
    pairs = [
        (old, next(again) if mend is not None else old) for old, mend in zip(failing, mends, strict=True)
    ]
    better = {id(old): new for old, new in pairs if _worse(old, new)}
    return [better.get(id(claim), claim) for claim in claims]


def _fails(claim: Claim) -> bool:
    if claim.kind != "stated":
        return False
    return claim.support is Support.UNSUPPORTED or LACKING in claim.note


def _worse(old: Claim, new: Claim) -> bool:
    order = (Support.UNSUPPORTED, Support.PARTLY, Support.SUPPORTED)
    return order.index(old.support) < order.index(new.support)


def tally(claims: Sequence[Claim], repaired: int) -> Verified:
    """The counts of checked claims, as an event."""
    count = {support: sum(claim.support == support for claim in claims) for support in Support}
    return Verified(count[Support.SUPPORTED], count[Support.PARTLY], count[Support.UNSUPPORTED], repaired)


def confidence(drafted: float, written: Sequence[Claim], shown: Sequence[Claim]) -> float:
    """Confidence in a draft, less for each claim that the check dropped, or found only partly supported.

    Quotes need no such discount: they are the sources' own words.
    """
    stated = [claim for claim in written if claim.kind == "stated"]
    if not stated:
        return drafted
    worth = {Support.SUPPORTED: 1.0, Support.PARTLY: PARTLY, Support.UNSUPPORTED: 0.0}
    held = sum(worth[claim.support] for claim in shown if claim.kind == "stated")
    return drafted * min(held / len(stated), 1.0)


def counted(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Each claim with the number of independent documents it cites.

    Copies of one text are no two witnesses. Of whole passages that are copies only one is evidence; a longer sentence
    that two documents share word for word has come from one to the other, or to both.
    """
    return tuple(replace(claim, documents=independent(claim)) for claim in claims)


def independent(claim: Claim) -> int:
    """Documents cited, those that share a longer quote counted as one."""
    groups: list[tuple[set[str], set[tuple[str, ...]]]] = []
    for citation in claim.citations:
        words = tuple(analyse(citation.quote))
        said = {words} if len(words) >= SHARED else set[tuple[str, ...]]()
        mine = ({citation.document_id}, said)
        for group in [g for g in groups if not g[0].isdisjoint(mine[0]) or not g[1].isdisjoint(mine[1])]:
            groups.remove(group)
            mine = (mine[0] | group[0], mine[1] | group[1])
        groups.append(mine)
    return len(groups)
