"""Any ONNX encoder, from a local folder or by its name on the model hub, run by onnxruntime."""
# onnxruntime ships no types
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import json
import re
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import onnxruntime
from huggingface_hub import snapshot_download
from huggingface_hub.errors import LocalEntryNotFoundError
from tokenizers import Tokenizer

from leadline.embeddings.base import EncoderOptions, Strength, Vectors, encodable, unit
from leadline.embeddings.coverage import known_scripts, strength
from leadline.embeddings.identity import digest
from leadline.errors import ConfigError

MODELS = ("model.onnx", "model_quantized.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx")
TOKENIZER = "tokenizer.json"
POOLING = "1_Pooling/config.json"
"""Where sentence-transformers writes how its models pool."""

_WANTED = [*MODELS, "*.onnx_data", "onnx/*.onnx_data", TOKENIZER, POOLING]
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_TOGETHER = 32
_AT_ONCE = 8
"""Texts in one call of the model, of about the same length: shorter ones take the time of the longest."""


class OnnxEmbedder:
    """Loads model and tokenizer when it is made; `name` tells folder, weights and all that shapes a vector."""

    def __init__(self, options: EncoderOptions) -> None:
        folder = _folder(options.model)
        model, tokenizer = _model_file(folder), folder / TOKENIZER
        self._options = options
        self._cls = _pools_first_token(folder, options)
        self._lock = Lock()
        try:
            self._tokenizer = Tokenizer.from_file(str(tokenizer))
            self._session: Any = onnxruntime.InferenceSession(
                str(model), _session_options(options.threads), providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # both libraries raise their own bare kinds
            raise ConfigError(
                f"`embedding_model` `{folder}` cannot be loaded: {_one_line(error)}. "
                f"It needs `{TOKENIZER}` and an ONNX encoder as `{MODELS[0]}` or `{MODELS[1]}`."
            ) from error
        self._tokenizer.enable_truncation(options.max_tokens)
        self._tokenizer.enable_padding()
        self._inputs = {each.name for each in self._session.get_inputs()}
        shaped = (options.query_prefix, options.passage_prefix, str(self._cls), str(options.max_tokens))
        called = folder.name if Path(options.model).expanduser().is_dir() else options.model.replace("/", "-")
        self._name = f"onnx-{called}-{digest([model, tokenizer], shaped)}"
        scripts = options.scripts or known_scripts(self._tokenizer.get_vocab())
        self._strength = strength(scripts)
        self._dimension = self._run(["a"]).shape[1]

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
        return self._embed(encodable(self._options.query_prefix, texts))

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return self._embed(encodable(self._options.passage_prefix, texts))

    def _embed(self, texts: list[str]) -> Vectors:
        found = np.zeros((len(texts), self._dimension), np.float32)
        by_length = sorted(range(len(texts)), key=lambda each: len(texts[each]))
        for start in range(0, len(texts), _AT_ONCE):
            rows = by_length[start : start + _AT_ONCE]
            found[rows] = self._run([texts[row] for row in rows])
        return found

    def _run(self, texts: list[str]) -> Vectors:
        with self._lock:
            encoded = self._tokenizer.encode_batch(texts)
            mask = np.array([each.attention_mask for each in encoded], np.int64)
            feed = {
                "input_ids": np.array([each.ids for each in encoded], np.int64),
                "attention_mask": mask,
                "token_type_ids": np.array([each.type_ids for each in encoded], np.int64),
            }
            given = {name: feed[name] for name in feed if name in self._inputs}
            output = np.asarray(self._session.run(None, given)[0], np.float32)
        if output.ndim == 3:
            output = output[:, 0] if self._cls else _mean(output, mask)
        return unit(np.nan_to_num(output))


def build(options: EncoderOptions | None = None) -> OnnxEmbedder:
    """The registry's entry."""
    return OnnxEmbedder(options or EncoderOptions())


def _folder(model: str) -> Path:
    """The folder that is named, or the one to which a model of the hub was downloaded."""
    folder = Path(model).expanduser()
    if model and folder.is_dir():
        return folder
    if not _HUB_NAME.fullmatch(model):
        said = f"`{model}` is not a folder" if model else "is not set"
        raise ConfigError(f"`embedding_model` {said}. Name a folder with an ONNX encoder, or one of the hub.")
    try:
        return Path(snapshot_download(model, allow_patterns=_WANTED, local_files_only=True))
    except LocalEntryNotFoundError:
        pass
    try:
        return Path(snapshot_download(model, allow_patterns=_WANTED))
    except Exception as error:  # its transport raises whatever a network can do
        raise ConfigError(
            f"`embedding_model` `{model}` is no folder, and cannot be downloaded: {_one_line(error)}. "
            f"Name a folder that holds `{MODELS[0]}` and `{TOKENIZER}`, or try again with a connection."
        ) from error


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200].rstrip(".") or type(error).__name__


def _model_file(folder: Path) -> Path:
    found = next((folder / name for name in MODELS if (folder / name).is_file()), None)
    if found is None or not (folder / TOKENIZER).is_file():
        missing = TOKENIZER if found else " or ".join(MODELS[:2])
        raise ConfigError(f"`embedding_model` `{folder}` has no `{missing}`. Put it there, or name another.")
    return found


def _pools_first_token(folder: Path, options: EncoderOptions) -> bool:
    """As told, else as the folder says, else not: the mean is what most encoders were trained with."""
    if options.pooling != "auto":
        return options.pooling == "cls"
    try:
        said = json.loads((folder / POOLING).read_text(encoding="utf-8"))
        return bool(said["pooling_mode_cls_token"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _session_options(threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Waiting in a loop costs more than it gains as soon as another process wants the cores.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def _mean(output: Vectors, mask: Any) -> Vectors:
    weights = mask[:, :, None].astype(np.float32)
    total: Vectors = (output * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
    return total
