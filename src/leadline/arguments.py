"""What a caller may ask for, and the checks that come before anything is opened."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, TypedDict

from leadline.agents.options import Layer
from leadline.errors import UsageError
from leadline.store.filters import Filter
from leadline.types import MetaValue

AgentChoice = Literal["auto", "fast", "deep"]


class LoadChoices(TypedDict, total=False):
    """What may be said of one load. `prune` removes documents whose files have vanished."""

    collection: str | None
    metadata: Mapping[str, MetaValue]
    prune: bool
    exclude: Sequence[str]
    passwords: Sequence[str]


class SearchChoices(TypedDict, total=False):
    """Where to look. `where` is a filter as text or as a tree."""

    collections: Sequence[str]
    where: str | Filter | None


class AskChoices(SearchChoices, total=False):
    """How to answer one question; what is left out follows the settings."""

    agent: AgentChoice
    rounds: int | None
    layers: Mapping[Layer, bool]


def asked_question(question: str) -> str:
    """The question without blanks around it; an empty one cannot be asked."""
    text = as_text(question).strip()
    if not text:
        raise UsageError("the question is empty. Write it in quotes after the command.")
    return text


def as_text(argument: str) -> str:
    """An argument of a command in a locale that could not read it, as the UTF-8 it was."""
    return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


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
            raise UsageError(f"`{path}` is not there. Check the path.")
        try:
            if path.is_dir():
                next(path.iterdir(), None)
            else:
                path.open("rb").close()
        except OSError as error:
            raise UsageError(f"`{path}` cannot be read: {error.strerror}. Check its permissions.") from None
    return [Path(path) for path in paths]


def matching(stored: Mapping[str, str], source: str | Path) -> list[str]:
    """The stored sources that `source` names: itself, its full path, or a folder above."""
    names = {str(source), str(Path(source).absolute()), str(Path(source).resolve())}
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
