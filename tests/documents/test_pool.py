"""Workers may hang, crash or eat memory: each file ends as text or as a DocumentError, and the pool goes on."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from leadline.documents.base import Extracted
from leadline.documents.pool import ReaderPool
from leadline.errors import DocumentError
from tests.documents import samples

HOSTILE = '''
import ctypes, os, signal, subprocess, sys, time
from pathlib import Path
from leadline.documents.base import Extracted

class Panic(BaseException):
    """What a native extractor raises."""

def read(path, *, passwords=(), ocr=True, seconds=0.0):
    what = path.read_text()
    if what == "hang":
        time.sleep(60)
    elif what == "hang with child":
        child = subprocess.Popen(["sleep", "60"])
        Path(str(path) + ".pid").write_text(str(child.pid))
        time.sleep(60)
    elif what == "panic":
        raise Panic("index out of bounds")
    elif what == "exit":
        os._exit(0)
    elif what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif what == "memory":
        blocks = [bytearray(1 << 20) for _ in range(4096)]
    elif what == "native memory":
        ctypes.memset(ctypes.CDLL(None).malloc(4 << 30) or 0, 1, 4 << 30)
    elif what == "chatter":
        os.write(1, b"junk on the output")
        print("more junk")
    return Extracted(text=f"{what} {os.getpid()}")
'''


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "hostile_reader.py").write_text(HOSTILE, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "modules"), *sys.path])
    return "hostile_reader:read"


def files(folder: Path, *contents: str) -> list[Path]:
    paths = [folder / f"{i}.md" for i in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_text(content, encoding="utf-8")
    return paths


def with_pool(pool: ReaderPool, use: Callable[[ReaderPool], Awaitable[object]]) -> None:
    async def main() -> None:
        async with pool:
            await use(pool)

    asyncio.run(main())


def test_a_library_that_is_missing_is_no_fault_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "trafilatura.py").write_text(
        'raise ImportError("lxml.html.clean is apart")', encoding="utf-8"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    page, text = tmp_path / "page.webpage", tmp_path / "a.txt"
    page.write_text("<main><p>The mill was built in 1784.</p></main>", encoding="utf-8")
    text.write_text("Of oak.", encoding="utf-8")

    async def use(pool: ReaderPool) -> None:
        first, second = await pool.read_many([page, text])
        assert isinstance(first, DocumentError)
        assert first.reason.endswith("cannot be imported here (lxml.html.clean is apart)")
        assert "Install Leadline again" in first.remedy
        assert isinstance(second, Extracted)

    with_pool(ReaderPool(1), use)


def test_real_files_come_back_as_they_were_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\ntags: [x]\n---\n# One\n\ntwo", encoding="utf-8")
    (tmp_path / "b.pdf").write_bytes(samples.pdf(samples.lines("words"), samples.lines("more")))

    async def use(pool: ReaderPool) -> None:
        first, second, third = await pool.read_many(
            [tmp_path / "a.md", tmp_path / "b.pdf", tmp_path / "none.md"]
        )
        assert isinstance(first, Extracted) and isinstance(second, Extracted)
        assert first.metadata == {"tags": ("x",)} and first.headings[0].text == "One"
        assert [(p.number, second.text[p.start : p.end].strip()) for p in second.pages] == [
            (1, "words"),
            (2, "more"),
        ]
        assert isinstance(third, DocumentError) and third.remedy

    with_pool(ReaderPool(2), use)


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("hang", "longer than"),
        ("panic", "Panic"),
        ("exit", "crash"),
        ("crash", "SIGSEGV"),
        ("memory", "memory"),
        ("native memory", "memory"),
    ],
)
def test_a_file_that_breaks_its_reader_is_an_error_and_the_others_are_read(
    tmp_path: Path, hostile: str, what: str, reason: str
) -> None:
    paths = files(tmp_path, "one", what, "two", "three")

    async def use(pool: ReaderPool) -> None:
        before, broken, *after = await pool.read_many(paths)
        assert isinstance(broken, DocumentError) and reason in broken.reason and broken.remedy
        assert [f.text.split()[0] for f in (before, *after) if isinstance(f, Extracted)] == [
            "one",
            "two",
            "three",
        ]

    seconds = 1.5 if what == "hang" else 60
    with_pool(ReaderPool(1, seconds=seconds, memory_mb=512, reader=hostile), use)


def test_a_worker_is_kept_between_files(tmp_path: Path, hostile: str) -> None:
    async def use(pool: ReaderPool) -> None:
        path = files(tmp_path, "same")[0]
        assert (await pool.read(path)).text == (await pool.read(path)).text

    with_pool(ReaderPool(1, reader=hostile), use)


def test_what_a_reader_prints_does_not_disturb_the_answers(tmp_path: Path, hostile: str) -> None:
    async def use(pool: ReaderPool) -> None:
        assert (await pool.read(files(tmp_path, "chatter")[0])).text.startswith("chatter")

    with_pool(ReaderPool(1, reader=hostile), use)


def test_a_cancelled_read_frees_its_place_and_kills_what_it_started(tmp_path: Path, hostile: str) -> None:
    hang, fine = files(tmp_path, "hang with child", "fine")
    pid = Path(f"{hang}.pid")

    async def use(pool: ReaderPool) -> None:
        task = asyncio.create_task(pool.read(hang))
        assert await asyncio.to_thread(number_in, pid)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await pool.read(fine)).text.startswith("fine")

    with_pool(ReaderPool(1, reader=hostile), use)
    assert gone(number_in(pid))


def test_a_worker_that_died_while_idle_is_replaced(tmp_path: Path, hostile: str) -> None:
    async def use(pool: ReaderPool) -> None:
        path = files(tmp_path, "fine")[0]
        os.kill(int((await pool.read(path)).text.split()[1]), signal.SIGKILL)
        await asyncio.sleep(0.2)
        assert (await pool.read(path)).text.startswith("fine")

    with_pool(ReaderPool(1, reader=hostile), use)


def test_workers_end_with_the_pool_and_with_a_killed_parent(tmp_path: Path, hostile: str) -> None:
    idle, hang = files(tmp_path, "idle", "hang with child")
    script = f"""
import asyncio, sys
sys.path[:] = {sys.path!r}
from pathlib import Path
from leadline.documents.pool import ReaderPool
async def main():
    async with ReaderPool(2, reader={hostile!r}) as pool:
        print((await pool.read(Path({str(idle)!r}))).text.split()[1], flush=True)
        await asyncio.gather(pool.read(Path({str(hang)!r})), pool.read(Path({str(hang)!r})))
asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        child = number_in(Path(f"{hang}.pid"))
        parent.kill()
    assert gone(worker)
    os.kill(child, signal.SIGKILL)


def number_in(path: Path) -> int:
    """The number that somebody will soon have written to a file."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if path.exists() and (text := path.read_text(encoding="ascii")):
            return int(text)
        time.sleep(0.02)
    raise AssertionError(f"nobody wrote {path}")


def gone(pid: int) -> bool:
    """Whether a process has ended (or is only waiting to be collected) within a minute."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def test_a_text_file_needs_no_heavy_library(tmp_path: Path) -> None:
    path = files(tmp_path, "# One\n\ntwo")[0]
    script = f"import sys; sys.path[:] = {sys.path!r}\nfrom pathlib import Path\nfrom leadline.documents.reading import read\nread(Path({str(path)!r}))\nprint(sorted({{'kreuzberg', 'lxml', 'pypdfium2', 'msoffcrypto', 'numpy'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
