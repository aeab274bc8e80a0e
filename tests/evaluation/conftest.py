"""A small set of our own, a store for it, and the place of the large sets if they are there."""

import os
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from leadline.config import Settings
from leadline.evaluation.setup import Setup, opened

HERE = Path(__file__).parent
VARIABLE = "LEADLINE_EVAL_DATA"

Opening = Callable[[], AbstractAsyncContextManager[Setup]]


@pytest.fixture
def harbour() -> Path:
    """Twenty passages and eight questions, one of which names no supporting passage."""
    return HERE / "harbour"


@pytest.fixture
def opening(tmp_path: Path) -> Opening:
    """Opens a setup with real parts; each opening is like a new process on the same data folder."""

    @asynccontextmanager
    async def open_setup() -> AsyncGenerator[Setup]:
        async with opened(Settings(data=tmp_path / "data")) as setup:
            yield setup

    return open_setup


@pytest.fixture(scope="session")
def large_sets() -> Path:
    """The folder of downloaded question sets."""
    folder = Path(os.environ.get(VARIABLE) or HERE.parents[2] / "shared" / "data" / "qa")
    if not folder.is_dir():
        pytest.skip(f"no question sets at {folder}: set {VARIABLE} to a folder of sets")
    return folder
