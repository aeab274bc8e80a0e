"""Any server with a `/rerank` of the form that Jina, Cohere and others share; its reply is checked before use.

question, passages -> one request -> retry what may pass -> exactly one finite score for each passage
"""

import asyncio
import json
import math
import ssl
from collections.abc import Sequence
from typing import Any, cast

import httpx2

from leadline.endpoints import MAY_PASS, address, is_here, pause
from leadline.errors import ConfigError, RerankingFailed
from leadline.reranking.base import RerankerOptions, logistic, readable, told_scripts
from leadline.run import Run

KEY = "LEADLINE_RERANKER_KEY"
ATTEMPTS = 3
LONGEST_WAIT = 10.0
LARGEST_REPLY = 4 << 20


class EndpointReranker:
    """Asks one server. The key goes to the configured address only: redirects are not followed."""

    def __init__(self, options: RerankerOptions) -> None:
        self._url = address("reranker", "endpoint", options.url, options.model, "/rerank")
        if not (options.key.isascii() and options.key.isprintable()):
            raise ConfigError(f"{KEY} holds a character that no key has. Copy the key again.")
        self._options = options
        self._scripts = told_scripts(options.scripts)
        self._trust: ssl.SSLContext | bool = True
        if self._url.scheme == "https":
            self._trust = httpx2.create_ssl_context()  # reads every certificate: once, not per request

    @property
    def name(self) -> str:
        return f"endpoint-{self._options.model}"

    @property
    def scripts(self) -> frozenset[str] | None:
        return self._scripts

    async def rerank(self, question: str, passages: Sequence[str], run: Run) -> list[float]:
        body: dict[str, object] = {
            "model": self._options.model,
            "query": readable(question),
            "documents": [readable(passage) for passage in passages],
            "top_n": len(passages),
        }
        for attempt in range(1, ATTEMPTS + 1):
            last = attempt == ATTEMPTS
            try:
                status, retry_after, reply = await self._post(body)
            except (httpx2.RequestError, httpx2.InvalidURL) as error:
                if last or isinstance(error, httpx2.UnsupportedProtocol):
                    raise self._failed(f"cannot be reached: {str(error) or type(error).__name__}") from error
                retry_after = ""
            else:
                if status == 200:
                    return self._checked(reply, len(passages))
                if last or status not in MAY_PASS:
                    raise self._refused(status, reply)
            run.check("search")
            await asyncio.sleep(pause(attempt, retry_after, LONGEST_WAIT))
        raise AssertionError("the last attempt returns or raises")

    async def _post(self, body: dict[str, object]) -> tuple[int, str, bytes]:
        """Status, Retry-After and body of one reply, as it came: nothing is unpacked."""
        headers = {"Accept-Encoding": "identity"}
        if self._options.key:
            headers["Authorization"] = f"Bearer {self._options.key}"
        client = httpx2.AsyncClient(
            headers=headers,
            timeout=self._options.timeout,
            verify=self._trust,
            trust_env=not is_here(self._url.host),
        )
        async with client, client.stream("POST", self._url, json=body) as response:
            parts: list[bytes] = []
            size = 0
            async for part in response.aiter_raw():
                size += len(part)
                if size > LARGEST_REPLY:
                    raise self._failed(f"sent more than {LARGEST_REPLY >> 20} MiB")
                parts.append(part)
            return response.status_code, response.headers.get("retry-after", ""), b"".join(parts)

    def _checked(self, reply: bytes, count: int) -> list[float]:
        """The scores in the order of the passages."""
        try:
            rows = _rows(json.loads(reply))
            found: list[tuple[Any, Any]] = [
                (row["index"], row.get("relevance_score", row.get("score"))) for row in rows
            ]
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise self._failed("sent no reply of the form of /rerank") from error
        places = [place for place, _ in found if type(place) is int]
        if len(places) != len(found) or sorted(places) != list(range(count)):
            raise self._failed(f"sent {len(found)} scores for {count} passages, or not one for each")
        scores = [0.0] * count
        for place, score in found:
            if type(score) not in (int, float) or not _finite(score):
                raise self._failed("sent a score that is not a finite number")
            scores[place] = float(score)
        inside = all(0 <= score <= 1 for score in scores)
        return scores if inside else [logistic(score) for score in scores]

    def _refused(self, status: int, reply: bytes) -> RerankingFailed:
        said = " ".join(reply[:300].decode("utf-8", "replace").split())
        remedy = ""
        if status in (401, 403):
            remedy = f" Set the environment variable {KEY} to a valid key."
        elif status == 404 or 300 <= status < 400:
            remedy = " Check `reranker_url` (it ends where `/rerank` is added) and `reranker_model`."
        return self._failed(f"answered {status}: {said or 'nothing'}.{remedy}")

    def _failed(self, what: str) -> RerankingFailed:
        return RerankingFailed(f"the reranking server {self._url} {what.rstrip('.')}")


def build(options: RerankerOptions | None = None) -> EndpointReranker:
    """The registry's entry."""
    return EndpointReranker(options or RerankerOptions())


def _rows(reply: Any) -> list[dict[str, Any]]:
    """The list of results: under `results` (Jina, Cohere), under `data`, or the reply itself."""
    if isinstance(reply, dict):
        named = cast(dict[str, Any], reply)
        reply = named["results"] if "results" in named else named["data"]
    if not isinstance(reply, list):
        raise TypeError("not a list")
    return cast(list[dict[str, Any]], reply)


def _finite(score: float) -> bool:
    try:
        return math.isfinite(score)
    except OverflowError:  # a whole number too large for a float
        return False
