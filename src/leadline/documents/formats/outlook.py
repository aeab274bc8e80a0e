"""MSG, Outlook's own file: an OLE container with one stream per property, and storages for what is attached."""

import contextlib
import datetime
import io
from typing import Any, BinaryIO, Protocol, cast

import olefile

from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.decoding import decode
from leadline.documents.formats.html import page
from leadline.documents.formats.mail import attach
from leadline.documents.sources import Source
from leadline.errors import DocumentError

_SUBJECT, _BODY, _HTML, _SENDER, _TO, _CC = "0037", "1000", "1013", "0C1A", "0E04", "0E03"
_SENT, _DELIVERED = 0x0039, 0x0E06
_DEEPEST = 5
_EPOCH = datetime.datetime(1601, 1, 1, tzinfo=datetime.UTC)


def read(source: Source) -> Extracted:
    """The message, its attachments, and the messages attached to it."""
    try:
        with contextlib.closing(_open(source.data)) as ole:
            composer = Composer("msg")
            _Message(ole, composer, source, []).write(1)
            return composer.build()
    except (OSError, ValueError, IndexError, TypeError, AttributeError) as error:
        raise DocumentError(
            f"is damaged, or not MSG ({error})", "Save it again from Outlook, or as EML."
        ) from error


class _Ole(Protocol):
    def close(self) -> None: ...
    def listdir(self) -> list[list[str]]: ...
    def exists(self, filename: list[str]) -> bool: ...
    def openstream(self, filename: list[str]) -> BinaryIO: ...


def _open(data: bytes) -> _Ole:
    return cast(_Ole, cast(Any, olefile).OleFileIO(io.BytesIO(data)))


class _Message:
    """One message, which lies at `place` in the container."""

    def __init__(self, ole: _Ole, composer: Composer, source: Source, place: list[str]) -> None:
        self.ole = ole
        self.composer = composer
        self.source = source
        self.place = place

    def write(self, level: int) -> None:
        subject, sent = self.text(_SUBJECT), self.sent()
        self.composer.heading(level, subject)
        lines = (("From", self.text(_SENDER)), ("To", self.text(_TO)), ("Cc", self.text(_CC)), ("Date", sent))
        self.composer.paragraph("\n".join(f"{name}: {value}" for name, value in lines if value))
        if not self.place:
            self.composer.title = subject
            known = {
                "title": subject,
                "author": self.text(_SENDER),
                "recipients": self.text(_TO),
                "created": sent,
            }
            self.composer.metadata.update({name: value for name, value in known.items() if value})
        body = self.text(_BODY)
        if body.strip():
            self.composer.paragraph(body)
        else:
            markup = self.binary(_HTML) or self.text(_HTML).encode()
            self.composer.include(page(decode(markup)))
        self.attachments(level + 1)

    def attachments(self, level: int) -> None:
        depth = len(self.place)
        storages = {
            entry[depth]
            for entry in self.ole.listdir()
            if entry[:depth] == self.place and len(entry) > depth + 1 and entry[depth].startswith("__attach")
        }
        for storage in sorted(storages):
            inner = _Message(self.ole, self.composer, self.source, [*self.place, storage])
            name = inner.text("3707") or inner.text("3704") or "attachment"
            embedded = [*inner.place, "__substg1.0_3701000D"]
            if self.ole.exists(embedded) and level <= _DEEPEST:
                _Message(self.ole, self.composer, self.source, embedded).write(level)
            elif data := inner.binary("3701"):
                attach(self.composer, self.source, name, data, level)

    def text(self, code: str) -> str:
        """A property as text: stored as UTF-16, or as bytes in a code page that has to be detected."""
        wide = self.stream(f"__substg1.0_{code}001F")
        return wide.decode("utf-16-le", "replace") if wide else decode(self.stream(f"__substg1.0_{code}001E"))

    def binary(self, code: str) -> bytes:
        return self.stream(f"__substg1.0_{code}0102")

    def stream(self, name: str) -> bytes:
        path = [*self.place, name]
        return self.ole.openstream(path).read() if self.ole.exists(path) else b""

    def sent(self) -> str:
        """When it was sent: the fixed-length properties stand together, sixteen bytes each."""
        data = self.stream("__properties_version1.0")
        for offset in range(len(data) % 16, len(data) - 15, 16):
            kind = int.from_bytes(data[offset : offset + 2], "little")
            name = int.from_bytes(data[offset + 2 : offset + 4], "little")
            if kind == 0x40 and name in {_SENT, _DELIVERED}:
                ticks = int.from_bytes(data[offset + 8 : offset + 16], "little")
                if ticks < 2**58:
                    return (_EPOCH + datetime.timedelta(microseconds=ticks // 10)).isoformat()
        return ""
