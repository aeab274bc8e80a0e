"""Facts about one thing that differ in one value: kept side by side, the newer and better attested first.

facts -> pairs that speak of the same -> differ in a number, a time, a name or a "not", and in nothing else -> groups -> order
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from leadline.agents.fact_values import Values, subject_matter, unnamed, values
from leadline.agents.opposing import (
    MONTHS,
    affirmed,
    another_is,
    current,
    measured_otherwise,
    opposed,
    uncounted,
)
from leadline.analysis.terms import stem
from leadline.citing.negation import contradicts
from leadline.types import Claim, Fact

COMMON, ALL_BUT = 0.6, 0.75
"""Shares of the terms that two statements have in common beside what they differ in: for a figure, and for all else."""
TOLD = 0.5
"""Share of its terms that a text has of a statement which it tells."""
LONGEST = 160
"""Characters of another fact's statement in a note."""

_ONCE = frozenset(
    stem(word)
    for word in """founded established opened built rebuilt completed finished launched born died designed reached demolished
    inaugurated closed began started ended created signed burned destroyed discovered invented published introduced abolished merged
    sold bought named renamed installed founding opening completion lit first""".split()
)
"""What happens to one thing once."""
_ONE = frozenset(
    stem(word)
    for word in """founder founded mayor director captain owner owned capital author named born died designed designer architect built
    builder headed led wrote written discovered invented chairman president chief king queen headquarters located lies stands based made
    keeper manager master operated runs""".split()
)
"""What a thing has one of."""
_ONCE_ELSEWHERE = re.compile(
    "افتتح|تأسس|أسس|شيد|بني|ولد|توفي|أغلق|دمر|اكتمل|建|成立|开放|开通|关闭|出生|去世|完工|竣工|落成|创|发现|发明|毁"
)
_ONE_HAN = re.compile("创始|市长|馆长|船长|主任|设计|首都|作者|建造|出生|总部|位于|负责|属于")


def disagree(one: str, other: str) -> bool:
    """Whether two statements speak of the same and cannot both be true.

    >>> disagree("The north pier is 412 metres long.", "The north pier is 420 metres long.")
    True
    >>> disagree("In 1907 the port had 12 ships.", "In 1908 the port had 15 ships.")
    False
    """
    one, other = current(one), current(other)
    mine, its = values(one), values(other)
    if opposed(one, other):
        return mine.numbers == its.numbers and mine.years == its.years
    # The months of two days are no two things, nor is the North of a name a direction.
    apart = [each.apart - MONTHS - _stems(each.named) for each in (mine, its)]
    if apart[0] != apart[1] or mine.codes != its.codes:
        return False
    names = bool(unnamed(one, other)) + bool(unnamed(other, one))
    numbers = mine.numbers != its.numbers
    times = (frozenset(mine.years), mine.dates) != (frozenset(its.years), its.dates)
    if names == 2:
        return not numbers and not times and _another_name(one, other)
    if mine.denied != its.denied:
        return not numbers and not times and not names and _denied(one, other)
    if numbers:
        return not _other_times(mine, its) and _another_number(one, other, mine, its)
    if times:
        return not names and _another_time(one, other, mine, its)
    return bool(_ONE_HAN.search(one)) and another_is(one, other)


def arranged(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The facts with those that disagree side by side, newer first, then those of more sources; each names the others."""
    pairs = [
        (i, j)
        for j in range(len(facts))
        for i in range(j)
        if disagree(facts[i].statement, facts[j].statement)
    ]
    against: dict[int, set[int]] = {}
    for i, j in pairs:
        against.setdefault(i, set()).add(j)
        against.setdefault(j, set()).add(i)
    order: list[int] = []
    for place in range(len(facts)):
        if place not in order:
            group = _group(place, against)
            order += sorted(group, key=lambda each: _standing(facts[each], each))
    at = {old: new for new, old in enumerate(order, start=1)}
    return tuple(
        replace(facts[old], against=tuple(sorted(at[each] for each in against.get(old, ())))) for old in order
    )


def hosts(fact: Fact) -> int:
    """How many independent places bear the fact out: sites of the web, documents of files."""
    return len({urlsplit(each.source).hostname or each.document_id for each in fact.citations})


def disputed(claim: Claim, facts: Sequence[Fact]) -> Claim:
    """The claim marked where other facts speak against those it rests on; its note says what, where and of when."""
    own = resting_on(claim, facts)
    others = [number for mine in own for number in facts[mine].against if number - 1 not in own]
    both = any(number - 1 in own for mine in own for number in facts[mine].against)
    if not others and not both:
        return claim
    notes = [f"against it: {_told(facts[number - 1])}" for number in dict.fromkeys(others)]
    return replace(claim, disputed=True, note="; ".join(part for part in (claim.note, *notes) if part))


def resting_on(claim: Claim, facts: Sequence[Fact]) -> list[int]:
    """The places of the facts that a claim rests on: all that they cite, it cites. Of facts from one sentence, those that
    the claim tells, where it tells some."""
    cited = _places(claim)
    own = {at: places for at, fact in enumerate(facts) if (places := _places(fact)) and places <= cited}
    told = {places for at, places in own.items() if _tells(claim.text, facts[at].statement)}
    return [at for at, places in own.items() if places not in told or _tells(claim.text, facts[at].statement)]


def _places(of: Claim | Fact) -> frozenset[tuple[str, int, int]]:
    return frozenset((each.document_id, each.start, each.end) for each in of.citations)


def _tells(text: str, statement: str) -> bool:
    """Whether a text has every figure and name of a statement, and half of its words."""
    mine, its = values(statement), values(text)
    if not (mine.numbers <= its.numbers and {*mine.years} <= {*its.years}) or unnamed(statement, text):
        return False
    left = subject_matter(statement)
    return len(left & subject_matter(text)) >= TOLD * len(left)


def _told(fact: Fact) -> str:
    said = " ".join(fact.statement.split())
    said = said if len(said) <= LONGEST else f"{said[:LONGEST].rstrip()} …"
    source = next((each.title or each.source for each in fact.citations), "")
    return f"“{said}” ({', '.join(part for part in (source, fact.published) if part)})"


def _group(place: int, against: dict[int, set[int]]) -> list[int]:
    found, open_ = {place}, [place]
    while open_:
        for each in against.get(open_.pop(), set()) - found:
            found.add(each)
            open_.append(each)
    return sorted(found)


def _standing(fact: Fact, place: int) -> tuple[tuple[int, ...], int, int]:
    """Smaller is better: newer, more independent sources, earlier."""
    day = tuple(-ord(character) for character in fact.published) or (1,)
    return day, -hosts(fact), place


def _other_times(mine: Values, its: Values) -> bool:
    """Whether both name a time, and not the same: figures of two years are two figures."""
    left, right = {*mine.years, *mine.dates}, {*its.years, *its.dates}
    return bool(left and right and left != right)


def _another_number(one: str, other: str, mine: Values, its: Values) -> bool:
    """One number in place of one other, of the same unit, said of the same thing."""
    left, right = mine.numbers - its.numbers, its.numbers - mine.numbers
    if len(left) != 1 or len(right) != 1:
        return False
    units = [
        {unit for number, unit in each.units if number in new} for each, new in ((mine, left), (its, right))
    ]
    if units[0] and units[1] and units[0].isdisjoint(units[1]) and not measured_otherwise(mine, its):
        return False
    return _common(one, other) >= COMMON and not _other_subjects(one, other)


def _another_time(one: str, other: str, mine: Values, its: Values) -> bool:
    """Another day or year of what happens once; a coarser one of the same is no other."""
    left, right = {*mine.years, *mine.dates}, {*its.years, *its.dates}
    if (
        not left
        or not right
        or left <= right
        or right <= left
        or mine.years == its.years
        and not (mine.dates and its.dates)
    ):
        return False
    once = _both(one, other, _ONCE) or all(_ONCE_ELSEWHERE.search(text) for text in (one, other))
    return once and _common(one, other) >= COMMON


def _another_name(one: str, other: str) -> bool:
    """Another name for what there is one of, said of a thing that both begin with."""
    single = _both(one, other, _ONE) or all(_ONE_HAN.search(text) for text in (one, other))
    terms, named = (
        [subject_matter(text) for text in (one, other)],
        [_stems(values(text).named) for text in (one, other)],
    )
    # A ferry is one thing though the name of its company has the word, too.
    left = terms[0] - (named[0] - (terms[1] - named[1]))
    right = terms[1] - (named[1] - (terms[0] - named[0]))
    if not single or not left & right:
        return False
    first = [_opening(text) for text in (one, other)]
    return first[0] == first[1] and len(left & right) >= ALL_BUT * len(left | right)


def _other_subjects(one: str, other: str) -> bool:
    """Whether each begins with what the other does not speak of: so many of these, so many of those."""
    left, right = _opening(one), _opening(other)
    return left not in subject_matter(other) and right not in subject_matter(one)


def _denied(one: str, other: str) -> bool:
    return contradicts(one, other) and _common(affirmed(one), affirmed(other)) >= ALL_BUT


def _common(one: str, other: str) -> float:
    left, right = (subject_matter(uncounted(text)) - MONTHS for text in (one, other))
    if len(left & right) < 2:
        return 1.0 if left and left == right else 0.0
    # One that only says more of the same thing still speaks of it.
    return 1.0 if left <= right or right <= left else len(left & right) / len(left | right)


def _both(one: str, other: str, stems: frozenset[str]) -> bool:
    return not stems.isdisjoint(subject_matter(one) & subject_matter(other))


def _stems(words: frozenset[str]) -> set[str]:
    return {stem(word) for word in words}


def _opening(text: str) -> str:
    """The term that a statement begins with, its subject more often than not."""
    from_start = [term for term in _in_order(text) if not any(map(str.isdigit, term))]
    return from_start[0] if from_start else ""


def _in_order(text: str) -> list[str]:
    kept = subject_matter(text)
    return [term for term in map(stem, re.findall(r"[^\W_]+", text.casefold())) if term in kept] or sorted(
        kept
    )
