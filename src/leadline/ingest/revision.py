"""Whether a file is the one that was loaded: by size and time if they can be trusted, else by content."""

import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from leadline.documents.identity import content_hash
from leadline.documents.splitting import SplitOptions
from leadline.documents.walking import FoundFile
from leadline.types import MetaValue

FORMAT = "4"
"""Raise it when reading, splitting or analysing changes so that loaded files have to be loaded again."""

_UNSETTLED_NS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Revision:
    """`stamp` is size and time of the file, `how` says how it was loaded, `content` is the hash of its bytes."""

    stamp: str
    how: str
    content: str

    def __str__(self) -> str:
        return f"{self.stamp}|{self.how}|{self.content}"

    @classmethod
    def parse(cls, fingerprint: str) -> "Revision":
        """The revision a fingerprint holds; one that holds none equals no file's."""
        parts = fingerprint.split("|")
        return cls(*parts) if len(parts) == 3 else cls("", "", "")


def stamp(file: FoundFile) -> str:
    """Size and time, or "" when the file is so young that it may still change within the clock's tick."""
    if time.time_ns() - file.mtime_ns < _UNSETTLED_NS:
        return ""
    return f"{file.size}.{file.mtime_ns}"


def how_loaded(metadata: Mapping[str, MetaValue], split: SplitOptions, seen_by: str = "") -> str:
    """A digest of all that decides what becomes of a file, apart from the file and the collection's encoder.

    `seen_by` is the model that describes pictures; its part comes last, after a plus sign.
    """
    told = json.dumps([FORMAT, dict(metadata), asdict(split)], sort_keys=True, ensure_ascii=False)
    seen = f"+{_digest(seen_by)[:8]}" if seen_by else ""
    return f"{_digest(told)[:16]}{seen}"


def is_as(known: str, how: str) -> bool:
    """Whether a file loaded in the way `known` is as one loaded in the way `how`.

    Descriptions of pictures were paid for: a load that describes none keeps them.

    >>> is_as("ab+cd", "ab"), is_as("ab", "ab+cd"), is_as("ab+cd", "ab+ef")
    (True, False, False)
    """
    return known == how or ("+" not in how and known.partition("+")[0] == how)


def _digest(text: str) -> str:
    return content_hash(text.encode("utf-8", "surrogatepass"))
