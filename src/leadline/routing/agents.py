"""Which agent takes a question: a model picks by number, else the rules of `complexity`.

question -> the model's choice of described agents -> unreadable or none: the question's shape -> route
"""

from collections.abc import Mapping, Sequence
from typing import get_args

from leadline.errors import BudgetSpent, Cancelled
from leadline.events import Routed
from leadline.reasoning.base import Option, Reasoner
from leadline.routing.complexity import AgentName, Picked, Route, route
from leadline.run import Run

DESCRIPTIONS: Mapping[AgentName, str] = {
    "fast": "One search. For one plain question about one thing, which a single passage answers.",
    "deep": "Several searches at once, then more for what is missing. For comparisons, questions with several parts, "
    "and reports, overviews or surveys of a topic.",
    "chain": "One simple question after the other, each built on the answer before. For a question whose parts must be "
    "found out in turn, such as where the founder of the company that built something was born.",
}
AGENTS = tuple(Option(name, DESCRIPTIONS[name]) for name in get_args(AgentName))
RESEARCH = Option(
    "research",
    "Reads many pages of the web in several rounds, gathers facts with their sources, writes a report in sections. For a "
    "topic to be found out about, not for a question with one answer; slow.",
)


async def routed(
    question: str, reasoner: Reasoner | None, run: Run, *, chains: bool, web: bool = False
) -> Route:
    """The agent for `question`, told as an event; without a reasoner by the rules alone, which know of `chains`. A model
    that may use the `web` can pick research too."""
    ruled = route(question, chains=chains)
    picked = (
        await _picked(question, reasoner, (*AGENTS, RESEARCH) if web else AGENTS, run) if reasoner else None
    )
    if picked is None:
        run.emit(Routed(ruled.agent, ruled.reason, "rule"))
        return ruled
    taken = Route(picked, "the model picked it by its description")
    run.emit(Routed(taken.agent, taken.reason, "model"))
    return taken


async def _picked(question: str, reasoner: Reasoner, agents: Sequence[Option], run: Run) -> Picked | None:
    """What the model picks; None when it picks nothing that can be read, or may not be asked any more."""
    try:
        names = await reasoner.choose(question, agents, run)
    except (BudgetSpent, Cancelled):
        return None
    return next((name for name in get_args(Picked) if name in names[:1]), None)
