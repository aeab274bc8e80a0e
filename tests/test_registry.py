"""Names become builders; what cannot be built says what to do."""

import logging
import sys
from pathlib import Path

import pytest

from leadline import registry
from leadline.errors import ConfigError


def plugin(folder: Path, name: str, code: str) -> None:
    """An installed distribution with one entry point of the embedding family."""
    (folder / f"{name}_module.py").write_text(code, encoding="utf-8")
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        f"[leadline.embedding]\n{name} = {name}_module:build\n", encoding="utf-8"
    )


def test_a_built_in_is_imported_when_it_is_named() -> None:
    built = registry.find("reader", "pool")
    assert built.__name__ == "ReaderPool"


def test_an_unknown_name_gives_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"`embedding = statik` is unknown. Did you mean `static`\?"):
        registry.find("embedding", "statik")


def test_a_name_like_no_other_gives_all() -> None:
    with pytest.raises(ConfigError, match=r"Known: .*static"):
        registry.find("embedding", "zzz")


def test_a_plugin_is_found_by_its_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin(tmp_path, "mine", "def build():\n    return 'mine'\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert "mine" in registry.names("embedding")
    assert registry.find("embedding", "mine")() == "mine"


def test_a_plugin_whose_module_is_missing_names_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugin(tmp_path, "broken", "import no_such_package.inner\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(ConfigError, match="needs `pip install 'no_such_package'`"):
        registry.find("embedding", "broken")


def test_a_missing_module_of_our_own_is_a_bug_and_raised_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "BUILTIN", {"store": {"gone": "leadline.store.gone:build"}})
    with pytest.raises(ModuleNotFoundError):
        registry.find("store", "gone")


def test_a_library_that_turns_on_logging_when_it_is_imported_leaves_the_application_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loud = "import logging\nlogging.basicConfig(level=1, handlers=[logging.NullHandler()], force=True)\nbuild = dict\n"
    plugin(tmp_path, "loud", loud)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    root = logging.getLogger()
    before = list(root.handlers), root.level
    assert registry.find("embedding", "loud") is dict
    assert (list(root.handlers), root.level) == before
