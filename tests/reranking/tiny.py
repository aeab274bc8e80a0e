"""A whole ONNX cross-encoder in a few kilobytes: it counts the words that question and passage share.

ids equal, one in the question, the other in the passage, neither special, both unmasked -> count -> logit
"""

import struct
from collections.abc import Sequence
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
WORDS = "where was the founder of yard that built ferry osprey born by ada brandt mirren velden in quay granite made"
FLOAT, INT64 = 1, 7
CUT = "1.5"
"""Shared words of which a pair scores 0.5."""


def tiny_cross_encoder(folder: Path, *, logits: int = 1, bad: bool = False) -> Path:
    """Write model and tokenizer to `folder`; with two `logits`, the second stands for "relevant"."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(_model(logits, "nan" if bad else CUT))
    vocabulary = {word: place for place, word in enumerate((*SPECIAL, *WORDS.split()))}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def _model(logits: int, cut: str) -> bytes:
    """An ONNX file: protocol buffers by hand, so that no test needs a library that writes them."""
    nodes = [
        _node("Unsqueeze", ["input_ids", "two"], "down"),
        _node("Unsqueeze", ["input_ids", "one"], "across"),
        _node("Equal", ["down", "across"], "same"),
        _node("Greater", ["input_ids", "last_special"], "word"),
        _node("Cast", ["word"], "words", to=INT64),
        _node("Mul", ["words", "attention_mask"], "seen"),
        _node("Mul", ["seen", "token_type_ids"], "passage"),
        _node("Sub", ["seen", "passage"], "question"),
        _node("Unsqueeze", ["question", "two"], "asked"),
        _node("Unsqueeze", ["passage", "one"], "told"),
        _node("Mul", ["asked", "told"], "both"),
        _node("Cast", ["same"], "equal", to=INT64),
        _node("Mul", ["both", "equal"], "shared"),
        _node("ReduceSum", ["shared", "axes"], "total"),
        _node("Squeeze", ["total", "two"], "count"),
        _node("Cast", ["count"], "number", to=FLOAT),
        _node("Sub", ["number", "cut"], "logit" if logits == 2 else "logits"),
    ]
    if logits == 2:
        nodes += [
            _node("Sub", ["logit", "logit"], "zero"),
            _node("Concat", ["zero", "logit"], "logits", axis=1),
        ]
    constants = [
        *(_constant(name, INT64, values) for name, values in (("one", [1]), ("two", [2]), ("axes", [1, 2]))),
        _constant("last_special", INT64, [len(SPECIAL) - 1]),
        _constant("cut", FLOAT, [float(cut)]),
    ]
    inputs = ("input_ids", "attention_mask", "token_type_ids")
    graph = b"".join(_bytes(1, node) for node in nodes) + _bytes(2, b"tiny")
    graph += b"".join(_bytes(5, constant) for constant in constants)
    graph += b"".join(_bytes(11, _value(name, INT64, ("b", "s"))) for name in inputs)
    graph += _bytes(12, _value("logits", FLOAT, ("b", logits)))
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _bytes(1, b"") + _number(2, 17))


def _node(kind: str, inputs: Sequence[str], output: str, **settings: int) -> bytes:
    named = b"".join(_bytes(1, each.encode()) for each in inputs) + _bytes(2, output.encode())
    for name, value in settings.items():
        named += _bytes(5, _bytes(1, name.encode()) + _number(3, value) + _number(20, 2))
    return named + _bytes(4, kind.encode())


def _constant(name: str, kind: int, values: Sequence[float]) -> bytes:
    packed = struct.pack(f"<{len(values)}{'f' if kind == FLOAT else 'q'}", *values)
    return _number(1, len(values)) + _number(2, kind) + _bytes(8, name.encode()) + _bytes(9, packed)


def _value(name: str, kind: int, shape: Sequence[str | int]) -> bytes:
    dimensions = [_number(1, each) if isinstance(each, int) else _bytes(2, each.encode()) for each in shape]
    tensor = _number(1, kind) + _bytes(2, b"".join(_bytes(1, each) for each in dimensions))
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, tensor))


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
