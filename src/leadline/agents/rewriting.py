"""What the first round searches for: the question, what it falls into, and other words for it.

question -> plan | rewrites, at once -> what would change the question is left out -> queries
"""

from collections.abc import Awaitable, Callable, Sequence

from leadline.agents.options import AskOptions
from leadline.errors import BudgetSpent, Cancelled, LeadlineError
from leadline.events import Defaulted, Notice, Rewritten
from leadline.reasoning.base import Reasoner
from leadline.reasoning.rewriting import added_value, why_not
from leadline.retrieval.base import Retriever, TermWeights
from leadline.retrieval.rewriting import REWRITES, Stored, unsuited
from leadline.retrieval.tuned import choice_of
from leadline.routing.complexity import route
from leadline.run import Run, settle
from leadline.types import Query

Asking = Callable[[], Awaitable[Sequence[Query]]]


async def first_queries(
    reasoner: Reasoner,
    retriever: Retriever,
    question: str,
    weights: TermWeights,
    options: AskOptions,
    run: Run,
    evidence: Sequence[str] = (),
) -> tuple[Query, ...]:
    """The original question first; a simple one is put into other words at most.

    `evidence` are texts found before, whose names and numbers a query may have.
    """

    # What a report is asked on is a topic, which is short and yet not simple.
    simple = route(question).agent == "fast" and not options.report

    async def plan() -> Sequence[Query]:
        return (await reasoner.plan(question, weights, run, simple=simple)).queries

    async def rewrite() -> Sequence[Query]:
        return await reasoner.rewrite(question, weights, run, simple=simple)

    steps: dict[str, Asking] = {"rewrite": plan, "expand": rewrite}
    asked = [name for name in steps if name in options.layers and name != "expand"]
    if await expands(options, retriever, question, run):
        asked.append("expand")
    said = await settle(lambda name: steps[name](), asked)
    found: list[Query] = [] if "rewrite" in asked else [Query(question)]
    for name, queries in zip(asked, said, strict=True):
        if not isinstance(queries, LeadlineError):
            found += queries
        elif name == "rewrite" and isinstance(queries, BudgetSpent):
            # A search costs no call: what is asked for is looked for, whatever the model may still do.
            run.emit(Defaulted("plan", str(queries), "the question is searched for as it stands"))
            found = [Query(question), *found]
        elif name == "rewrite" or not isinstance(queries, BudgetSpent | Cancelled):
            # Without other words the question can still be searched for.
            raise queries
    return await _checked(question, found, evidence, retriever, run)


async def _checked(
    question: str, found: Sequence[Query], evidence: Sequence[str], retriever: Retriever, run: Run
) -> tuple[Query, ...]:
    """Each query once, without rewrites that ask for something else than the question, and without parts of it that have
    a value of their own making."""
    said = [query.text for query in found if query.kind == "expanded"]
    weights = await retriever.weights([question, *said]) if said else TermWeights()
    kept: dict[str, Query] = {}
    for query in found:
        key = query.text.strip().casefold()
        if query.kind in REWRITES:
            reason = "says the same" if key in kept else _reason(question, query, weights, evidence)
            run.emit(Rewritten(query.kind, query.text, not reason, reason))
            if reason:
                continue
        elif query.kind == "sub" and (reason := added_value((question, *evidence), query.text)):
            run.emit(Rewritten(query.kind, query.text, False, reason))
            continue
        kept.setdefault(key, query)
    return tuple(kept.values())


def _reason(question: str, query: Query, weights: TermWeights, evidence: Sequence[str]) -> str:
    """Why a rewrite is left out, "" when it is asked. A passage is only embedded: it may say what it likes."""
    if query.kind == "expanded":
        return why_not(question, query.text, weights, evidence)
    return "" if query.text.strip() else "says nothing"


async def expands(options: AskOptions, retriever: Retriever, question: str, run: Run) -> bool:
    """Whether to put the question into other words."""
    on = "expand" in options.layers
    if options.expand == "always" or not isinstance(retriever, Stored):
        return on
    known = [await retriever.store.collection(name) for name in retriever.collections]
    tuned = [choice_of(collection) for collection in known]
    pays = bool(tuned) and all(choice is not None and choice.expand for choice in tuned)
    if options.expand == "tuned":
        return on or pays
    if not on or pays:
        return on
    why = await unsuited(retriever.store, retriever.collections, question)
    if why:
        run.emit(Notice(f"The question is not put into other words: {why}."))
    return not why
