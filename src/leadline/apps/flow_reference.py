"""The catalogue of flows as a page, written from the classes themselves.

`python -m leadline.apps.flow_reference > docs/flow-steps.md` brings the page up to date; a test says when.
"""

from leadline.flow.files.catalogue import Kind
from leadline.flow.files.describing import KINDS, Help, everything

HEAD = """# What a flow can be made of

Everything that a flow file can name, as `leadline flow show NAME` tells it. An argument without a value in the third column
must be given. A step, source or sink that is written with something else than a mapping (`limit: 10`) means its first
argument. Beside its name a step can have a `name` of its own, and one that works row by row can have `retry: {times, wait}`
and `on_error`: what becomes of a row that it fails on, `fail` (the whole outer row is a dead letter), `skip` (it is left
out) or `keep` (it goes on as it was).
"""
TITLES: dict[Kind, str] = {"source": "Sources", "step": "Steps", "aggregate": "Aggregates", "sink": "Sinks"}


def catalogue_page() -> str:
    """The whole page."""
    parts = [HEAD]
    found = everything()
    for kind in KINDS:
        parts.append(f"## {TITLES[kind]}\n")
        parts += [_entry(each) for each in found if each.kind == kind]
    return "\n".join(parts)


def _entry(help: Help) -> str:
    lines = [f"### `{help.name}`\n", f"{help.summary}\n"]
    if help.text:
        lines.append(f"{help.text}\n")
    if help.arguments:
        lines += ["| argument | what it is | if not given | meaning |", "| --- | --- | --- | --- |"]
        lines += [f"| {_row(each.name, each.type, each.default, each.meaning)} |" for each in help.arguments]
        lines.append("")
    if help.example:
        lines.append(f"```yaml\n{help.example}\n```\n")
    return "\n".join(lines)


def _row(name: str, kind: str, default: str, meaning: str) -> str:
    cells = (f"`{name}`", kind, f"`{default}`" if default else "", meaning)
    return " | ".join(cell.replace("|", "\\|") for cell in cells)


if __name__ == "__main__":
    print(catalogue_page(), end="")
