"""What of the evidence a model is shown: the best of it, as much as fits, fenced and numbered."""

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.events import Packed
from leadline.llm.base import Chat
from leadline.llm.packing import FENCE, LEAST, beginning, pack
from leadline.llm.prompting import fence
from leadline.llm.tokens import estimated_tokens
from leadline.run import Run
from leadline.types import Hit

REPLY = 0.3
"""The share of a model's context that is left for its reply."""
LONGEST = 2_000
"""Characters of a chunk that are shown."""
INSTRUCTIONS = 500
"""Tokens of a prompt without its documents."""
LAST = 4
"""A last piece takes at most one part in so many of the room."""


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


def shown(hit: Hit) -> tuple[str, str]:
    """A chunk's title and text as a model sees them, under the header of its table."""
    chunk = hit.chunk
    return titled(chunk.title, chunk.heading_path[-1:]), f"{chunk.context}\n{chunk.text}".strip()[:LONGEST]


def titled(title: str, headings: Sequence[str]) -> str:
    """What stands above a document: its title and the headings that lead to it, each once."""
    return " › ".join(dict.fromkeys(part for part in (title, *headings) if part))


def packed(
    chat: Chat,
    step: str,
    pieces: Sequence[tuple[str, str]],
    characters: int,
    run: Run,
    last: tuple[str, str] | None = None,
) -> Shown:
    """As many of `pieces` (title, text), best first, as fit into the model's context and `characters`; one always is, cut
    if it must. `last` is shown behind them whatever they leave, as much of it as takes a part of the room.

    Tells how many were left out.
    """
    tokens = room(chat)
    behind: list[tuple[int, str]] = []
    if last is not None:
        text = beginning(last[1].strip(), tokens // LAST, characters // LAST)
        behind.append((len(pieces), text))
        tokens, characters = tokens - estimated_tokens(text) - FENCE, characters - len(text)
    packing = pack([text for _, text in pieces], tokens, characters)
    if pieces:
        run.emit(Packed(step, len(packing.shown), packing.left_out))
    held = [*pieces, last or ("", "")]
    shown = [*packing.shown, *behind]
    fenced = fence([(held[place][0], text) for place, text in shown])
    places = tuple(place for place, _ in shown)
    return Shown(fenced.text, fenced.rule, fenced.marker, places)
