"""Ask a model for something that can be used: one call, one repair that shows it its reply, else nothing.

request -> reply -> read -> (repair -> read) -> value | Unread
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from leadline.errors import ModelFailed, ModelUnusable
from leadline.events import CutShort, Repaired
from leadline.llm.base import Chat, Message, Reply, Request, Told
from leadline.llm.json_text import Unreadable, spoken
from leadline.llm.prompting import Prompts
from leadline.run import Run

T = TypeVar("T")

SHOWN = 3_000
"""Characters of a reply that its repair shows: its beginning and its end."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Nothing usable was to be had; `reason` is safe to show to people."""

    reason: str


async def asked(
    chat: Chat,
    request: Request,
    read: Callable[[str], T],
    run: Run,
    told: Told | None = None,
    *,
    prompts: Prompts,
    cut: Callable[[str], T] | None = None,
) -> T | Unread:
    """What `read` makes of the model's reply, or `cut`, where it is given, of one that broke off. Either raises
    `Unreadable` for a reply that cannot be used.

    Errors that are the run's (budget, cancelled, not recorded) pass through; a model that will never answer does only
    while nothing was paid.
    """
    reply = await _reply(chat, request, run, told)
    if isinstance(reply, Unread):
        return reply
    try:
        return _value(reply, request, read, cut, run)
    except Unreadable as problem:
        reason = _reason(problem, reply, request)
    # Only the first reply is streamed: what was shown of it cannot be taken back.
    again = await _reply(chat, _repair(request, reply, reason, prompts), run, None)
    try:
        value = again if isinstance(again, Unread) else _value(again, request, read, cut, run)
    except Unreadable as problem:
        value = Unread(str(problem))
    run.emit(Repaired(request.step, reason, usable=not isinstance(value, Unread)))
    return value


async def _reply(chat: Chat, request: Request, run: Run, told: Told | None) -> Reply | Unread:
    try:
        return await chat.ask(request, run, told)
    except ModelUnusable as error:
        if run.calls == 0:
            raise
        return Unread(str(error))
    except ModelFailed as error:
        return Unread(str(error))


def _value(
    reply: Reply, request: Request, read: Callable[[str], T], cut: Callable[[str], T] | None, run: Run
) -> T:
    if reply.whole:
        return read(reply.text)
    value = (cut or read)(reply.text)
    limit = f"it met its limit of {request.max_tokens} tokens"
    run.emit(CutShort(request.step, "its time or its connection was over" if reply.broken else limit))
    return value


def _reason(problem: Unreadable, reply: Reply, request: Request) -> str:
    cut = "" if reply.whole else f"; it was cut off at {request.max_tokens} tokens, so be shorter"
    return f"{problem}{cut}"


def _repair(request: Request, reply: Reply, reason: str, prompts: Prompts) -> Request:
    """The same request, what came back, and why that will not do."""
    text = spoken(reply.text)
    if len(text) > SHOWN:
        text = f"{text[: SHOWN // 2]}\n...\n{text[-SHOWN // 2 :]}"
    # Some providers refuse a message without text.
    shown = (Message("assistant", text or "(nothing)"), *prompts.messages("repair", reason=reason))
    return replace(request, messages=(*request.messages, *shown), like="")
