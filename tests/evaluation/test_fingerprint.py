"""A fingerprint follows from the values alone, whatever the process or the order."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from leadline.evaluation.fingerprint import code_of, fingerprint


@dataclass(frozen=True)
class Options:
    rounds: int = 3
    layers: frozenset[str] = frozenset({"judge", "reflect", "rewrite", "verify"})


def test_sets_and_mappings_have_no_order() -> None:
    assert fingerprint(Options()) == fingerprint(
        Options(layers=frozenset(["verify", "rewrite", "reflect", "judge"]))
    )
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})
    assert fingerprint(Options()) != fingerprint(Options(rounds=2))
    assert fingerprint(("a", "b")) != fingerprint(("b", "a"))


def test_it_is_the_same_in_another_process() -> None:
    code = (
        "from leadline.evaluation.fingerprint import fingerprint;"
        "print(fingerprint({'layers': frozenset({'judge', 'reflect', 'rewrite'}), 'none': None}))"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1
    assert seen == {fingerprint({"layers": frozenset({"judge", "reflect", "rewrite"}), "none": None}) + "\n"}


def test_code_changes_show_in_the_rooms_that_were_asked_for(tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    (room / "base.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "ingest.py").write_text("y = 1\n", encoding="utf-8")
    before = code_of(["room", "ingest.py"], tmp_path)
    (tmp_path / "other.py").write_text("z = 1\n", encoding="utf-8")
    assert code_of(["ingest.py", "room"], tmp_path) == before
    (room / "base.py").write_text("x = 2\n", encoding="utf-8")
    assert code_of(["room", "ingest.py"], tmp_path) != before
