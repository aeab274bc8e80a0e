"""One writer at a time, whoever it is and however it ended."""

import json
import logging
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from leadline.errors import StoreLocked
from leadline.store.lock import Holder, WriterLock

HOLD = """
import sys
from pathlib import Path
from leadline.store.lock import WriterLock
WriterLock(Path(sys.argv[1])).acquire()
print("held", flush=True)
sys.stdin.read()
"""


def test_a_second_writer_is_told_who_has_the_lock(tmp_path: Path) -> None:
    first, second = WriterLock(tmp_path / "lock"), WriterLock(tmp_path / "lock")
    first.acquire()
    first.acquire()
    with pytest.raises(StoreLocked, match=f"process {os.getpid()} on {socket.gethostname()}"):
        second.acquire()
    first.release()
    second.acquire()
    assert (first.held, second.held) == (False, True)
    second.release()


def test_the_lock_of_a_killed_process_is_taken_over_and_that_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "lock"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreLocked, match=f"process {holder.pid}"):
            WriterLock(path).acquire()
        holder.send_signal(signal.SIGKILL)
    lock = WriterLock(path)
    with caplog.at_level(logging.WARNING):
        lock.acquire()
    assert f"process {holder.pid}" in caplog.text
    assert json.loads(path.read_text(encoding="utf-8"))["pid"] == os.getpid()
    lock.release()
    assert path.read_bytes() == b""


def test_whether_a_holder_has_ended_is_only_known_on_its_own_host() -> None:
    here = socket.gethostname()
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert Holder(ended.pid, here, "").ended
    assert not Holder(os.getpid(), here, "").ended
    assert not Holder(ended.pid, f"not-{here}", "").ended
