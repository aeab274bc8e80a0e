"""Text from documents and models, made harmless to show.

It may hold terminal escapes, direction overrides that reorder what stands around them, and invisible tags.
"""

import re

_UNSAFE = re.compile(
    r"\x1b(?:[\]PX^_][^\x07\x1b]{0,400}(?:\x07|\x1b\\)|\[[0-?]{0,40}[ -/]{0,9}[@-~])?"
    "|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_SPACE = re.compile(r"\s+")


def safe(text: str) -> str:
    r"""`text` without control characters (line breaks and tabs stay).

    >>> safe("a\x1b[31mred\x1b]8;;x\x07b\u202ec")
    'aredbc'
    """
    return _UNSAFE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def line(text: str, longest: int = 0) -> str:
    r"""`text` as one safe line, cut at `longest` characters (0: never).

    >>> line("one\n two three", 9)
    'one two …'
    """
    flat = _SPACE.sub(" ", safe(text)).strip()
    if longest and len(flat) > longest:
        cut = flat[: longest - 1]
        space = cut.rfind(" ", longest // 2)
        return (cut[: space + 1] if space > 0 else cut) + "…"
    return flat
