"""When a fact loop is over, and why: pure rules, asked in this order.

most rounds -> no gaps -> enough facts -> too little new -> only queries like those asked
"""

from collections.abc import Sequence

from leadline.agents.options import ResearchOptions
from leadline.agents.stopping import Decision
from leadline.types import Query, StopReason


def after_facts(gaps: int, facts: int, new: int, round: int, options: ResearchOptions) -> Decision | None:
    """What the figures of a round decide: open gaps, facts in all, those of them new in it, after deduplication.

    >>> after_facts(1, 10, 3, 1, ResearchOptions()), after_facts(0, 10, 1, 1, ResearchOptions())
    (None, (<StopReason.ANSWERED: 'answered'>, 'no gap is left after round 1, with 10 facts'))
    """
    if decision := last_round(facts, round, options):
        return decision
    if not gaps:
        if not facts:
            return StopReason.NOTHING_FOUND, f"no fact was found in {_rounds(round)}"
        return StopReason.ANSWERED, f"no gap is left after round {round}, with {_facts(facts)}"
    if facts >= options.facts:
        return StopReason.FACT_BUDGET, f"{facts} of {_facts(options.facts)} gathered"
    if new < options.new_facts:
        if not facts:
            return StopReason.NOTHING_FOUND, f"no fact was found in {_rounds(round)}"
        return (
            StopReason.NO_NEW_EVIDENCE,
            f"round {round} gave {new} new facts, fewer than {options.new_facts}",
        )
    return None


def last_round(facts: int, round: int, options: ResearchOptions) -> Decision | None:
    """The first rule, which asks nobody what is still open."""
    if round < options.rounds:
        return None
    if not facts:
        return StopReason.NOTHING_FOUND, f"no fact was found in {_rounds(round)}"
    return StopReason.MAX_ROUNDS, f"{round} of {_rounds(options.rounds)} used"


def after_queries(queries: Sequence[Query], dropped: int) -> Decision | None:
    """What is left to ask decides last: where there are gaps, but no query that was not asked."""
    if queries:
        return None
    if dropped:
        return StopReason.REPEATED_QUERIES, f"all {dropped} further queries are like ones already asked"
    return StopReason.ANSWERED, "no further query was proposed"


def _rounds(count: int) -> str:
    return f"{count} round" + "s" * (count != 1)


def _facts(count: int) -> str:
    return f"{count} fact" + "s" * (count != 1)
