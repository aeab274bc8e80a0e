"""Any cross-encoder of sentence-transformers, from a local folder or by its name."""
# sentence-transformers is typed in part, and need not be installed
# pyright: reportMissingModuleSource=false, reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import math
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from sentence_transformers import CrossEncoder

from leadline.embeddings.coverage import known_scripts
from leadline.errors import ConfigError, RerankingFailed
from leadline.reranking.base import RerankerOptions, logistic, told_scripts
from leadline.reranking.batches import AT_ONCE, Pair, in_batches
from leadline.run import Run


class CrossEncoderReranker:
    """Loads the model when it is made. Models that give logits get their scores as shares of 1."""

    def __init__(self, options: RerankerOptions) -> None:
        told = told_scripts(options.scripts)
        if not options.model:
            raise ConfigError("`reranker_model` is not set. Name a cross-encoder or its folder.")
        folder = Path(options.model).expanduser()
        local = folder.is_dir()
        try:
            self._model: Any = CrossEncoder(str(folder) if local else options.model)
        except Exception as error:  # the library raises what a dozen others raise
            raise ConfigError(
                f"`reranker_model` `{options.model}` cannot be loaded: {' '.join(str(error).split())[:200]}. "
                "Name a folder that holds the model, or a name that this machine can download."
            ) from error
        labels = self._model.num_labels
        if labels != 1:
            raise ConfigError(
                f"`reranker_model` `{options.model}` tells {labels} classes apart. Name one made for ranking."
            )
        longest = self._model.max_seq_length or options.max_tokens
        self._model.max_seq_length = min(longest, options.max_tokens)
        self._are_shares = type(self._model.activation_fn).__name__ == "Sigmoid"
        self._lock = Lock()
        self._name = f"cross-encoder-{folder.name if local else options.model}"
        self._scripts = told or frozenset(known_scripts(self._model.tokenizer.get_vocab()))

    @property
    def name(self) -> str:
        return self._name

    @property
    def scripts(self) -> frozenset[str] | None:
        return self._scripts

    async def rerank(self, question: str, passages: Sequence[str], run: Run) -> list[float]:
        return await in_batches(self._score, question, passages, run)

    def _score(self, pairs: list[Pair]) -> list[float]:
        with self._lock:
            found = self._model.predict(
                pairs, batch_size=AT_ONCE, show_progress_bar=False, convert_to_numpy=True
            )
        scores = [float(score) for score in found]
        if not all(map(math.isfinite, scores)):
            raise RerankingFailed("gives a score that is not a finite number")
        return scores if self._are_shares else [logistic(score) for score in scores]


def build(options: RerankerOptions | None = None) -> CrossEncoderReranker:
    """The registry's entry."""
    return CrossEncoderReranker(options or RerankerOptions())
