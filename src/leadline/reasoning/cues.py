"""What words of a question look like in the sentence that answers it.

A question says "place of birth", its answer says "born in". Each cue maps stems of question words to
stems (or values) of answering sentences. English, with the commonest Chinese and Arabic question words.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from leadline.analysis.fold import bare
from leadline.analysis.terms import analyse, stem

_GROUPS = """
born birth birthplace birthday native
die died dies dead death buried burial killed passed
marry married wife husband spouse widow widower
father mother parent son daughter child children
brother sister sibling
grandfather grandmother grandson granddaughter grandparent
director directed directs directing
write writes written wrote writer author authored novel
compose composed composer music
perform performed performer sang singer song
found founded founder founding establish established establishment created
build built builder construct constructed construction yard
design designed designer drawn architect
own owns owned owner bought buys sold
replace replaced replacement succeed succeeded successor
lead led leader head headed chief president captain
study studied educated education graduated university college attended
award awarded prize won medal received
work worked employer employed career
nation nationality country citizen citizenship
release released premiere published publication
locate located location situated lies place
start started began begin opened open launched launch
end ended closed close
cost costs price paid worth
spend spends spent cost costs expense expenses expenditure budget amount paid
earn earns earned salary wage wages income
hire hires hired joined employed employment appointed
"""
_RELATED: dict[str, frozenset[str]] = {}
for _line in _GROUPS.strip().splitlines():
    _stems = frozenset(stem(word) for word in _line.split())
    for _one in _stems:
        _RELATED[_one] = _RELATED.get(_one, frozenset()) | _stems

_ASKS = re.compile(r"\b(?:which|what|whose|how many|how much)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_WANTS: dict[str, tuple[str, ...]] = {
    "date": ("when", "date", "year", "older", "younger", "earlier", "later", "first", "longer", "recently")
    + ("什么时候", "何时", "哪年", "哪一年", "日期", "متي", "تاريخ", "عام"),
    "number": ("how many", "how much", "number", "多少", "几", "كم", "population", "percentage", "how long"),
    "place": (
        "where",
        "place",
        "country",
        "city",
        "nationality",
        "哪里",
        "哪儿",
        "何处",
        "地点",
        "اين",
        "مكان",
    ),
    "person": ("who", "whom", "whose", "谁", "何人", "من هو", "من هي"),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an answering sentence should hold: `kinds` of value, and terms that count like the question's.

    `focus` are the terms that say what is asked for: "lifeboat" in "Which lifeboat went out?".
    """

    kinds: frozenset[str]
    related: dict[str, frozenset[str]]
    focus: frozenset[str] = frozenset()

    def answering(self, held: frozenset[str], terms: Iterable[str]) -> set[str]:
        """Those question `terms` that a text with the terms `held` answers to, itself or by a related word."""
        return {t for t in terms if t in held or not held.isdisjoint(self.related.get(t, frozenset()))}


def wanted(question: str) -> Wanted:
    """Read a question for what its answer looks like."""
    text = f" {bare(question)} "
    kinds = {
        kind
        for kind, words in _WANTS.items()
        for word in words
        if (f" {word} " in text.replace("?", " ").replace(",", " ") if word.isascii() else word in text)
    }
    terms = analyse(question)
    return Wanted(frozenset(kinds), {t: _RELATED[t] for t in terms if t in _RELATED}, _focus(question))


def _focus(question: str) -> frozenset[str]:
    """The first one or two terms after "which", "what", "whose", "how many", up to a stop word."""
    found: list[str] = []
    asks = _ASKS.search(question)
    for word in _WORD.findall(question[asks.end() :]) if asks else []:
        terms = analyse(word)
        if found and not terms:
            break
        found += terms[:1]
        if len(found) == 2:
            break
    return frozenset(found)
