"""Run what README.md shows and put what it prints between the page's `transcript` marks.

    python -m benchmarks.transcript

Only times differ from run to run; a test compares the rest.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

REPO = Path(__file__).parents[1]
README = REPO / "README.md"
MARKED = re.compile(r"(<!-- transcript -->\n).*?(<!-- end of transcript -->)", re.DOTALL)


def transcript() -> str:
    """The block as README.md has it: two commands and what they print, in a terminal 100 columns wide."""
    with (REPO / "examples" / "questions.jsonl").open(encoding="utf-8") as lines:
        question = json.loads(next(lines))["question"]
    shown: list[str] = []
    with tempfile.TemporaryDirectory() as data:
        for arguments in (["load", "examples/corpus"], ["ask", "--deep", question]):
            spoken = " ".join(f'"{word}"' if " " in word else word for word in arguments)
            shown += [f"$ leadline {spoken}", _printed(arguments, data), ""]
    return "```text\n" + "\n".join(shown).strip() + "\n```\n"


def _printed(arguments: list[str], data: str) -> str:
    env = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "LEADLINE_DATA": data}
    program = Path(sys.executable).parent / "leadline"
    done = subprocess.run(
        [program, *arguments], capture_output=True, text=True, cwd=REPO, env=env, check=True
    )
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())


def main() -> None:
    """Bring the page up to date."""
    block = transcript()
    page = README.read_text(encoding="utf-8")
    README.write_text(MARKED.sub(lambda m: m[1] + block + m[2], page), encoding="utf-8")
    print(block)


if __name__ == "__main__":
    main()
