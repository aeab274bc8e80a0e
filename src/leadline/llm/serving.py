"""What a server says of itself at `/models`: which models it has, and how much context each."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import httpx2

from leadline.errors import ModelFailed
from leadline.llm.options import ModelOptions
from leadline.llm.wire import guard, model_client

SIZES = ("max_model_len", "context_length", "context_window", "max_context_length")
"""How servers call the tokens of a model's context."""


@dataclass(frozen=True, slots=True)
class Serving:
    """The status of the reply, and the models by name with their context, None where it is not said."""

    status: int
    models: Mapping[str, int | None] = field(default_factory=dict[str, int | None])


async def serving(options: ModelOptions) -> Serving:
    """Ask the server at `options.url`; `ModelFailed` where there is none."""
    try:
        async with model_client(options) as client:
            guard(client, options.url, options)
            reply = await client.get(f"{options.url}/models")
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise ModelFailed("nobody answers there") from error
    return Serving(reply.status_code, _models(reply.text) if reply.status_code == 200 else {})


def _models(text: str) -> dict[str, int | None]:
    try:
        read: Any = json.loads(text)
        rows = cast(list[Any], read["data"])
        return {str(row["id"]): _size(row) for row in rows}
    except (ValueError, LookupError, TypeError, RecursionError):
        return {}


def _size(row: Mapping[str, Any]) -> int | None:
    found = (row.get(name) for name in SIZES)
    return next((size for size in found if isinstance(size, int) and size > 0), None)
