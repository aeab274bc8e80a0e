"""Documents of the invented world, loaded once."""

from pathlib import Path

import pytest

from leadline.testing.running import go
from tests.scenarios.model_product import loaded


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder; nothing is written to it any more."""
    return go(loaded(tmp_path_factory.mktemp("world")))
