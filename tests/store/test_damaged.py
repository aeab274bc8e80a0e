"""A failure of the engine over a damaged table says what to do; one that is our own bug stays what it is."""

from pathlib import Path

import pytest

from leadline.errors import StoreError
from leadline.store.unwritable import said_of


def test_a_damaged_table_is_named_with_its_remedy(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreError, match=r"is damaged \(lance error: bad page\).*drop NAME"),
        said_of(tmp_path),
    ):
        raise RuntimeError("lance error: bad page\nand a long trace")


def test_another_failure_is_left_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="our own mistake"), said_of(tmp_path):
        raise RuntimeError("our own mistake")
