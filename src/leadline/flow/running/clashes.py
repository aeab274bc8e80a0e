"""Which files a flow reads and which it writes: none is both, and none is written twice.

A source or a sink of a file has it in its field `path`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import has_magic
from pathlib import Path

from leadline.errors import FlowError
from leadline.flow.base import Operator
from leadline.flow.ends import Flow, Source
from leadline.flow.operators.joining import Join
from leadline.flow.sinks.files import PART, beside, is_device, resolved

LETTERS = "on_error.file"


@dataclass(frozen=True, slots=True)
class Clash:
    """Two uses of one file: `label` is who must take another one, `message` says why."""

    label: str
    message: str


@dataclass(frozen=True, slots=True)
class _Written:
    """Files that someone writes; `path` is what they are called in the flow."""

    label: str
    path: Path
    files: frozenset[Path]


def clash(flow: Flow, letters: Path | None) -> Clash | None:
    """The first file that is used twice; `letters` is where dead letters go."""
    try:
        written = list(_written(flow, letters))
        return _read_too(flow, written) or _written_too(written)
    except FlowError as error:
        label, _, message = str(error).partition(": ")
        return Clash(label, message)


def _read_too(flow: Flow, written: Sequence[_Written]) -> Clash | None:
    for source in (flow.source, *_tables(flow.steps)):
        label, read = source.label or "the source", _path(source)
        for each in written:
            if read is not None and (both := _read(read, each.files, label)):
                part = " while it is written" if both != resolved(each.path, each.label) else ""
                message = (
                    f"`{each.path}`{part} is what {label} reads; it would be replaced. Name another file."
                )
                return Clash(each.label, message)
    return None


def _written_too(written: Sequence[_Written]) -> Clash | None:
    for at, each in enumerate(written):
        for before in written[:at]:
            if each.files & before.files:
                return Clash(
                    each.label, f"`{each.path}` is written by {before.label} too. Name another file."
                )
    return None


def refuse_clashes(flow: Flow, letters: Path | None) -> None:
    """`FlowError` where a file is used twice."""
    if found := clash(flow, letters):
        raise FlowError(f"{found.label}: {found.message}")


def _written(flow: Flow, letters: Path | None) -> Iterator[_Written]:
    for sink in flow.sinks:
        path = _path(sink)
        label = sink.label or type(sink).__name__.lower()
        if path is not None and (target := _file(path, label)):
            yield _Written(label, path, frozenset((target, beside(target))))
    if letters is not None and (target := _file(letters, LETTERS)):
        yield _Written(LETTERS, letters, frozenset((target,)))


def _file(path: Path, label: str) -> Path | None:
    """The file itself; None for a device or a pipe, which many may write to."""
    return None if is_device(path) else resolved(path, label)


def _path(end: object) -> Path | None:
    path = getattr(end, "path", None)
    return Path(path) if isinstance(path, str | Path) else None


def _tables(step: Operator) -> Iterator[Source]:
    if isinstance(step, Join) and isinstance(step.table, Source):
        yield step.table
    for part in step.parts():
        yield from _tables(part)


def _read(place: Path, written: frozenset[Path], label: str) -> Path | None:
    """Which of these files is one that a path or a pattern names, or would be while it is written."""
    named = {resolved(place, label)}
    pattern = ""
    if has_magic(str(place)):
        start, pattern = Path(place.anchor), str(Path.cwd() / place)
        try:
            named |= {each.resolve() for each in start.glob(str(place.relative_to(start))) if each.is_file()}
        except (OSError, RuntimeError, ValueError) as error:
            raise FlowError(f"{label}: `{place}` is no pattern of files: {error}.") from None
    matching = {file for file in written if pattern and file.suffix == PART and file.match(pattern)}
    return min(written & (named | matching), default=None)
