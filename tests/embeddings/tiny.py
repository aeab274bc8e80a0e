"""A whole ONNX encoder in a few kilobytes: a table of word vectors, and a tokenizer of whole words."""

import json
import struct
from collections.abc import Sequence
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

WORDS = ("[PAD]", "[UNK]", "[CLS]", "harbour", "boat", "lantern", "query", ":", "passage")
DIMENSION = 4


def rows(seed: float = 1.0) -> list[list[float]]:
    """The vector of each word."""
    return [[seed * (place + 1), float(place % 3), float(place % 2), 1.0] for place in range(len(WORDS))]


def tiny_encoder(
    folder: Path, seed: float = 1.0, *, file: str = "model.onnx", cls: bool | None = None
) -> Path:
    """Write model and tokenizer to `folder`; with `cls`, also how it pools."""
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).write_bytes(_model(rows(seed)))
    tokenizer = Tokenizer(WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A", special_tokens=[("[CLS]", 2)])
    tokenizer.save(str(folder / "tokenizer.json"))
    if cls is not None:
        (folder / "1_Pooling").mkdir(exist_ok=True)
        config = {"pooling_mode_cls_token": cls, "pooling_mode_mean_tokens": not cls}
        (folder / "1_Pooling" / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def _model(table: Sequence[Sequence[float]]) -> bytes:
    """Gather(table, input_ids), as an ONNX file: protocol buffers by hand, as no library here writes them."""
    weights = b"".join(struct.pack(f"<{DIMENSION}f", *row) for row in table)
    tensor = (
        _number(1, len(table))
        + _number(1, DIMENSION)
        + _number(2, 1)
        + _bytes(8, b"table")
        + _bytes(9, weights)
    )
    names = (
        _bytes(1, b"table"),
        _bytes(1, b"input_ids"),
        _bytes(2, b"last_hidden_state"),
        _bytes(4, b"Gather"),
    )
    graph = _bytes(1, b"".join(names)) + _bytes(2, b"tiny") + _bytes(5, tensor)
    graph += _bytes(11, _value(b"input_ids", 7, (b"b", b"s"))) + _bytes(
        11, _value(b"attention_mask", 7, (b"b", b"s"))
    )
    graph += _bytes(12, _value(b"last_hidden_state", 1, (b"b", b"s", DIMENSION)))
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _bytes(1, b"") + _number(2, 17))


def _value(name: bytes, kind: int, shape: Sequence[bytes | int]) -> bytes:
    dimensions = [_number(1, each) if isinstance(each, int) else _bytes(2, each) for each in shape]
    tensor = _number(1, kind) + _bytes(2, b"".join(_bytes(1, each) for each in dimensions))
    return _bytes(1, name) + _bytes(2, _bytes(1, tensor))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])
