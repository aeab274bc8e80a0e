"""The cross-encoder of sentence-transformers: what is asked of the library, and, where it is, a real tiny model."""

import sys
from collections.abc import Callable, Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

import pytest

from leadline import registry
from leadline.errors import ConfigError, RerankingFailed
from leadline.reranking.base import RerankerOptions, logistic
from leadline.run import Run
from leadline.testing.running import go
from tests.reranking.tiny import SPECIAL, WORDS

STAND_IN = '''
"""As much of the library's surface as is used (version 6); scores are shared words."""

import math
from pathlib import Path


class Sigmoid: ...
class Identity: ...


class Tokenizer:
    def get_vocab(self):
        return {f"word{place}": place for place in range(2_000)}


class CrossEncoder:
    def __init__(self, model):
        if not Path(model).is_dir():
            raise OSError("no such model,\\nand no connection")
        self.num_labels = 3 if model.endswith("nli") else 1
        self.activation_fn = Identity() if model.endswith("logits") else Sigmoid()
        self.max_seq_length = 64
        self.tokenizer = Tokenizer()
        self.broken = model.endswith("broken")

    def predict(self, inputs, *, batch_size, show_progress_bar, convert_to_numpy):
        shared = [len(set(one.split()) & set(two.split())) for one, two in inputs]
        if self.broken:
            return [math.nan for _ in inputs]
        return [each - 1.5 if isinstance(self.activation_fn, Identity) else each / 10 for each in shared]
'''
QUESTION = "where was the founder born"
PASSAGES = ["granite", "the founder", "born where the founder was"]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Build a reranker over the stand-in of the library, from a folder of that name."""
    mine = ("sentence_transformers", "leadline.reranking.cross_encoder")
    before = {name: sys.modules.pop(name) for name in mine if name in sys.modules}
    (tmp_path / "sentence_transformers.py").write_text(STAND_IN, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    invalidate_caches()

    def made(name: str, **options: Any) -> Any:
        (tmp_path / name).mkdir()
        found = registry.find("reranker", "cross-encoder")
        return found(RerankerOptions(model=str(tmp_path / name), **options))

    yield made
    for name in mine:
        sys.modules.pop(name, None)
    sys.modules.update(before)


def test_shares_are_taken_as_they_are_and_logits_become_shares(build: Callable[..., Any]) -> None:
    shares = go(build("shares").rerank(QUESTION, PASSAGES, Run()))
    assert shares == [0.0, 0.2, 0.5]
    logits = go(build("logits").rerank(QUESTION, PASSAGES, Run()))
    assert logits == [logistic(-1.5), logistic(0.5), logistic(3.5)]


def test_it_is_named_after_its_folder_and_knows_the_scripts_of_its_vocabulary(
    build: Callable[..., Any],
) -> None:
    reranker = build("small")
    assert (reranker.name, reranker.scripts) == ("cross-encoder-small", {"latin"})
    assert build("told", scripts=("han",)).scripts == {"han"}


def test_what_is_no_reranker_is_refused(build: Callable[..., Any]) -> None:
    with pytest.raises(ConfigError, match="tells 3 classes apart"):
        build("an-nli")
    with pytest.raises(RerankingFailed, match="not a finite number"):
        go(build("broken").rerank(QUESTION, PASSAGES, Run()))
    found = registry.find("reranker", "cross-encoder")
    with pytest.raises(ConfigError, match="`reranker_model` is not set"):
        found(RerankerOptions())
    with pytest.raises(
        ConfigError, match="cannot be loaded: no such model, and no connection. Name a folder"
    ):
        found(RerankerOptions(model="someone/some-model"))


@pytest.mark.skipif("sentence_transformers" in sys.modules, reason="the library is there")
def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    monkeypatch.delitem(sys.modules, "leadline.reranking.cross_encoder", raising=False)
    with pytest.raises(ConfigError, match=r"`reranker = cross-encoder` needs `pip install 'leadline\["):
        registry.find("reranker", "cross-encoder")


@pytest.mark.slow
def test_a_real_cross_encoder_from_a_folder_scores_pairs(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="comes with `leadline[rerank]`, which brings PyTorch")
    transformers: Any = import_module("transformers")
    (tmp_path / "vocab.txt").write_text("\n".join((*SPECIAL, *WORDS.split())), encoding="utf-8")
    config = transformers.BertConfig(
        vocab_size=64,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
        num_labels=1,
    )
    transformers.BertForSequenceClassification(config).save_pretrained(tmp_path)
    transformers.BertTokenizerFast(str(tmp_path / "vocab.txt"), model_max_length=32).save_pretrained(tmp_path)
    reranker = registry.find("reranker", "cross-encoder")(RerankerOptions(model=str(tmp_path)))
    passages = ["granite " * 500, "the founder of the yard", ""]
    together = go(reranker.rerank(QUESTION, passages, Run()))
    assert all(0 < score < 1 for score in together)
    assert len(set(together)) == 3
    alone = [go(reranker.rerank(QUESTION, [passage], Run()))[0] for passage in passages]
    assert together == pytest.approx(alone, abs=1e-5)
