"""Calling the command line as a person does, in this process."""

from pathlib import Path

import pytest

from leadline.apps.cli import main
from leadline.testing.commands import Command, Shown

FILES = {
    "harbour/tide.md": "# Tide mill\n\nThe tide mill at Oxley was built by Mara Quill in 1887.\n",
    "harbour/quill.md": "# Mara Quill\n\nMara Quill was born in Skerrow in 1851. She studied in Dorn.\n",
    "harbour/refunds.txt": "Tickets are refunded within 14 days of purchase.\n",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with no settings from outside."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    return tmp_path


@pytest.fixture
def leadline(here: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run `leadline ARGUMENTS...` in the folder."""

    def call(*arguments: str | Path) -> Shown:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        shown = capsys.readouterr()
        code = ended.value.code
        return Shown(code if isinstance(code, int) else int(code is not None), shown.out, shown.err)

    return call


@pytest.fixture
def loaded(here: Path, leadline: Command) -> Command:
    """The same, with three files loaded into the default collection."""
    for name, text in FILES.items():
        file = here / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert leadline("load", "harbour").code == 0
    return leadline
