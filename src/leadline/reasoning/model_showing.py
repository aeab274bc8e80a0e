"""What of the evidence a model is shown: the best of it, as much as fits, fenced and numbered."""

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.events import Packed
from leadline.llm.base import Chat
from leadline.llm.prompting import fence
from leadline.llm.tokens import estimated_tokens
from leadline.run import Run

REPLY = 0.3
"""The share of a model's context that is left for its reply."""
INSTRUCTIONS = 500
"""Tokens of a prompt without its documents."""
AROUND = 24
"""Tokens that the fence of one document takes."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A document as it is shown; those in front are the better ones."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The fenced documents that fit, `count` of those given, in their order."""

    text: str
    rule: str
    marker: str
    count: int


def packed(chat: Chat, step: str, pieces: Sequence[Piece], characters: int, run: Run) -> Shown:
    """As many of `pieces` as fit into the model's context and `characters`, best first; one always is, cut if it must.

    Tells how many were left out.
    """
    room = int(chat.context * (1 - REPLY)) - INSTRUCTIONS
    taken: list[tuple[str, str]] = []
    left = characters
    for piece in pieces:
        cost = estimated_tokens(piece.title + piece.text) + AROUND
        if taken and (cost > room or len(piece.text) > left):
            break
        text = piece.text
        if cost > room or len(text) > left:
            text = text[: min(left, max(int(len(text) * max(room, 0) / cost), 200))]
        taken.append((piece.title, text))
        room -= cost
        left -= len(text)
    fenced = fence(taken)
    if pieces:
        run.emit(Packed(step, len(taken), len(pieces) - len(taken)))
    return Shown(fenced.text, fenced.rule, fenced.marker, len(taken))
