"""A GGUF file run in this process by xllamacpp (llama.cpp in one wheel): no server, no key, no network.

One call at a time, in a thread of its own: two would share the same cores, and each would take twice as long.
A reply that is to follow a JSON schema is held to it by a grammar, which fixes its form and not its sense.
"""

import asyncio
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import xllamacpp

from leadline.errors import ModelFailed, ModelUnusable
from leadline.llm.base import Reply, Request, Told
from leadline.llm.bounding import bounded
from leadline.llm.gguf import Weights, read_weights
from leadline.llm.tokens import request_tokens
from leadline.run import Run

CONTEXT = 8_192
"""Tokens of context unless configured: what a model was trained on can take gigabytes of memory."""
KEPT_PROMPTS_MB = 256
"""Memory for the beginnings of earlier prompts, which need not be read again."""
SEED = 1

Piece = Mapping[str, Any]


@dataclass(slots=True)
class _Heard:
    """What one call has brought so far."""

    tell: Callable[[str], None]
    ends: float
    stop: threading.Event
    texts: list[str] = field(default_factory=list[str])
    usage: Piece = field(default_factory=dict[str, Any])
    finish: str = ""
    error: Piece | None = None

    def piece(self, piece: Piece) -> bool:
        """Takes one piece of the stream; True ends it."""
        if "error" in piece:
            self.error = piece["error"]
            return True
        self.usage = piece.get("usage") or self.usage
        for choice in piece.get("choices") or ():
            self.finish = choice.get("finish_reason") or self.finish
            delta: Piece = choice.get("delta") or {}
            if text := delta.get("content"):
                self.texts.append(text)
                self.tell(text)
        return self.stop.is_set() or time.monotonic() > self.ends


class LocalChat:
    """Opens its file at the first call. `seconds` bounds a reply, counted from when its turn has come."""

    def __init__(self, weights: Weights, context: int = 0, threads: int = 0, seconds: float = 120) -> None:
        self._weights = weights
        self._context = context or min(weights.context or CONTEXT, CONTEXT)
        self._threads = threads
        self._seconds = seconds
        self._server: xllamacpp.Server | None = None
        self._turns = ThreadPoolExecutor(1, "gguf")

    @property
    def name(self) -> str:
        return self._weights.name

    @property
    def context(self) -> int:
        return self._context

    async def ask(self, request: Request, run: Run, told: Told | None = None) -> Reply:
        if any(message.pictures for message in request.messages):
            raise ModelUnusable(f"`{self.name}` cannot see pictures. Name a model that can, at a server.")
        loop = asyncio.get_running_loop()
        stop = threading.Event()

        def tell(text: str) -> None:
            if told is not None and not stop.is_set():
                loop.call_soon_threadsafe(told, text)

        try:
            return await loop.run_in_executor(self._turns, self._answered, request, tell, stop)
        finally:
            stop.set()

    async def close(self) -> None:
        """Gives the memory back, after the call that is under way."""
        await asyncio.get_running_loop().run_in_executor(self._turns, self._forget)
        self._turns.shutdown(wait=False)

    def _forget(self) -> None:
        self._server = None

    def _answered(self, request: Request, tell: Callable[[str], None], stop: threading.Event) -> Reply:
        server = self._opened()
        heard = _Heard(tell, time.monotonic() + self._seconds, stop)
        try:
            server.handle_chat_completions(asked(request), heard.piece)
        except ValueError as error:
            raise ModelFailed("the engine refused the request: its schema or the model's template") from error
        if heard.error is not None:
            raise self._refused(heard.error)
        text = "".join(heard.texts)
        if not text and not heard.finish:
            raise ModelFailed(f"no reply within {self._seconds:g} seconds. `llm.seconds` allows more.")
        return Reply(
            text,
            input_tokens=int(heard.usage.get("prompt_tokens", request_tokens(request))),
            output_tokens=int(heard.usage.get("completion_tokens", len(heard.texts))),
            usd=0.0,
            whole=heard.finish == "stop",
            broken=not heard.finish,
        )

    def _refused(self, error: Piece) -> ModelFailed:
        if error.get("type") == "exceed_context_size_error":
            return ModelFailed(
                f"the prompt has {error.get('n_prompt_tokens')} tokens and the model reads {self._context}. "
                "Raise `llm.context`, or let fewer passages in."
            )
        return ModelFailed(f"the engine refused the request (code {error.get('code')})")

    def _opened(self) -> xllamacpp.Server:
        if self._server is None:
            try:
                self._server = xllamacpp.Server(parameters(self._weights, self._context, self._threads))
            except RuntimeError as error:
                raise ModelUnusable(
                    f"`gguf:{self._weights.path}` cannot be run: it is damaged, of a kind that the engine does not "
                    "know, or larger than the memory. Try another file, or a smaller `llm.context`."
                ) from error
        return self._server


def parameters(weights: Weights, context: int, threads: int) -> xllamacpp.CommonParams:
    """How the engine is set up. It also listens on loopback, which is of no use here: a key nobody knows shuts it."""
    found = xllamacpp.CommonParams()
    found.model.path = str(weights.path)
    found.n_ctx = context
    found.n_parallel = 1
    found.n_threads_http = 1
    found.cache_ram_mib = KEPT_PROMPTS_MB
    found.fit_params = found.warmup = found.ui = found.endpoint_slots = False
    found.verbosity = -1
    found.api_keys = [secrets.token_hex()]
    if threads:
        found.cpuparams.n_threads = found.cpuparams_batch.n_threads = threads
    return found


def asked(request: Request) -> dict[str, Any]:
    """A request in the engine's words."""
    body: dict[str, Any] = {
        "messages": [
            {"role": message.role, "content": message.text.encode("utf-8", "replace").decode("utf-8")}
            for message in request.messages
        ],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "seed": SEED,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.schema is not None:
        schema = {"name": request.schema.name, "schema": bounded(request.schema.json)}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def build(file: str, *, context: int | None = None, threads: int = 0, seconds: float = 120) -> LocalChat:
    """The registry's entry: the model in a GGUF file."""
    return LocalChat(read_weights(file), context or 0, threads, seconds)
