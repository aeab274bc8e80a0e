"""How many tokens a text is, near enough for budgets and for packing; only the model's own tokenizer knows."""

from math import ceil

from leadline.llm.base import Reply, Request

PER_NARROW = 0.27
"""Tokens of an ASCII character: English has about four characters to a token, code and numbers have fewer."""

PER_WIDE = 1.0
"""Tokens of any other character."""


def estimated_tokens(text: str) -> int:
    """Rather too many than too few.

    >>> estimated_tokens("The lighthouse was lit in 1889."), estimated_tokens("灯塔于1889年点亮。"), estimated_tokens("")
    (9, 9, 0)
    """
    narrow = len(text) if text.isascii() else sum(map(str.isascii, text))
    return ceil(narrow * PER_NARROW + (len(text) - narrow) * PER_WIDE)


def request_tokens(request: Request) -> int:
    """Those of all text that is sent."""
    return sum(estimated_tokens(message.text) for message in request.messages)


def cut_short(request: Request, text: str) -> Reply:
    """What a call gave before it was broken off, with what it will have cost: nobody told its tokens."""
    return Reply(text, request_tokens(request), estimated_tokens(text), whole=False, broken=True)
