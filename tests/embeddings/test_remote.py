"""An embedding server over real HTTP: what is asked, what is retried, and what is not believed."""

from typing import Any

import numpy as np
import pytest

from leadline import endpoints
from leadline.embeddings import remote
from leadline.embeddings.base import EncoderOptions, unit
from leadline.embeddings.remote import RemoteEmbedder, build
from leadline.errors import ConfigError, EmbeddingFailed
from tests.embeddings.server import Reply, Server, good, serving, vector


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "WAIT", 0.01)
    monkeypatch.setattr(remote, "LONGEST_WAIT", 0.02)


def embedder(server: Server, **options: Any) -> RemoteEmbedder:
    return build(EncoderOptions(model="m-1", url=server.url, **options))


def test_many_texts_come_back_in_order_over_several_requests() -> None:
    texts = ["a" * number + "x" for number in range(100)]
    with serving() as server:
        found = embedder(server, key="k-123", passage_prefix="passage: ").embed_documents([*texts, " "])
        assert len(server.requests) == 1 + 4
        assert server.requests[1]["path"] == "/v1/embeddings"
        assert all(len(request["input"]) <= remote.PER_REQUEST for request in server.requests)
        assert {headers["Authorization"] for headers in server.headers} == {"Bearer k-123"}
    assert found.shape == (101, 3)
    assert found[:100] == pytest.approx(unit([vector(f"passage: {text}") for text in texts]))


def test_a_blank_text_is_not_asked_for_and_its_vector_is_zeros() -> None:
    with serving() as server:
        made = embedder(server)
        found = made.embed_documents(["", "  ", "ab"])
        assert server.requests[-1]["input"] == ["ab"]
        assert made.embed_documents([""]).shape == (1, 3)
    assert not found[:2].any()
    assert np.linalg.norm(found[2]) == pytest.approx(1.0)


def test_its_name_is_the_models_and_its_key_is_never_shown() -> None:
    with serving() as server:
        made = embedder(server, key="k-123")
        assert (made.name, made.dimension, made.slow) == ("remote-m-1", 3, True)
        assert made.strength.weight("arabic") > 0
        assert embedder(server, scripts=("latin",)).strength.weight("arabic") == 0
    assert "k-123" not in repr(EncoderOptions(key="k-123"))


def test_a_refused_key_is_not_repeated_and_its_variable_is_named() -> None:
    with (
        serving(lambda body, number: (401, {"error": "bad key sk-long-1"})) as server,
        pytest.raises(EmbeddingFailed, match="OPENAI_API_KEY to a valid key") as refused,
    ):
        embedder(server, key="sk-long-1", variable="OPENAI_API_KEY")
    assert "sk-long-1" not in str(refused.value)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_failure_that_may_pass_is_tried_again(status: int) -> None:
    def reply(body: dict[str, Any], number: int) -> Reply:
        return (
            (status, {"error": "busy"}, {"retry-after": "0.01"}) if number in (2, 3) else good(body, number)
        )

    with serving(reply) as server:
        assert embedder(server).embed_queries(["ab"]).shape == (1, 3)
        assert len(server.requests) == 4


def test_it_gives_up_after_some_attempts_and_says_what_the_server_said() -> None:
    with serving(lambda body, number: (503, b"<h1>overloaded\x1b[31m</h1>")) as server:
        with pytest.raises(EmbeddingFailed, match="answered 503.*overloaded"):
            embedder(server)
        assert len(server.requests) == remote.ATTEMPTS


@pytest.mark.parametrize(
    ("status", "said"), [(401, "LEADLINE_EMBEDDING_KEY"), (404, "embedding_url"), (400, "too long")]
)
def test_a_refusal_is_not_tried_again_and_says_what_to_do(status: int, said: str) -> None:
    with serving(lambda body, number: (status, {"error": "too long"})) as server:
        with pytest.raises(EmbeddingFailed, match=said):
            embedder(server)
        assert len(server.requests) == 1


ROW = {"index": 0, "embedding": [1.0, 2.0, 3.0]}
BAD: dict[str, Any] = {
    "no JSON": b"<html>",
    "no object": [1, 2],
    "no data": {"object": "list"},
    "rows that are none": {"data": [1]},
    "too few": {"data": []},
    "too many": {"data": [ROW, {**ROW, "index": 1}]},
    "one twice": {"data": [ROW, ROW]},
    "a strange place": {"data": [{**ROW, "index": 5}]},
    "a place in words": {"data": [{**ROW, "index": "first"}]},
    "another dimension": {"data": [{"index": 0, "embedding": [1.0, 2.0]}]},
    "no dimension": {"data": [{"index": 0, "embedding": []}]},
    "not a number": b'{"data": [{"index": 0, "embedding": [1, NaN, 2]}]}',
    "endless": b'{"data": [{"index": 0, "embedding": [1, 1e400, 2]}]}',
    "words": {"data": [{"index": 0, "embedding": ["a", "b", "c"]}]},
    "base64": {"data": [{"index": 0, "embedding": "AACAPw=="}]},
    "nested": b'{"data": ' + b"[" * 100_000,
}


@pytest.mark.parametrize("kind", BAD)
def test_a_reply_that_is_no_vector_for_each_text_is_an_error(kind: str) -> None:
    with serving(lambda body, number: good(body, number) if number == 1 else (200, BAD[kind])) as server:
        made = embedder(server)
        with pytest.raises(EmbeddingFailed, match="The embedding server"):
            made.embed_queries(["ab"])
        assert len(server.requests) == 2


def test_a_reply_larger_than_any_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as server:
        made = embedder(server)
        monkeypatch.setattr(remote, "LARGEST_REPLY", 10)
        with pytest.raises(EmbeddingFailed, match="more than"):
            made.embed_queries(["ab"])


def test_nobody_there_is_an_error_that_names_the_address() -> None:
    with serving() as server:
        url = server.url
    with pytest.raises(EmbeddingFailed, match=f"{url}/embeddings cannot be reached"):
        build(EncoderOptions(model="m", url=url))


@pytest.mark.parametrize(
    ("model", "url", "said"),
    [
        ("", "http://localhost/v1", "`embedding_model`"),
        ("m", "", "`embedding_url`"),
        ("m", "localhost:80/v1", "http://"),
        ("m", "ftp://localhost/v1", "http://"),
    ],
)
def test_what_is_not_set_is_named(model: str, url: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        build(EncoderOptions(model=model, url=url))
