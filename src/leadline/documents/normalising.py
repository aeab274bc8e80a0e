"""The one normalisation every extracted text goes through, before any position is computed.

NFC and no more: NFKC would turn ½ into 1⁄2 and full-width letters into others, and a quote must look like its source.
"""

import re
import unicodedata

_NEWLINES = re.compile("\r\n?|[\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_REMOVED = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)
_SPACES = re.compile("[\u00a0\u2007\u202f\u3000]")
_TRAILING = re.compile(r"[ \t]+(?=\n|\Z)")
_BLANK_LINES = re.compile(r"\n{4,}")


def normalise(text: str) -> str:
    """`text` in NFC with `\\n` newlines, plain spaces, no control characters and at most two blank lines."""
    text = _NEWLINES.sub("\n", text)
    text = _REMOVED.sub("", text)
    if not text.isascii():
        text = _SPACES.sub(" ", text)
        text = unicodedata.normalize("NFC", text)
    text = _TRAILING.sub("", text)
    return _BLANK_LINES.sub("\n\n\n", text).strip("\n")


def one_line(text: str) -> str:
    """`text` normalised, its white space squeezed: for headings, titles and table cells."""
    return " ".join(normalise(text).split())
