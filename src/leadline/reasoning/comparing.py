"""What a question wants worked out: which of two came first, is larger, is from where the other is, and by how much.

question -> relation ("older": the least date) -> what of ("born") -> between whom

A name may hold "and", "or" and commas, so the subjects come in several readings; the sources tell which is right.
"""

import re
from dataclasses import dataclass, replace

from leadline.analysis.periods import even
from leadline.analysis.terms import analyse
from leadline.computation import Quantity, Relation
from leadline.reasoning.comparative_forms import (
    AGED,
    ASIDE,
    BEFORE_NAME,
    BETWEEN,
    CHOICES,
    DIFFERENCES,
    EVENT_OF,
    FOREIGN_FORMS,
    LIVED,
    OF_ROLE,
    ROLE,
    SAME,
    SUBJECT,
    SUM,
    THAN,
    THE_OTHER,
)
from leadline.reasoning.comparative_words import CUES, EVENTS, FOREIGN, ORDERS, Cue
from leadline.reasoning.planning import stripped

LONGEST = 400
"""Characters of a question that are read for this."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """`readings` are the subjects, in each way in which the question can be split into them.

    `cues` are terms that stand by the value, `event` what happened, `role` who of a subject is compared ("director"),
    `predicate` what is said of the one that wins, `unit` what the result is counted in, `measured` the kind of unit
    that the values have, `events` what happened to each where that differs.
    """

    quantity: Quantity
    relation: Relation
    readings: tuple[tuple[str, ...], ...]
    cues: frozenset[str] = frozenset()
    event: str = ""
    role: str = ""
    predicate: str = ""
    unit: str = ""
    measured: str = ""
    events: tuple[str, ...] = ()


def comparison(question: str) -> Comparison | None:
    """Read a question; None where it asks for nothing to be worked out.

    >>> found = comparison("Which ferry was built first, the Sable Heron or the Grey Tern?")
    >>> found.readings[0], found.relation, found.event, found.predicate
    (('Sable Heron', 'Grey Tern'), 'least', 'founded', 'was built first')
    """
    text = " ".join(stripped(question[:LONGEST]).split()).rstrip(" ?.!？؟。")
    for read in (_same, _lived, _aged, _between, _difference, _sum, _choice, _than, _foreign):
        found = read(text)
        if found is not None:
            return found
    return None


def _same(text: str) -> Comparison | None:
    match = SAME.match(text)
    if match is None:
        return None
    what = match["what"].lower()
    readings = _readings(match["subjects"], " and ")
    role = _role(text)
    if what == "year":
        return Comparison("date", "same", readings, _stems(text), _event(text) or "age", role)
    return Comparison("country", "same", readings, role=role)


def _between(text: str) -> Comparison | None:
    match = BETWEEN.match(text)
    if match is None:
        return None
    unit = _unit(match["unit"])
    for at in re.finditer(" and ", match["subjects"]):
        sides = match["subjects"][: at.start()], match["subjects"][at.end() :]
        named = tuple(EVENT_OF.match(side) for side in sides)
        events = tuple(_event(found.group()) for found in named if found)
        if len(events) == 2:
            plain = tuple(_plain(EVENT_OF.sub("", side)) for side in sides)
            return Comparison("date", "difference", (plain,), event=events[0], unit=unit, events=events)
    event = _event(text) or "age"
    return Comparison("date", "difference", _readings(match["subjects"], " and "), event=event, unit=unit)


def _aged(text: str) -> Comparison | None:
    """How old somebody was when something else happened."""
    match = AGED.match(text)
    event = _event(match["event"]) if match else ""
    if match is None or not event:
        return None
    readings = ((_plain(match["a"]), _plain(match["b"])),)
    return Comparison("date", "difference", readings, event="born", unit="years", events=("born", event))


def _difference(text: str) -> Comparison | None:
    match = next((m for pattern in DIFFERENCES if (m := pattern.match(text))), None)
    if match is None:
        return None
    parts = match.groupdict()
    head = " ".join(parts.get(key) or "" for key in ("head", "verb"))
    cue = _cue_in(head, (*CUES, *ORDERS))
    readings = ((_plain(match["a"]), _plain(match["b"])),)
    return _with_cue(cue, "difference", readings, head, _unit(parts["unit"] or "")) if cue else None


def _lived(text: str) -> Comparison | None:
    match = LIVED.match(text)
    if match is None:
        return None
    subject = next(group for group in match.groups() if group)
    return Comparison("span", "length", ((_plain(subject),),), event="life", role=_role(text), unit="years")


def _sum(text: str) -> Comparison | None:
    match = SUM.match(text)
    if match is None:
        return None
    return Comparison(
        "number", "sum", _readings(match["subjects"], " and "), frozenset(analyse(match["noun"]))
    )


def _choice(text: str) -> Comparison | None:
    for pattern in CHOICES:
        match = pattern.match(text)
        cue = _cue_in(match["head"], CUES) if match else None
        if match and cue:
            readings = _readings(match["subjects"], " or ", " and ")
            found = _with_cue(cue, cue.relation, readings, match["head"])
            found = replace(found, role=found.role or _role_of(match["subjects"]))
            return replace(found, predicate=_predicate(match["head"], text))
    return None


def _than(text: str) -> Comparison | None:
    match = THAN.match(text)
    cue = _cue_in(match["head"], (*CUES, *ORDERS)) if match else None
    if match is None or cue is None:
        return None
    readings = ((_plain(match["a"]), _plain(match["b"])),)
    found = _with_cue(cue, "below" if cue.relation == "least" else "above", readings, match["head"])
    return replace(found, role=found.role or _role_of(match["a"]))


def _foreign(text: str) -> Comparison | None:
    """Chinese and Arabic."""
    match = next((m for pattern in FOREIGN_FORMS if (m := pattern.match(text))), None)
    if match is None:
        return None
    value = {name[0]: part.strip(" ,，、") for name, part in match.groupdict().items() if part}
    cue = next((one for one in FOREIGN if one.pattern.search(value["q"])), None)
    if cue is None:
        return None
    relation: Relation = "difference" if re.search("多少|几", value["q"]) else cue.relation
    unit = "years" if relation == "difference" and cue.quantity == "date" else ""
    return _with_cue(cue, relation, ((value["a"], value["b"]),), value["q"], unit)


def _with_cue(
    cue: Cue, relation: Relation, readings: tuple[tuple[str, ...], ...], head: str, unit: str = ""
) -> Comparison:
    noun = cue.pattern.search(head)
    near = noun["noun"] if noun and "noun" in cue.pattern.groupindex else cue.near
    event = cue.event if cue.event in {"age", "life"} and not _event(head) else _event(head)
    cues = frozenset(analyse(near)) or _stems(head)
    return Comparison(
        cue.quantity,
        relation,
        readings,
        cues,
        event or cue.event,
        _role(head),
        unit=unit,
        measured=cue.measured,
    )


def _cue_in(head: str, cues: tuple[Cue, ...]) -> Cue | None:
    return next((cue for cue in cues if cue.pattern.search(head)), None)


def _event(text: str) -> str:
    return next((name for name, pattern in EVENTS if pattern.search(even(text))), "")


def _stems(head: str) -> frozenset[str]:
    """The terms of a question's head that are not those which compare."""
    return frozenset(analyse(ASIDE.sub(" ", head)))


def _role(head: str) -> str:
    match = ROLE.search(head)
    return (match["a"] or match["b"]).lower() if match else ""


def _role_of(subject: str) -> str:
    """Who of a subject is meant: "the author of Fog"."""
    match = OF_ROLE.match(subject)
    return match["role"] if match else ""


def _unit(word: str) -> str:
    return "" if not word else word.lower().rstrip("s") + "s"


def _predicate(head: str, text: str) -> str:
    """What the question says of the one it asks for: "was born first" of "Who was born first"."""
    said = THE_OTHER.sub("", SUBJECT.sub("", head).strip())
    opening = text.partition(" ")[0].lower()
    if opening in {"was", "were", "is", "are"}:
        return f"{opening} {said}"
    return f"is the one {said}" if said.lower().startswith("whose") else said


def _readings(text: str, *words: str) -> tuple[tuple[str, ...], ...]:
    """Every way to part `text` at one of the words, then at all of them and the commas."""
    found: list[tuple[str, ...]] = []
    for word in words:
        found += [
            (_plain(text[: at.start()]), _plain(text[at.end() :]))
            for at in re.finditer(re.escape(word), text, re.IGNORECASE)
        ]
        many = tuple(
            _plain(part) for part in re.split(rf",\s*(?:{word.strip()}\s+)?|{re.escape(word)}", text) if part
        )
        if len(many) > 2:
            found.append(many)
    return tuple(dict.fromkeys(reading for reading in found if all(reading)))


def _plain(subject: str) -> str:
    """A subject without the words before its name.

    >>> _plain("both the directors of films Target Zero"), _plain("the Grey Tern,")
    ('Target Zero', 'Grey Tern')
    """
    text = subject.strip(' ,;:"“”')
    for pattern in (BEFORE_NAME, OF_ROLE, BEFORE_NAME):
        text = pattern.sub("", text, count=1)
    return re.sub(r"\s+films$|^(?:the|a)\s+(?=\S)", "", text.strip(' ,;:"“”'))
