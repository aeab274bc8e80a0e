"""Any server with a `/rerank` of the form that Jina, Cohere and others share; its reply is checked before use.

question, passages -> one request -> retry what may pass -> exactly one finite score for each passage
"""

import asyncio
import json
import math
import ssl
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any, cast

import httpx2

from leadline.errors import ConfigError, RerankingFailed
from leadline.reranking.base import RerankerOptions, logistic, readable, told_scripts
from leadline.run import Run

KEY = "LEADLINE_RERANKER_KEY"
ATTEMPTS = 3
WAIT = 0.5
"""Seconds before the second attempt; each further one waits twice as long."""

LONGEST_WAIT = 10.0
LARGEST_REPLY = 4 << 20
_MAY_PASS = frozenset({408, 409, 425, 429, 500, 502, 503, 504})


class EndpointReranker:
    """Asks one server. The key goes to the configured address only: redirects are not followed."""

    def __init__(self, options: RerankerOptions) -> None:
        self._url = _address(options)
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
                if last or status not in _MAY_PASS:
                    raise self._refused(status, reply)
            run.check()
            await asyncio.sleep(_pause(attempt, retry_after))
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
            trust_env=not _here(self._url.host),
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


def _address(options: RerankerOptions) -> httpx2.URL:
    if not options.model or not options.url:
        missing = "reranker_url" if options.model else "reranker_model"
        raise ConfigError(
            f"`reranker = endpoint` needs `{missing}`: set `reranker_url` to where `/rerank` is added, "
            "as in `http://localhost:8000/v1`, and `reranker_model` to the model's name there."
        )
    try:
        url = httpx2.URL(options.url)
    except httpx2.InvalidURL as error:
        raise ConfigError(f"`reranker_url` `{options.url}` is not an address: {error}.") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise ConfigError(f"`reranker_url` `{options.url}` must begin with http:// or https:// and a host.")
    path = url.path.rstrip("/")
    return url.copy_with(path=path if path.endswith("/rerank") else f"{path}/rerank")


def _here(host: str) -> bool:
    """Whether it is this machine, to which no proxy leads."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _pause(attempt: int, retry_after: str) -> float:
    """Seconds to wait: what the server asks for, within bounds."""
    try:
        asked = float(retry_after)
    except ValueError:
        asked = 0.0
    wanted = max(WAIT * 2 ** (attempt - 1), asked if math.isfinite(asked) else 0.0)
    return min(wanted, LONGEST_WAIT)
