"""A GGUF file as a model: what the engine is told, and (marked `local_model`) what it does."""

import asyncio
import json
import struct
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from leadline import registry
from leadline.errors import ConfigError, ModelFailed, ModelUnusable
from leadline.llm.base import Chat, Message, Picture, Request, Schema
from leadline.run import Run
from leadline.testing.weights import NoWeights, kept

local = pytest.importorskip("leadline.llm.local", reason="xllamacpp is not installed", exc_type=ImportError)
QUERIES = Schema(
    "queries",
    {
        "type": "object",
        "properties": {"queries": {"type": "array", "items": {"type": "string"}, "maxItems": 3}},
        "required": ["queries"],
    },
)


def request(text: str, **more: Any) -> Request:
    return Request((Message("system", "Task: plan"), Message("user", text)), "plan", **more)


@asynccontextmanager
async def small_model(seconds: float = 3_600, **options: Any) -> AsyncGenerator[Chat]:
    try:
        file = kept()
    except NoWeights as missing:
        pytest.skip(str(missing))
    chat: Chat = registry.find("model", "gguf")(str(file), threads=1, seconds=seconds, **options)
    try:
        yield chat
    finally:
        await chat.close()


def test_the_engine_gets_the_messages_the_limits_and_a_bounded_schema() -> None:
    body = local.asked(request("Wer war es? \ud800", schema=QUERIES, max_tokens=60))
    assert body["messages"][1] == {"role": "user", "content": "Wer war es? ?"}
    assert (body["max_tokens"], body["temperature"]) == (60, 0.0)
    schema = body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["queries"]["items"]["maxLength"]
    assert "response_format" not in local.asked(request("Who was it?"))


async def answered(file: Path, asked: Request) -> str:
    chat: Chat = registry.find("model", "gguf")(str(file))
    try:
        return (await chat.ask(asked, Run())).text
    finally:
        await chat.close()


def test_a_damaged_file_is_told_as_one_error(tmp_path: Path) -> None:
    file = tmp_path / "cut.gguf"
    file.write_bytes(struct.pack("<4sIQQ", b"GGUF", 3, 0, 0) + bytes(64))
    with pytest.raises(ModelUnusable, match=r"cut\.gguf` cannot be run"):
        asyncio.run(answered(file, request("Who?")))


def test_a_file_that_is_not_there_is_told_when_the_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        asyncio.run(answered(tmp_path / "none.gguf", request("Who?")))


def test_pictures_are_refused_before_the_file_is_opened(tmp_path: Path) -> None:
    file = tmp_path / "blind.gguf"
    file.write_bytes(struct.pack("<4sIQQ", b"GGUF", 3, 0, 0) + bytes(64))
    shown = Request((Message("user", "What is it?", (Picture(b"", "image/png"),)),), "describe")
    with pytest.raises(ModelUnusable, match="cannot see pictures"):
        asyncio.run(answered(file, shown))


@pytest.mark.local_model
def test_a_reply_follows_its_schema_streams_what_it_says_and_is_the_same_again() -> None:
    async def work() -> None:
        pieces: list[str] = []
        async with small_model() as chat:
            asked = request("Who founded the yard that built the Aurora?", schema=QUERIES, max_tokens=300)
            reply = await chat.ask(asked, Run(), pieces.append)
            again = await chat.ask(asked, Run())
        assert all(isinstance(each, str) for each in json.loads(reply.text)["queries"])
        assert "".join(pieces) == reply.text == again.text
        assert len(pieces) > 3
        assert reply.whole
        assert reply.usd == 0
        assert reply.input_tokens > 10
        assert reply.output_tokens > 3

    asyncio.run(work())


@pytest.mark.local_model
def test_calls_take_turns_and_one_that_is_given_up_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces: list[object] = []
    take = local._Heard.piece

    def counted(heard: object, piece: object) -> bool:
        pieces.append(piece)
        return take(heard, piece)

    monkeypatch.setattr(local._Heard, "piece", counted)

    async def work() -> None:
        async with small_model() as chat:
            await chat.ask(request("Say yes.", max_tokens=2), Run())  # the file is open now
            long = asyncio.create_task(chat.ask(request("Tell a very long story.", max_tokens=4_000), Run()))
            await asyncio.sleep(0.3)
            long.cancel()
            reply = await chat.ask(request("Say yes.", max_tokens=2), Run())
            assert not reply.whole
            assert len(pieces) < 2_000

    asyncio.run(work())


@pytest.mark.local_model
def test_what_cannot_be_done_is_told_and_leaves_the_model_usable() -> None:
    async def work() -> None:
        async with small_model(context=1_024) as chat:
            assert chat.context == 1_024
            with pytest.raises(ModelFailed, match="the model reads 1024"):
                await chat.ask(request("word " * 3_000), Run())
            with pytest.raises(ModelFailed, match="schema"):
                await chat.ask(request("Who?", schema=Schema("odd", {"type": "nonsense"})), Run())
            assert (await chat.ask(request("Say yes.", max_tokens=4), Run())).text

    asyncio.run(work())


@pytest.mark.local_model
def test_a_reply_that_takes_too_long_is_cut_and_says_so() -> None:
    async def work() -> None:
        async with small_model(seconds=3) as chat:
            await chat.ask(request("Say yes.", max_tokens=1), Run())
            cut = await chat.ask(request("Tell a very long story.", max_tokens=4_000), Run())
            assert cut.broken
            assert not cut.whole
            assert cut.text

    asyncio.run(work())
