"""The `call` step: only what the settings allow is imported, and what it gives becomes rows."""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from functools import partial
from importlib import import_module as import_module
from pathlib import Path
from typing import Any

import pytest

from leadline.config import settings
from leadline.errors import FlowError, RowFailed
from leadline.flow.base import Retry, Scope
from leadline.flow.files.reading import read_flow
from leadline.flow.operators.functions import Call
from leadline.flow.running.running import collected
from leadline.settings import Settings
from leadline.settings_parts import FlowSettings

ME = "tests.flow.operators.test_functions"
ROWS: list[dict[str, Any]] = [{"text": "one two"}, {"text": "three"}]


def words(text: str, least: int = 0) -> list[str]:
    return [word for word in text.split() if len(word) > least]


async def later(row: dict[str, Any], scope: Scope) -> dict[str, Any]:
    await asyncio.sleep(0)
    return {**row, "asked": scope.shared["asked"]}


def rows_of(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return ({"word": word} for word in row["text"].split())


async def rows_later(row: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
    for word in row["text"].split():
        yield {"word": word}


def thread_of(text: str) -> str:
    return threading.current_thread().name


def failing(text: str) -> str:
    raise LookupError(f"no {text}")


NOT_A_FUNCTION = 3
partial_words = partial(words, least=1)


def run(call: Call, **shared: object) -> list[dict[str, Any]]:
    return asyncio.run(collected(call, ROWS, Scope(shared=shared)))


def test_a_function_is_given_a_field_and_arguments() -> None:
    made = run(Call(f"{ME}:words", field="text", into="words", args={"least": 3}))
    assert made == [{"text": "one two", "words": []}, {"text": "three", "words": ["three"]}]


def test_it_may_be_awaited_and_ask_for_the_scope() -> None:
    assert run(Call(f"{ME}:later"), asked=7)[1] == {"text": "three", "asked": 7}


@pytest.mark.parametrize("name", ["rows_of", "rows_later"])
def test_it_may_give_many_rows(name: str) -> None:
    assert run(Call(f"{ME}:{name}", many=True)) == [{"word": "one"}, {"word": "two"}, {"word": "three"}]


def test_it_may_have_a_thread_of_its_own() -> None:
    made = run(Call(f"{ME}:thread_of", field="text", into="thread", thread=True))
    assert threading.current_thread().name not in {row["thread"] for row in made}


def test_a_failing_function_fails_its_row() -> None:
    with pytest.raises(RowFailed, match="LookupError: no one two"):
        run(Call(f"{ME}:failing", field="text", retry=Retry(1, 0)))
    assert run(Call(f"{ME}:failing", field="text", on_error="keep")) == ROWS


def flow(call: str, allowed: tuple[str, ...], folder: Path) -> Any:
    file = folder / "flow.yaml"
    file.write_text(
        f"source: {{rows: {{items: [{{text: a b}}]}}}}\nsteps: [{{call: {call}}}]", encoding="utf-8"
    )
    return read_flow(file, settings=Settings(flow=FlowSettings(functions=allowed))).steps


@pytest.mark.parametrize("allowed", [f"{ME}:words", f"{ME}:*"])
def test_a_flow_file_may_call_what_is_allowed(tmp_path: Path, allowed: str) -> None:
    assert isinstance(flow(f"'{ME}:words'", (allowed,), tmp_path), Call)


@pytest.mark.parametrize("allowed", [(), (f"{ME}:later",), ("tests:*",), ("*",), (f"{ME}:wor*",)])
def test_and_nothing_else(tmp_path: Path, allowed: tuple[str, ...]) -> None:
    with pytest.raises(FlowError, match=r"flow\.yaml:2: steps\[0\]\.call: .*words` is not allowed"):
        flow(f"'{ME}:words'", allowed, tmp_path)


@pytest.mark.parametrize("name", ["import_module", "partial_words"])
def test_what_a_module_has_imported_is_not_among_all_of_it(tmp_path: Path, name: str) -> None:
    with pytest.raises(FlowError, match="is not made in"):
        flow(f"'{ME}:{name}'", (f"{ME}:*",), tmp_path)
    assert isinstance(flow(f"'{ME}:{name}'", (f"{ME}:{name}",), tmp_path), Call)


def test_what_is_not_allowed_is_not_even_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "harmful_module.py").write_text(
        "import pathlib; pathlib.Path('touched').write_text('x')\ndef f(): ..."
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FlowError, match="not allowed"):
        flow("'harmful_module:f'", ("other:f",), tmp_path)
    assert "harmful_module" not in sys.modules
    assert not (tmp_path / "touched").exists()


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("os.system", "no function; write"),
        ("builtins:__import__", "no function; write"),
        ("os:path.join", "no function; write"),
        ("no_such_module:f", "cannot be imported: ModuleNotFoundError"),
        (f"{ME}:missing", "cannot be imported: AttributeError"),
        (f"{ME}:NOT_A_FUNCTION", "is no function"),
    ],
)
def test_what_cannot_be_called_is_told_before_the_run(tmp_path: Path, function: str, said: str) -> None:
    with pytest.raises(FlowError, match=said):
        flow(f"'{function}'", (function,), tmp_path)


def test_a_file_in_the_folder_cannot_allow_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    call = Call(f"{ME}:words")
    Path("leadline.toml").write_text(f'[flow]\nfunctions = ["{ME}:words"]', encoding="utf-8")
    assert "not allowed" in call.refusal(settings(environ={}))
    assert call.refusal(settings(config=Path("leadline.toml"), environ={})) == ""
    assert call.refusal(settings(environ={"LEADLINE_FLOW_FUNCTIONS": f"{ME}:words"})) == ""


def test_a_module_that_ends_its_program_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "leaving_module.py").write_text("import sys; sys.exit('good bye')")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(FlowError, match="cannot be imported: SystemExit: good bye"):
        flow("'leaving_module:f'", ("leaving_module:*",), tmp_path)
