"""Any model of sentence-transformers, from a local folder or by its name."""
# sentence-transformers is typed in part, and need not be installed
# pyright: reportMissingModuleSource=false, reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from sentence_transformers import SentenceTransformer

from leadline.embeddings.base import EncoderOptions, Strength, Vectors, encodable, unit
from leadline.embeddings.coverage import known_scripts, strength
from leadline.embeddings.identity import digest
from leadline.errors import ConfigError

WEIGHTS = ("*.safetensors", "pytorch_model*.bin", "modules.json", "tokenizer.json", "*/config.json")
_TOGETHER = 32


class SentenceEmbedder:
    """Loads the model when it is made. Prefixes that are not set are the model's own prompts."""

    def __init__(self, options: EncoderOptions) -> None:
        if not options.model:
            raise ConfigError(
                "`embedding_model` is not set. Name a sentence-transformers model or its folder."
            )
        folder = Path(options.model).expanduser()
        try:
            self._model: Any = SentenceTransformer(str(folder) if folder.is_dir() else options.model)
        except Exception as error:  # the library raises what a dozen others raise
            raise ConfigError(
                f"`embedding_model` `{options.model}` cannot be loaded: {' '.join(str(error).split())[:200]}. "
                "Name a folder that holds the model, or a name that this machine can download."
            ) from error
        self._model.max_seq_length = min(self._model.max_seq_length or options.max_tokens, options.max_tokens)
        prompts: dict[str, str] = self._model.prompts or {}
        self._query = options.query_prefix or prompts.get("query", "")
        self._passage = options.passage_prefix or prompts.get("document", "") or prompts.get("passage", "")
        self._name = _name(options, folder, (self._query, self._passage, str(self._model.max_seq_length)))
        scripts = options.scripts or known_scripts(self._model.tokenizer.get_vocab())
        self._strength = strength(scripts)
        self._lock = Lock()
        self._dimension = self._embed(["a"]).shape[1]

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def strength(self) -> Strength:
        return self._strength

    @property
    def slow(self) -> bool:
        return True

    @property
    def batch(self) -> int:
        return _TOGETHER

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(encodable(self._query, texts))

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return self._embed(encodable(self._passage, texts))

    def _embed(self, texts: list[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self._dimension), np.float32)
        with self._lock:
            found = self._model.encode(
                texts, prompt="", batch_size=_TOGETHER, show_progress_bar=False, convert_to_numpy=True
            )
        return unit(np.nan_to_num(found))


def build(options: EncoderOptions | None = None) -> SentenceEmbedder:
    """The registry's entry."""
    return SentenceEmbedder(options or EncoderOptions())


def _name(options: EncoderOptions, folder: Path, shaped: Sequence[str]) -> str:
    """A folder by its content; a model that was downloaded by its name, as its files lie in a cache."""
    if folder.is_dir():
        files = sorted({file for pattern in WEIGHTS for file in folder.glob(pattern)})
        return f"sentence-transformers-{folder.name}-{digest(files, shaped)}"
    return f"sentence-transformers-{options.model}-{version('sentence-transformers')}-{digest((), shaped)}"
