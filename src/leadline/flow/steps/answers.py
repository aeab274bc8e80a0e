"""An answer as fields of a row: what it says with what it rests on, and the evidence beside it.

Nothing in it tells one run from another, such as how long it took.
"""

from typing import Any

from leadline.citing.render.json import to_json
from leadline.flow.base import Row
from leadline.flow.steps.values import hit_plain, plain
from leadline.types import Answer, Evidence

FIELDS = (
    "text",
    "found",
    "confidence",
    "stop",
    "rounds",
    "claims",
    "sources",
    "missing",
    "notices",
    "queries",
    "agent",
    "usage",
)
"""What stands in `answer`: `claims` are its sentences, `sources` the places that they cite by number."""


def answered(row: Row, answer: Answer, into: str, evidence: str) -> Row:
    """The row with an answer in the field `into`, and the evidence in `evidence` ("" for none)."""
    told = to_json(answer)
    said: dict[str, Any] = {name: told[name] for name in FIELDS}
    said["usage"] = {name: value for name, value in told["usage"].items() if name != "seconds"}
    made = {**row, into: said}
    if evidence:
        made[evidence] = [_piece(item) for item in answer.evidence]
    return made


def _piece(item: Evidence) -> dict[str, Any]:
    told = hit_plain(item.hit, verdict=plain(item.verdict), also=list(item.also), also_in=list(item.also_in))
    return {name: value for name, value in told.items() if name != "terms"}
