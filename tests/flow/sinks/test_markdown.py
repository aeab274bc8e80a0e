"""Reports for people, and rows for the next program."""

import json
from pathlib import Path

import pytest

from leadline.flow.sinks.markdown import Markdown
from leadline.flow.sinks.stdout import Stdout
from tests.flow.ends import write

ROWS = [{"q": "Who?", "a": {"text": "Bo | Co\nand Do"}}, {"q": "{{a}}", "a": {"text": "x"}}]


def test_a_template_gives_a_section_for_each_row(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    write(Markdown(path, title="Asked", row="## {{q}}\n\n{{a.text}}{{none}}\n"), ROWS)
    assert path.read_text() == "# Asked\n\n## Who?\n\nBo | Co\nand Do\n\n## {{a}}\n\nx\n\n"


def test_columns_give_a_table(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    write(Markdown(path, columns=["q", "a.text"]), ROWS)
    assert path.read_text() == "| q | a.text |\n| --- | --- |\n| Who? | Bo \\| Co and Do |\n| {{a}} | x |\n"


def test_without_a_template_every_field_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    write(Markdown(path), [{"q": "Who?", "n": [1]}])
    assert path.read_text() == "- **q**: Who?\n- **n**: [1]\n\n"


def test_a_row_that_cannot_be_told_is_lost_alone(tmp_path: Path) -> None:
    lost = write(Markdown(tmp_path / "a.md", row="{{a}}"), [{"a": {1, 2}}, {"a": 1}])
    assert (tmp_path / "a.md").read_text() == "1\n\n"
    assert [letter.step for letter in lost] == ["markdown"]


def test_rows_go_to_the_next_program(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    lost = write(Stdout(), [{"a": "Zoë"}, {"a": float("inf")}])
    assert json.loads(capfdbinary.readouterr().out) == {"a": "Zoë"}
    assert [letter.step for letter in lost] == ["stdout"]
    write(Stdout(row="{{q}}: {{a.text}}"), ROWS[1:])
    assert capfdbinary.readouterr().out == b"{{a}}: x\n"
