"""A model that thinks soundly and knows nothing: it answers every step from the text of the prompt alone.

What it was not shown it cannot judge, cite or build on, so a reply proves what reached it.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from leadline.testing.said import Answering, Asked

FENCED = re.compile(r"\[(\d+) (\w+)\][^\n]*\n(.*?)\n\[/\1 \2\]", re.DOTALL)
"""A numbered document between the marks that prompts put around it."""
NUMBERED = re.compile(r"^\s*(\d+)[.):]\s+(\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Thinker:
    """`rounds` are the sub-queries of the plan, then those after each reflection; `facts` the words that stand in a
    document that helps, and the claim that rests on them. `follow_ups` are a chain's questions, each with the words
    that answer it; `choices` the names picked of numbered options.

    Call it with a request, or take one step's reply by its method.
    """

    rounds: Sequence[Sequence[str]] = ()
    facts: Mapping[str, str] = field(default_factory=dict[str, str])
    follow_ups: Mapping[str, str] = field(default_factory=dict[str, str])
    choices: Sequence[str] = ()
    expanded: Sequence[str] = ()
    passage: str = ""

    def __call__(self, asked: Asked) -> str:
        steps: Mapping[str, Answering] = {
            "plan": self.plan,
            "judge": self.judge,
            "reflect": self.reflect,
            "write": self.write,
            "mend": lambda _: json.dumps({"claims": []}),
            "follow_up": self.follow_up,
            "note": self.note,
            "choose_agent": self.choose,
            "choose_collections": self.choose,
            "expand": lambda _: json.dumps({"queries": list(self.expanded)}),
            "hyde": lambda _: self.passage,
            "extract_facts": self.extract,
            "find_gaps": self.gaps,
            "compose": self.compose,
        }
        said = steps.get(asked.step, lambda _: "ready")(asked)
        assert isinstance(said, str)
        return said

    def plan(self, asked: Asked) -> str:
        return json.dumps({"queries": list(self.rounds[0]) if self.rounds else []})

    def judge(self, asked: Asked) -> str:
        """The documents with a fact in them; YES or NO where one is asked about."""
        useful = [number for number, text in shown(asked).items() if self._known(text)]
        if "YES or NO" in asked.prompt:
            return "YES" if useful else "NO"
        return json.dumps({"useful": useful})

    def reflect(self, asked: Asked) -> str:
        """The first round of which nothing was asked yet; enough when there is none."""
        for queries in self.rounds[1:]:
            if not any(query in asked.prompt for query in queries):
                missing = [f"an answer to: {query}" for query in queries[:1]]
                return json.dumps({"sufficient": False, "missing": missing, "queries": list(queries)})
        return json.dumps({"sufficient": True, "missing": [], "queries": []})

    def write(self, asked: Asked) -> str:
        """One claim for each fact that was shown, quoting its words."""
        claims = [
            {"text": claim, "cites": [{"n": number, "quote": words}]}
            for words, claim in self.facts.items()
            for number, text in shown(asked).items()
            if words in text
        ]
        return json.dumps({"found": bool(claims), "claims": claims})

    def follow_up(self, asked: Asked) -> str:
        """The first follow-up that was not asked yet."""
        question = next((one for one in self.follow_ups if one not in asked.prompt), "")
        return json.dumps({"enough": not question, "question": question})

    def note(self, asked: Asked) -> str:
        """The words that answer the follow-up in the prompt, where a document has them."""
        for question, words in self.follow_ups.items():
            held = [number for number, text in shown(asked).items() if words in text]
            if question in asked.prompt and held:
                return json.dumps({"answer": words, "documents": held})
        return json.dumps({"answer": "", "documents": []})

    def choose(self, asked: Asked) -> str:
        """The numbers that stand before the choices."""
        found = {name.strip("*`:.,"): number for number, name in NUMBERED.findall(asked.prompt)}
        return ", ".join(found[name] for name in self.choices if name in found) or "none of them"

    def extract(self, asked: Asked) -> str:
        """One fact for each that was shown, quoting its words."""
        return json.dumps({"facts": json.loads(self.write(asked))["claims"]})

    def gaps(self, asked: Asked) -> str:
        """The first round of which nothing was asked yet; no gap when there is none."""
        thought = json.loads(self.reflect(asked))
        return json.dumps({"gaps": thought["missing"], "queries": thought["queries"]})

    def compose(self, asked: Asked) -> str:
        """Each fact as a sentence; the last document is what was not found."""
        facts = list(shown(asked).items())[:-1]
        claims = [{"text": text, "facts": [number], "disagree": False} for number, text in facts]
        return json.dumps({"sections": [{"heading": "Findings", "claims": claims}], "missing": []})

    def _known(self, text: str) -> bool:
        return any(words in text for words in self.facts)


def shown(asked: Asked) -> dict[int, str]:
    """The documents of a prompt by their number."""
    return {int(number): text for number, _, text in FENCED.findall(asked.prompt)}
