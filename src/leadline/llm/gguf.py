"""What a GGUF file says of itself, read before any engine opens it: that it is one, its name, how much it reads at once.

The file is someone else's: nothing in its header is trusted further than the file is long.
"""

import hashlib
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from leadline.errors import ConfigError

MAGIC = b"GGUF"
VERSIONS = (2, 3)
MAX_KEYS = 10_000
MAX_TEXT = 1 << 20
"""Longest name or template that is read; a longer one is no header."""
SAMPLE = 1 << 20
"""Bytes at each end of a file that tell it from another of the same name."""

_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_WHOLE_NUMBERS = {0: "<B", 2: "<H", 4: "<I", 5: "<i", 10: "<Q", 11: "<q"}
_TEXT, _ARRAY = 8, 9


@dataclass(frozen=True, slots=True)
class Weights:
    """A model file. `context` are the tokens it was trained to read at once, 0 where it does not say.

    `digest` tells two files of one name apart, and a file from the one that took its place.
    """

    path: Path
    context: int
    digest: str

    @property
    def name(self) -> str:
        return f"gguf:{self.path.name}#{self.digest}"


def read_weights(file: str) -> Weights:
    """The header of a file; `ConfigError` says what is wrong with it."""
    if not file.strip():
        raise ConfigError("`gguf:` needs a file. Write `gguf:/path/to/model.gguf`.")
    try:
        path = Path(file).expanduser()
    except RuntimeError:
        raise ConfigError(f"`gguf:{file}`: that home folder is not known. Write the whole path.") from None
    try:
        with path.open("rb") as stream:
            context = _trained_context(stream)
            return Weights(path, context, _digest(stream))
    except FileNotFoundError:
        raise ConfigError(f"`gguf:{file}`: there is no such file. Give the path of a .gguf file.") from None
    except OSError as error:
        raise ConfigError(f"`gguf:{file}` cannot be read: {error.strerror}.") from None
    except (struct.error, _NotGguf):
        raise ConfigError(
            f"`gguf:{file}` is no GGUF file of version {VERSIONS[0]} or {VERSIONS[1]}, or its beginning is "
            "damaged. Convert the model, or fetch the file again."
        ) from None


class _NotGguf(Exception):
    """The bytes are not what they should be."""


def _trained_context(stream: BinaryIO) -> int:
    magic, version, _, keys = struct.unpack("<4sIQQ", stream.read(24))
    if magic != MAGIC or version not in VERSIONS or keys > MAX_KEYS:
        raise _NotGguf
    for _ in range(keys):
        key = _text(stream)
        kind = _number(stream, 4)
        if key.endswith(b".context_length") and kind in _WHOLE_NUMBERS:
            found = int(_number(stream, kind))
            return found if 0 < found < 1 << 31 else 0
        _skip(stream, kind)
    return 0


def _number(stream: BinaryIO, kind: int) -> int:
    value: int = struct.unpack(_WHOLE_NUMBERS[kind], stream.read(_SIZES[kind]))[0]
    return value


def _text(stream: BinaryIO) -> bytes:
    length = _number(stream, 10)
    if length > MAX_TEXT:
        raise _NotGguf
    return stream.read(length)


def _skip(stream: BinaryIO, kind: int) -> None:
    if kind == _TEXT:
        _text(stream)
    elif kind == _ARRAY:
        _skip_array(stream)
    elif kind in _SIZES:
        stream.seek(_SIZES[kind], 1)
    else:
        raise _NotGguf


def _skip_array(stream: BinaryIO) -> None:
    inner, count = _number(stream, 4), _number(stream, 10)
    if inner in _SIZES:
        stream.seek(_SIZES[inner] * min(count, 1 << 40), 1)
        return
    if inner != _TEXT:
        raise _NotGguf
    for _ in range(count):  # ends with the file at the latest: reading past it is a `struct.error`
        _text(stream)


def _digest(stream: BinaryIO) -> str:
    length = stream.seek(0, 2)
    content = hashlib.sha256(str(length).encode())
    for start in (0, max(length - SAMPLE, 0)):
        stream.seek(start)
        content.update(stream.read(SAMPLE))
    return content.hexdigest()[:12]
