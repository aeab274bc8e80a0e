"""How large a picture is, by its first bytes, without unpacking it: PNG, JPEG, GIF, BMP and WebP; and writing PNG."""

import struct
import zlib
from collections.abc import Sequence

MEDIA_TYPES = {
    b"\x89PNG": "image/png",
    b"GIF8": "image/gif",
    b"\xff\xd8\xff": "image/jpeg",
    b"RIFF": "image/webp",
}
"""Kinds that models can look at, by how they begin."""
_MOST_MARKERS = 1_000
_NO_SIZE = {0xC4, 0xC8, 0xCC}
_BARE = {0x01, *range(0xD0, 0xD8)}


def size_of(data: bytes) -> tuple[int, int]:
    """Width and height in pixels; (0, 0) for what is not such a picture.

    >>> size_of(b"GIF89a" + bytes([3, 0, 2, 0]))
    (3, 2)
    """
    try:
        return _size(data)
    except (struct.error, IndexError):
        return 0, 0


def png(width: int, channels: int, rows: Sequence[bytes]) -> bytes:
    """A PNG file of rows of grey (1), RGB (3) or RGBA (4) pixels, eight bits each."""
    colour = {1: 0, 3: 2, 4: 6}[channels]
    head = struct.pack(">IIBBBBB", width, len(rows), 8, colour, 0, 0, 0)
    packed = zlib.compress(b"".join(b"\0" + row for row in rows))
    parts = ((b"IHDR", head), (b"IDAT", packed), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_part(name, data) for name, data in parts)


def _part(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def media_type(data: bytes) -> str:
    """What kind of picture that models can look at it is, "" for others.

    >>> media_type(b"\\x89PNG"), media_type(b"BM")
    ('image/png', '')
    """
    return next((kind for begin, kind in MEDIA_TYPES.items() if data.startswith(begin)), "")


def _size(data: bytes) -> tuple[int, int]:
    if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR":
        return struct.unpack_from(">II", data, 16)
    if data.startswith((b"GIF87a", b"GIF89a")):
        return struct.unpack_from("<HH", data, 6)
    if data.startswith(b"BM"):
        width, height = struct.unpack_from("<ii", data, 18)
        return abs(width), abs(height)
    if data.startswith(b"\xff\xd8"):
        return _jpeg(data)
    return _webp(data) if data.startswith(b"RIFF") and data[8:12] == b"WEBP" else (0, 0)


def _jpeg(data: bytes) -> tuple[int, int]:
    """The size stands in the first frame header; what comes before it is skipped by its stated length."""
    at = 2
    for _ in range(_MOST_MARKERS):
        if data[at] != 0xFF:
            return 0, 0
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in _BARE:
            at += 2
        elif 0xC0 <= marker <= 0xCF and marker not in _NO_SIZE:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        else:
            at += 2 + max(2, struct.unpack_from(">H", data, at + 2)[0])
    return 0, 0


def _webp(data: bytes) -> tuple[int, int]:
    form = data[12:16]
    if form == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if form == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if form == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return 0, 0
