"""EML and MBOX: subject as heading, who wrote to whom and when, the body, messages inside it and attachments' text."""

import email
import email.errors
import email.header
import email.policy
import email.utils
import re
from email.message import EmailMessage, Message
from typing import cast

from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.decoding import decode
from leadline.documents.formats.html import page
from leadline.documents.normalising import one_line
from leadline.documents.sources import Source

_FROM_LINE = re.compile(rb"^From (?=[^\n]*\d{4}\r?$|[^\n]*@)[^\n]*\n", re.MULTILINE)
_QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)
_SHOWN = ("From", "To", "Cc", "Date", "Organization", "X-Mailer", "User-Agent")
_DEEPEST = 8
_MOST_PARTS = 500


def read(source: Source) -> Extracted:
    """One message, or all the messages of a mailbox one after the other."""
    composer = Composer(source.kind)
    data = source.data
    if 0 in data[:4096] or data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        data = decode(data).encode()
    messages = _FROM_LINE.split(data)[1:] if source.kind == "mbox" else []
    for raw in messages or [data]:
        message = _parse(_QUOTED_FROM.sub(rb"\1", raw) if source.kind == "mbox" else raw)
        _Letter(composer, source).write(message, 1)
        if source.kind == "eml":
            _describe(composer, message)
    return composer.build()


def _parse(data: bytes) -> Message:
    # compat32 forgives headers that the newer policies raise on.
    return email.message_from_bytes(data.lstrip(b"\r\n"), policy=email.policy.compat32)


def _describe(composer: Composer, message: Message) -> None:
    composer.title = header(message, "Subject")
    for name, key in (("Subject", "title"), ("From", "author"), ("To", "recipients")):
        if header(message, name):
            composer.metadata[key] = header(message, name)
    created = date_of(header(message, "Date"))
    if created:
        composer.metadata["created"] = created


def header(message: Message, name: str) -> str:
    """A header with its encoded words decoded; bytes without an encoding are detected."""
    try:
        value = message.get(name)
        if value is None:
            return ""
        parts: list[str] = []
        for text, charset in email.header.decode_header(value):
            parts.append(decode(text, charset or "") if isinstance(text, bytes) else text)
        return one_line("".join(parts))
    except (ValueError, LookupError, email.errors.HeaderParseError):
        return one_line(str(message.get(name, "")))


def date_of(value: str) -> str:
    """A mail date as ISO 8601, "" when it is none."""
    try:
        return email.utils.parsedate_to_datetime(value).isoformat()
    except (TypeError, ValueError, IndexError):
        return ""


class _Letter:
    """Writes one message and what it holds; parts and depth are bounded."""

    def __init__(self, composer: Composer, source: Source) -> None:
        self.composer = composer
        self.source = source
        self.parts = 0

    def write(self, message: Message, level: int) -> None:
        self.composer.heading(level, header(message, "Subject"))
        lines = [f"{name}: {header(message, name)}" for name in _SHOWN if header(message, name)]
        self.composer.paragraph("\n".join(lines))
        self.part(message, level)

    def part(self, part: Message, level: int) -> None:
        self.parts += 1
        if self.parts > _MOST_PARTS or level > _DEEPEST:
            return
        kind = part.get_content_type()
        payload = part.get_payload()
        inner = cast(list[Message], payload) if isinstance(payload, list) else None
        if kind == "message/rfc822" and inner is not None:
            for message in inner:
                self.write(message, level + 1)
        elif kind == "multipart/alternative" and inner is not None:
            self.part(_plainest(inner), level)
        elif inner is not None:
            for child in inner:
                self.part(child, level)
        else:
            self.leaf(part, kind, level)

    def leaf(self, part: Message, kind: str, level: int) -> None:
        data = part.get_payload(decode=True)
        if not isinstance(data, bytes) or not data.strip():
            return
        name = filename(part)
        if kind.startswith("text/") and not name:
            text = decode(data, str(part.get_content_charset("")))
            if kind == "text/html":
                self.composer.include(page(text))
            else:
                self.composer.paragraph(text)
        elif name:
            attach(self.composer, self.source, name, data, level + 1)


def filename(part: Message) -> str:
    """The name of an attachment, "" for a part of the body."""
    try:
        name = part.get_filename() or ""
        return one_line(str(email.header.make_header(email.header.decode_header(name))))
    except (ValueError, LookupError, TypeError):
        return "attachment"


def attach(composer: Composer, source: Source, name: str, data: bytes, level: int) -> None:
    """The text of an attached file under a heading with its name; a note when it cannot be read."""
    found = source.nested(name, data)
    if found is None:
        composer.notes.append(f"The attachment {name} was not read.")
    elif found.text:
        composer.heading(level, name)
        composer.include(found)


def _plainest(parts: list[Message]) -> Message:
    """Of several forms of one body, plain text if there is any in it, else the last: the richest."""
    for part in parts:
        data = part.get_payload(decode=True) if part.get_content_type() == "text/plain" else None
        if isinstance(data, bytes) and data.strip():
            return part
    return parts[-1] if parts else EmailMessage()
