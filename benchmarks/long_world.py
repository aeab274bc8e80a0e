"""An invented country for long documents: towns, persons, works and firms, and who belongs to what.

The same in every run. Nothing in it exists, so no encoder has read of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

SEED = 41
TOWNS, PERSONS, WORKS, FIRMS = 48, 160, 120, 30

_BEGIN = "Al Bar Cor Dun Els Fen Gar Hol Ist Jor Kel Lam Mor Nar Orl Pel Quen Ras Sel Tav Ulm Ver Wen Yar Zel".split()
_MIDDLE = "a e i o u an en in on ar er or al el ul".split()
_TOWN_END = "bach dale ford gate holm mouth ness stead thwaite wick".split()
_FAMILY_END = "bert dane gren hart kov lund mere nard quist rick son thar vell".split()
_FIRST = (
    "Ada Bruno Celia Dario Edda Fabian Greta Hugo Ines Jonas Karin Leo Mina Nils Olga Paul Rosa Stefan Thea Udo "
    "Vera Willem Xenia Yann Zita Anton Berta Caspar Dora Emil"
).split()
_KINDS = ("Bridge", "Mill", "Lock", "Tower", "Weir", "Market Hall", "Observatory", "Pumping House", "Quay")
_FEASTS = "Lanterns Barrels Ropes Lambs Bells Oars Ashes Garlands Kites Candles Geese Anvils".split()
MONTHS = "January February March April May June July August September October November December".split()
TRADES = "rope glass paper salt tiles clocks linen vinegar slate charcoal buttons candles".split()


@dataclass(frozen=True, slots=True)
class Town:
    """A place with a river, a trade and a feast."""

    name: str
    river: str
    trade: str
    feast: str
    month: str


@dataclass(frozen=True, slots=True)
class Person:
    """Someone in the registers. `teacher` is the name of another one."""

    name: str
    birthplace: str
    born: int
    teacher: str


@dataclass(frozen=True, slots=True)
class Firm:
    """A firm of builders."""

    name: str
    founder: str
    seat: str
    since: int


@dataclass(frozen=True, slots=True)
class Work:
    """Something built, in the handbook of its town."""

    name: str
    town: str
    year: int
    designer: str
    firm: str


@dataclass(frozen=True, slots=True)
class World:
    """All there is."""

    towns: tuple[Town, ...]
    persons: tuple[Person, ...]
    firms: tuple[Firm, ...]
    works: tuple[Work, ...]


def build(seed: int = SEED) -> World:
    """The country."""
    random = Random(seed)
    used: set[str] = set()
    rivers = [_word(random, used, ["", "m", "n", "r"]) for _ in range(TOWNS)]
    towns = tuple(
        Town(
            name=_word(random, used, _TOWN_END),
            river=river,
            trade=random.choice(TRADES),
            feast=f"Feast of {random.choice(_FEASTS)} and {random.choice(_FEASTS)}",
            month=random.choice(MONTHS),
        )
        for river in rivers
    )
    names = [f"{random.choice(_FIRST)} {_word(random, used, _FAMILY_END)}" for _ in range(PERSONS)]
    persons = tuple(
        Person(
            name,
            random.choice(towns).name,
            random.randint(1790, 1860),
            random.choice(names[:at] or names[1:]),
        )
        for at, name in enumerate(names)
    )
    firms = tuple(
        Firm(
            f"{_word(random, used, _FAMILY_END)} and {random.choice(('Sons', 'Daughters', 'Partners'))}",
            random.choice(persons).name,
            random.choice(towns).name,
            random.randint(1815, 1880),
        )
        for _ in range(FIRMS)
    )
    works = tuple(
        Work(
            f"{_word(random, used, ['', 's', 'n'])} {random.choice(_KINDS)}",
            random.choice(towns).name,
            random.randint(1820, 1899),
            random.choice(persons).name,
            random.choice(firms).name,
        )
        for _ in range(WORKS)
    )
    return World(towns, persons, firms, works)


def _word(random: Random, used: set[str], ends: Sequence[str]) -> str:
    """A name that no other thing has."""
    while True:
        word = random.choice(_BEGIN) + random.choice(_MIDDLE) + random.choice(ends)
        if word not in used and len(word) > 3:
            used.add(word)
            return word
