"""Any ONNX encoder from a folder: run by the real onnxruntime, over a real tokenizer."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from leadline.embeddings import onnx
from leadline.embeddings.base import EncoderOptions, unit
from leadline.embeddings.coverage import ENOUGH, known_scripts
from leadline.embeddings.onnx import OnnxEmbedder, build
from leadline.errors import ConfigError
from tests.embeddings.tiny import DIMENSION, WORDS, rows, tiny_encoder


def made(folder: Path, **options: Any) -> OnnxEmbedder:
    return build(EncoderOptions(model=str(folder), **options))


def mean(*words: str) -> Any:
    table = np.array(rows())
    return unit([table[[WORDS.index(word) for word in words]].mean(axis=0)])[0]


def test_the_mean_is_over_a_texts_own_tokens_whatever_it_is_padded_with(tmp_path: Path) -> None:
    embedder = made(tiny_encoder(tmp_path))
    texts = ["boat", "harbour lantern boat boat boat", *["lantern"] * 20]
    found = embedder.embed_documents(texts)
    assert found.shape == (22, DIMENSION) == (22, embedder.dimension)
    assert found[0] == pytest.approx(mean("[CLS]", "boat"))
    assert found[1] == pytest.approx(mean("[CLS]", "harbour", "lantern", "boat", "boat", "boat"))
    assert embedder.embed_queries([]).shape == (0, DIMENSION)


def test_prefixes_are_put_before_questions_and_passages(tmp_path: Path) -> None:
    embedder = made(tiny_encoder(tmp_path), query_prefix="query: ", passage_prefix="passage: ")
    assert embedder.embed_queries(["boat"])[0] == pytest.approx(mean("[CLS]", "query", ":", "boat"))
    assert embedder.embed_documents(["boat"])[0] == pytest.approx(mean("[CLS]", "passage", ":", "boat"))


@pytest.mark.parametrize(
    ("told", "folder_says", "first"),
    [("auto", True, True), ("auto", None, False), ("mean", True, False), ("cls", None, True)],
)
def test_pooling_is_as_told_else_as_the_folder_says(
    tmp_path: Path, told: Any, folder_says: bool | None, first: bool
) -> None:
    embedder = made(tiny_encoder(tmp_path, cls=folder_says), pooling=told)
    expected = mean("[CLS]") if first else mean("[CLS]", "boat")
    assert embedder.embed_documents(["boat"])[0] == pytest.approx(expected)


def test_long_texts_are_cut_and_odd_characters_are_taken(tmp_path: Path) -> None:
    embedder = made(tiny_encoder(tmp_path), max_tokens=3)
    assert embedder.embed_documents(["boat " * 9_000])[0] == pytest.approx(mean("[CLS]", "boat", "boat"))
    assert np.isfinite(embedder.embed_documents(["", "\x00", "\ud800 灯塔"])).all()


def test_the_name_tells_other_weights_and_whatever_shapes_a_vector(tmp_path: Path) -> None:
    one = made(tiny_encoder(tmp_path / "a" / "small"))
    same = made(tiny_encoder(tmp_path / "b" / "small"))
    others = [
        made(tiny_encoder(tmp_path / "c" / "small", seed=2.0)),
        made(tmp_path / "a" / "small", passage_prefix="passage: "),
        made(tmp_path / "a" / "small", pooling="cls"),
        made(tmp_path / "a" / "small", max_tokens=64),
    ]
    assert one.name.startswith("onnx-small-")
    assert one.name == same.name
    assert len({one.name, *(other.name for other in others)}) == 5


@pytest.mark.parametrize("file", onnx.MODELS)
def test_the_model_is_found_under_its_usual_names(tmp_path: Path, file: str) -> None:
    assert made(tiny_encoder(tmp_path, file=file)).dimension == DIMENSION


def test_what_is_not_there_or_no_model_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="`embedding_model` is not set"):
        build(EncoderOptions())
    with pytest.raises(ConfigError, match="is not a folder"):
        made(tmp_path / "nothing here" / "x")
    with pytest.raises(ConfigError, match=r"has no `model.onnx or"):
        made(tmp_path)
    folder = tiny_encoder(tmp_path / "small")
    (folder / "model.onnx").write_bytes(b"no model")
    with pytest.raises(ConfigError, match="cannot be loaded"):
        made(folder)
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ConfigError, match=r"has no `tokenizer.json`"):
        made(folder)


def test_scripts_are_those_the_vocabulary_has_words_for(tmp_path: Path) -> None:
    embedder = made(tiny_encoder(tmp_path))
    assert (embedder.strength.weight("latin") > 0.5, embedder.strength.weight("han")) == (True, 0.0)
    told = made(tmp_path, scripts=("latin", "thai"))
    assert told.strength.weight("thai") > 0
    han = [chr(0x4E00 + number) for number in range(ENOUGH)]
    assert known_scripts([*han, "the", "و"]) == ("han", "latin")
