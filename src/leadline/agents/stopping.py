"""When a search is over, and why. Each rule is a small function; `decide` asks them in order."""

from collections.abc import Sequence

from leadline.agents.options import AskOptions
from leadline.agents.state import SearchState
from leadline.analysis.names import names
from leadline.analysis.terms import analyse
from leadline.analysis.values import codes, dates, numbers
from leadline.errors import BudgetSpent, Cancelled, LeadlineError
from leadline.types import Query, StopReason

ALIKE = 0.8
"""Queries are alike when this share of their terms (Jaccard) is common, and no value in them differs."""

Decision = tuple[StopReason, str]


def interrupted(error: LeadlineError) -> Decision | None:
    """The stop reason of an error that ends gathering; None for one that only lost a query."""
    if isinstance(error, Cancelled):
        return StopReason.CANCELLED, "asked to stop"
    if isinstance(error, BudgetSpent):
        reason = StopReason.DEADLINE if error.limit == "deadline" else StopReason.BUDGET
        return reason, str(error)
    return None


def after_round(state: SearchState, gain: float, options: AskOptions) -> Decision | None:
    """What a round's results alone decide.

    `gain` is the part of the best ten's score that this round's new evidence makes up. The first round has
    nothing to gain on; a round that leaves something to widen is not the last for lack of gain.
    """
    if state.round >= options.rounds:
        if not state.kept:
            return StopReason.NOTHING_FOUND, f"no passage was kept in {state.round} rounds"
        return StopReason.MAX_ROUNDS, f"{state.round} of {options.rounds} rounds used"
    if state.round > 1 and state.kept and gain < options.gain:
        return StopReason.NO_NEW_EVIDENCE, f"the round gained {gain:.3f}, less than {options.gain:.3f}"
    return None


def after_reflection(
    state: SearchState, proposed: Sequence[Query], dropped: int, options: AskOptions
) -> Decision | None:
    """What reflection decides: enough is covered, nothing is left to ask, or only what was asked before.

    A report that has something left to ask has a second round, however much the first one covered.
    """
    enough = state.kept and state.coverage >= options.confidence
    if enough and not (options.report and proposed and state.round == 1):
        return (
            StopReason.ANSWERED,
            f"the evidence covers {state.coverage:.2f} of the question ({options.confidence:.2f} is enough)",
        )
    if proposed:
        return None
    if dropped:
        return StopReason.REPEATED_QUERIES, f"all {dropped} further queries are like ones already asked"
    if not state.kept:
        return StopReason.NOTHING_FOUND, "no passage was kept, and no further query was proposed"
    return StopReason.ANSWERED, "no further query was proposed"


def alike(one: str, other: str) -> bool:
    """Whether two queries ask the same.

    Never when their codes, numbers, dates or names differ: XR-2000 and XR-2100 are two questions.

    >>> alike("who founded the yard", "the yard was founded by whom"), alike("price of XR-2000", "price of XR-2100")
    (True, False)
    """
    for values in (codes, numbers, dates):
        if set(values(one)) != set(values(other)):
            return False
    if _folded(names(one)) != _folded(names(other)):
        return False
    left, right = set(analyse(one)), set(analyse(other))
    if not left or not right:
        return one.strip().casefold() == other.strip().casefold()
    return len(left & right) >= ALIKE * len(left | right)


def fresh(proposed: Sequence[Query], asked: Sequence[Query]) -> tuple[list[Query], list[tuple[str, str]]]:
    """The queries unlike every one asked (or proposed before), and (text, why) of those left out.

    Widening a query is asking it again on purpose; it is let through once.
    """
    kept: list[Query] = []
    dropped: list[tuple[str, str]] = []
    for query in proposed:
        before = [other for other in (*asked, *kept) if query.kind != "widened" or other.kind == "widened"]
        twin = next((other for other in before if alike(query.text, other.text)), None)
        if twin is None:
            kept.append(query)
        else:
            dropped.append((query.text, f"like “{twin.text}”"))
    return kept, dropped


def _folded(found: Sequence[str]) -> set[str]:
    return {name.casefold() for name in found}
