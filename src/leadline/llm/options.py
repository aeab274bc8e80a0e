"""What the builder of a model is told."""

from dataclasses import dataclass, field

ASSUMED_CONTEXT = 8_192
"""Tokens taken for the context of a model of which nobody says it."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """The model `name` of `provider`, at `url` where that is not the provider's own address.

    `key_from` names the variable the key was read from, for messages. `context` is in tokens, None where nobody says.
    """

    provider: str
    name: str
    url: str = ""
    key: str = field(default="", repr=False)
    key_from: str = ""
    seconds: float = 120.0
    context: int | None = None
