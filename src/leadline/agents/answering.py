"""From what was gathered to an answer: order, read around, write, check.

pool -> final order -> sections around the best evidence -> claims, what can be computed first -> verified claims -> Answer
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from leadline.agents.checking import checked, confidence, counted
from leadline.agents.gathering import Gathering
from leadline.agents.state import SearchState
from leadline.analysis.terms import analyse
from leadline.citing.assuming import assumptions
from leadline.errors import BudgetSpent
from leadline.events import Defaulted
from leadline.reasoning.base import Draft, Known, Passage
from leadline.reasoning.computing import with_computed
from leadline.reasoning.quoting import quote_answer
from leadline.retrieval.base import Context
from leadline.retrieval.diversity import Signature, alike, signature, with_copies
from leadline.retrieval.sections import SECTION_SIZE, window
from leadline.run import Run
from leadline.types import Answer, Claim, Evidence, StopReason

NEAREST = 30
"""Passages in which alternatives to what an answer assumes are looked for."""


async def answer(
    gathering: Gathering, state: SearchState, run: Run, agent: str, known: Sequence[Known] = ()
) -> Answer:
    """Write from all rounds' evidence, ranked once against the question. Every run ends here."""
    evidence = without_twins(await gathering.final(state.question, run))
    best = evidence[: gathering.options.passages]
    context = await gathering.retriever.context([item.chunk for item in best])
    passages = around(best, context, gathering.options.section_size)
    draft = Draft((), False, 0.0, None)
    if passages:
        try:
            draft = await gathering.reasoner.write(
                state.question, state.questions, passages, gathering.weights, run, known
            )
        except BudgetSpent as error:
            gathering.notices.append(
                f"The answer could not be written ({error}); the best passages are shown."
            )
        draft = with_computed(draft, state.question, passages)
    claims, sure = draft.claims, draft.confidence
    if "verify" in gathering.options.layers:
        claims = await _borne_out(gathering, state, draft, passages, context, run)
        sure = confidence(sure, draft.claims, claims)
        if draft.found and not claims and any(claim.kind == "stated" for claim in draft.claims):
            draft = _quoted(gathering, state, passages, run, known)
            claims, sure = await _borne_out(gathering, state, draft, passages, context, run), draft.confidence
    claims = counted(claims)
    found = draft.found and bool(claims)
    notices = [gathering.reasoner.notice, *draft.notices, *gathering.notices, *gathering.stage.notices]
    notices += assumed(gathering, state.question, claims) if found else ()
    return Answer(
        question=state.question,
        claims=claims if found else (),
        evidence=tuple(evidence),
        stop=ended(state, found),
        found=found,
        rounds=state.round,
        queries=state.asked,
        missing=still_open(state.missing, claims) if draft.missing is None else draft.missing,
        notices=tuple(dict.fromkeys(text for text in notices if text)),
        usage=run.usage(),
        confidence=sure,
        agent=agent,
    )


def ended(state: SearchState, found: bool) -> StopReason:
    """Why the run stopped. That nothing was left to ask has answered the question only where an answer was found."""
    stop = state.stop or StopReason.ANSWERED
    return StopReason.NOTHING_FOUND if stop is StopReason.ANSWERED and not found else stop


async def _borne_out(
    gathering: Gathering,
    state: SearchState,
    draft: Draft,
    passages: Sequence[Passage],
    context: Context,
    run: Run,
) -> tuple[Claim, ...]:
    return await checked(
        gathering.reasoner, state.question, draft.claims, passages, context, gathering.weights, run
    )


def _quoted(
    gathering: Gathering, state: SearchState, passages: Sequence[Passage], run: Run, known: Sequence[Known]
) -> Draft:
    """Quotes in place of claims of which the sources bear out none: what was found is worth showing."""
    reason = "the sources bear out no claim of the reply"
    run.emit(Defaulted("write", reason, "the answer is quoted from the sources"))
    draft = quote_answer(state.question, state.questions, passages, gathering.weights, known=known)
    notice = "What the model wrote was dropped, since the sources do not bear it out"
    instead = ": every sentence is quoted from them as it stands." if draft.found else "."
    return replace(draft, missing=None, notices=(*draft.notices, notice + instead))


def assumed(gathering: Gathering, question: str, claims: Sequence[Claim]) -> tuple[str, ...]:
    """What the claims take for granted, beside what else of it was found, kept by the judge or not."""
    return assumptions(question, claims, [hit.chunk for hit in gathering.ranked(question)[:NEAREST]])


def without_twins(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Near-duplicates folded into the better-ranked one, which remembers their ids and sources."""
    kept: list[Evidence] = []
    seen: list[Signature] = []
    for item in evidence:
        mine = signature(item.chunk.terms)
        twin = next((i for i, other in enumerate(seen) if alike(mine, other)), None)
        if twin is None:
            kept.append(replace(item, also_in=item.hit.copies))
            seen.append(mine)
        else:
            kept[twin] = _with_copy(kept[twin], item)
    return kept


def _with_copy(kept: Evidence, copy: Evidence) -> Evidence:
    hit = with_copies(kept.hit, (copy.chunk.source, *copy.hit.copies))
    return replace(kept, hit=hit, also=(*kept.also, copy.chunk.id), also_in=hit.copies)


def still_open(missing: Sequence[str], claims: Sequence[Claim]) -> tuple[str, ...]:
    """What the last reflection missed, less what the claims say after all."""
    said = [frozenset(analyse(" ".join((c.text, *(each.quote for each in c.citations))))) for c in claims]
    return tuple(text for text in missing if not any(_says(terms, text) for terms in said))


def _says(said: frozenset[str], text: str) -> bool:
    terms = set(analyse(text))
    return bool(terms) and terms <= said


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
