"""`leadline doctor` on what reads files and pages."""

import os
import subprocess
import sys
from pathlib import Path

from leadline.apps.doctor import readers
from leadline.documents.reading import READERS

SAID = "from leadline.apps.doctor import readers\nfor check in readers(): print(check.state, check.found)"


def test_everything_that_reads_is_there() -> None:
    (check,) = readers()
    assert (check.state, check.found) == ("ok", f"of {len(READERS)} kinds of files and pages")


def test_a_library_that_cannot_be_imported_is_said_with_what_it_reads(tmp_path: Path) -> None:
    (tmp_path / "trafilatura.py").write_text(
        'raise ImportError("lxml.html.clean is apart")', encoding="utf-8"
    )
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", SAID],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.stdout == "fail webpage cannot be read: lxml.html.clean is apart\n"
