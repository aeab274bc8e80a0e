"""The words in the pictures that a document holds, recognised with tesseract where it is installed.

Bounded in number, size and time; the same picture is read once. Nothing outside the document is ever opened.
"""

import base64
import binascii
import hashlib
import re
import time
import urllib.parse
from collections.abc import Callable

from leadline.documents.base import HeldPicture
from leadline.documents.formats import ocr
from leadline.documents.formats.rasters import media_type, size_of
from leadline.documents.normalising import normalise
from leadline.documents.sources import Source

MOST = 60
SECONDS = 30.0
LARGEST_BYTES = 20 << 20
LONGEST_TEXT = 4_000
_SECONDS_EACH = 10.0
_MOST_PIXELS = 30_000_000
_LEAST_PIXELS = 8_000
_LEAST_SIDE = 32
"""What is smaller is an icon or a bullet."""
MOST_SEEN = 20
"""Pictures of a document that models are shown."""
LARGEST_SEEN = 4 << 20
_DATA = re.compile(r"data:image/[\w.+-]{1,40}(?:;[\w=-]{1,60})*;base64,", re.IGNORECASE)


def none_held(_address: str) -> bytes:
    """For documents that hold no pictures of their own."""
    return b""


class Pictures:
    """The pictures of one document. `held` gives the bytes of one by its address within the document."""

    def __init__(self, source: Source, held: Callable[[str], bytes] = none_held) -> None:
        self._source = source
        self.held = held
        self._texts: dict[bytes, str] = {}
        self._until = 0.0
        self._left_out = 0
        self._unseen = 0

    def words_at(self, address: str) -> str:
        """What is read in the picture at an address: a `data:` URI, or a part of the document."""
        if not address or not (self._source.ocr or self.seen):
            return ""
        if address[:5].lower() == "data:":
            return self.words(inline_picture(address))
        return "" if "://" in address[:40] or address.startswith("//") else self.words(self.held(address))

    def words(self, data: bytes) -> str:
        """What is read in a picture, "" the second time and for what is no picture to read.

        Where models are to look at it, its mark comes first.
        """
        width, height = size_of(data[: 1 << 20])
        if min(width, height) < _LEAST_SIDE or not _LEAST_PIXELS <= width * height <= _MOST_PIXELS:
            return ""
        read = self.recognised(data, lambda reader, seconds: reader.read_image(data, seconds))
        return "\n\n".join(filter(None, (self.marked(data, lambda: data), read)))

    @property
    def seen(self) -> bool:
        """Whether models are to look at them."""
        return self._source.pictures is not None

    def marked(self, key: bytes, drawn: Callable[[], bytes]) -> str:
        """The mark of a picture that is kept to be looked at; "" the second time, and for what cannot be."""
        held = self._source.pictures
        mark = f"[picture {hashlib.blake2b(key, digest_size=4).hexdigest()}]"
        if held is None or mark in held:
            return ""
        if len(held) >= MOST_SEEN:
            self._unseen += 1
            return ""
        data = drawn()
        kind = media_type(data)
        if not kind or len(data) > LARGEST_SEEN:
            return ""
        held[mark] = HeldPicture(mark, data, kind)
        return mark

    def recognised(self, key: bytes, recognise: Callable[[ocr.Tesseract, float], str]) -> str:
        """What `recognise` reads within the limits; `key` tells the same picture when it comes again."""
        digest = hashlib.blake2b(key, digest_size=16).digest()
        reader = ocr.find() if self._source.ocr and digest not in self._texts else None
        if reader is None or len(key) > LARGEST_BYTES:
            return ""
        self._until = self._until or time.monotonic() + min(SECONDS, self._source.seconds_left())
        left = self._until - time.monotonic()
        if len(self._texts) >= MOST or left < 1:
            self._left_out += 1
            return ""
        text = normalise(recognise(reader, min(left, _SECONDS_EACH))).strip()[:LONGEST_TEXT].rstrip()
        again = text in self._texts.values()
        self._texts[digest] = text
        return "" if again else text

    def notes(self) -> list[str]:
        """What a person should know of pictures left out."""
        unread = f"Pictures whose words were not read, for want of time: {self._left_out}."
        unseen = f"Pictures that no model was shown, since {MOST_SEEN} of a document are: {self._unseen}."
        counted = ((self._left_out, unread), (self._unseen, unseen))
        return [note for count, note in counted if count]


def inline_picture(address: str) -> bytes:
    """The bytes of a picture that its address holds, b"" when that is none, or too large."""
    start = _DATA.match(address[:200])
    if start is None or len(address) > LARGEST_BYTES * 4 // 3 + 200:
        return b""
    try:
        return base64.b64decode(urllib.parse.unquote(address[start.end() :]), validate=False)
    except (binascii.Error, ValueError):
        return b""
