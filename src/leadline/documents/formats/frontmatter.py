"""Front matter: YAML between `---` lines or TOML between `+++` lines at the head of a text file."""

import datetime
import tomllib
from collections.abc import Iterable
from typing import cast

import yaml

from leadline.types import MetaValue

_LONGEST = 65_536
_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def split_front_matter(text: str) -> tuple[dict[str, MetaValue], str]:
    """The metadata at the head of `text`, and the rest; nothing is cut off that cannot be understood."""
    for fence, closers in (("---", ("---", "...")), ("+++", ("+++",))):
        if not text.startswith(fence + "\n"):
            continue
        for closer in closers:
            end = text.find(f"\n{closer}\n", 3)
            end = len(text) - len(closer) - 1 if end < 0 and text.endswith(f"\n{closer}") else end
            if 3 <= end <= _LONGEST:
                parsed = _parse(fence, text[4 : end + 1])
                if parsed is not None:
                    return metadata_of(parsed), text[end + len(closer) + 1 :].lstrip("\n")
    return {}, text


def _parse(fence: str, text: str) -> dict[str, object] | None:
    try:
        parsed: object = tomllib.loads(text) if fence == "+++" else yaml.load(text, _LOADER)
    except (yaml.YAMLError, tomllib.TOMLDecodeError, ValueError, RecursionError):
        return None
    return cast(dict[str, object], parsed) if isinstance(parsed, dict) else None


def metadata_of(values: dict[str, object]) -> dict[str, MetaValue]:
    """Scalars, lists of scalars and one level of nesting; deeper structure says nothing a filter could use."""
    found: dict[str, MetaValue] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            inner = cast(dict[object, object], value)
            found.update(
                {f"{key}.{name}": v for name, item in inner.items() if (v := _value(item)) is not None}
            )
        elif (converted := _value(value)) is not None:
            found[str(key)] = converted
    return found


def _value(value: object) -> MetaValue | None:
    if isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, list | tuple | set):
        items = [
            _value(item)
            for item in cast(Iterable[object], value)
            if not isinstance(item, list | tuple | set | dict)
        ]
        return tuple(str(item) for item in items if item is not None)
    return None
