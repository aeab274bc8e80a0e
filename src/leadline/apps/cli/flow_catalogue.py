"""`leadline flow list` and `leadline flow show NAME`"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Column, Table

from leadline.apps.cli import options
from leadline.apps.cli.output import out, plain, plain_line, write_json
from leadline.errors import FlowError
from leadline.flow.files.catalogue import Kind, names
from leadline.flow.files.describing import (
    KINDS,
    ArgumentHelp,
    FlowHelp,
    Help,
    everything,
    flow_described,
    named,
)
from leadline.flow.files.problems import nearest
from leadline.flow.files.shipped import SUFFIXES, described_flows, shipped

Name = Annotated[str, typer.Argument(help="A step, source, sink, aggregate or flow.", show_default=False)]
OfKind = Annotated[Kind | None, typer.Option("--kind", help="Only these.")]

GROUPS: Mapping[str, str] = {
    "flow": "Flows",
    "source": "Sources",
    "step": "Steps",
    "sink": "Sinks",
    "aggregate": "Aggregates",
}


def list_all(kind: OfKind = None, as_json: options.Json = False) -> None:
    """List the flows that are shipped, and what a flow file can name: sources, steps, sinks, aggregates."""
    listed = [(each, name, said) for each, name, said in _summaries() if kind in {None, each}]
    if as_json:
        write_json([{"kind": each, "name": name, "summary": said} for each, name, said in listed])
        return
    width = max(len(name) for _, name, _ in listed)
    for group, title in GROUPS.items():
        rows = [(name, said) for each, name, said in listed if each == group]
        if not rows:
            continue
        table = Table(Column(title, min_width=width, max_width=width), "", box=None, pad_edge=False)
        for name, said in rows:
            table.add_row(plain(name), plain_line(said))
        out().print(table)
        out().print()


def _summaries() -> Iterator[tuple[str, str, str]]:
    """Kind, name and summary of everything there is, group by group."""
    yield from (("flow", name, said) for name, said in described_flows().items())
    found = everything()
    yield from ((kind, each.name, each.summary) for kind in GROUPS for each in found if each.kind == kind)


def show(name: Name, as_json: options.Json = False) -> None:
    """Show what a step, source, sink, aggregate or flow does, what each argument means, and an example or its file."""
    found: list[Help | FlowHelp] = [*named(name), *_flows(name)]
    if not found:
        known = sorted({*shipped(), *(each for kind in KINDS for each in names(kind))})
        raise FlowError(
            f"there is no step, source, sink, aggregate or flow `{name:.60}`.{nearest(name, known)}"
        )
    if as_json:
        write_json([{"kind": "flow", **asdict(each)} for each in found])
        return
    for at, each in enumerate(found):
        if at:
            out().print()
        if isinstance(each, FlowHelp):
            _show_flow(each)
        else:
            _show(each)


def _flows(name: str) -> list[FlowHelp]:
    return [flow_described(name)] if name in shipped() or name.endswith(SUFFIXES) else []


def _show_flow(help: FlowHelp) -> None:
    out().print(plain_line(f"flow {help.name}"), soft_wrap=True)
    if help.summary:
        out().print(plain(f"\n{help.summary}"))
    _show_arguments(help.arguments)
    out().print(plain(f"\nIt is the file {help.file}; a copy of it can be changed."), soft_wrap=True)


def _show(help: Help) -> None:
    out().print(plain_line(f"{help.kind} {help.signature}"), soft_wrap=True)
    out().print(plain("\n".join(["", help.summary, *(["", help.text] if help.text else [])])))
    _show_arguments(help.arguments)
    if help.beside:
        out().print(plain(f"\nBeside it may stand: {', '.join(help.beside)}."))
    if help.example:
        out().print(plain(f"\n{help.example}"), soft_wrap=True)


def _show_arguments(arguments: Sequence[ArgumentHelp]) -> None:
    if not arguments:
        return
    table = Table("argument", "what it is", "if not given", "meaning", box=None, pad_edge=False)
    for each in arguments:
        default = each.default or "must be given"
        table.add_row(*(plain_line(text) for text in (each.name, each.type, default, each.meaning)))
    out().print()
    out().print(table)
