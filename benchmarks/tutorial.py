"""Play docs/flows.md in an empty folder: write its files, run its commands and its Python, put in what they print.

    python -m benchmarks.tutorial

A block under a line that holds nothing but a file's name (`books.yaml`:) is that file. In `console` blocks, lines after `$ `
are commands; in `python` blocks, lines after `#> ` at the end are what the block prints. A test compares all but times.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPO = Path(__file__).parents[1]
PAGE = REPO / "docs" / "flows.md"
BLOCK = re.compile(r"(?:^`(?P<file>[\w./-]+)`:\n\n)?^```(?P<language>\w+)\n(?P<body>.*?)^```$", re.M | re.S)
WIDTH = "100"


def played(page: str) -> str:
    """The page with what its blocks print today."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(REPO / "examples" / "corpus", Path(folder, "examples", "corpus"))
        return BLOCK.sub(lambda block: _played(block, Path(folder)), page)


def _played(block: re.Match[str], folder: Path) -> str:
    if block["file"]:
        Path(folder, block["file"]).write_text(block["body"], encoding="utf-8")
    elif block["language"] == "console":
        return f"```console\n{_console(block['body'], folder)}```"
    elif block["language"] == "python":
        return f"```python\n{_python(block['body'], folder)}```"
    else:
        raise SystemExit(f"a block of `{block['language']}` that is no file and does not run:\n{block[0]}")
    return block[0]


def _console(body: str, folder: Path) -> str:
    shown = ""
    for command in re.findall(r"^\$ (.*)$", body, re.MULTILINE):
        shown += f"$ {command}\n{_said(['bash', '-c', command], folder)}"
    return shown


def _python(body: str, folder: Path) -> str:
    code = re.sub(r"(?:^#>.*\n)+\Z", "", body, flags=re.MULTILINE)
    said = _said([sys.executable, "-c", code], folder)
    return code + "".join(f"#> {line}\n" for line in said.splitlines())


def _said(command: list[str], folder: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {
        name: value for name, value in os.environ.items() if not name.startswith(("LEADLINE_", "PYTHONPATH"))
    }
    env = {**own, "PATH": path, "COLUMNS": WIDTH, "NO_COLOR": "1"}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder, env=env, check=False
    )
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.strip().splitlines())


def main() -> None:
    """Bring the page up to date."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(played(page), encoding="utf-8")


if __name__ == "__main__":
    main()
