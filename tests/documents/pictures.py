"""Pictures of words, drawn by pdfium and written as PNG byte by byte."""

import struct
import zlib
from typing import Any

import pypdfium2

from tests.documents import samples


def drawn(*texts: str, size: int = 24) -> tuple[int, int, bytes]:
    """Width, height and grey pixels of a white picture that shows some lines."""
    page: Any = pypdfium2.PdfDocument(samples.pdf(samples.lines(*texts, size=size, top=360)))[0]
    bitmap = page.render(scale=2, grayscale=True)
    rows = bytes(bitmap.buffer)
    pixels = b"".join(
        rows[y * bitmap.stride : y * bitmap.stride + bitmap.width] for y in range(bitmap.height // 3)
    )
    return bitmap.width, bitmap.height // 3, pixels


def png(*texts: str, size: int = 24) -> bytes:
    """A PNG file of the same."""
    width, height, pixels = drawn(*texts, size=size)
    rows = b"".join(b"\0" + pixels[y * width : (y + 1) * width] for y in range(height))
    return encoded(width, height, zlib.compress(rows))


def encoded(width: int, height: int, rows: bytes) -> bytes:
    """A grey PNG of packed rows, whatever it claims to be."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _part(b"IHDR", head) + _part(b"IDAT", rows) + _part(b"IEND", b"")


def pdf_image(*texts: str) -> str:
    """An image object for a PDF."""
    width, height, pixels = drawn(*texts)
    entries = f"/Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceGray"
    packed = zlib.compress(pixels).decode("latin-1")
    return samples.stream(packed, f"{entries} /BitsPerComponent 8 /Filter /FlateDecode")


def _part(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
