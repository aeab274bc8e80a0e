"""The configuration reference, written from the settings themselves.

`python -m leadline.apps.reference > docs/configuration.md` brings the page up to date; a test says when.
"""

from itertools import groupby
from pathlib import Path

from leadline.settings import Key, keys

HEAD = """# Configuration

Settings come from, later ones winning: the defaults below; `leadline.toml` in the current folder (or the file
that `--config` or `LEADLINE_CONFIG` names); environment variables; options of the command.
An unknown key or variable is an error that names the nearest known one. A relative `data`, `llm.cache_file` or `llm.prompts`
in the file is meant from the folder of the file. `--global` uses your own data folder (`$XDG_DATA_HOME/leadline`,
`~/.local/share/leadline`, or `~/Library/Application Support/leadline` on macOS) instead of `./.leadline`.

```toml
# leadline.toml
collection = "papers"

[load]
exclude = ["drafts/", "*.log"]

[ask]
rounds = 4
```

In a variable, a list is written with commas and a limit is taken away with `none`:
`LEADLINE_LOAD_EXCLUDE="drafts/,*.log"`, `LEADLINE_BUDGET_SEARCHES=none`.
"""


def configuration() -> str:
    """The whole page."""
    parts = [HEAD]
    for section, found in groupby(keys(), key=lambda key: key.path.rpartition(".")[0]):
        title = f"`[{section}]`" if section else "Top level"
        rows = [_row(key) for key in found]
        table = ["| key | value | default | variable | meaning |", "| --- | --- | --- | --- | --- |", *rows]
        parts.append(f"## {title}\n\n" + "\n".join(table) + "\n")
    return "\n".join(parts)


def _row(key: Key) -> str:
    name = key.path.rpartition(".")[2]
    kind = key.kind.replace("|", "\\|")
    return f"| `{name}` | {kind} | {_default(key.default)} | `{key.variable}` | {key.description} |"


def _default(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return "`[]`"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f'`"{value}"`' if isinstance(value, str | Path) else f"`{value}`"


if __name__ == "__main__":
    print(configuration(), end="")
