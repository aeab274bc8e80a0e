"""What a format reader is given: the bytes, how to open them, and how to read what they contain."""

from collections.abc import Callable
from dataclasses import dataclass, field

from leadline.documents.base import Extracted


def _unread(_name: str, _data: bytes) -> Extracted | None:
    return None


@dataclass(frozen=True, slots=True)
class Source:
    """One file in memory. `nested` reads a file found inside it (a mail's attachment), None if it cannot."""

    name: str
    data: bytes
    kind: str
    passwords: tuple[str, ...] = ()
    ocr: bool = True
    nested: Callable[[str, bytes], Extracted | None] = field(default=_unread)
