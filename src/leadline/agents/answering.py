"""From what was gathered to an answer: order, read around, write, check.

pool -> final order -> sections around the best evidence -> claims -> verified claims -> Answer
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from leadline.agents.gathering import Gathering
from leadline.agents.state import SearchState
from leadline.citing.verify import verify_all
from leadline.errors import BudgetSpent
from leadline.reasoning.base import Draft, Known, Passage
from leadline.retrieval.base import Context
from leadline.retrieval.diversity import alike, signature
from leadline.retrieval.sections import SECTION_SIZE, window
from leadline.run import Run
from leadline.types import Answer, Evidence, StopReason, Support


async def answer(
    gathering: Gathering, state: SearchState, run: Run, agent: str, known: Sequence[Known] = ()
) -> Answer:
    """Write from all rounds' evidence, ranked once against the question. Every run ends here."""
    evidence = without_twins(await gathering.final(state.question, run))
    best = evidence[: gathering.options.passages]
    context = await gathering.retriever.context([item.chunk for item in best])
    passages = around(best, context, gathering.options.section_size)
    draft = Draft((), False, 0.0, state.missing)
    if passages:
        try:
            draft = await gathering.reasoner.write(
                state.question, state.asked, passages, gathering.weights, run, known
            )
        except BudgetSpent as error:
            gathering.notices.append(
                f"The answer could not be written ({error}); the best passages are shown."
            )
    claims = draft.claims
    if "verify" in gathering.options.layers:
        claims, verified = verify_all(claims, context.documents)
        run.emit(verified)
        claims = tuple(claim for claim in claims if claim.support is not Support.UNSUPPORTED)
    found = draft.found and bool(claims)
    notices = [gathering.reasoner.notice, *gathering.notices, *gathering.stage.notices]
    return Answer(
        question=state.question,
        claims=claims if found else (),
        evidence=tuple(evidence),
        stop=state.stop or StopReason.ANSWERED,
        found=found,
        rounds=state.round,
        queries=state.asked,
        missing=draft.missing,
        notices=tuple(dict.fromkeys(text for text in notices if text)),
        usage=run.usage(),
        confidence=draft.confidence,
        agent=agent,
    )


def without_twins(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Near-duplicates folded into the better-ranked one, which remembers their ids in `also`."""
    kept: list[Evidence] = []
    seen: list[tuple[str, frozenset[str]]] = []
    for item in evidence:
        mine = signature(item.chunk)
        twin = next((i for i, other in enumerate(seen) if alike(mine, other)), None)
        if twin is None:
            kept.append(item)
            seen.append(mine)
        else:
            kept[twin] = replace(kept[twin], also=(*kept[twin].also, item.chunk.id))
    return kept


def around(evidence: Sequence[Evidence], context: Context, longest: int = SECTION_SIZE) -> list[Passage]:
    """One passage per section, best first; a chunk whose section has vanished stands for itself.

    A section longer than `longest` gives what stands around its evidence, in several passages if need be.
    """
    groups: dict[str, list[Evidence]] = {}
    for item in evidence:
        if item.chunk.document_id in context.documents:
            groups.setdefault(item.chunk.section_id, []).append(item)
    return [passage for key, items in groups.items() for passage in _passages(key, items, context, longest)]


def _passages(section_id: str, items: list[Evidence], context: Context, longest: int) -> Iterator[Passage]:
    document = context.documents[items[0].chunk.document_id]
    section = context.sections.get(section_id)
    items.sort(key=lambda item: item.chunk.start)
    low, high = items[0].chunk.start, items[-1].chunk.end
    if section is not None:
        low, high = min(low, section.start), max(high, section.end)
    clusters = _clusters(items, longest if high - low > longest else high - low)
    for index, near in enumerate(clusters):
        kept = near[0].chunk.start, near[-1].chunk.end
        until = clusters[index + 1][0].chunk.start if index + 1 < len(clusters) else high
        start, end = window(document.text, (low, until), kept, longest)
        low = end
        score = max(item.hit.score for item in near)
        headings = tuple((h.start, h.end) for h in document.headings if start <= h.start < end)
        yield Passage(document.id, start, document.text[start:end], tuple(near), score, headings)


def _clusters(items: Sequence[Evidence], longest: int) -> list[list[Evidence]]:
    """Evidence in order of place, parted where it would reach over more than `longest` characters."""
    clusters: list[list[Evidence]] = []
    for item in items:
        if clusters and item.chunk.end - clusters[-1][0].chunk.start <= longest:
            clusters[-1].append(item)
        else:
            clusters.append([item])
    return clusters
