"""The way in: what is imported when, where options may stand, and what an error looks like."""

import errno
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import leadline
from leadline.apps.cli import entry
from leadline.apps.cli.entry import COMMANDS, hoist, main
from leadline.errors import StoreUnwritable

HEAVY = (
    "lancedb",
    "pyarrow",
    "numpy",
    "kreuzberg",
    "wordllama",
    "pydantic",
    "rich",
    "rapidfuzz",
    "Stemmer",
    "lxml",
    "leadline.workspace",
    "leadline.config",
)


WEB = (
    "trafilatura",
    "protego",
    "ddgs",
    "primp",
    "tavily",
    "httpx",
    "docx",
    "typst",
    "leadline.web.providers.asking",
)


def imported_by(code: str, heavy: Sequence[str] = HEAVY) -> set[str]:
    """Which of the heavy modules are loaded after `code` ran in a fresh interpreter."""
    check = f"import sys\n{code}\nprint('@', *[name for name in {tuple(heavy)!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("@")[2].split())


def test_importing_leadline_imports_nothing_heavy() -> None:
    assert imported_by("import leadline; leadline.__version__") == set()


def test_help_imports_nothing_heavy() -> None:
    run = "from leadline.apps.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass"
    assert imported_by(run) == set()


def test_whoever_asks_files_alone_imports_no_library_of_the_web_or_of_reports() -> None:
    assert imported_by("import leadline.workspace, leadline.apps.cli.ask", WEB) == set()
    assert imported_by("import leadline.web.providers.tavily", WEB) >= {"tavily", "httpx"}


def test_a_name_of_the_package_is_imported_when_it_is_used() -> None:
    assert "leadline.config" in imported_by("import leadline; leadline.Settings")


def test_an_unknown_name_of_the_package_is_an_attribute_error() -> None:
    assert {"Leadline", "Settings", "__version__"} <= set(dir(leadline))
    with pytest.raises(AttributeError, match="no attribute 'Leadlin'"):
        leadline.Leadlin  # noqa: B018  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


def test_every_public_name_can_be_imported() -> None:
    assert [name for name in leadline.__all__ if not hasattr(leadline, name)] == []


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert [name for name in COMMANDS if f"\n  {name} " not in shown] == []


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_has_help_that_agrees_with_the_list(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert f"leadline {command}" in capsys.readouterr().out


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out.startswith("leadline 0.")


def test_options_of_every_command_may_stand_anywhere() -> None:
    assert hoist(["load", "a", "--debug", "--config=x.toml", "--data", "d", "--json"]) == (
        ["--debug", "--config=x.toml", "--data", "d"],
        ["load", "a", "--json"],
    )


def test_what_follows_two_dashes_is_left_alone() -> None:
    assert hoist(["ask", "--", "--debug"]) == ([], ["ask", "--", "--debug"])


def test_an_unknown_command_gives_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["serch", "x"])
    assert ended.value.code == 2
    assert "Did you mean 'search'" in capsys.readouterr().err


FAILURES = [
    (StoreUnwritable("`d` is read-only. Name another."), 2, "`d` is read-only. Name another."),
    (OSError(errno.ENOSPC, "No space left on device", "d"), 2, "`d`: the disk is full. Free some space"),
    (OSError(errno.EROFS, "Read-only file system", "d"), 2, "`d`: Read-only file system. Make it"),
    (OSError(errno.EIO, "Input/output error"), 1, "--debug to see the traceback"),
    (ValueError("two\nlines"), 1, "ValueError: two lines. Run it again with --debug"),
    (KeyboardInterrupt(), 130, "stopped."),
]


@pytest.mark.parametrize(("error", "code", "text"), FAILURES, ids=str)
def test_whatever_goes_wrong_is_one_line_and_an_exit_code(
    error: BaseException,
    code: int,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken(word: str) -> None:
        raise error

    monkeypatch.setattr(entry, "build", broken)
    with pytest.raises(SystemExit) as ended:
        main(["ask", "why?"])
    shown = capsys.readouterr()
    assert (ended.value.code, shown.out) == (code, "")
    assert text in shown.err
    assert shown.err.count("\n") == 1


def test_debug_shows_the_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(word: str) -> None:
        raise ValueError("odd")

    monkeypatch.setattr(entry, "build", broken)
    with pytest.raises(SystemExit):
        main(["ask", "why?", "--debug"])
    shown = capsys.readouterr().err
    assert shown.startswith("Traceback")
    assert "Run it again" not in shown


def test_the_command_modules_are_all_there() -> None:
    folder = Path(entry.__file__).parent
    assert [module for module, _ in COMMANDS.values() if not (folder / f"{module}.py").is_file()] == []
