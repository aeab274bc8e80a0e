"""pdfium as far as it is used here, with the types that its Python binding does not state."""

from collections.abc import Iterable
from typing import Any, Protocol, cast

import pypdfium2
import pypdfium2.raw

PdfError = pypdfium2.PdfiumError
raw = cast(Any, pypdfium2.raw)
Box = tuple[float, float, float, float]


class PdfText(Protocol):
    """The text layer of a page."""

    def count_chars(self) -> int: ...
    def get_charbox(self, index: int, loose: bool = False) -> Box: ...


class PdfBitmap(Protocol):
    """A page drawn with `n_channels` bytes a pixel, rows `stride` bytes apart."""

    width: int
    height: int
    stride: int
    n_channels: int
    buffer: bytes


class PdfPage(Protocol):
    """One page."""

    def get_textpage(self) -> PdfText: ...
    def get_size(self) -> tuple[float, float]: ...
    def get_rotation(self) -> int: ...
    def get_cropbox(self) -> Box: ...
    def get_objects(self, *, filter: list[int], max_depth: int) -> Iterable[object]: ...
    def render(
        self, *, scale: float, rotation: int, crop: Box, grayscale: bool, rev_byteorder: bool = False
    ) -> PdfBitmap: ...
    def close(self) -> None: ...


class _Target(Protocol):
    def get_index(self) -> int | None: ...


class PdfEntry(Protocol):
    """An entry of the outline."""

    level: int

    def get_title(self) -> str: ...
    def get_dest(self) -> _Target | None: ...


class PdfDocument(Protocol):
    """An open file."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> PdfPage: ...
    def get_toc(self, *, max_depth: int) -> Iterable[PdfEntry]: ...
    def get_metadata_dict(self, *, skip_empty: bool) -> dict[str, str]: ...
    def close(self) -> None: ...


def open_document(data: bytes, password: str | None) -> PdfDocument:
    """The document in `data`; raises PdfError when it is damaged or the password is wrong."""
    opened: Any = pypdfium2.PdfDocument(data, password=password)
    return cast(PdfDocument, opened)
