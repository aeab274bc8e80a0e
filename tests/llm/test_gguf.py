"""Headers of GGUF files: what they say, and what is no header."""

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.errors import ConfigError
from leadline.llm.gguf import read_weights


def text(value: bytes) -> bytes:
    return struct.pack("<Q", len(value)) + value


def header(*keys: bytes, version: int = 3, count: int | None = None) -> bytes:
    return struct.pack("<4sIQQ", b"GGUF", version, 0, len(keys) if count is None else count) + b"".join(keys)


NAME = text(b"general.architecture") + struct.pack("<I", 8) + text(b"llama")
TOKENS = text(b"tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 2) + text(b"a") + text(b"b")
SCORES = text(b"tokenizer.ggml.scores") + struct.pack("<IIQ", 9, 6, 3) + bytes(12)
CONTEXT = text(b"llama.context_length") + struct.pack("<II", 4, 2048)


def written(folder: Path, content: bytes, name: str = "m.gguf") -> str:
    (folder / name).write_bytes(content)
    return str(folder / name)


def test_a_header_says_how_much_the_model_reads_at_once(tmp_path: Path) -> None:
    found = read_weights(written(tmp_path, header(NAME, TOKENS, SCORES, CONTEXT)))
    assert found.context == 2048
    assert found.name == f"gguf:m.gguf#{found.digest}"


def test_a_header_without_a_context_leaves_it_open(tmp_path: Path) -> None:
    assert read_weights(written(tmp_path, header(NAME))).context == 0
    huge = text(b"llama.context_length") + struct.pack("<IQ", 10, 1 << 60)
    assert read_weights(written(tmp_path, header(huge))).context == 0


@pytest.mark.parametrize("file", ["", " "])
def test_no_file_says_what_to_write(file: str) -> None:
    with pytest.raises(ConfigError, match=r"Write `gguf:/path/to/model\.gguf`"):
        read_weights(file)


def test_two_files_of_one_name_have_two_names(tmp_path: Path) -> None:
    first = read_weights(written(tmp_path, header(NAME) + b"one"))
    second = read_weights(written(tmp_path, header(NAME) + b"two"))
    assert first.name != second.name


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello",
        b"PK\x03\x04" + bytes(100),
        header(NAME, version=99),
        header(count=1 << 63),
        header(NAME, count=3),
        header(struct.pack("<Q", 1 << 62) + b"key"),
        header(text(b"a") + struct.pack("<IIQ", 9, 8, 1 << 62)),
        header(text(b"a") + struct.pack("<IIQ", 9, 9, 2)),
        header(text(b"a") + struct.pack("<I", 77)),
    ],
)
def test_what_is_no_model_file_is_said_before_an_engine_opens_it(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ConfigError, match="no GGUF file"):
        read_weights(written(tmp_path, content))


@given(st.binary(max_size=200))
def test_no_header_raises_anything_else(tmp_path_factory: pytest.TempPathFactory, rest: bytes) -> None:
    file = written(tmp_path_factory.mktemp("gguf"), struct.pack("<4sIQQ", b"GGUF", 3, 0, 5) + rest)
    with pytest.raises(ConfigError):
        read_weights(file)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such file"):
        read_weights(str(tmp_path / "none.gguf"))
    with pytest.raises(ConfigError, match="cannot be read"):
        read_weights(str(tmp_path))
