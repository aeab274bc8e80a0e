"""`leadline flow check FILE` and `leadline flow draw FILE`"""

from dataclasses import asdict
from typing import Annotated

import typer

from leadline.apps.cli import options
from leadline.apps.cli.door import Door
from leadline.apps.cli.flow_run import File, Set, assigned
from leadline.apps.cli.output import err, many, out, plain_line, write_json
from leadline.flow.files.checking import check as checked
from leadline.flow.files.pictures import mermaid, pictured
from leadline.flow.files.reading import read_spec
from leadline.flow.files.svg import svg

Svg = Annotated[bool, typer.Option("--svg", help="SVG instead of Mermaid text, as in `--svg > flow.svg`.")]


def check(context: typer.Context, file: File, values: Set = None, as_json: options.Json = False) -> None:
    """Say what is wrong with a flow file, without running it; exit code 2 if it cannot be run."""
    found = checked(file, Door.of(context).settings(), assigned(values or ())).in_order
    errors = sum(problem.severity == "error" for problem in found)
    if as_json:
        write_json([asdict(problem) for problem in found])
    else:
        for problem in found:
            out().print(plain_line(f"{problem.severity}: {problem}"), soft_wrap=True)
        warnings = len(found) - errors
        err().print(
            f"{many(errors, 'error')}, {many(warnings, 'warning')}." if found else "nothing is wrong."
        )
    if errors:
        raise typer.Exit(2)


def draw(context: typer.Context, file: File, values: Set = None, as_svg: Svg = False) -> None:
    """Draw a flow, as Mermaid text or as SVG."""
    spec = read_spec(file, assigned(values or ()), Door.of(context).settings(), standing_in=True)
    spec.problems.raise_errors()
    assert spec.flow is not None
    picture = pictured(spec.flow)
    print(svg(picture) if as_svg else mermaid(picture), end="")
