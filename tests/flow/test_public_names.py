"""Whatever a flow file can name can be imported by its class from one place, and nothing of it is loaded before."""

import subprocess
import sys

import pytest

from leadline import flow
from leadline.flow import sinks, sources
from leadline.flow.files import catalogue

PLACES = {"step": flow, "source": sources, "sink": sinks}


@pytest.mark.parametrize("kind", ["step", "source", "sink"])
def test_every_part_is_there(kind: catalogue.Kind) -> None:
    place = PLACES[kind]
    for name in catalogue.TABLES[kind]:
        cls = catalogue.found(kind, name)
        assert cls.__name__ in place.__all__
        assert getattr(place, cls.__name__) is cls


def test_what_is_named_as_public_exists() -> None:
    for place in PLACES.values():
        assert [name for name in place.__all__ if getattr(place, name, None) is None] == []
        with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
            place.nothing  # noqa: B018 - it is the access that is tried


def test_naming_the_room_loads_none_of_it() -> None:
    code = (
        "import sys, leadline.flow; print(sorted(m for m in sys.modules if m.startswith('leadline.flow.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
