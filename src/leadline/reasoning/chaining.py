"""A chain of simple questions without a model: parts of the question first, then names that lead further."""

from collections.abc import Sequence

from leadline.analysis.sentences import sentences
from leadline.analysis.terms import analyse
from leadline.reasoning.base import Known
from leadline.reasoning.bridging import NAMES_PER_QUERY, leads
from leadline.reasoning.candidates import LONGEST
from leadline.reasoning.covering import sought
from leadline.reasoning.planning import plan_queries
from leadline.retrieval.base import TermWeights
from leadline.types import Evidence, Hit


def next_question(
    question: str, known: Sequence[Known], evidence: Sequence[Evidence], weights: TermWeights
) -> str:
    """The next part of the question not asked yet, else the best names to follow; "" when neither is left."""
    asked = {step.question for step in known}
    for query in plan_queries(question):
        if query.text not in asked:
            return query.text
    found = leads(question, (), evidence, weights, NAMES_PER_QUERY)
    text = "; ".join(lead.name for lead in found)
    return "" if text in asked else text


def best_sentence(question: str, hits: Sequence[Hit], weights: TermWeights) -> Known:
    """The sentence of the hits that holds most of the question's weight, with the chunk it stands in."""
    seen = sought(question, weights)
    best = (0.0, "", "")
    for hit in hits:
        text = hit.chunk.text
        for start, end in sentences(text):
            share = seen.share(seen.held(analyse(f"{hit.chunk.title}\n{text[start:end]}")))
            if share > best[0]:
                best = (share, text[start:end][:LONGEST], hit.chunk.id)
    return Known(question, best[1], (best[2],) if best[2] else ())
