"""Rows of the fault table: what a model may say in place of a good reply, and what may happen to a call."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from leadline.arguments import AgentChoice
from leadline.testing.said import Said, cut, endless, not_json, null, refusal, reset, silence

SECRET = "refused-by-script-7731"
"""Stands in every error a server sends: it must not reach an answer."""
LONG = 5_000_000
Shape = Callable[[str], Said | str]
"""From the good reply to what is said instead."""


def _trailing(good: str) -> str:
    return re.sub(r"([\]}])", r",\1", good.replace("[]", "[ ]")).replace("[ ,]", "[]")


def _python(good: str) -> str:
    try:
        return repr(json.loads(good))
    except ValueError:
        return good


READABLE: Mapping[str, Shape] = {
    "a think block before it": lambda good: f'<think>YES? NO. {{"useful": [9]}} 3\n</think>\n\n{good}',
    "a fence around it": lambda good: f"```json\n{good}\n```",
    "prose around it": lambda good: f"Sure! Here it is:\n\n{good}\n\nI hope that this helps.",
    "python in place of JSON": _python,
    "trailing commas": _trailing,
    "a byte order mark and blanks": lambda good: f"\ufeff\r\n  {good}  \n\n",
    "keys in capitals": lambda good: re.sub(r'"(\w+)":', lambda key: f'"{key[1].title()}":', good),
}
"""Dressed up, but all there: no repair is needed. None of them is for a reply that is not JSON."""

UNUSABLE: Mapping[str, Shape] = {
    "null content": lambda _: null(),
    "an empty string": lambda _: "",
    "blanks": lambda _: " \n\n ",
    "a refusal": lambda _: "I'm sorry, but I can't help with that request.",
    "prose": lambda _: (
        "There is a lot to be said about this. It depends on how one looks at it, as so often."
    ),
    "a think block that never ends": lambda good: f"<think>Let me see. {good[:20]}",
    "half an object": lambda good: cut(good[: len(good) // 2]),
    "the beginning of an object": lambda good: cut(good[:3]),
    "a bare string": lambda _: '"Who founded Kestrel?"',
    "a number": lambda _: "7731",
    "JSON null": lambda _: "null",
    "an empty object": lambda _: "{}",
    "an empty list": lambda _: "[]",
    "a list with nothing in it": lambda _: '["What is it?", null, 3, {"a": ["b"]}, ""]',
    "numbers that mean nothing": lambda _: '{"useful": [0, -1, 99, "x"], "documents": [77]}',
    "an object in place of every value": lambda _: '{"queries": {"a": {}}, "claims": {"b": 1}, "useful": {}}',
    "claims without a document": lambda _: (
        '{"found": true, "claims": [{"text": "Salt is blue.", "cites": []}]}'
    ),
    "very deep nesting": lambda _: "[" * 20_000,
    "text that is no text": lambda _: "\udcff\x00\u202e\ufffe" * 40,
    "five megabytes of prose": lambda _: "so to say " * (LONG // 10),
    "five megabytes of brackets": lambda _: "[{" * (LONG // 2),
    "five megabytes of one number": lambda _: "9" * LONG,
    "the good reply, then five megabytes": lambda good: good + "\n" + "x y " * (LONG // 4),
}
"""May or may not be read; the run ends in an answer all the same."""

FAILURES: Mapping[str, Shape] = {
    "400": lambda _: refusal(400, SECRET),
    "401": lambda _: refusal(401, SECRET),
    "403": lambda _: refusal(403, SECRET),
    "404": lambda _: refusal(404, SECRET),
    "413": lambda _: refusal(413, SECRET),
    "422": lambda _: refusal(422, SECRET),
    "429 that asks to wait": lambda _: refusal(429, SECRET, retry_after="0.01"),
    "429 that asks to wait for a day": lambda _: refusal(429, SECRET, retry_after="86400"),
    "429 that asks for nonsense": lambda _: refusal(429, SECRET, retry_after="soon"),
    "500": lambda _: refusal(500, SECRET),
    "503": lambda _: refusal(503, SECRET),
    "a reset before the first word": lambda good: reset(good, 0),
    "a reset in the middle": lambda good: reset(good, max(len(good) // 2, 1)),
    "a reply that never comes": lambda _: silence(),
    "a reply that never ends": lambda _: endless(),
    "a success that is a web page": lambda _: not_json(f"<html><body>{SECRET}</body></html>"),
    "a success that is empty": lambda _: not_json(""),
    "a success of another kind": lambda _: not_json('{"ok": true}'),
    "a success without a choice": lambda _: not_json('{"choices": [], "model": "m"}'),
    "a success with an error in it": lambda _: not_json(json.dumps({"error": {"message": SECRET}})),
    "a success that is a list": lambda _: not_json("[1, 2]"),
    "a success without usage": lambda good: Said(good, usage=False),
    "five megabytes of a web page": lambda _: not_json("<p>x</p>" * (LONG // 8)),
}

YES = (
    "yes",
    "Yes.",
    "**YES**",
    "yes!",
    "Answer: Yes, it names the engine.",
    "<think>NO?</think>YES",
    '"yes"',
)
NO = (
    "no",
    "No.",
    "NO",
    "**No**",
    "It does not help.",
    "YES and NO",
    "maybe",
    "Not relevant: YESTERDAY's news",
)
"""In per-chunk judging: accepted only with a YES and no NO, as whole words in any case."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a run: how the product is asked so that the step happens."""

    name: str
    agent: AgentChoice = "deep"
    batch: int = 10
    expand: bool = False
    collections: tuple[str, ...] = ("default",)

    def __str__(self) -> str:
        return f"{self.name}, {self.agent}" + (", one by one" if self.batch == 1 else "")


STEPS: tuple[Step, ...] = (
    Step("plan"),
    Step("judge"),
    Step("judge", batch=1),
    Step("reflect"),
    Step("write"),
    Step("follow_up", agent="chain"),
    Step("note", agent="chain"),
    Step("write", agent="chain"),
    Step("write", agent="fast"),
    Step("choose_agent", agent="auto"),
    Step("choose_collections", collections=()),
    Step("expand", expand=True),
    Step("hyde", expand=True),
    Step("extract_facts", agent="research"),
    Step("find_gaps", agent="research"),
    Step("compose", agent="research"),
)


def few(shapes: Mapping[str, Shape], step: Step, count: int = 1) -> dict[str, Shape]:
    """Some of the shapes, others for each step: the quick suite takes these, the slow one all.

    Without those that take their time.
    """
    quick = [title for title in shapes if not title.startswith("five mega") and "that never" not in title]
    start = STEPS.index(step) * count
    return {title: shapes[title] for title in (quick[(start + n) % len(quick)] for n in range(count))}
