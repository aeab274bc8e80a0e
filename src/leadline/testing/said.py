"""What a scripted model server is asked, and everything it can be told to say: replies, and every way to fail."""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

STEP = re.compile(r"^\s*Task: *([\w-]+)", re.MULTILINE)
"""Every prompt of ours says in its first line what it is for."""


@dataclass(slots=True)
class Asked:
    """One request as it arrived. `prompt` is all text of its messages; `began` and `ended` are `time.monotonic()`."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    began: float = field(default_factory=time.monotonic)
    ended: float | None = None

    @property
    def messages(self) -> list[tuple[str, str]]:
        """(role, text) of each message."""
        return [(str(each.get("role", "")), _text(each.get("content"))) for each in self.body["messages"]]

    @property
    def prompt(self) -> str:
        """All text that was sent."""
        return "\n".join(text for _, text in self.messages)

    @property
    def step(self) -> str:
        """What asks: plan, judge, reflect, write ...; "" for a prompt that does not say."""
        found = STEP.search(self.prompt)
        return found[1] if found else ""

    @property
    def repairs(self) -> bool:
        """Whether the model is shown a reply of its own."""
        return any(role == "assistant" for role, _ in self.messages)

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON schema that the reply must follow, where the request has one."""
        wanted: Mapping[str, Any] = self.body.get("response_format") or {}
        if wanted.get("type") != "json_schema":
            return None
        held: Mapping[str, Any] = wanted["json_schema"]
        return held["schema"]

    @property
    def streams(self) -> bool:
        return bool(self.body.get("stream"))


def _text(content: Any) -> str:
    if isinstance(content, list):
        parts = cast(list[Mapping[str, Any]], content)
        return "\n".join(str(part["text"]) for part in parts if part.get("type") == "text")
    return "" if content is None else str(content)


@dataclass(frozen=True, slots=True)
class Said:
    """One reply. Made by hand for a plain one, by the functions below for a failure.

    `text` None is null content. `seconds` replaces the server's latency. `raw` is sent in place of the reply's JSON.
    `reset_after` breaks the connection after so many characters of the text; `endless` repeats the text for ever;
    `silent` never says anything.
    """

    text: str | None = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    finish: str = "stop"
    seconds: float | None = None
    raw: str | None = None
    reset_after: int | None = None
    endless: bool = False
    silent: bool = False
    usage: bool = True


Answering = Callable[[Asked], Said | str]
"""A script: what to say to a request, from what the request says alone."""


def refusal(status: int, message: str = "refused by script", *, retry_after: str | None = None) -> Said:
    """An HTTP error, as providers send it."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return Said(message, status, headers)


def null() -> Said:
    """Null content."""
    return Said(None)


def cut(text: str) -> Said:
    """A reply that ended at its token limit."""
    return Said(text, finish="length")


def reset(text: str = "half a reply", after: int = 4) -> Said:
    """The connection breaks in the middle of the reply."""
    return Said(text, reset_after=after)


def endless(text: str = "and so on ") -> Said:
    """A reply that never ends."""
    return Said(text, endless=True)


def silence() -> Said:
    """No reply ever."""
    return Said(silent=True)


def not_json(body: str = "<html><body>Bad gateway</body></html>") -> Said:
    """A success whose body is something else."""
    return Said(raw=body)


Line = Said | str | Answering


def turns(*lines: Line) -> Answering:
    """One after the other, the last one from then on."""
    used = iter(lines[:-1])

    def answer(asked: Asked) -> Said | str:
        return _say(next(used, lines[-1]), asked)

    return answer


def by_step(default: Line = "", /, **lines: Line) -> Answering:
    """A script from the step that a prompt names to what is said there.

    >>> script = by_step("?", plan=turns("a", "b"))
    >>> plan = Asked("/v1/chat/completions", {}, {"messages": [{"role": "system", "content": "Task: plan"}]})
    >>> script(plan), script(plan), script(plan), script(Asked("", {}, {"messages": []}))
    ('a', 'b', 'b', '?')
    """

    def answer(asked: Asked) -> Said | str:
        return _say(lines.get(asked.step, default), asked)

    return answer


def _say(line: Line, asked: Asked) -> Said | str:
    return line if isinstance(line, Said | str) else line(asked)
