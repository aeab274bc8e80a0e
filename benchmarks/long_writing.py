"""Long structured documents about the invented country: handbooks, registers, annals, travel notes.

Each fact stands in one paragraph or table row; everything around it speaks of the same things and answers nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from benchmarks.long_world import MONTHS, TRADES, Firm, Person, Town, Work, World

SEED = 43
PER_REGISTER = 16
NOTES = 24

_FILLER = (
    "The accounts of {year} are lost, and what is told of it rests on letters that were copied much later.",
    "A stone beside the road records the height of the water, though nobody agrees who had it set there.",
    "Carters complained for {few} years about the toll on {trade}, and the council answered each complaint with the same sentence.",
    "The first drawings were found in a cupboard and show a plan that was never followed.",
    "Repairs took {few} summers because {trade} sold badly and timber had to come from the upper valley.",
    "Visitors are told a longer story, which begins with a quarrel between two innkeepers.",
    "Prices of {trade} rose in {year}, so that half of the sum was spent before a wall was standing.",
    "The clerk who kept the book of {trade} wrote in a small hand, and {many} pages are stained.",
    "Schoolchildren learn the date by a rhyme that is wrong by a decade.",
    "Fog is common in {month}, and a bell is rung at the landing until the boats are in.",
    "What the old maps call a marsh is now a meadow with {many} poplars in a row.",
    "The engineer's report praises the foundations and says little good of the roof.",
    "A second survey of {year} came to the same result with {many} pages less.",
    "The older houses have their kitchens upstairs, since the cellars flood in {month}.",
    "Of committees {few} were formed in {month}, and one of them met once, about {trade}.",
    "It is said that the best view is from the churchyard, where the hedge is low.",
)


@dataclass(slots=True)
class Written:
    """The documents, and where each fact stands: its name -> (document, paragraph or row)."""

    documents: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    facts: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])


class Writer:
    """Writes all documents of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.random = Random(SEED)
        self.written = Written()

    def write(self) -> Written:
        """Handbooks of towns, registers of persons, annals of firms, and notes that only mention names."""
        for at, town in enumerate(self.world.towns):
            self._handbook(f"handbook-{at:02}", town)
        persons = sorted(self.world.persons, key=lambda one: one.name.split()[1])
        for at in range(0, len(persons), PER_REGISTER):
            self._register(f"register-{at // PER_REGISTER:02}", persons[at : at + PER_REGISTER])
        for at, firm in enumerate(self.world.firms):
            self._annals(f"annals-{at:02}", firm)
        for at in range(NOTES):
            self._notes(f"notes-{at:02}", at + 1)
        return self.written

    def _handbook(self, key: str, town: Town) -> None:
        works = [work for work in self.world.works if work.town == town.name]
        parts = [
            "## Position",
            self._around(f"{town.name} lies on the river {town.river}, a day from the coast."),
        ]
        parts += [
            "## Trade",
            self._around(f"Most families of {town.name} live by {town.trade}."),
            self._filler(3),
        ]
        if works:
            rows = [self._row(key, work) for work in works]
            parts += [
                "## Works in figures",
                "| work | year | built by |\n| --- | --- | --- |\n" + "\n".join(rows),
            ]
        for work in works:
            parts += [f"## {work.name}", self._filler(3), self._designed(key, work), self._filler(2)]
        feast = self._around(
            f"Every {town.month} the people keep the {town.feast}, and the streets are closed to carts."
        )
        parts += [
            "## The year",
            self._filler(2),
            self._fact(f"feast {town.name}", key, feast),
            self._filler(4),
        ]
        self._document(key, f"Handbook of {town.name}", parts)

    def _row(self, key: str, work: Work) -> str:
        return self._fact(f"builder {work.name}", key, f"| {work.name} | {work.year} | {work.firm} |")

    def _designed(self, key: str, work: Work) -> str:
        said = self.random.choice(
            (
                f"The plans of the {work.name} came from {work.designer}, who saw it opened.",
                f"It was {work.designer} who drew the {work.name}, after two others had declined.",
                f"For the {work.name} the council called {work.designer}, whose drawings are kept in a chest.",
            )
        )
        return self._fact(f"designer {work.name}", key, self._around(said))

    def _register(self, key: str, persons: list[Person]) -> None:
        parts = [self._filler(4)]
        for person in persons:
            said = f"Born in {person.birthplace} in {person.born}, {_last(person.name)} learned the trade from {person.teacher}."
            life = self._fact(f"life {person.name}", key, self._around(said))
            parts += [f"## {person.name}", life, self._filler(self.random.randint(2, 5))]
        first, last = _last(persons[0].name), _last(persons[-1].name)
        self._document(key, f"Register of Builders, {first} to {last}", parts)

    def _annals(self, key: str, firm: Firm) -> None:
        founded = f"{firm.founder} founded the house of {firm.name} at {firm.seat} in {firm.since}."
        parts = [
            "## Beginnings",
            self._filler(2),
            self._fact(f"founder {firm.name}", key, self._around(founded)),
        ]
        for decade in range(firm.since // 10 * 10, 1900, 10):
            jobs = [
                work
                for work in self.world.works
                if work.firm == firm.name and decade <= work.year < decade + 10
            ]
            mentioned = " ".join(f"In {work.year} the house worked at {work.town}." for work in jobs)
            parts += [
                f"## The years from {decade}",
                self._filler(3),
                self._around(mentioned or "There was little work."),
            ]
        self._document(key, f"Annals of {firm.name}", parts)

    def _notes(self, key: str, number: int) -> None:
        parts: list[str] = []
        for town in self.random.sample(self.world.towns, 8):
            work, person = self.random.choice(self.world.works), self.random.choice(self.world.persons)
            parts += [
                f"## From {town.name}",
                self._around(f"We came to {town.name} in rain, and spoke of the {work.name} over supper."),
                self._around(f"A portrait of {person.name} hangs in the inn; nobody there knew why."),
                self._filler(4),
            ]
        self._document(key, f"Travel Notes, Part {number}", parts)

    def _fact(self, name: str, key: str, text: str) -> str:
        self.written.facts[name] = key, text
        return text

    def _around(self, said: str) -> str:
        before, after = self._sentences(2)
        return f"{before} {said} {after}"

    def _sentences(self, count: int) -> list[str]:
        draw = self.random
        return [
            sentence.format(
                few=draw.choice(("two", "three", "four", "five")),
                many=draw.randint(12, 90),
                year=draw.randint(1770, 1899),
                month=draw.choice(MONTHS),
                trade=draw.choice(TRADES),
            )
            for sentence in draw.sample(_FILLER, count)
        ]

    def _filler(self, paragraphs: int) -> str:
        return "\n\n".join(" ".join(self._sentences(4)) for _ in range(paragraphs))

    def _document(self, key: str, title: str, parts: Iterable[str]) -> None:
        self.written.documents[key] = title, "\n\n".join((f"# {title}", *parts)) + "\n"


def _last(name: str) -> str:
    return name.split()[1]
