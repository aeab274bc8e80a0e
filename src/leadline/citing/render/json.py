"""Answers, hits and events for programs: plain values, nothing left out but the analysed terms.

Texts are exact, so that a quote is the stored text between its `start` and `end`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, cast

from leadline.citing.render.outline import numbered, place
from leadline.events import Event
from leadline.types import Answer, Hit

FORMAT = 1
_LEFT_OUT = {"terms"}


def to_json(answer: Answer) -> dict[str, Any]:
    """Everything an answer holds; `sources` are the places cited, with the numbers that claims use."""
    sources = numbered(answer)
    numbers = {place(citation): number for number, citation in sources}
    shown = cast(dict[str, Any], _plain(answer))
    for claim, out in zip(answer.claims, shown["claims"], strict=True):
        out["sources"] = list(dict.fromkeys(numbers[place(citation)] for citation in claim.citations))
    return {
        "format": FORMAT,
        **shown,
        "text": answer.text,
        "sources": [{"number": number, **_plain(citation)} for number, citation in sources],
    }


def hits_to_json(hits: Sequence[Hit]) -> list[dict[str, Any]]:
    """Hits in order, each with how it was found."""
    return [cast(dict[str, Any], _plain(hit)) for hit in hits]


def event_to_json(event: Event) -> dict[str, Any]:
    """One event, with its name under `event`."""
    return {"event": type(event).__name__, **_plain(event)}


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value) if f.name not in _LEFT_OUT}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in cast(Mapping[Any, Any], value).items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in cast(Sequence[Any], value)]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
