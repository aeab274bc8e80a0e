"""What reading a file gives, before it is normalised and split, and who reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from leadline.errors import DocumentError
from leadline.types import Block, Heading, MetaValue, Page


@dataclass(frozen=True, slots=True)
class HeldPicture:
    """A picture inside a document, for whoever can see; the text of its figure says `mark`."""

    mark: str
    data: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class Extracted:
    """Normalised text and structure of one file; all positions are offsets into `text` (code points).

    `metadata` holds only what the file itself says (title, author, created, modified, front matter);
    `title` is "" when the file names none. `notes` tell a person what was left out (a scan without OCR).
    `pictures` are there only where they were asked for.
    """

    text: str
    title: str = ""
    kind: str = "text"
    metadata: Mapping[str, MetaValue] = field(default_factory=dict[str, MetaValue])
    pages: tuple[Page, ...] = ()
    headings: tuple[Heading, ...] = ()
    blocks: tuple[Block, ...] = ()
    notes: tuple[str, ...] = ()
    pictures: tuple[HeldPicture, ...] = ()


class Readers(Protocol):
    """Whoever reads files, outside this process or in it."""

    async def read_many(
        self,
        paths: Sequence[Path],
        passwords: tuple[str, ...] = (),
        *,
        ocr: bool = True,
        pictures: bool = False,
    ) -> list[Extracted | DocumentError]: ...
