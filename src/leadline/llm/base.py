"""What a language model is to the rest: messages in, text out, and what it cost.

request -> cache -> meter -> retry -> limit -> provider -> reply
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from leadline.run import Purpose, Run

Told = Callable[[str], None]
"""Gets a reply piece by piece while it is being written."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An image shown to a model that can see."""

    data: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    text: str
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class Schema:
    """The JSON schema a reply should follow; `name` is how providers call it."""

    name: str
    json: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model.

    `step` names what asks (plan, judge, reflect, write ...) in events and errors. `marker` is the random text that
    fences documents in the messages: a cache must not tell two requests apart by it. `like`: requests of which it is
    the same are the same to a cache, whatever their messages.
    """

    messages: tuple[Message, ...]
    step: str
    schema: Schema | None = None
    marker: str = ""
    max_tokens: int = 1_024
    temperature: float = 0.0
    purpose: Purpose = "gather"
    like: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `usd` is None where nobody knows the price; `whole` is False for one cut at its token limit, and
    for a `broken` one, whose connection or time ended before it did."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = None
    whole: bool = True
    cached: bool = False
    broken: bool = False


class Chat(Protocol):
    """A model that answers one request at a time; calls may overlap."""

    @property
    def name(self) -> str:
        """`provider:model`, as configured."""
        ...

    @property
    def context(self) -> int:
        """Tokens that fit into messages and reply together."""
        ...

    async def ask(self, request: Request, run: Run, told: Told | None = None) -> Reply:
        """The model's reply, streamed to `told` where that is given.

        Raises `BudgetSpent` or `Cancelled` before a call the run does not cover, `ModelFailed` when no reply is to be
        had, `ModelUnusable` when none will ever be (key, address, name of the model).
        """
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...
