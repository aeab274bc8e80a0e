"""A chain of simple questions: what of it needs no model.

the question's own parts -> names that lead further | an answer put where a question refers to its step
"""

import re
from collections.abc import Sequence

from leadline.analysis.sentences import sentences
from leadline.analysis.terms import analyse
from leadline.reasoning.base import Known
from leadline.reasoning.bridging import NAMES_PER_QUERY, leads
from leadline.reasoning.candidates import LONGEST
from leadline.reasoning.covering import sought
from leadline.reasoning.planning import plan_queries
from leadline.retrieval.base import TermWeights
from leadline.retrieval.phrases import aboutness
from leadline.types import Evidence, Hit, Lead, Query

_REFERENCE = re.compile(
    r"\[\s*(?:the\s+)?(?:answer|result|step|#)?[\s_]*(?:of|to|from)?[\s_]*(?:question|step)?[\s_#]*(\d{1,2})\s*\]"
    r"|\{\{?\s*(?:answer|result|step|#)?[\s_]*(\d{1,2})\s*\}\}?|<\s*(?:answer|result|step)[\s_]*(\d{1,2})\s*>|#(\d{1,2})\b",
    re.IGNORECASE,
)
ABOUT = 0.25
"""What a sentence gains by standing in a chunk that is about a name of the question."""
_BETWEEN = "; "
_LONGEST_FILL = 120
"""An answer longer than this is no name or value that could stand in a question."""


def next_question(
    question: str, known: Sequence[Known], evidence: Sequence[Evidence], weights: TermWeights
) -> str:
    """The next part of the question not asked yet, else the best names to follow; "" when neither is left."""
    asked = {step.question for step in known}
    for query in plan_queries(question):
        if query.text not in asked:
            return query.text
    followed = [Query(text, leads=tuple(Lead(name) for name in text.split(_BETWEEN))) for text in asked]
    found = leads(question, followed, evidence, weights, NAMES_PER_QUERY)
    return _BETWEEN.join(lead.name for lead in found)


def best_sentence(question: str, hits: Sequence[Hit], weights: TermWeights, least: float = 0.0) -> Known:
    """The sentence of the hits that holds most of the question's weight, with the chunk it stands in.

    One that holds no more than the share `least` of it is no answer. Among equals, it stands in what is about a name
    of the question.
    """
    seen = sought(question, weights)
    best, value = Known(question, ""), least
    for hit in hits:
        text = hit.chunk.text
        about = max((aboutness(name, hit.chunk) for name in seen.names), default=0.0)
        for start, end in sentences(text):
            share = seen.share(seen.held(analyse(f"{hit.chunk.title}\n{text[start:end]}")))
            if share > least and share + ABOUT * about > value:
                value = share + ABOUT * about
                best = Known(question, text[start:end][:LONGEST], (hit.chunk.id,), quoted=True)
    return best


def filled(question: str, known: Sequence[Known]) -> str:
    """A question with the answers of earlier steps in place of references to them; others stay as they are.

    >>> filled("When was #1 born, in [answer 2]?", [Known("Who wrote it?", "Ada Lind", ("c",)), Known("Where?", "")])
    'When was Ada Lind born, in [answer 2]?'
    """

    def answer(reference: re.Match[str]) -> str:
        number = int(next(group for group in reference.groups() if group))
        step = known[number - 1] if 1 <= number <= len(known) else Known("", "")
        said = step.answer.strip().rstrip(".。")
        # A question is asked of a model as it stands: no sentence of a document is put into it.
        return said if said and not step.quoted and len(said) <= _LONGEST_FILL else reference.group()

    return _REFERENCE.sub(answer, question)


def repeats(question: str, known: Sequence[Known]) -> bool:
    """Whether a step asked this already, whatever its letter case, order of words and end marks.

    >>> repeats("the yard was founded by whom?", [Known("Who founded the yard?", "")])
    True
    """
    words = sorted(set(analyse(question))) or question.casefold().strip(" ?？؟.")
    return any(
        words == (sorted(set(analyse(step.question))) or step.question.casefold().strip(" ?？؟."))
        for step in known
    )
