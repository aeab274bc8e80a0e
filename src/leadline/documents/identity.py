"""Ids and hashes. The same source keeps its id, the same text at the same place keeps its chunk id."""

import hashlib
from pathlib import Path

_BLOCK = 1 << 20


def document_id(source: str) -> str:
    """The id of the document that comes from `source`.

    >>> document_id("/notes/a.md") == document_id("/notes/a.md") != document_id("/notes/b.md")
    True
    """
    return _digest(8, source)


def section_id(document: str, start: int, end: int) -> str:
    """The id of the section of `document` (an id) at `start:end`."""
    return _digest(10, document, "section", str(start), str(end))


def chunk_id(document: str, start: int, end: int, text: str) -> str:
    """The id of the chunk of `document` (an id) that holds `text` at `start:end`."""
    return _digest(10, document, "chunk", str(start), str(end), text)


def content_hash(content: bytes) -> str:
    """What decides that two contents are the same."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def file_hash(path: Path) -> str:
    """`content_hash` of a file, read a piece at a time."""
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _digest(size: int, *parts: str) -> str:
    joined = "\x1f".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(joined, digest_size=size).hexdigest()
