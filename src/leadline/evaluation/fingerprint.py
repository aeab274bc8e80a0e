"""What a result depends on, as one short text: data, settings and the code that made it.

Results are kept between runs, so a key that missed one of these would show yesterday's figures as today's.
"""

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, cast

PACKAGE = Path(__file__).resolve().parent.parent


def fingerprint(*parts: object) -> str:
    """Twelve hex digits that follow from the values alone, in every process."""
    content = json.dumps([_plain(part) for part in parts], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest()[:12]


def code_of(rooms: Iterable[str], package: Path = PACKAGE) -> str:
    """A digest of the source of these rooms: folders or single files of the package."""
    whole = hashlib.sha256()
    for room in sorted(rooms):
        place = package / room
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            whole.update(f"{file.relative_to(package)}\n".encode())
            whole.update(file.read_bytes())
    return whole.hexdigest()


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in cast(Mapping[Any, object], value).items()}
    if isinstance(value, AbstractSet):
        return sorted((_plain(item) for item in cast(AbstractSet[object], value)), key=repr)
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_plain(item) for item in cast(Sequence[object], value)]
    return value if isinstance(value, str | int | float | bool | None) else repr(value)
