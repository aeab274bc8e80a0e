"""The reference page of flow files: its keys, expressions and blocks are what the code takes."""

import re
import textwrap
from pathlib import Path

import pytest

from leadline.flow.expressions.conditions import Expression
from leadline.flow.files.declaring import KEYS as OF_ARGUMENTS
from leadline.flow.files.reading import KEYS, read_flow
from leadline.flow.value_types import TYPES

PAGE = (Path(__file__).parents[3] / "docs" / "flow-files.md").read_text(encoding="utf-8")
PARTS = dict(part.split("\n", 1) for part in PAGE.split("\n## ")[1:])
ROW = {
    "title": "The Tide Tables",
    "chunk": {"tags": ["a"]},
    "year": 1948,
    "lang": "en",
    "langs": ["en"],
    "tags": [],
}


def expressions() -> list[str]:
    cells = [line.split(" | ")[0] for line in PARTS["Expressions"].splitlines() if line.startswith("| `")]
    found = [each for cell in cells for each in re.findall(r"`` (.+?) ``|`(.+?)`", cell)]
    return [double or single for double, single in found if single not in {"<=", ">", ">="}]


def test_every_key_stands_on_the_page() -> None:
    told = re.findall(r"^\| (`.+?`) \|", PARTS["Keys"], re.MULTILINE)
    assert {name for cell in told for name in re.findall(r"`(\w+)`", cell)} == set(KEYS)
    assert "{" + ", ".join(OF_ARGUMENTS) + "}" in PARTS["Keys"]
    assert [name for name in TYPES if f"`{name}`" not in PARTS["Keys"]] == []


@pytest.mark.parametrize("text", expressions())
def test_every_expression_is_one(text: str) -> None:
    Expression.parse(text)(ROW)


def test_what_the_page_says_of_expressions_is_so() -> None:
    assert len(expressions()) > 20
    for text in (
        "year == 1948",
        'lang in ["en", "fr"]',
        r'title matches "^The \w+"',
        "not lang not in langs",
    ):
        assert Expression.parse(text)(ROW) is True
    assert Expression.parse("subtitle or title")(ROW) == "The Tide Tables"


def test_the_step_on_the_page_is_built(tmp_path: Path) -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    file = tmp_path / "flow.yaml"
    written = "source: {rows: {items: []}}\nsteps:\n" + textwrap.indent(block, "  ")
    file.write_text(written, encoding="utf-8")
    assert read_flow(file).steps.label == "steps[0] passages for each sub-query"
