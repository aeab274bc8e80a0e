"""What words of a question look like in the sentence that answers it.

A question says "place of birth", its answer says "born in". Each cue maps stems of question words to
stems (or values) of answering sentences. English, with the commonest Chinese and Arabic question words.
"""

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
"""
_RELATED: dict[str, frozenset[str]] = {}
for _line in _GROUPS.strip().splitlines():
    _stems = frozenset(stem(word) for word in _line.split())
    for _one in _stems:
        _RELATED[_one] = _RELATED.get(_one, frozenset()) | _stems

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
    """What an answering sentence should hold: `kinds` of value, and terms that count like the question's."""

    kinds: frozenset[str]
    related: dict[str, frozenset[str]]


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
    return Wanted(frozenset(kinds), {term: _RELATED[term] for term in terms if term in _RELATED})


def covered(terms: Iterable[str], held: frozenset[str], sought: Wanted) -> set[str]:
    """Those question `terms` that a text with the terms `held` answers to, itself or by a related word."""
    return {
        term
        for term in terms
        if term in held or (term in sought.related and not held.isdisjoint(sought.related[term]))
    }
