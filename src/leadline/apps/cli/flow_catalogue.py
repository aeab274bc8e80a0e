"""`leadline flow list` and `leadline flow show STEP`"""

from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

from leadline.apps.cli import options
from leadline.apps.cli.output import out, plain, plain_line, write_json
from leadline.errors import FlowError
from leadline.flow.files.catalogue import Kind, names, nearest
from leadline.flow.files.describing import KINDS, Help, everything, named
from leadline.flow.files.shipped import described_flows

Name = Annotated[str, typer.Argument(help="A step, source, sink or aggregate.", show_default=False)]
OfKind = Annotated[Kind | None, typer.Option("--kind", help="Only these.")]


def list_all(kind: OfKind = None, as_json: options.Json = False) -> None:
    """List what a flow file can name: sources, steps, aggregates, sinks; and the flows that are shipped."""
    found = [each for each in everything() if kind in {None, each.kind}]
    flows = described_flows() if kind is None else {}
    if as_json:
        parts = [{"kind": each.kind, "name": each.name, "summary": each.summary} for each in found]
        write_json(
            [*parts, *({"kind": "flow", "name": name, "summary": text} for name, text in flows.items())]
        )
        return
    table = Table("kind", "name", "what it does", box=None, pad_edge=False)
    for each in found:
        table.add_row(each.kind, plain(each.name), plain_line(each.summary))
    for name, text in flows.items():
        table.add_row("flow", plain(name), plain_line(text))
    out().print(table)


def show(name: Name, as_json: options.Json = False) -> None:
    """Show how a step, source, sink or aggregate is written, what each argument means, and an example."""
    found = named(name)
    if not found:
        known = sorted({each for kind in KINDS for each in names(kind)})
        raise FlowError(f"there is no step, source, sink or aggregate `{name:.60}`.{nearest(name, known)}")
    if as_json:
        write_json([asdict(each) for each in found])
        return
    for at, each in enumerate(found):
        if at:
            out().print()
        _show(each)


def _show(help: Help) -> None:
    out().print(plain_line(f"{help.kind} {help.signature}"), soft_wrap=True)
    out().print(plain("\n".join(["", help.summary, *(["", help.text] if help.text else [])])))
    if help.arguments:
        table = Table("argument", "what it is", "if not given", "meaning", box=None, pad_edge=False)
        for each in help.arguments:
            default = each.default or "must be given"
            table.add_row(*(plain_line(text) for text in (each.name, each.type, default, each.meaning)))
        out().print()
        out().print(table)
    if help.beside:
        out().print(plain(f"\nBeside it may stand: {', '.join(help.beside)}."))
    if help.example:
        out().print(plain(f"\n{help.example}"), soft_wrap=True)
