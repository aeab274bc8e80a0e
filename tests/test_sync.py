"""The library's face: the same from plain code, from a running loop and from coroutines."""

import asyncio
import os
import sys
import threading
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from leadline import Leadline
from leadline.errors import ConfigError, UnknownCollection, UsageError
from leadline.events import Event, Searched, Stopped
from leadline.flow import read_flow
from leadline.run import Run
from leadline.testing.running import go
from leadline.types import Answer, StopReason

QUESTION = "Who built the tide mill at Oxley?"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "mill.md").write_text(
        "# Tide mill\n\nThe tide mill at Oxley was built by Mara Quill in 1887.\n", encoding="utf-8"
    )
    (folder / "quill.md").write_text("# Mara Quill\n\nMara Quill was born in Skerrow.\n", encoding="utf-8")
    return folder


def test_plain_code_loads_searches_and_asks(tmp_path: Path, files: Path) -> None:
    with Leadline(tmp_path / "data") as leadline:
        assert leadline.load(files).loaded == 2
        assert Path(leadline.search(QUESTION, limit=1)[0].chunk.source).name == "mill.md"
        answer = leadline.ask(QUESTION)
        assert answer.found
        assert "Mara Quill" in answer.text
        assert [each.name for each in leadline.collections()] == ["default"]
        assert len(leadline.remove(files)) == 2


def test_it_works_where_a_loop_is_running_already(tmp_path: Path, files: Path) -> None:
    async def cell() -> str:
        with Leadline(tmp_path / "data") as leadline:
            leadline.load(files)
            return leadline.ask(QUESTION).text

    assert "Mara Quill" in go(cell())


def test_coroutines_load_search_ask_and_watch(tmp_path: Path, files: Path) -> None:
    async def work() -> None:
        async with Leadline(tmp_path / "data") as leadline:
            assert (await leadline.aload(files)).loaded == 2
            assert (await leadline.asearch(QUESTION, 1))[0].chunk.text
            assert (await leadline.aask(QUESTION, agent="fast")).found
            seen = [item async for item in leadline.watch(QUESTION, agent="deep")]
            assert any(isinstance(item, Searched) for item in seen)
            assert any(isinstance(item, Stopped) for item in seen)
            assert isinstance(seen[-1], Answer)

    go(work())


def test_closing_the_stream_stops_the_run(tmp_path: Path, files: Path) -> None:
    async def work() -> int:
        async with Leadline(tmp_path / "data") as leadline:
            await leadline.aload(files)
            run = Run()
            async with aclosing(leadline.watch(QUESTION, agent="deep", run=run)) as stream:
                async for _ in stream:
                    break
            return run.searches

    assert go(work()) <= 1


def test_a_run_is_told_of_events_and_can_be_cancelled(tmp_path: Path, files: Path) -> None:
    seen: list[Event] = []
    run = Run(emit=seen.append)
    run.cancel()
    with Leadline(tmp_path / "data") as leadline:
        leadline.load(files)
        answer = leadline.ask(QUESTION, agent="deep", run=run)
    assert answer.stop is StopReason.CANCELLED
    assert seen


def test_a_failing_watch_raises_what_went_wrong(tmp_path: Path) -> None:
    async def work() -> None:
        async with Leadline(tmp_path / "data") as leadline:
            async for _ in leadline.watch("why?", collections=["notes"]):
                pass

    with pytest.raises(UnknownCollection, match="leadline load PATH"):
        go(work())


def test_two_of_them_see_nothing_of_each_other(tmp_path: Path, files: Path) -> None:
    with Leadline(tmp_path / "a") as first, Leadline(tmp_path / "b", flags={"embedding": "none"}) as second:
        first.load(files)
        second.load(files / "mill.md", collection="texts")
        assert [each.name for each in first.collections()] == ["default"]
        (texts,) = second.collections()
        assert (texts.name, texts.embedding, texts.documents) == ("texts", "none", 1)
        with pytest.raises(UnknownCollection):
            second.search("mill")


def test_what_one_writes_the_other_reads(tmp_path: Path, files: Path) -> None:
    with Leadline(tmp_path / "data") as writer, Leadline(tmp_path / "data") as reader:
        writer.load(files / "mill.md")
        assert len(reader.search("Mara Quill")) == 1
        writer.load(files)
        assert len(reader.search("Mara Quill")) == 2


def test_several_threads_may_use_one(tmp_path: Path, files: Path) -> None:
    found: list[int] = []
    with Leadline(tmp_path / "data") as leadline:
        leadline.load(files)
        threads = [
            threading.Thread(target=lambda: found.append(len(leadline.search("mill")))) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == 8
    assert min(found) >= 1


def test_a_closed_one_says_so_and_closing_twice_is_fine(tmp_path: Path) -> None:
    leadline = Leadline(tmp_path / "data")
    leadline.close()
    leadline.close()
    with pytest.raises(UsageError, match="closed"):
        leadline.collections()


def test_settings_are_checked_when_it_is_made(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="ask.rounds"):
        Leadline(tmp_path, flags={"ask.round": 2})


def test_waiting_can_be_given_up(tmp_path: Path, files: Path) -> None:
    async def work() -> None:
        async with Leadline(tmp_path / "data") as leadline:
            await leadline.aload(files)
            task = asyncio.create_task(leadline.aask(QUESTION, agent="deep"))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await leadline.aask(QUESTION)).found

    go(work())


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"agent": "slow"}, "auto, fast, deep, chain or research"),
        ({"rounds": 0}, "from 1"),
        ({"rounds": "many"}, "from 1"),
        ({"layers": {"jugde": False}}, "judge"),
        ({"where": 5}, "year >= 2023"),
        ({"colection": "default"}, "Did you mean `collections`"),
    ],
    ids=str,
)
def test_what_cannot_be_asked_for_is_refused(
    choices: dict[str, Any], says: str, tmp_path: Path, files: Path
) -> None:
    with Leadline(tmp_path / "data") as leadline:
        leadline.load(files)
        with pytest.raises(UsageError, match=says):
            leadline.ask(QUESTION, **choices)


@pytest.mark.parametrize(
    "value", [None, pytest.param(object(), id="object"), float("nan"), [1, "x"]], ids=str
)
def test_metadata_that_cannot_be_stored_is_refused(value: Any, tmp_path: Path, files: Path) -> None:
    with Leadline(tmp_path / "data") as leadline, pytest.raises(UsageError, match="metadata `key`"):
        leadline.load(files, metadata={"key": value})
    assert not (tmp_path / "data").exists()


def test_one_text_stands_for_a_list_of_one(tmp_path: Path, files: Path) -> None:
    with Leadline(tmp_path / "data") as leadline:
        labels: Any = ["red", "blue"]
        assert leadline.load(files, metadata={"labels": labels}, exclude="quill.md").loaded == 1
        found = leadline.search(QUESTION, collections="default", where='labels == "blue"')
        assert [Path(hit.chunk.source).name for hit in found] == ["mill.md"]
        for limit in (0, -1):
            with pytest.raises(UsageError, match="limit"):
                leadline.search(QUESTION, limit)


def test_a_question_of_broken_characters_is_a_question(tmp_path: Path, files: Path) -> None:
    with Leadline(tmp_path / "data") as leadline:
        leadline.load(files)
        assert leadline.ask("tide mill \ud800\udcff\0").question.startswith("tide mill")


@pytest.mark.skipif(sys.platform == "darwin", reason="names are text there")
def test_a_file_whose_name_is_no_text_is_removed_by_its_path(tmp_path: Path, files: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(files) + b"/odd\xff.md"))
    odd.write_text("# Odd\n\nA name of bytes.\n", encoding="utf-8")
    with Leadline(tmp_path / "data") as leadline:
        leadline.load(files)
        assert len(leadline.remove(odd)) == 1


def test_a_flow_runs_from_a_file_or_as_it_was_built(tmp_path: Path) -> None:
    file = tmp_path / "flow.yaml"
    file.write_text(
        "arguments: {least: {type: int}, out: {type: path}}\n"
        "source: {rows: [{n: 1}, {n: 2}, {n: 3}]}\n"
        "steps: [{filter: {condition: n >= $least}}]\n"
        "sink: {jsonl: $out}\n",
        encoding="utf-8",
    )
    out = tmp_path / "out.jsonl"
    with Leadline(tmp_path / "data") as leadline:
        assert leadline.flow(file, least=2, out=out).rows_out == 2
        assert out.read_text(encoding="utf-8") == '{"n": 2}\n{"n": 3}\n'
        assert leadline.collections() == []
        built = read_flow(file, {"least": 3, "out": out})
        assert leadline.flow(built).rows_out == 1
        with pytest.raises(UsageError, match="takes no arguments"):
            leadline.flow(built, least=1)
        assert go(leadline.aflow(built)).rows_out == 1
