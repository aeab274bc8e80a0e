"""The other side of pool.py: reads files one after the other and sends back what it finds.

A message is its length in four bytes, then JSON. The worker ends when its parent does: its input closes when idle, an
alarm ends it when busy, and on Linux the kernel is asked to end it at once.
"""

import ctypes
import importlib
import json
import os
import resource
import signal
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

from leadline.documents.base import Extracted
from leadline.documents.exchange import to_json
from leadline.errors import DocumentError

_PR_SET_PDEATHSIG = 1
_GRACE_SECONDS = 10


def main(parent: int, seconds: float, memory_mb: int, reader: str) -> None:
    """Serve until the input ends. Nothing else may write to the descriptor the answers go to."""
    answers = os.fdopen(os.dup(1), "wb")
    jobs = os.fdopen(os.dup(0), "rb")
    quiet = os.open(os.devnull, os.O_RDWR)
    os.dup2(quiet, 0)
    os.dup2(quiet, 1)
    _die_with(parent)
    _limit_memory(memory_mb)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    module, _, name = reader.partition(":")
    read = cast(Callable[..., Extracted], getattr(importlib.import_module(module), name))
    while (job := _receive(jobs)) is not None:
        signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE_SECONDS)
        answer = _answer(read, job, seconds * 0.8)
        signal.setitimer(signal.ITIMER_REAL, 0)
        answer["retire"] = answer.get("retire", False) or _resident_mb() > memory_mb // 2
        _send(answers, answer)


def _answer(read: Callable[..., Extracted], job: dict[str, Any], seconds: float) -> dict[str, Any]:
    try:
        how = {"ocr": job["ocr"], "seconds": seconds, **({"pictures": True} if job["pictures"] else {})}
        found = read(Path(job["path"]), passwords=tuple(job["passwords"]), **how)
        return {"extracted": to_json(found)}
    except DocumentError as error:
        return {"reason": error.reason, "remedy": error.remedy}
    except ImportError as error:
        return {
            "reason": f"could not be read: a library that reads it cannot be imported here ({str(error)[:200]})",
            "remedy": "Install Leadline again with what it depends on; `leadline doctor` says what is missing.",
            "retire": True,
        }
    except MemoryError:
        return {
            "reason": "needs more memory than is allowed",
            "remedy": "Split it, or raise the memory limit.",
            "retire": True,
        }
    except BaseException as error:  # noqa: BLE001 - a panic of a native reader is a BaseException and must not end the load
        reason = f"could not be read ({type(error).__name__}: {str(error)[:200]})"
        return {"reason": reason, "remedy": "Save it again from the program that made it.", "retire": True}


def _receive(jobs: BinaryIO) -> dict[str, Any] | None:
    head = jobs.read(4)
    if len(head) < 4:
        return None
    return json.loads(jobs.read(struct.unpack("<I", head)[0]))


def _send(answers: BinaryIO, answer: dict[str, Any]) -> None:
    data = json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace")
    answers.write(struct.pack("<I", len(data)) + data)
    answers.flush()


def _die_with(parent: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def _limit_memory(memory_mb: int) -> None:
    """RLIMIT_DATA counts memory that can be written; address space would also count what native threads only reserve."""
    kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    try:
        resource.setrlimit(kind, (memory_mb << 20, memory_mb << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ValueError, OSError):
        return


def _resident_mb() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - called after every file, and Path costs more
            return int(file.read().split()[1]) * resource.getpagesize() >> 20
    except OSError:
        return 0
