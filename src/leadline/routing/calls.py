"""Whether a run has calls to spare for choosing: an agent, collections. Rules choose for nothing."""

from leadline.run import Run

FEWEST = 5
"""Calls below which each goes to the answer: one to plan, one to judge, one to write, one to put that right."""


def may_choose(run: Run) -> bool:
    """Whether a model may be asked what a rule can decide.

    >>> from leadline.run import Budget
    >>> may_choose(Run()), may_choose(Run(Budget(calls=5))), may_choose(Run(Budget(calls=4)))
    (True, True, False)
    """
    return run.budget.calls is None or run.budget.calls >= FEWEST
