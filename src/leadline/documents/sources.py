"""What a format reader is given: the bytes, how to open them, and how to read what they contain."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from leadline.documents.base import Extracted, HeldPicture


def _unread(_name: str, _data: bytes) -> Extracted | None:
    return None


@dataclass(frozen=True, slots=True)
class Source:
    """One file in memory. `nested` reads a file found inside it (a mail's attachment), None if it cannot.

    `pictures` takes the pictures inside it, by mark; None where nobody looks at them.
    `until` is when slow work (OCR) should end with what it has, on the monotonic clock.
    """

    name: str
    data: bytes
    kind: str
    passwords: tuple[str, ...] = ()
    ocr: bool = True
    until: float = field(default_factory=lambda: time.monotonic() + 3600)
    pictures: dict[str, HeldPicture] | None = None
    nested: Callable[[str, bytes], Extracted | None] = field(default=_unread)

    def seconds_left(self) -> float:
        """Until slow work should end."""
        return self.until - time.monotonic()
