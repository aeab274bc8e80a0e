"""What of the evidence goes into a model's context: the best that fits, and how much does not."""

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.llm.tokens import estimated_tokens

FENCE = 24
"""Tokens that the marks around one piece take."""
LEAST = 40
"""Tokens below which the beginning of a piece says nothing."""
CUT = " …"


@dataclass(frozen=True, slots=True)
class Packing:
    """The pieces that are shown: (place among those given, text), in the order given; `left_out` are not."""

    shown: tuple[tuple[int, str], ...]
    left_out: int


def pack(texts: Sequence[str], tokens: int, characters: int | None = None) -> Packing:
    """As many of `texts`, best first, as fit into `tokens` and `characters`.

    One that does not fit is passed over, so that a long piece keeps no shorter one out. The best is always shown, cut
    if it must be.

    >>> pack(["abc def " * 4, "long " * 400, "ghi"], 120)
    Packing(shown=((0, 'abc def abc def abc def abc def'), (2, 'ghi')), left_out=1)
    """
    room, left = tokens, characters if characters is not None else sum(map(len, texts))
    taken: dict[int, str] = {}
    for place, text in enumerate(map(str.strip, texts)):
        if not taken:
            text = beginning(text, max(room - FENCE, LEAST), left)
        cost = estimated_tokens(text) + FENCE
        if taken and (cost > room or len(text) > left):
            continue
        taken[place] = text
        room, left = room - cost, left - len(text)
    return Packing(tuple(taken.items()), len(texts) - len(taken))


def beginning(text: str, tokens: int, characters: int) -> str:
    """As much of a text as fits, ending where a word does.

    >>> beginning("The tide mill at Oxley was built in 1887.", 6, 100)
    'The tide mill at …'
    """
    if len(text) <= characters and estimated_tokens(text) <= tokens:
        return text
    longest = min(len(text), max(characters - len(CUT), 0))
    low, high = 0, longest
    while low < high:
        middle = (low + high + 1) // 2
        if estimated_tokens(text[:middle]) + 1 <= tokens:
            low = middle
        else:
            high = middle - 1
    kept = text[:low]
    word = max(kept.rfind(" "), kept.rfind("\n"))
    return (kept[:word] if word > low // 2 else kept).rstrip() + CUT
