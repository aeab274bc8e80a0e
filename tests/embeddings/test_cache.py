"""Vectors are computed once: by hash on disk, exact, bounded, shared by processes, and gone after a purge."""

import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from leadline.embeddings.base import Strength, Vectors
from leadline.embeddings.cache import CachedEmbedder, VectorCache, key_of

MIB = 1 << 20


class Counting:
    """An encoder whose vectors follow from the text, and which knows what it was asked."""

    name = "counting-1"
    dimension = 16
    strength = Strength()
    slow = True
    batch = 4

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed_documents(texts)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        rows = [np.random.default_rng(abs(hash(text))).normal(size=16) for text in texts]
        return np.array(rows, np.float32).reshape(-1, 16)


@pytest.fixture
def cache(tmp_path: Path) -> VectorCache:
    return VectorCache(tmp_path / "data" / "vectors.sqlite", MIB)


def test_a_text_is_embedded_once_and_comes_back_bit_by_bit(cache: VectorCache) -> None:
    inner = Counting()
    first = CachedEmbedder(inner, cache).embed_documents(["a", "b", "a", "灯塔"])
    again = CachedEmbedder(inner, VectorCache(cache.file, MIB)).embed_documents(["灯塔", "a", "c"])
    assert inner.asked == ["a", "b", "灯塔", "c"]
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(again[:2], first[[3, 0]])
    assert again.dtype == np.float32


def test_another_encoder_finds_nothing_of_it(cache: VectorCache) -> None:
    CachedEmbedder(Counting(), cache).embed_documents(["a"])
    other = Counting()
    other.name = "counting-2"
    CachedEmbedder(other, cache).embed_documents(["a"])
    assert other.asked == ["a"]


def test_what_was_embedded_before_a_failure_is_kept(cache: VectorCache) -> None:
    class Failing(Counting):
        def embed_documents(self, texts: Sequence[str]) -> Vectors:
            if "bad" in texts:
                raise OSError("gone")
            return super().embed_documents(texts)

    inner = Failing()
    texts = [str(number) for number in range(8)]
    with pytest.raises(OSError, match="gone"):
        CachedEmbedder(inner, cache).embed_documents([*texts, "bad"])
    assert CachedEmbedder(inner, cache).embed_documents(texts).shape == (8, 16)
    assert inner.asked == texts


def test_it_stays_within_its_bound_and_keeps_the_newest(cache: VectorCache) -> None:
    small = VectorCache(cache.file, 200_000)
    rows = {key_of("m", str(number)): np.full(64, number, np.float32) for number in range(3_000)}
    keys = list(rows)
    for start in range(0, len(keys), 100):
        small.keep((key, rows[key]) for key in keys[start : start + 100])
    assert small.size < 300_000
    found = small.find(keys)
    assert keys[-1] in found
    assert keys[0] not in found
    assert all(np.array_equal(found[key], rows[key]) for key in found)


def test_clearing_leaves_no_vector_in_the_file(cache: VectorCache) -> None:
    vector = np.random.default_rng(1).normal(size=64).astype(np.float32)
    cache.keep([(key_of("m", "secret"), vector)])
    assert vector.tobytes() in cache.file.read_bytes()
    cache.clear()
    assert vector.tobytes() not in cache.file.read_bytes()
    assert not cache.find([key_of("m", "secret")])


def test_it_holds_no_text(cache: VectorCache) -> None:
    CachedEmbedder(Counting(), cache).embed_documents(["the secret harbour plan"])
    kept = cache.file.read_bytes()
    assert b"secret" not in kept
    assert b"harbour" not in kept


def test_nothing_to_find_makes_no_file(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "data" / "vectors.sqlite", MIB)
    assert cache.find([b"x" * 16]) == {}
    cache.clear()
    assert cache.size == 0
    assert not (tmp_path / "data").exists()


def test_a_damaged_cache_starts_anew_and_says_so(
    cache: VectorCache, caplog: pytest.LogCaptureFixture
) -> None:
    cache.keep([(b"k" * 16, np.ones(4, np.float32))])
    cache.file.write_bytes(b"no database" * 1_000)
    inner = Counting()
    embedder = CachedEmbedder(inner, cache)
    assert embedder.embed_documents(["a"]).shape == (1, 16)
    embedder.embed_documents(["a"])
    assert inner.asked == ["a"]
    assert "damaged" in caplog.text


def test_a_cache_that_cannot_be_written_is_left_out(
    cache: VectorCache, caplog: pytest.LogCaptureFixture
) -> None:
    cache.keep([(b"k" * 16, np.ones(4, np.float32))])
    cache.file.unlink()
    cache.file.mkdir()
    assert CachedEmbedder(Counting(), cache).embed_documents(["a", "b"]).shape == (2, 16)
    assert "is not used" in caplog.text


CHILD = """
import sys
import numpy as np
from pathlib import Path
from leadline.embeddings.cache import VectorCache, key_of
cache = VectorCache(Path(sys.argv[1]), 1 << 24)
for number in range(40):
    cache.keep([(key_of("m", f"{sys.argv[2]} {number}"), np.full(32, number, np.float32))])
    cache.find([key_of("m", f"{sys.argv[2]} {number}")])
"""


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    file = tmp_path / "vectors.sqlite"
    children = [subprocess.Popen([sys.executable, "-c", CHILD, str(file), str(each)]) for each in range(3)]
    assert [child.wait() for child in children] == [0, 0, 0]
    keys = [key_of("m", f"{child} {number}") for child in range(3) for number in range(40)]
    assert len(VectorCache(file, 1 << 24).find(keys)) == 120
    with sqlite3.connect(file) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
