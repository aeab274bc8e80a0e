"""HTTP and the chat protocol written by hand, so that a test can break either anywhere."""

import asyncio
import json
import socket
import struct
import time
from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus
from typing import Any

from leadline.testing.said import Asked, Said

PIECE = 24
"""Characters in one piece of a stream."""


async def request(reader: asyncio.StreamReader) -> Asked | None:
    first = await reader.readline()
    if not first.strip():
        return None
    path = first.decode("latin-1").split()[1]
    headers: dict[str, str] = {}
    while (line := (await reader.readline()).decode("latin-1").strip()) != "":
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    held = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(path.partition("?")[0], headers, json.loads(held) if held else {})


async def send(
    writer: asyncio.StreamWriter, body: str, status: int, headers: Mapping[str, str] | None = None
) -> bool:
    held = body.encode()
    writer.write(_head(status, {"Content-Length": str(len(held)), **(headers or {})}) + held)
    await writer.drain()
    return True


def _head(status: int, headers: Mapping[str, str], kind: str = "application/json") -> bytes:
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", f"Content-Type: {kind}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


async def whole(asked: Asked, said: Said, writer: asyncio.StreamWriter) -> bool:
    message = {"role": "assistant", "content": said.text}
    body = _completion(asked, "chat.completion") | {
        "choices": [{"index": 0, "message": message, "finish_reason": said.finish}]
    }
    if said.usage:
        body["usage"] = _usage(asked, said.text or "")
    if said.reset_after is None and not said.endless:
        return await send(writer, json.dumps(body), 200, said.headers)
    held = json.dumps(body).encode()
    # A length that is never reached, so that the client waits for the rest.
    writer.write(_head(200, {"Content-Length": str(1 << 40), **said.headers}) + held[: said.reset_after])
    await writer.drain()
    if said.endless:
        return await _on_and_on(writer, b" ")
    _break(writer)
    return False


async def stream(asked: Asked, said: Said, writer: asyncio.StreamWriter) -> bool:
    headers = {"Connection": "close", **said.headers}
    writer.write(_head(200, headers, "text/event-stream"))
    text = said.text or ""
    sent = text if said.reset_after is None else text[: said.reset_after]
    async for event in _events(asked, sent):
        writer.write(event)
        await writer.drain()
    if said.reset_after is not None:
        _break(writer)
        return False
    if said.endless:
        return await _on_and_on(writer, _event(asked, {"content": text}))
    writer.write(_event(asked, {}, said.finish))
    if said.usage:
        chunk = _completion(asked, "chat.completion.chunk")
        chunk |= {"choices": list[Any](), "usage": _usage(asked, text)}
        writer.write(_line(chunk))
    writer.write(b"data: [DONE]\n\n")
    await writer.drain()
    return False


async def _events(asked: Asked, text: str) -> AsyncIterator[bytes]:
    yield _event(asked, {"role": "assistant"})
    for start in range(0, len(text), PIECE):
        yield _event(asked, {"content": text[start : start + PIECE]})


async def _on_and_on(writer: asyncio.StreamWriter, piece: bytes) -> bool:
    """Until the client has had enough, which shows as an error of the connection."""
    while True:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(0.01)


def _break(writer: asyncio.StreamWriter) -> None:
    """Close with a reset in place of a goodbye."""
    held = writer.get_extra_info("socket")
    held.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def _event(asked: Asked, delta: Mapping[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _line(_completion(asked, "chat.completion.chunk") | {"choices": [choice]})


def _line(chunk: Mapping[str, Any]) -> bytes:
    return f"data: {json.dumps(chunk)}\n\n".encode()


def _completion(asked: Asked, kind: str) -> dict[str, Any]:
    return {"id": "c1", "object": kind, "created": int(time.time()), "model": asked.body.get("model")}


def _usage(asked: Asked, text: str) -> dict[str, int]:
    """Tokens as a quarter of the characters, which is about right for English."""
    given, written = len(asked.prompt) // 4 + 1, len(text) // 4 + 1
    return {"prompt_tokens": given, "completion_tokens": written, "total_tokens": given + written}


def failed(status: int, message: str) -> str:
    return json.dumps({"error": {"message": message, "type": "scripted", "code": status}})
