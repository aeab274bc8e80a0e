"""A real ONNX model and a real tokenizer: pairs are encoded as such, and what is no cross-encoder is refused."""

from pathlib import Path
from typing import Any

import pytest

from leadline.errors import Cancelled, ConfigError
from leadline.reranking.base import RerankerOptions
from leadline.reranking.onnx import OnnxReranker, build
from leadline.run import Run
from leadline.testing.running import go
from tests.embeddings.tiny import tiny_encoder
from tests.reranking.tiny import tiny_cross_encoder

QUESTION = "Where was the founder of the yard born?"
GRANITE = "granite granite granite"
FOUNDER = "the founder of the yard"
BORN = "born in Velden"


def made(folder: Path, **options: Any) -> OnnxReranker:
    return build(RerankerOptions(model=str(folder), **options))


@pytest.mark.parametrize("logits", [1, 2])
def test_a_passage_is_scored_by_what_it_shares_with_the_question(tmp_path: Path, logits: int) -> None:
    reranker = made(tiny_cross_encoder(tmp_path / "tiny", logits=logits))
    granite, founder, born = go(reranker.rerank(QUESTION, [GRANITE, FOUNDER, BORN], Run()))
    assert granite < born < 0.5 < founder < 1
    assert reranker.name == "onnx-tiny"


def test_every_passage_keeps_its_score_however_many_and_long_they_are(tmp_path: Path) -> None:
    reranker = made(tiny_cross_encoder(tmp_path))
    passages = [f"{GRANITE * (place % 4)} {'founder yard ' * (place % 3)}" for place in range(21)]
    together = go(reranker.rerank(QUESTION, passages, Run()))
    alone = [go(reranker.rerank(QUESTION, [passage], Run()))[0] for passage in passages]
    assert together == pytest.approx(alone)
    assert len(set(together)) == 3


def test_a_long_pair_is_cut_to_the_tokens_the_model_takes(tmp_path: Path) -> None:
    reranker = made(tiny_cross_encoder(tmp_path), max_tokens=16)
    long, short = go(reranker.rerank(QUESTION, ["granite " * 5_000 + FOUNDER, FOUNDER], Run()))
    assert long < short


def test_text_that_no_tokenizer_takes_is_scored_too(tmp_path: Path) -> None:
    scores = go(made(tiny_cross_encoder(tmp_path)).rerank("\ud800 founder", ["founder\x00\ud800", ""], Run()))
    assert scores[0] > scores[1]


def test_scripts_come_from_the_vocabulary_unless_they_are_told(tmp_path: Path) -> None:
    folder = tiny_cross_encoder(tmp_path)
    assert made(folder).scripts == {"latin"}
    assert made(folder, scripts=("han", "latin")).scripts == {"han", "latin"}
    with pytest.raises(ConfigError, match=r"`reranker_scripts` cannot be `hann`\. Known: latin, han"):
        made(folder, scripts=("hann",))


def test_a_run_that_is_cancelled_gets_no_further_batch(tmp_path: Path) -> None:
    run = Run()
    run.cancel()
    with pytest.raises(Cancelled):
        go(made(tiny_cross_encoder(tmp_path)).rerank(QUESTION, [FOUNDER], run))


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="`reranker_model` is not set"):
        build()
    with pytest.raises(ConfigError, match="nowhere` is not a folder"):
        made(tmp_path / "nowhere")


def test_a_folder_without_model_or_tokenizer_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ConfigError, match="has no `model.onnx or model_quantized.onnx`"):
        made(tmp_path)
    tiny_cross_encoder(tmp_path)
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(ConfigError, match="has no `tokenizer.json`"):
        made(tmp_path)


def test_a_damaged_model_an_encoder_and_one_that_gives_no_numbers_are_refused(tmp_path: Path) -> None:
    damaged = tiny_cross_encoder(tmp_path / "damaged")
    (damaged / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ConfigError, match=r"damaged` cannot be loaded: .* cross-encoder as `model\.onnx`"):
        made(damaged)
    with pytest.raises(ConfigError, match=r"gives an output of shape \[1, \d+, 4\], not one or two logits"):
        made(tiny_encoder(tmp_path / "encoder"))
    with pytest.raises(ConfigError, match="not a finite number"):
        made(tiny_cross_encoder(tmp_path / "nan", bad=True))
