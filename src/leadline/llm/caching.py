"""Replies that were paid for already, by what was asked: the same question twice costs once.

With `on_miss = "raise"` nobody is called, so that a file of replies replays a run.
"""

import asyncio
import hashlib
import json
import time
from dataclasses import dataclass, replace
from typing import Literal

from leadline.errors import NotRecorded
from leadline.events import Called
from leadline.llm.base import Chat, Message, Reply, Request, Told
from leadline.llm.replies import Replies
from leadline.run import Run

MARKER = "\x00marker\x00"
"""Stands for the random marker of a request, in its key and in the kept reply."""


@dataclass(frozen=True, slots=True)
class Cached:
    """Keeps every reply that came to its end; a hit costs nothing and is not metered."""

    inner: Chat
    replies: Replies
    on_miss: Literal["call", "raise"] = "call"

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def context(self) -> int:
        return self.inner.context

    async def ask(self, request: Request, run: Run, told: Told | None = None) -> Reply:
        started = time.perf_counter()
        key = key_of(self.name, request)
        kept = await asyncio.to_thread(self.replies.find, key)
        if kept is None:
            return await self._called(key, request, run, told)
        reply = replace(kept, text=_swap(kept.text, MARKER, request.marker), usd=0.0, cached=True)
        if told and reply.text:
            told(reply.text)
        milliseconds = (time.perf_counter() - started) * 1_000
        run.emit(
            Called(request.step, self.name, reply.input_tokens, reply.output_tokens, 0.0, milliseconds, True)
        )
        return reply

    async def close(self) -> None:
        await self.inner.close()

    async def _called(self, key: bytes, request: Request, run: Run, told: Told | None) -> Reply:
        if self.on_miss == "raise":
            raise NotRecorded(
                f"`{self.replies.file}` does not hold this call of {self.name} ({request.step}). "
                'Record the run again with `llm.on_miss = "call"`.'
            )
        reply = await self.inner.ask(request, run, told)
        if not reply.broken:
            kept = replace(reply, text=_swap(reply.text, request.marker, MARKER))
            await asyncio.to_thread(self.replies.keep, key, kept)
        return reply


def key_of(model: str, request: Request) -> bytes:
    """A hash of the model, the messages, the settings and the schema."""
    asked = {
        "model": model,
        "messages": request.like or [_told(message, request.marker) for message in request.messages],
        "schema": [request.schema.name, request.schema.json] if request.schema else None,
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
    }
    text = json.dumps(asked, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _told(message: Message, marker: str) -> list[object]:
    pictures = [[each.media_type, hashlib.sha256(each.data).hexdigest()] for each in message.pictures]
    return [message.role, _swap(message.text, marker, MARKER), pictures]


def _swap(text: str, old: str, new: str) -> str:
    return text.replace(old, new) if old and new else text
