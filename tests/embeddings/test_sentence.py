"""The encoder over sentence-transformers: what is asked of the library, by a stand-in of the part that is used."""

import sys
from collections.abc import Callable, Iterator
from importlib import invalidate_caches
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from leadline import registry
from leadline.embeddings.base import EncoderOptions
from leadline.errors import ConfigError

STAND_IN = '''
"""As much of the library's surface as is used (version 3 and later); a vector is the text's length and its a's."""

import math
from pathlib import Path

import numpy as np


class Tokenizer:
    def get_vocab(self):
        return {f"word{place}": place for place in range(2_000)}


class SentenceTransformer:
    def __init__(self, model):
        if not Path(model).is_dir():
            raise OSError("no such model,\\nand no connection")
        self.max_seq_length = 64
        self.prompts = {"query": "query: ", "document": "passage: "} if model.endswith("prompted") else {}
        self.tokenizer = Tokenizer()
        self.broken = model.endswith("broken")
        self.asked = []

    def encode(self, sentences, *, prompt, batch_size, show_progress_bar, convert_to_numpy):
        assert not prompt and not show_progress_bar and convert_to_numpy
        self.asked += sentences
        if self.broken:
            return np.full((len(sentences), 2), math.nan)
        return np.array([[len(text), text.count("a")] for text in sentences], dtype=np.float32)
'''


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Build an encoder over the stand-in of the library, from a folder of that name."""
    mine = ("sentence_transformers", "leadline.embeddings.sentence")
    before = {name: sys.modules.pop(name) for name in mine if name in sys.modules}
    (tmp_path / "sentence_transformers.py").write_text(STAND_IN, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    invalidate_caches()

    def made(name: str, **options: Any) -> Any:
        (tmp_path / name).mkdir(exist_ok=True)
        return registry.find("embedding", "sentence-transformers")(
            EncoderOptions(model=str(tmp_path / name), **options)
        )

    yield made
    for name in mine:
        sys.modules.pop(name, None)
    sys.modules.update(before)


def test_vectors_have_length_one_and_texts_that_no_tokenizer_takes_are_mended(
    build: Callable[..., Any],
) -> None:
    encoder = build("plain")
    assert (encoder.dimension, encoder.slow) == (2, True)
    found = encoder.embed_documents(["aaaa", "bb\x00\ud800"])
    assert np.linalg.norm(found, axis=1) == pytest.approx([1.0, 1.0])
    assert encoder.embed_documents([]).shape == (0, 2)
    assert encoder.strength.weight("latin") > encoder.strength.weight("han")


def test_a_model_that_gives_no_number_gives_a_vector_of_nothing(build: Callable[..., Any]) -> None:
    assert not build("broken").embed_queries(["a"]).any()


def test_prefixes_are_the_models_own_unless_they_are_set(build: Callable[..., Any]) -> None:
    encoder = build("prompted")
    encoder.embed_queries(["x"])
    encoder.embed_documents(["x"])
    assert encoder._model.asked[-2:] == ["query: x", "passage: x"]
    other = build("prompted", query_prefix="q ")
    other.embed_queries(["x"])
    assert other._model.asked[-1] == "q x"
    assert other.name != encoder.name


def test_a_model_that_is_not_there_is_one_sentence(build: Callable[..., Any]) -> None:
    build("plain")
    found = registry.find("embedding", "sentence-transformers")
    with pytest.raises(ConfigError, match=r"`none/such` cannot be loaded: no such model, and no connection"):
        found(EncoderOptions(model="none/such"))
    with pytest.raises(ConfigError, match="`embedding_model` is not set"):
        found(EncoderOptions())
