"""What a local model is, for its name: other weights must give another name."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

_LENGTH = 12


def digest(files: Sequence[Path], settings: Sequence[str] = ()) -> str:
    """A short hash of the content of some files and of the settings that shape a vector."""
    whole = hashlib.sha256()
    for file in files:
        with file.open("rb") as opened:
            whole.update(hashlib.file_digest(opened, "sha256").digest())
    for setting in settings:
        whole.update(hashlib.sha256(setting.encode("utf-8", "surrogatepass")).digest())
    return whole.hexdigest()[:_LENGTH]
