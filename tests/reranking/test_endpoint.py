"""A real server on the loopback: what is sent, what is believed, and what each way to misbehave comes to."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from leadline import endpoints
from leadline.errors import ConfigError, RerankingFailed
from leadline.reranking import endpoint
from leadline.reranking.base import RerankerOptions
from leadline.reranking.endpoint import EndpointReranker, build
from leadline.run import Run
from leadline.testing.running import go
from tests.reranking.server import RESET, Server, always, ending, good, scored, serving

PASSAGES = ["Granite.", "The yard.", "Where was the founder of the yard born?"]
QUESTION = "Where was the founder of the yard born?"


def asking(server: Server, key: str = "") -> EndpointReranker:
    return build(RerankerOptions(model="tiny", url=server.url, key=key, timeout=60.0))


def scores(server: Server, key: str = "") -> list[float]:
    return go(asking(server, key).rerank(QUESTION, PASSAGES, Run()))


@pytest.fixture(autouse=True)
def no_long_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "WAIT", 0.01)


def test_the_request_is_of_the_form_that_servers_share() -> None:
    with serving() as server:
        quay, yard, born = scores(server, key="k-1")
    assert quay < yard < born
    assert server.requests == [
        {"path": "/v1/rerank", "model": "tiny", "query": QUESTION, "documents": PASSAGES, "top_n": 3}
    ]
    assert server.headers[0]["Authorization"] == "Bearer k-1"


def test_without_a_key_none_is_sent_and_a_whole_address_is_taken_as_it_is() -> None:
    with serving() as server:
        server.url += "/rerank/"
        scores(server)
    assert "Authorization" not in server.headers[0]
    assert server.requests[0]["path"] == "/v1/rerank"


SHAPES: dict[str, Callable[[list[dict[str, Any]]], Any]] = {
    "cohere": lambda rows: {"id": "x", "results": rows, "meta": {}},
    "jina": lambda rows: {"results": [{**row, "document": {"text": "echoed"}} for row in rows]},
    "data": lambda rows: {"object": "list", "data": rows},
    "bare": lambda rows: [{"index": row["index"], "score": row["relevance_score"]} for row in rows],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_known_shape_of_reply_gives_the_same_scores(shape: str) -> None:
    with serving(lambda body, _: (200, SHAPES[shape](scored(body)), {})) as server, serving() as plain:
        assert scores(server) == scores(plain)


def test_scores_outside_0_to_1_are_logits() -> None:
    rows = [{"index": place, "relevance_score": score} for place, score in enumerate((-4.0, 0.0, 1e308))]
    with serving(always(200, {"results": rows})) as server:
        assert scores(server) == pytest.approx([0.018, 0.5, 1.0], abs=0.001)


def row(index: Any, score: Any) -> dict[str, Any]:
    return {"index": index, "relevance_score": score}


def reply(*rows: Any) -> bytes:
    return json.dumps({"results": list(rows)}).encode()


BAD_REPLIES = {
    "an index too many": reply(row(0, 1), row(1, 1), row(3, 1)),
    "a negative index": reply(row(0, 1), row(1, 1), row(-1, 1)),
    "an index twice": reply(row(0, 1), row(1, 1), row(1, 0.5)),
    "one missing": reply(row(0, 1), row(2, 1)),
    "one more": reply(row(0, 1), row(1, 1), row(2, 1), row(2, 1)),
    "an index as text": reply(row("0", 1), row(1, 1), row(2, 1)),
    "an index that is true": reply(row(0, 1), row(True, 1), row(2, 1)),
    "a score of NaN": reply(row(0, 1), row(1, float("nan")), row(2, 1)),
    "an endless score": b'{"results": [{"index": 0, "relevance_score": 1e999}]}',
    "a huge whole number": reply(row(0, 1), row(1, 10**400), row(2, 1)),
    "a score as text": reply(row(0, "0.5"), row(1, 1), row(2, 1)),
    "no score": reply({"index": 0}, row(1, 1), row(2, 1)),
    "rows that are lists": reply([0, 1], [1, 1], [2, 1]),
    "results that are text": b'{"results": "none"}',
    "no results": b'{"error": "busy"}',
    "null": b"null",
    "HTML": b"<html><body>Welcome to the guest network</body></html>",
    "nothing": b"",
    "no UTF-8": b"\xff\xfe{",
    "a deep nest": b"[" * 200_000,
    "5 MB": b" " * 5_000_000 + reply(row(0, 1), row(1, 1), row(2, 1)),
}


@pytest.mark.parametrize("kind", BAD_REPLIES)
def test_a_reply_that_is_not_one_score_for_each_passage_is_refused_at_once(kind: str) -> None:
    with serving(always(200, BAD_REPLIES[kind])) as server:
        with pytest.raises(RerankingFailed) as refused:
            scores(server)
        assert f"the reranking server {server.url}/rerank sent" in str(refused.value)
        assert len(str(refused.value)) < 300
    assert len(server.requests) == 1


def test_a_compressed_reply_is_not_unpacked() -> None:
    headers = {"content-encoding": "gzip"}
    with serving(always(200, b"\x1f\x8b" + b"\0" * 50, headers)) as server:
        with pytest.raises(RerankingFailed, match="no reply of the form"):
            scores(server)
        assert server.headers[0]["Accept-Encoding"] == "identity"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_that_is_busy_is_asked_again_after_the_time_it_names(status: int) -> None:
    def busy(body: dict[str, Any], number: int) -> Any:
        return good(body, number) if number > 1 else (status, {"error": "busy"}, {"retry-after": "0.3"})

    with serving(busy) as server:
        started = time.monotonic()
        assert scores(server)[0] < scores(server)[1]
        assert time.monotonic() - started >= 0.3
    assert len(server.requests) == 3


def test_a_server_that_stays_busy_is_given_up_and_its_longest_wait_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(endpoint, "LONGEST_WAIT", 0.05)
    with (
        serving(always(503, b"over\n capacity", {"retry-after": "86400"})) as server,
        pytest.raises(RerankingFailed, match="answered 503: over capacity"),
    ):
        scores(server)
    assert len(server.requests) == endpoint.ATTEMPTS


def test_a_connection_that_is_reset_is_tried_again() -> None:
    with serving(lambda body, number: RESET if number == 1 else good(body, number)) as server:
        assert len(scores(server)) == 3
    with serving(ending(RESET)) as server, pytest.raises(RerankingFailed, match="cannot be reached"):
        scores(server)


def test_a_server_that_is_not_there_is_named() -> None:
    with serving() as server:
        pass
    with pytest.raises(RerankingFailed, match=r"rerank cannot be reached"):
        scores(server)


REFUSALS = [
    (400, b"top_n?", "answered 400: top_n?"),
    (401, b"", "LEADLINE_RERANKER_KEY"),
    (404, b"no such model", "Check `reranker_url`"),
]


@pytest.mark.parametrize(("status", "said", "told"), REFUSALS)
def test_a_refusal_is_not_tried_again_and_says_what_to_do(status: int, said: bytes, told: str) -> None:
    with serving(always(status, said)) as server, pytest.raises(RerankingFailed) as refused:
        scores(server, key="k-secret")
    assert told in str(refused.value)
    assert "k-secret" not in str(refused.value)
    assert len(server.requests) == 1


def test_a_redirect_is_not_followed_so_the_key_stays_where_it_belongs() -> None:
    with serving() as other:
        with (
            serving(always(307, b"", {"location": f"{other.url}/rerank"})) as server,
            pytest.raises(RerankingFailed, match="answered 307"),
        ):
            scores(server, key="k-secret")
        assert other.requests == []


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"model": "", "url": "http://localhost/v1"}, "needs `reranker_model`"),
        ({"model": "m"}, "needs `reranker_url`"),
        ({"model": "m", "url": "localhost:80"}, "must begin with http"),
        ({"model": "m", "url": "http://localhost:port"}, "is not an address"),
        ({"model": "m", "url": "http://localhost", "key": "k\nx"}, "LEADLINE_RERANKER_KEY"),
        ({"model": "m", "url": "http://localhost", "scripts": ("klingon",)}, "`reranker_scripts`"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_sent(options: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        build(RerankerOptions(**options))


def test_the_key_is_not_shown_with_the_options() -> None:
    assert "k-secret" not in repr(RerankerOptions(key="k-secret"))
