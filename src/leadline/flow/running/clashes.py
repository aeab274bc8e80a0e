"""Files that a flow would both read and replace: found before it runs, since afterwards one of the two is lost."""

from collections.abc import Iterator
from glob import has_magic
from pathlib import Path

from leadline.errors import FlowError
from leadline.flow.base import Operator
from leadline.flow.ends import Flow, Source
from leadline.flow.operators.joining import Join


def refuse_clashes(flow: Flow) -> None:
    """Raise `FlowError` where a sink would replace a file that is read, or that another sink writes."""
    sources = [flow.source, *_tables(flow.steps)]
    written: dict[Path, str] = {}
    for place, sink in enumerate(flow.sinks):
        path = _path(sink)
        target = _file(path)
        if target is None:
            continue
        label = sink.label or f"sinks[{place}] {type(sink).__name__.lower()}"
        if target in written:
            raise FlowError(f"{label}: `{path}` is written by {written[target]} too. Name another file.")
        written[target] = label
        for source in sources:
            if _reads(source, target):
                reader = source.label or type(source).__name__.lower()
                raise FlowError(
                    f"{label}: `{path}` is what {reader} reads; it would be replaced. Name another file."
                )


def _tables(step: Operator) -> Iterator[Source]:
    if isinstance(step, Join) and isinstance(step.table, Source):
        yield step.table
    for part in step.parts():
        yield from _tables(part)


def _path(end: object) -> Path | None:
    path = getattr(end, "path", None)
    return Path(path) if isinstance(path, str | Path) else None


def _file(path: Path | None) -> Path | None:
    """The file that is replaced; None for a device, a pipe, and what no file can be called, which the sink tells of."""
    try:
        target = path.resolve() if path is not None else None
        return target if target is None or target.is_file() or not target.exists() else None
    except (OSError, RuntimeError, ValueError):
        return None


def _reads(source: Source, target: Path) -> bool:
    path = _path(source)
    if path is None or not target.exists():
        return False
    return _file(path) == target or (has_magic(str(path)) and target.match(str(path.absolute())))
