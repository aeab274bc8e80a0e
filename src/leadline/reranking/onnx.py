"""Any ONNX cross-encoder from a local folder: `model.onnx` and `tokenizer.json`, run by onnxruntime."""
# onnxruntime ships no types
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from leadline.embeddings.coverage import known_scripts
from leadline.errors import ConfigError, RerankingFailed
from leadline.reranking.base import RerankerOptions, logistic, told_scripts
from leadline.reranking.batches import Pair, in_batches
from leadline.run import Run

MODELS = ("model.onnx", "model_quantized.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx")
TOKENIZER = "tokenizer.json"
_PADS = ("[PAD]", "<pad>")


class OnnxReranker:
    """Loads model and tokenizer when it is made, and scores a first pair, so that a wrong model is told then."""

    def __init__(self, options: RerankerOptions) -> None:
        told = told_scripts(options.scripts)
        folder = _folder(options.model)
        model = _model_file(folder)
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
            self._session: Any = onnxruntime.InferenceSession(
                str(model), _session_options(options.threads), providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # both libraries raise their own bare kinds
            raise _unusable(folder, f"cannot be loaded: {_one_line(error)}") from error
        vocabulary = self._tokenizer.get_vocab()
        pad = next((each for each in _PADS if each in vocabulary), None)
        self._tokenizer.enable_truncation(options.max_tokens)
        self._tokenizer.enable_padding(pad_id=vocabulary.get(pad or "", 0), pad_token=pad or _PADS[0])
        self._types = {each.name: each.type for each in self._session.get_inputs()}
        self._lock = Lock()
        self._name = f"onnx-{folder.name}"
        self._scripts = told or frozenset(known_scripts(vocabulary))
        try:
            self._score([("a", "b")])
        except RerankingFailed as error:
            raise _unusable(folder, str(error)) from error

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
            encoded = self._tokenizer.encode_batch(pairs)
            feed = {
                "input_ids": [each.ids for each in encoded],
                "attention_mask": [each.attention_mask for each in encoded],
                "token_type_ids": [each.type_ids for each in encoded],
            }
            given = {
                name: np.array(feed[name], np.int32 if "int32" in kind else np.int64)
                for name, kind in self._types.items()
                if name in feed
            }
            try:
                output = np.asarray(self._session.run(None, given)[0], np.float64)
            except Exception as error:  # the library raises its own bare kinds
                raise RerankingFailed(f"cannot score a pair: {_one_line(error)}") from error
        return _shares(output, len(pairs))


def build(options: RerankerOptions | None = None) -> OnnxReranker:
    """The registry's entry."""
    return OnnxReranker(options or RerankerOptions())


def _shares(output: Any, count: int) -> list[float]:
    """One logit a pair as it is; of two, how much more the second one, which stands for "relevant"."""
    rows = output.reshape(count, -1) if output.ndim in (1, 2) and output.shape[0] == count else None
    if rows is None or rows.shape[1] not in (1, 2):
        raise RerankingFailed(f"gives an output of shape {list(output.shape)}, not one or two logits a pair")
    if not np.isfinite(rows).all():
        raise RerankingFailed("gives a score that is not a finite number")
    return [logistic(float(row[-1] - (row[0] if len(row) == 2 else 0.0))) for row in rows]


def _folder(model: str) -> Path:
    folder = Path(model).expanduser()
    if not model or not folder.is_dir():
        said = f"`{model}` is not a folder" if model else "is not set"
        raise ConfigError(f"`reranker_model` {said}. Name a folder with an ONNX cross-encoder in it.")
    return folder


def _model_file(folder: Path) -> Path:
    found = next((folder / name for name in MODELS if (folder / name).is_file()), None)
    if found is None or not (folder / TOKENIZER).is_file():
        missing = TOKENIZER if found else " or ".join(MODELS[:2])
        raise ConfigError(f"`reranker_model` `{folder}` has no `{missing}`. Put it there, or name another.")
    return found


def _unusable(folder: Path, what: str) -> ConfigError:
    return ConfigError(
        f"`reranker_model` `{folder}` {what}. It needs `{TOKENIZER}` and a cross-encoder as `{MODELS[0]}`."
    )


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200].rstrip(".") or type(error).__name__


def _session_options(threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Waiting in a loop costs more than it gains as soon as another process wants the cores.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options
