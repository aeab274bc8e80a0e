"""A model behind an address: what is sent, what is made of every way to answer and of every way to fail."""

import asyncio

import pytest
from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.usage import RequestUsage

from leadline.errors import ConfigError, LeadlineError, ModelFailed, ModelUnusable
from leadline.llm.base import Message, Picture, Request
from leadline.llm.failures import PassingFailure
from leadline.llm.options import ModelOptions
from leadline.llm.provider import build
from leadline.run import Run
from leadline.testing.model_server import ModelServer, unused_port
from leadline.testing.running import go
from leadline.testing.said import (
    Asked,
    Said,
    cut,
    endless,
    not_json,
    null,
    refusal,
    reset,
    silence,
    turns,
)
from tests.llm.calls import REQUEST, SHAPE, called, provider

PLAIN = Request(REQUEST.messages, "judge")


def test_messages_schema_and_settings_are_sent_and_text_and_tokens_come_back() -> None:
    with ModelServer(turns('{"ok": true}')) as server:
        found = called(provider(server)).reply
        body = server.asked[0].body
    assert (found.text, found.whole, found.broken) == ('{"ok": true}', True, False)
    assert found.input_tokens > 0
    assert found.output_tokens > 0
    assert server.asked[0].messages == [("system", "Task: judge"), ("user", "Is it?")]
    assert server.asked[0].schema == SHAPE.json
    assert (body["max_tokens"], body["temperature"], body["stream"]) == (1_024, 0.0, False)


def test_a_reply_is_told_piece_by_piece() -> None:
    with ModelServer(turns("one two three " * 5)) as server:
        found = called(provider(server), PLAIN, stream=True)
    assert len(found.told) > 1
    assert "".join(found.told) == found.reply.text == "one two three " * 5
    assert found.reply.output_tokens > 0


def test_a_server_that_sends_a_whole_reply_in_place_of_a_stream_is_asked_for_whole_ones_from_then_on() -> (
    None
):
    told: list[str] = []
    with ModelServer(turns("one two three " * 5), streams=False) as server:
        chat = provider(server)

        async def twice() -> list[str]:
            replies = [await chat.ask(PLAIN, Run(), told.append) for _ in range(2)]
            await chat.close()
            return [reply.text for reply in replies]

        assert go(twice()) == told == ["one two three " * 5] * 2
        assert [each.body["stream"] for each in server.asked] == [True, False, False]


def test_such_a_server_that_takes_no_schema_either_is_told_it_in_words() -> None:
    with ModelServer(_without_formats, streams=False) as server:
        found = called(provider(server), stream=True)
    assert (found.reply.text, found.told) == ('{"ok": true}', ['{"ok": true}'])
    assert [(each.body["stream"], each.schema is not None) for each in server.asked] == [
        (True, True),
        (True, False),
        (False, False),
    ]


def test_each_of_the_two_calls_has_the_whole_time() -> None:
    with ModelServer(turns("yes"), streams=False, latency=1.0) as server:
        assert called(provider(server, seconds=1.9), PLAIN, stream=True).reply.text == "yes"
        assert len(server.asked) == 2


OTHERWISE = {
    "400": refusal(400),
    "401": refusal(401),
    "404": refusal(404),
    "429": refusal(429),
    "500": refusal(500),
    "503": refusal(503),
    "silence": silence(),
    "half": reset("half", 0),
}


@pytest.mark.parametrize("said", OTHERWISE.values(), ids=OTHERWISE.keys())
def test_a_stream_that_fails_otherwise_is_asked_for_once_and_again_the_next_time(said: Said) -> None:
    with ModelServer(turns(said)) as server:
        chat = provider(server, seconds=0.4)
        found = called(chat, PLAIN, stream=True)
        assert isinstance(found.error, ModelFailed)
        assert [each.body["stream"] for each in server.asked] == [True]
    assert (chat.streams, found.told) == (True, [])


def test_what_is_neither_a_stream_nor_a_reply_fails_and_leaves_streams_on() -> None:
    with ModelServer(turns(not_json())) as server:
        chat = provider(server)
        found = called(chat, PLAIN, stream=True)
    assert isinstance(found.error, PassingFailure)
    assert (chat.streams, found.told) == (True, [])


def test_nobody_at_the_address_is_not_asked_for_a_whole_reply() -> None:
    chat = build(ModelOptions("openai", "m", f"http://127.0.0.1:{unused_port()}/v1", seconds=60))
    found = called(chat, PLAIN, stream=True)
    assert "cannot be reached" in str(found.error)
    assert chat.streams


def test_a_reply_that_follows_an_earlier_one_shows_that() -> None:
    again = Request((*REQUEST.messages, Message("assistant", "hm"), Message("user", "Again.")), "judge")
    with ModelServer(turns("yes")) as server:
        called(provider(server), again)
    assert [role for role, _ in server.asked[0].messages] == ["system", "user", "assistant", "user"]


def test_pictures_are_sent_along() -> None:
    seen = Request((Message("user", "What is this?", (Picture(b"\x89PNG", "image/png"),)),), "describe")
    with ModelServer(turns("A harbour.")) as server:
        assert called(provider(server), seen).reply.text == "A harbour."
        parts = server.asked[0].body["messages"][0]["content"]
    assert [part["type"] for part in parts] == ["text", "image_url"]
    assert parts[1]["image_url"]["url"].startswith("data:image/png;base64,")


def test_thinking_aloud_is_no_part_of_the_text() -> None:
    with ModelServer(turns("<think>Hm, is it?</think>yes")) as server:
        assert called(provider(server)).reply.text == "yes"


@pytest.mark.parametrize("said", [null(), Said("")], ids=["null", "empty"])
@pytest.mark.parametrize("stream", [False, True])
def test_a_reply_without_text_is_an_empty_one(said: Said, stream: bool) -> None:
    with ModelServer(turns(said)) as server:
        found = called(provider(server), stream=stream)
    assert (found.error, found.reply.text) == (None, "")


@pytest.mark.parametrize("stream", [False, True])
def test_a_reply_cut_at_its_limit_is_not_whole(stream: bool) -> None:
    with ModelServer(turns(cut('{"ok": '))) as server:
        found = called(provider(server), stream=stream).reply
    assert (found.text, found.whole, found.broken) == ('{"ok": ', False, False)


@pytest.mark.parametrize("stream", [False, True])
def test_a_reply_of_five_megabytes_is_read_as_far_as_it_was_asked_for(stream: bool) -> None:
    with ModelServer(turns("word " * 1_000_000)) as server:
        found = called(provider(server), stream=stream).reply
    assert 0 < len(found.text) < 20_000
    assert not found.whole


def test_tokens_are_estimated_where_the_server_does_not_count_them() -> None:
    with ModelServer(turns(Said("yes it is", usage=False))) as server:
        found = called(provider(server), stream=True).reply
    assert (found.input_tokens, found.output_tokens) == (5, 3)


@pytest.mark.parametrize("said", [reset("half a reply", 4), endless()], ids=["reset", "endless"])
def test_of_a_stream_that_ends_early_what_was_heard_is_kept(said: Said) -> None:
    with ModelServer(turns(said)) as server:
        found = called(provider(server, seconds=1.0), stream=True)
    assert found.error is None
    assert found.reply.text == "".join(found.told) != ""
    assert not found.reply.whole


FAULTS: tuple[tuple[str, Said, type[LeadlineError], str], ...] = (
    ("400", refusal(400), ModelFailed, "rejects the request (400)"),
    ("401", refusal(401), ModelUnusable, "asks for a key (401)"),
    ("403", refusal(403), ModelUnusable, "asks for a key (403)"),
    ("404", refusal(404), ModelUnusable, "is not there (404)"),
    ("402", refusal(402), ModelUnusable, "has no credit left (402)"),
    ("408", refusal(408), PassingFailure, "is busy or fails (408)"),
    ("429", refusal(429, retry_after="7"), PassingFailure, "is busy or fails (429)"),
    ("500", refusal(500), PassingFailure, "is busy or fails (500)"),
    ("503", refusal(503), PassingFailure, "is busy or fails (503)"),
    ("page", not_json(), PassingFailure, "sent what is no reply"),
    ("no choices", not_json('{"choices": []}'), PassingFailure, "sent what is no reply"),
    ("a list", not_json("[]"), PassingFailure, "sent what is no reply"),
    (
        "a number",
        not_json('{"choices": [{"message": {"content": 5}}]}'),
        PassingFailure,
        "sent what is no reply",
    ),
    ("silence", silence(), PassingFailure, "gave no reply in 0.4 s"),
    ("never whole", endless(), PassingFailure, "gave no reply in 0.4 s"),
    ("half", reset("half", 2), PassingFailure, "ended the connection"),
)


@pytest.mark.parametrize(
    ("said", "kind", "words"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS]
)
def test_a_failure_is_told_in_words_of_ours(said: Said, kind: type[LeadlineError], words: str) -> None:
    with ModelServer(turns(said)) as server:
        error = called(provider(server, seconds=0.4 if "in 0.4 s" in words else 60)).error
    assert type(error) is kind
    assert words in str(error)
    assert "refused by script" not in str(error)


def test_how_long_the_server_asks_to_wait_is_kept() -> None:
    with ModelServer(turns(refusal(429, retry_after="7"))) as server:
        error = called(provider(server)).error
    assert isinstance(error, PassingFailure)
    assert error.wait == 7.0


def test_nobody_at_the_address_is_a_failure_that_may_pass() -> None:
    chat = build(ModelOptions("openai", "m", f"http://127.0.0.1:{unused_port()}/v1", seconds=60))
    error = called(chat).error
    assert isinstance(error, PassingFailure)
    assert "cannot be reached" in str(error)


def test_a_model_that_is_not_there_is_named() -> None:
    with ModelServer(turns("yes"), models=("other",)) as server:
        error = called(provider(server)).error
    assert isinstance(error, ModelUnusable)
    assert "openai:scripted at http://127.0.0.1" in str(error)


def _without_formats(asked: Asked) -> Said | str:
    return refusal(400, "response_format is not supported") if asked.schema else '{"ok": true}'


def test_a_server_that_takes_no_schema_is_told_it_in_words_from_then_on() -> None:
    with ModelServer(_without_formats) as server:
        chat = provider(server)

        async def twice() -> list[str]:
            replies = [await chat.ask(REQUEST, Run()) for _ in range(2)]
            await chat.close()
            return [reply.text for reply in replies]

        assert go(twice()) == ['{"ok": true}'] * 2
        schemas = [asked.schema is not None for asked in server.asked]
        assert schemas == [True, False, False]
        assert '"required":["ok"]' in server.asked[-1].prompt


def test_a_request_that_is_refused_either_way_is_no_matter_of_the_schema() -> None:
    with ModelServer(turns(refusal(400))) as server:
        chat = provider(server)
        found = called(chat)
    assert isinstance(found.error, ModelFailed)
    assert chat.schemas
    assert len(server.asked) == 2


def _sent(provider: str, key: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The headers of one request, with much in the environment that is nobody's business."""
    monkeypatch.setenv("OPENAI_API_KEY", "own-key")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "admin-key")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-mine")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-mine")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Inner: secret")
    with ModelServer(turns("yes")) as server:
        found = called(build(ModelOptions(provider, "scripted", server.url, key, seconds=60)))
        assert found.reply.text == "yes"
        return dict(server.asked[0].headers)


@pytest.mark.parametrize(
    ("provider", "key"),
    [
        ("openai", ""),
        ("openai", "given-key"),
        ("ollama", ""),
        ("vllm", "given-key"),
        ("litellm", "given-key"),
        ("moonshotai", "given-key"),
        ("alibaba", "given-key"),
    ],
)
def test_what_the_environment_says_of_openai_reaches_no_other_server(
    provider: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = _sent(provider, key, monkeypatch)
    assert headers.get("authorization", "") == (f"Bearer {key}" if key else "")
    assert not {"openai-organization", "openai-project", "x-inner"} & set(headers)
    assert not [value for value in headers.values() if "own-key" in value or "admin-key" in value]


def test_azure_gets_its_key_in_a_header_of_its_own() -> None:
    with ModelServer(turns("yes")) as server:
        called(build(ModelOptions("azure", "scripted", server.url, "given-key", seconds=60)))
        (asked,) = [*server.asked, *server.other]
    assert asked.headers["api-key"] == "given-key"
    assert "authorization" not in asked.headers


def test_a_variable_that_only_the_library_reads_is_named_where_it_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_VERSION", raising=False)
    with pytest.raises(ConfigError, match="OPENAI_API_VERSION"):
        build(ModelOptions("azure", "m", "https://models.example", "given-key"))


@pytest.mark.slow
def test_a_library_of_the_providers_own_says_what_it_has_to_say() -> None:
    pytest.importorskip("anthropic")
    with ModelServer(turns("yes")) as server:
        called(build(ModelOptions("anthropic", "scripted", server.url, "given-key", seconds=60)))
        (asked,) = server.other
    assert asked.path.endswith("/messages")
    assert "anthropic-version" in asked.headers
    assert "given-key" in {*asked.headers.values(), asked.headers.get("authorization", "")[7:]}


def test_neither_key_nor_question_follow_a_redirect_to_another_server() -> None:
    with ModelServer(turns("stolen"), key="given-key") as other:
        away = Said("", status=307, headers={"Location": f"{other.url}/chat/completions"})
        with ModelServer(turns(away)) as server:
            found = called(provider(server, key="given-key"))
        assert isinstance(found.error, ModelFailed)
        assert (other.asked, other.other) == ([], [])


def test_a_compressed_reply_that_nobody_asked_for_is_not_unpacked() -> None:
    packed = Said(raw="\x1f\x8b", headers={"Content-Encoding": "gzip"})
    with ModelServer(turns(packed)) as server:
        found = called(provider(server))
        assert server.asked[0].headers["accept-encoding"] == "identity"
    assert isinstance(found.error, PassingFailure)


def test_calls_of_one_model_overlap() -> None:
    with ModelServer(turns("yes"), latency=0.2) as server:
        chat = provider(server)

        async def many() -> None:
            await asyncio.gather(*(chat.ask(PLAIN, Run()) for _ in range(20)))
            await chat.close()

        go(many())
        assert server.most == 20


def _price(options: ModelOptions) -> float | None:
    """Of a reply with a million tokens either way."""
    chat = build(options)
    go(chat.close())
    usage = RequestUsage(input_tokens=1_000_000, output_tokens=1_000_000)
    return chat.connection.price(
        ModelResponse([TextPart("yes")], usage=usage, model_name=options.name, provider_name="openai")
    )


def test_a_price_is_known_of_a_provider_nothing_on_this_machine_and_unknown_elsewhere() -> None:
    known = _price(ModelOptions("openai", "gpt-4o-mini", key="k"))
    assert known is not None
    assert known > 0
    assert _price(ModelOptions("openai", "gpt-4o-mini", "http://127.0.0.1:1/v1")) == 0.0
    assert _price(ModelOptions("openai", "gpt-4o-mini", "http://models.example/v1")) is None
    assert _price(ModelOptions("openai", "nobody-knows-this", key="k")) is None


def test_the_context_is_what_is_configured_else_what_is_known_else_a_small_one() -> None:
    def context(provider: str, name: str, size: int | None = None) -> int:
        chat = build(ModelOptions(provider, name, key="k", context=size))
        go(chat.close())
        return chat.context

    assert context("openai", "gpt-4o-mini") == 128_000
    assert context("openai", "gpt-4o-mini", 5_000) == 5_000
    assert context("openai", "nobody-knows-this") == 8_192


@pytest.mark.parametrize(
    ("name", "limit", "temperature"),
    [
        ("gpt-4o-mini", ("max_tokens", 1_024), 0.0),
        ("qwen3-8b", ("max_tokens", 1_024), 0.0),
        ("gpt-5", ("max_completion_tokens", 1_024 + 8_192), None),
        ("o3", ("max_completion_tokens", 1_024 + 8_192), None),
    ],
)
def test_a_model_that_thinks_gets_room_for_that_and_no_temperature(
    name: str, limit: tuple[str, int], temperature: float | None
) -> None:
    with ModelServer(turns("yes"), models=(name,)) as server:
        found = called(build(ModelOptions("openai", name, server.url, seconds=60)))
        body = server.asked[0].body
    assert found.reply.text == "yes"
    assert (body[limit[0]], body.get("temperature")) == (limit[1], temperature)
