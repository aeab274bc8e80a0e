"""What a caller may ask for, and the checks that come before anything is opened."""

import math
import re
from calendar import monthrange
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypedDict, cast, get_args

from leadline.agents.asking import AgentChoice
from leadline.agents.options import SWITCHES, Layer
from leadline.documents.walking import source_of
from leadline.errors import UsageError
from leadline.store.filters import And, Compare, Filter, Not, Or
from leadline.types import MetaValue

Layers = Mapping[Layer, bool]

LONGEST_NAME = 200

_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_HOST_FIRST = re.compile(r"(?:www\.[\w.-]+|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}/.*)", re.ASCII)
_HOST = re.compile(r"\.?[\w-]+(?:\.[\w-]+)*\.?")
_NO_ESCAPE = re.compile("[\ud800-\udc7f\udd00-\udfff]")


class LoadChoices(TypedDict, total=False):
    """What may be said of one load. `prune` removes documents whose files have vanished; `engine` `ray` reads and embeds on
    a cluster. Of addresses: how many links away pages are read (`depth`), of the same site or of any, how many at most, and
    whether those count that the site's sitemaps name."""

    collection: str | None
    metadata: Mapping[str, MetaValue]
    prune: bool
    exclude: Sequence[str]
    passwords: Sequence[str]
    engine: str
    depth: int
    same_site: bool
    max_pages: int
    sitemaps: bool


class SearchChoices(TypedDict, total=False):
    """Where to look. `where` is a filter as text or as a tree. `web`: in the web too, or in nothing else where no
    collections are named; there on these `sites` only, in pages published `since` and `until` days (or months, years)."""

    collections: Sequence[str]
    where: str | Filter | None
    web: bool
    sites: Sequence[str]
    since: str | None
    until: str | None


class AskChoices(SearchChoices, total=False):
    """How to answer one question; what is left out follows the settings. `save_pages`: the collection that the pages
    which were read go into."""

    agent: AgentChoice
    rounds: int | None
    layers: Layers
    save_pages: str | None


def _hosts(value: object) -> bool:
    named: Sequence[object] = [value] if isinstance(value, str) else cast(Sequence[object], value)
    return isinstance(value, str | list | tuple) and all(
        isinstance(each, str) and _HOST.fullmatch(each.strip()) for each in named
    )


_ALLOWED: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "agent": (lambda value: value in get_args(AgentChoice), "auto, fast, deep, chain or research"),
    "engine": (lambda value: isinstance(value, str) and value != "", "`local` or `ray`"),
    "depth": (lambda value: type(value) is int and value >= 0, "a whole number from 0"),
    "same_site": (lambda value: isinstance(value, bool), "true or false"),
    "max_pages": (lambda value: count(value), "a whole number from 1"),
    "sitemaps": (lambda value: isinstance(value, bool), "true or false"),
    "rounds": (lambda value: value is None or count(value), "a whole number from 1"),
    "layers": (
        lambda value: not value or (isinstance(value, Mapping) and SWITCHES.issuperset(cast(Layers, value))),
        f"a mapping of {', '.join(sorted(SWITCHES))} to true or false",
    ),
    "web": (lambda value: isinstance(value, bool), "true or false"),
    "sites": (_hosts, "names of hosts, such as harbour.example"),
    "since": (
        lambda value: value is None or _day(value),
        "a day, month or year: 2024-05-31, 2024-05 or 2024",
    ),
    "until": (
        lambda value: value is None or _day(value),
        "a day, month or year: 2024-05-31, 2024-05 or 2024",
    ),
    "where": (
        lambda value: value is None or isinstance(value, str | Compare | And | Or | Not),
        "text such as 'year >= 2023', or a tree of leadline.store.filters",
    ),
}
"""What values an option takes, as a check and in words."""


WEB_ONLY = ("sites", "since", "until", "save_pages")
"""Choices that say something of the web alone."""


def _day(value: object) -> bool:
    return isinstance(value, str) and bool(day_of(value))


def day_of(text: str, *, last: bool = False) -> str:
    """The first or the last day of what is written as a day, a month or a year, "" for anything else.

    >>> day_of("2024-02"), day_of("2024-02", last=True), day_of("2024", last=True), day_of("2024-02-30")
    ('2024-02-01', '2024-02-29', '2024-12-31', '')
    """
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return ""
    year, month, day = (int(part) if part else 0 for part in found.groups())
    try:
        if not month:
            return date(year, 12 if last else 1, 31 if last else 1).isoformat()
        return date(year, month, day or (monthrange(year, month)[1] if last else 1)).isoformat()
    except ValueError:
        return ""


def asked_question(question: str) -> str:
    """The question without blanks around it; an empty one cannot be asked."""
    text = as_text(question).strip()
    if not text:
        raise UsageError("the question is empty. Write it in quotes after the command.")
    return text


def as_text(argument: str) -> str:
    """An argument of a command in a locale that could not read it, as the UTF-8 it was."""
    strayed = _NO_ESCAPE.sub("\ufffd", argument)
    return strayed.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def refuse_strange(
    choices: Mapping[str, object], kind: type, spelled: Mapping[str, str] | None = None
) -> None:
    """Refuse what a caller misspelled, and values that no type checker saw. `spelled` is what they are called where they
    were given, if not by their name."""
    called = spelled or {}
    known = list(kind.__annotations__)
    for name in choices:
        if name not in known:
            close = get_close_matches(name, known, n=1) or known
            raise UsageError(f"`{name}` is not an option here. Did you mean `{'`, `'.join(close)}`?")
    for name, value in choices.items():
        if name in _ALLOWED and not _ALLOWED[name][0](value):
            raise UsageError(
                f"{called.get(name, f'`{name}`')} cannot be {value!r:.80}. It is {_ALLOWED[name][1]}."
            )
    if not choices.get("web") and (alone := [name for name in WEB_ONLY if choices.get(name)]):
        named, web = called.get(alone[0], f"`{alone[0]}`"), called.get("web", "`web`")
        raise UsageError(f"{named} is about the web: say {web} too, or leave it out.")


def count(value: object) -> bool:
    """Whether it is a whole number from 1."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def texts(value: str | Sequence[str]) -> tuple[str, ...]:
    """Several texts, or one that stands for itself."""
    return (as_text(value),) if isinstance(value, str) else tuple(map(as_text, value))


def is_address(thing: object) -> bool:
    """Whether one of the things to load is an address of the web, and not a path."""
    return isinstance(thing, str) and thing.lower().startswith(("http://", "https://"))


def collection_name(name: str) -> str:
    """The name of a collection that may be made."""
    text = as_text(name)
    if not text.isprintable() or not text.strip() or len(text) > LONGEST_NAME:
        raise UsageError(
            f"a collection cannot be called {text!r:.80}. Take printable characters, at most {LONGEST_NAME}."
        )
    return text


def metadata_values(given: Mapping[str, object]) -> dict[str, MetaValue]:
    """Metadata as it is stored; a list becomes a tuple of texts."""
    return {as_text(key): _metadata_value(key, value) for key, value in given.items()}


def _metadata_value(key: str, value: object) -> MetaValue:
    if isinstance(value, str):
        return as_text(value)
    if isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, list | tuple):
        items = cast(Sequence[object], value)
        if all(isinstance(item, str) for item in items):
            return tuple(as_text(str(item)) for item in items)
    raise UsageError(
        f"metadata `{key}` cannot be {value!r:.80}. It is text, a finite number, true or false, or a list of texts."
    )


def checked(stored: Mapping[str, str], sources: Sequence[str | Path], collection: str) -> list[str]:
    """Every stored source that `sources` name, each once; one that names none is refused."""
    chosen: list[str] = []
    for source in sources:
        found = matching(stored, source)
        if not found:
            close = get_close_matches(str(Path(source).absolute()), stored, n=1)
            hint = f"Did you mean `{close[0]}`?" if close else "`leadline collections show` lists what is."
            raise UsageError(f"`{source}` is not in collection `{collection}`. {hint}")
        chosen += found
    return list(dict.fromkeys(chosen))


def readable(paths: Sequence[str | Path]) -> list[Path]:
    """The paths, if each is there and can be read; otherwise nothing is started."""
    if not paths:
        raise UsageError("no path was given. Name files or folders to load.")
    for path in map(Path, paths):
        if not path.exists():
            raise UsageError(f"`{path}` is not there. {_meant(path)}")
        try:
            if path.is_dir():
                next(path.iterdir(), None)
            elif path.is_file():
                path.open("rb").close()
        except OSError as error:
            raise UsageError(f"`{path}` cannot be read: {error.strerror}. Check its permissions.") from None
    return [Path(path) for path in paths]


def _meant(path: Path) -> str:
    """What to do about a path that is not there, and may have been meant as an address.

    >>> _meant(Path("ftp://a.example/b")), _meant(Path("docs.a.example/guide")), _meant(Path("notes/a.md"))
    ('Of addresses only those with https:// or http:// are loaded.', 'Check the path; a page of the web begins with `https://`.', 'Check the path.')
    """
    if _SCHEME.match(str(path)):
        return "Of addresses only those with https:// or http:// are loaded."
    if _HOST_FIRST.match(str(path)) and not Path(path.parts[0]).exists():
        return "Check the path; a page of the web begins with `https://`."
    return "Check the path."


def matching(stored: Mapping[str, str], source: str | Path) -> list[str]:
    """The stored sources that `source` names: itself, its full path, or a folder above."""
    path = Path(source)
    names = {str(source), source_of(path.absolute()), source_of(path.resolve())}
    exact = [name for name in stored if name in names]
    folders = tuple(name.rstrip("/") + "/" for name in names)
    return exact or [name for name in stored if name.startswith(folders)]


def unknown(name: str, known: Sequence[str], data: Path) -> str:
    """What to say of a collection that is not there."""
    if not known:
        return f"there is no collection `{name}`: `{data}` holds none yet. Start with `leadline load PATH`."
    close = get_close_matches(name, known, n=1)
    hint = f"Did you mean `{close[0]}`?" if close else f"There are: {', '.join(known)}."
    return f"there is no collection `{name}`. {hint}"
