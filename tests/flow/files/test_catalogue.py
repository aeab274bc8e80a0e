"""The catalogue: everything in it is told of, every example is built, and packages add their own."""

import sys
from pathlib import Path

import pytest

from leadline import registry
from leadline.apps.flow_reference import catalogue_page
from leadline.errors import FlowError
from leadline.flow.base import Operator
from leadline.flow.ends import Sink, Source
from leadline.flow.files import catalogue
from leadline.flow.files.building import Builder
from leadline.flow.files.catalogue import Kind
from leadline.flow.files.describing import KINDS, Help, described, everything, named
from leadline.flow.files.problems import Problems
from leadline.flow.files.reading import read_flow
from leadline.flow.files.substituting import Names
from leadline.flow.files.yaml_lines import read_yaml
from leadline.flow.operators.aggregates import Aggregate
from leadline.settings import Settings
from leadline.settings_parts import FlowSettings

PAGE = Path(__file__).parents[3] / "docs" / "flow-steps.md"
BASES: dict[Kind, type] = {"source": Source, "step": Operator, "sink": Sink, "aggregate": Aggregate}
ALL = everything()


def entry(help: Help) -> str:
    return f"{help.kind} {help.name}"


def built(help: Help) -> object:
    """What its example makes. Functions of examples are not there to be called."""
    settings = Settings(flow=FlowSettings(functions=("json:dumps",)))
    text = help.example.replace("textstat.words:syllables", "json:dumps")
    problems = Problems()
    made = Builder(Names(), problems, settings).part(help.kind, read_yaml(text, "example"), "example")
    assert problems.found == []
    return made


@pytest.mark.parametrize("help", ALL, ids=entry)
def test_every_part_says_what_it_does_and_what_its_arguments_mean(help: Help) -> None:
    assert issubclass(catalogue.found(help.kind, help.name), BASES[help.kind])
    assert help.summary.endswith(".")
    assert [each.name for each in help.arguments if not each.meaning] == []
    assert [each.name for each in help.arguments if each.type == "something else"] == []


@pytest.mark.parametrize("help", [each for each in ALL if each.kind != "aggregate"], ids=entry)
def test_every_example_is_built(help: Help) -> None:
    assert isinstance(built(help), BASES[help.kind])


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == catalogue_page(), (
        "run: python -m leadline.apps.flow_reference > docs/flow-steps.md"
    )


def test_names_are_sorted_and_say_what_they_are() -> None:
    for table in catalogue.TABLES.values():
        assert [*table] == sorted(table)
    assert [(each.kind, each.name) for each in named("csv")] == [("source", "csv"), ("sink", "csv")]
    assert {each.kind for each in ALL} == set(KINDS)


def test_a_signature_shows_what_must_be_given() -> None:
    (flat,) = named("flat")
    assert flat.signature == 'flat: {field, as: "", of: "list", inherit: true, keep_empty: false}'
    assert flat.beside == ("name", "retry", "on_error")
    assert [each.beside for each in named("limit")] == [("name",)]


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    with pytest.raises(FlowError, match="no sink `jsnl`. Did you mean `jsonl`"):
        catalogue.found("sink", "jsnl")


def test_what_needs_a_library_that_is_not_here_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(path: str, key: str) -> None:
        raise registry.ConfigError(f"`{key}` needs `pip install 'leadline[sql]'`.")

    monkeypatch.setattr(registry, "imported", missing)
    told = described("source", "sql")
    assert told.summary.startswith("Rows of a query to an SQL database")
    assert told.summary.endswith("`source sql` needs `pip install 'leadline[sql]'`.")
    assert "query: a SELECT" in told.text
    assert told.example.startswith("sql:")


class Louder(Operator):
    """Of another package."""


def test_a_package_adds_steps_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "louder-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: louder\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[leadline.flow_steps]\nlouder = {__name__}:Louder\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    file = tmp_path / "flow.yaml"
    file.write_text("source: {rows: {items: []}}\nsteps: [{louder: {}}]")
    assert type(read_flow(file).steps).__name__ == "Louder"
    assert "louder" in catalogue.names("step")
    assert "louder" not in catalogue.names("sink")
