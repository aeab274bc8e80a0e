"""What of the evidence a model is shown: the best of it, as much as fits, fenced and numbered."""

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.events import Packed
from leadline.llm.base import Chat
from leadline.llm.packing import LEAST, pack
from leadline.llm.prompting import fence
from leadline.run import Run

REPLY = 0.3
"""The share of a model's context that is left for its reply."""
INSTRUCTIONS = 500
"""Tokens of a prompt without its documents."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A document as it is shown; those in front are the better ones."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The fenced documents that fit; document N is that at `places[N - 1]` among those given."""

    text: str
    rule: str
    marker: str
    places: tuple[int, ...]


def room(chat: Chat) -> int:
    """Tokens that documents may take of the model's context."""
    return max(int(chat.context * (1 - REPLY)) - INSTRUCTIONS, LEAST)


def reply_tokens(chat: Chat, most: int) -> int:
    """Tokens that a reply may have: `most`, less where the model's context is small."""
    return min(most, int(chat.context * REPLY))


def packed(chat: Chat, step: str, pieces: Sequence[Piece], characters: int, run: Run) -> Shown:
    """As many of `pieces` as fit into the model's context and `characters`, best first; one always is, cut if it must.

    Tells how many were left out.
    """
    packing = pack([piece.text for piece in pieces], room(chat), characters)
    if pieces:
        run.emit(Packed(step, len(packing.shown), packing.left_out))
    fenced = fence([(pieces[place].title, text) for place, text in packing.shown])
    places = tuple(place for place, _ in packing.shown)
    return Shown(fenced.text, fenced.rule, fenced.marker, places)
