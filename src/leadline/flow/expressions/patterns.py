"""Searching for a pattern in one pass: the time is that of the text, whatever the pattern.

Patterns come with flow files and texts with documents, neither of which is to be trusted; the engine of `re` can be kept
busy for ever by a pattern of ten characters. RE2 cannot.
"""

from dataclasses import dataclass
from functools import lru_cache

import re2

from leadline.errors import FlowError

LONGEST = 500
MEMORY = 4 << 20
"""Bytes that one pattern may take when it is compiled; what does not fit is refused."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Made by `pattern`."""

    compiled: "re2.Regexp"

    def search(self, text: str) -> bool:
        """Whether it is found anywhere in `text`."""
        try:
            return self.compiled.search(text) is not None
        except UnicodeEncodeError:  # half of a character, which JSON can hold and UTF-8 cannot
            return self.compiled.search(text.encode("utf-8", "replace").decode()) is not None


@lru_cache(maxsize=1_000)
def pattern(written: str) -> Pattern:
    """The pattern that is written, in RE2's notation; FlowError says why there is none."""
    if len(written) > LONGEST:
        raise FlowError(f"a pattern has at most {LONGEST} characters")
    options = re2.Options()
    options.log_errors, options.max_mem = False, MEMORY
    try:
        return Pattern(re2.compile(written, options))
    except (re2.error, UnicodeEncodeError) as error:
        reason = error.args[0] if error.args else "it cannot be read"
        said = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise FlowError(f"this pattern cannot be used: {said:.200}") from None
