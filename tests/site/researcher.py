"""A researcher who knows what to look for and nothing else: it answers every step from the text of the prompt alone."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from leadline.analysis.sentences import sentences
from leadline.testing.said import Asked
from leadline.testing.thinking import shown
from tests.site.planted import AGAINST, FACTS, STALE
from tests.site.town import WINTER

VALUES = tuple(dict.fromkeys([*(each.value for each in (*FACTS, *STALE, AGAINST)), WINTER[:30]]))
FIRST = (
    "depth and dredging of Brennick harbour",
    "Gannet Point lighthouse: tower, history, range of the light",
    "Brennick ferry: vessel, passengers, crossing, operator",
    "Brennick fish market: auction, landings, hall",
)


@dataclass(frozen=True, slots=True)
class Wish:
    """What the researcher wants to know: open until a fact has `value` in it; `query` is how it would look for it."""

    gap: str
    query: str
    value: str


WISHES = (
    Wish("how many berths the marina has", "berths in the marina of Brennick", "214 berths"),
    Wish("how often the lifeboat goes out", "Brennick lifeboat: station, boat, launches", "47 launches"),
    Wish("how old the tide mill is", "Brennick tide mill: miller, wheel, restoration", "built in 1611"),
    Wish("who founded the shipyard", "Brennick shipyard: founder, workers, last ship", "Anders Quill"),
    Wish("how old the swing bridge is", "history of the swing bridge of Brennick", "opened in 1904"),
    Wish("which birds winter in the marsh reserve", "Ald marsh reserve and its birds", "2,450 avocets"),
    Wish("what walkers say of the tower", "walk to Gannet Point: how high is the tower", "no such words"),
    Wish("which town is a friend of Brennick", "布伦尼克 友好城市 游客", "2008年"),
    Wish("since when there is a museum", "متحف برينيك", "1962"),
)


@dataclass(frozen=True, slots=True)
class Researcher:
    """Call it with a request. `wishes` are closed three at a time; one that is `stubborn` looks for what it looked for."""

    first: Sequence[str] = FIRST
    wishes: Sequence[Wish] = WISHES
    stubborn: bool = False

    def __call__(self, asked: Asked) -> str:
        steps = {"extract_facts": self.extract, "find_gaps": self.gaps, "compose": self.compose}
        if asked.step == "plan":
            return json.dumps({"queries": list(self.first)})
        return steps[asked.step](asked)

    def extract(self, asked: Asked) -> str:
        """Each sentence with a value in it, as it stands, once for every document that has it."""
        facts = [
            {"text": said, "cites": [{"n": number, "quote": said}]}
            for number, text in shown(asked).items()
            for said in (" ".join(text[start:end].split()) for start, end in sentences(text))
            if any(value in said for value in VALUES)
        ]
        return json.dumps({"facts": facts})

    def gaps(self, asked: Asked) -> str:
        """The first three wishes that no fact has granted and that were not searched for."""
        told = "\n".join(shown(asked).values())
        open_ = [wish for wish in self.wishes if wish.value not in told]
        left = [wish for wish in open_ if self.stubborn or wish.query not in told][:3]
        return json.dumps({"gaps": [wish.gap for wish in left], "queries": [wish.query for wish in left]})

    def compose(self, asked: Asked) -> str:
        """Every fact as a sentence, under what it is about."""
        about = {planted.value: planted.aspect for planted in (*FACTS, *STALE, AGAINST)}
        sections: dict[str, list[object]] = {}
        *facts, _ = shown(asked).items()
        for number, text in facts:
            said = text.split(" (disagrees with")[0]
            heading = next((aspect for value, aspect in about.items() if value in said), "Further")
            sections.setdefault(heading, []).append({"text": said, "facts": [number], "disagree": False})
        told = [{"heading": heading, "claims": claims} for heading, claims in sections.items()]
        return json.dumps({"sections": told, "missing": ["the price of a berth"]}, ensure_ascii=False)
