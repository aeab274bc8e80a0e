"""Fast, deep or chain, from the shape of the question alone: no model is asked.

several parts | a comparison | a report asked for -> deep; a chain of relations -> chain, or deep; else fast
"""

import re
from dataclasses import dataclass
from typing import Literal

from leadline.reasoning.reports import wants_report

AgentName = Literal["fast", "deep", "chain"]
Picked = Literal["fast", "deep", "chain", "research"]

RELATIONS = "a chain of relations"


@dataclass(frozen=True, slots=True)
class Route:
    """The agent for a question, and the sign in the question that decided."""

    agent: Picked
    reason: str


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_SIGNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "a comparison",
        _words(
            r"\b(compar\w+|versus|vs\.?|differen(ce|ces|t|tly)|differ|than|both|neither|either|same|"
            r"which (of|one)|older|younger|earlier|later|first|longer|larger|more|less|in common)\b"
            r"|比较|对比|相比|区别|差异|异同|不同|相同|哪个更|哪一?[个家种].*更|谁更|更[早晚大小高低长短多少]|分别|还是"
            r"|قارن|مقارنة|الفرق|أيهما|أي منهما|كلاهما|كلا |أكبر من|أصغر من|أقدم|أحدث"
        ),
    ),
    (
        "several questions in one",
        _words(
            r"[?？؟].+[?？؟]|[;；؛]|\b(and|or|but|then)\b.*\b(who|what|when|where|which|why|how)\b"
            r"|\b(who|what|when|where|which|why|how)\b.*,?\s\b(and|or)\b\s+(also\s+)?"
            r"(who|what|when|where|which|why|how|by whom|in which)\b"
            r"|以及|并且|同时|(谁|什么|何时|哪里|哪[个家]|多少|如何|为什么).+(谁|什么|何时|哪里|哪[个家]|多少|如何|为什么)"
            r"|(من|ما|متى|أين|كم|كيف|لماذا)\s.+\sو(من|ما|متى|أين|كم|كيف|لماذا)\s"
        ),
    ),
    (
        RELATIONS,
        _words(
            r"\b(of|by|in|from|for|at) (the|a|an|its|their|his|her)? ?[\w'’-]+( [\w'’-]+){0,4} "
            r"(of|that|which|who|whose|where|in which)\b"
            r"|\b(the|a|an) [\w-]+ (whose|who|which|that|where)\b"
            r"|\b(when|where|how \w+|which \w+|what)\b.*\bthe [\w-]+ of .+\b(born|die[ds]?|liv\w+|from|stud\w+|"
            r"educated|buried|marr\w+|work\w*|retire\w*|gr[eo]w)\b"
            r"|\bof (the|a|an) (?-i:[a-z][\w-]* [A-Z])"
            r"|['’]s [\w-]+( [\w-]+){0,2}['’]s\b|\b(who|that|which|whose) .+\b(of|by|in|from|for)\b.+\b(of|by|in|from|for)\b"
            r"|的[^的，,]{1,12}的|那[个家位].{1,15}的|(الذي|التي|الذين|اللذان|اللتان)"
        ),
    ),
)


def route(question: str, *, chains: bool = False) -> Route:
    """Which agent takes `question`.

    `chains` is for whoever has a model: answers put into the next question gain, where a name followed by rules is
    what `deep` does as well.

    >>> asked = "Who directed the film whose score was written by Ada Lind?"
    >>> route(asked).agent, route(asked, chains=True).agent
    ('deep', 'chain')
    >>> route("What is the refund period?")
    Route(agent='fast', reason='one plain question')
    """
    if wants_report(question):
        return Route("deep", "a report is asked for")
    for reason, sign in _SIGNS:
        if sign.search(question):
            return Route("chain" if chains and reason == RELATIONS else "deep", reason)
    return Route("fast", "one plain question")
