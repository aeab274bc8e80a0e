"""The scripted model server, asked by a plain HTTP client and by the library that products use."""

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any

import httpx2 as httpx
import pytest

from leadline.testing.model_server import MODEL, ModelServer, unused_port
from leadline.testing.running import go
from leadline.testing.said import (
    Asked,
    Said,
    by_step,
    cut,
    endless,
    not_json,
    null,
    refusal,
    reset,
    silence,
    turns,
)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(lambda asked: f"you said: {asked.prompt}") as running:
        yield running


def body(text: str = "Task: plan\nhello", **more: Any) -> dict[str, Any]:
    return {"model": MODEL, "messages": [{"role": "user", "content": text}], **more}


def client(server: ModelServer, **more: Any) -> httpx.Client:
    return httpx.Client(base_url=server.url, trust_env=False, timeout=60, **more)


def ask(server: ModelServer, **more: Any) -> httpx.Response:
    with client(server) as http:
        return http.post("/chat/completions", json=body(**more))


def pieces(text: str) -> list[dict[str, Any]]:
    lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    assert lines[-1] == "[DONE]"
    return [json.loads(line) for line in lines[:-1]]


def test_the_script_answers_from_the_prompt_and_the_usage_follows_its_length(server: ModelServer) -> None:
    told = ask(server).json()
    assert told["choices"][0]["message"]["content"] == "you said: Task: plan\nhello"
    assert told["choices"][0]["finish_reason"] == "stop"
    assert told["usage"]["prompt_tokens"] == len("Task: plan\nhello") // 4 + 1
    assert server.steps() == ["plan"]


def test_a_stream_has_the_same_text_in_pieces_and_the_usage_at_its_end(server: ModelServer) -> None:
    told = pieces(ask(server, text="x" * 100, stream=True).text)
    text = "".join(each["choices"][0]["delta"].get("content", "") for each in told if each["choices"])
    assert text == "you said: " + "x" * 100
    assert told[-1]["usage"]["total_tokens"] > 50
    assert server.asked[0].streams


def test_one_connection_serves_many_requests(server: ModelServer) -> None:
    with client(server) as http:
        told = [http.post("/chat/completions", json=body(str(n))).json() for n in range(5)]
    assert [each["choices"][0]["message"]["content"] for each in told] == [f"you said: {n}" for n in range(5)]


def test_requests_overlap_and_the_most_at_once_is_counted() -> None:
    async def many(url: str) -> None:
        async with httpx.AsyncClient(base_url=url, trust_env=False) as http:
            posts = [http.post("/chat/completions", json=body()) for _ in range(20)]
            assert all(each.status_code == 200 for each in await asyncio.gather(*posts))

    with ModelServer(lambda _: "ok", latency=0.2) as server:
        go(many(server.url))
        assert 5 < server.most <= 20
        assert all(each.ended is not None and each.ended - each.began >= 0.2 for each in server.asked)


def test_models_and_vectors_are_served_too(server: ModelServer) -> None:
    server.context = 8_192
    with client(server) as http:
        listed = http.get("/models").json()["data"]
        rows = http.post(
            "/embeddings", json={"model": "e", "input": ["blue car", "blue boat", "fast train"]}
        ).json()["data"]
        assert http.get("/nowhere").status_code == 404
    assert [(each["id"], each["max_model_len"]) for each in listed] == [(MODEL, 8_192)]
    one, other, third = (row["embedding"] for row in rows)
    dot = [sum(a * b for a, b in zip(one, vector, strict=True)) for vector in (other, third)]
    assert dot[0] > dot[1]
    assert len(server.other) == 3


def test_a_wrong_key_and_an_unknown_model_are_refused() -> None:
    with ModelServer(lambda _: "ok", key="s3cret") as server:
        assert ask(server).status_code == 401
        headers = {"Authorization": "Bearer s3cret"}
        with client(server, headers=headers) as http:
            assert http.post("/chat/completions", json=body()).status_code == 200
            assert http.post("/chat/completions", json=body(model="other")).status_code == 404
        assert len(server.asked) == 2


def test_a_script_by_step_uses_up_its_turns() -> None:
    script = by_step("no step", plan=turns(refusal(500), refusal(429, retry_after="2"), "planned"), write="w")
    with ModelServer(script) as server:
        told = [ask(server) for _ in range(3)]
        assert [each.status_code for each in told] == [500, 429, 200]
        assert told[1].headers["retry-after"] == "2"
        assert ask(server, text="Task: write").json()["choices"][0]["message"]["content"] == "w"
        assert ask(server, text="hello").json()["choices"][0]["message"]["content"] == "no step"


def test_odd_replies_arrive_as_they_were_told() -> None:
    with ModelServer(turns(null(), cut("half"), not_json("<html>"), Said("no usage", usage=False))) as server:
        assert ask(server).json()["choices"][0]["message"]["content"] is None
        assert ask(server).json()["choices"][0]["finish_reason"] == "length"
        assert ask(server).text == "<html>"
        assert "usage" not in ask(server).json()


@pytest.mark.parametrize("stream", [False, True])
def test_a_connection_breaks_in_the_middle_of_a_reply(stream: bool) -> None:
    with ModelServer(lambda _: reset("a long reply", 30)) as server, pytest.raises(httpx.HTTPError):
        ask(server, stream=stream)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("said", [silence(), endless()])
def test_a_reply_that_never_comes_or_never_ends_is_left_by_the_client(stream: bool, said: Said) -> None:
    async def leave(url: str) -> None:
        async with httpx.AsyncClient(base_url=url, trust_env=False) as http:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.3):
                    await http.post("/chat/completions", json=body(stream=stream))

    with ModelServer(lambda _: said) as server:
        go(leave(server.url))
        for _ in range(100):
            if not server.open:
                break
            time.sleep(0.02)
        assert server.open == 0


def test_a_closed_server_refuses(server: ModelServer) -> None:
    server.close()
    with pytest.raises(httpx.ConnectError):
        ask(server)
    server.port = unused_port()
    with pytest.raises(httpx.ConnectError):
        ask(server)


def test_a_mistake_of_the_script_is_raised_where_the_server_was_opened() -> None:
    def broken(asked: Asked) -> str:
        return asked.body["what is not there"]

    server = ModelServer(broken)
    with pytest.raises(KeyError, match="what is not there"), server, pytest.raises(httpx.HTTPError):
        ask(server)


def test_a_request_is_read_as_the_product_writes_it() -> None:
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "Task: judge\nRules."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "one"}, {"type": "image_url", "image_url": {}}],
        },
        {"role": "assistant", "content": None},
    ]
    wanted = {"type": "json_schema", "json_schema": {"name": "s", "schema": {"type": "object"}}}
    asked = Asked("/v1/chat/completions", {}, {"messages": messages, "response_format": wanted})
    assert (asked.step, asked.repairs, asked.streams) == ("judge", True, False)
    assert asked.prompt == "Task: judge\nRules.\none\n"
    assert asked.schema == {"type": "object"}
    assert Asked("", {}, {"messages": []}).schema is None
