"""docs/stores.md says of each store what it does here."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from leadline.testing.running import go
from leadline.testing.stores import ENGINES, Opener, probed, said_in

PAGE = Path(__file__).parents[2] / "docs" / "stores.md"


@pytest.mark.parametrize("engine", ENGINES)
def test_what_the_page_says_of_an_engine_is_what_it_does(engine: str, tmp_path: Path) -> None:
    kind, library = ENGINES[engine]
    if find_spec(library) is None:
        pytest.skip(f"needs the extra `{kind}`")
    said = said_in(PAGE.read_text(encoding="utf-8"), engine)
    assert go(probed(Opener(kind), tmp_path)) == said, "python -m leadline.testing.stores --server"
