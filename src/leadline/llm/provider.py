"""Any hosted or served model as a `Chat`, through pydantic-ai.

request -> messages, settings, reply format -> one call -> text, tokens, price
"""

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.exceptions import ModelRequestRejectedError, UnexpectedModelBehavior
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    SystemPromptPart,
    TextPart,
    TextPartDelta,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings

from leadline.errors import LeadlineError, ModelFailed
from leadline.llm.base import Message, Reply, Request, Schema, Told
from leadline.llm.options import ASSUMED_CONTEXT, ModelOptions
from leadline.llm.provider_errors import explained, is_bad_request
from leadline.llm.provider_models import Connected, connected
from leadline.llm.tokens import cut_short, estimated_tokens, request_tokens
from leadline.run import Run

logger = logging.getLogger(__name__)

THINKING = 8_192
"""Tokens that a model which thinks before it answers gets for that, beyond those of the answer."""

PER_TOKEN = 16
"""Characters of a reply that are read for each token it may have; what is beyond was not asked for."""

SHORTEST = 4_096
"""Characters that are read of any reply."""


@dataclass(slots=True)
class _Call:
    """One request as the library wants it, and what was heard of its reply so far."""

    messages: list[ModelMessage]
    settings: ModelSettings
    parameters: ModelRequestParameters
    most: int
    heard: str = ""


@dataclass(slots=True)
class ProviderChat:
    """One model. `schemas` turns False when its server refuses a reply format; then the prompt alone says it.

    `streams` turns False when its server sends a whole reply where a stream was asked for; then none is any more.
    """

    options: ModelOptions
    connection: Connected
    schemas: bool = field(default=True, init=False)
    streams: bool = field(default=True, init=False)

    @property
    def name(self) -> str:
        return f"{self.options.provider}:{self.options.name}"

    @property
    def context(self) -> int:
        return self.options.context or self.connection.context or ASSUMED_CONTEXT

    async def ask(self, request: Request, run: Run, told: Told | None = None) -> Reply:
        schema = request.schema if self.schemas and self.connection.takes_schemas else None
        try:
            return await self._reply(request, schema, told)
        except ModelRequestRejectedError as error:
            if schema is None or not is_bad_request(error):
                raise explained(error, self.options) from error
            rejected = error
        try:
            reply = await self._reply(request, None, told)
        except ModelRequestRejectedError:
            # It was not the format that the server minds.
            raise explained(rejected, self.options) from rejected
        self.schemas = False
        return reply

    async def close(self) -> None:
        await self.connection.close()

    async def _reply(self, request: Request, schema: Schema | None, told: Told | None) -> Reply:
        """One call, and a second one, of a whole reply, where what came was no stream at all."""
        if told is None:
            return await self._once(request, schema, None)
        if self.streams:
            try:
                return await self._once(request, schema, told)
            except ModelFailed as failure:
                # The exact class: its children say that a reply was filtered, or cut short.
                if type(failure.__cause__) is not UnexpectedModelBehavior:
                    raise
        reply = await self._once(request, schema, None)
        self.streams = False
        told(reply.text)
        return reply

    async def _once(self, request: Request, schema: Schema | None, told: Told | None) -> Reply:
        """One call. A rejected request is raised as the library has it, all else as an error of ours."""
        call = self._call(request, schema)
        try:
            async with asyncio.timeout(self.options.seconds):
                response = await (self._streamed(call, told) if told else self._whole(call))
        except (LeadlineError, ModelRequestRejectedError):
            raise
        except Exception as error:
            if not call.heard:
                raise self._failure(error) from error
            logger.debug("A stream of %s ended early.", self.name, exc_info=error)
            return cut_short(request, call.heard)
        return self._read(request, response, call)

    def _call(self, request: Request, schema: Schema | None) -> _Call:
        settings = ModelSettings(max_tokens=request.max_tokens)
        if self.connection.thinks:
            settings["max_tokens"] = request.max_tokens + THINKING
        if self.connection.takes_temperature:
            settings["temperature"] = request.temperature
        if "max_retries" not in self.connection.unsupported:
            settings["max_retries"] = 0
        if "timeout" not in self.connection.unsupported:
            settings["timeout"] = self.options.seconds
        parameters = ModelRequestParameters()
        if schema is not None:
            shape = OutputObjectDefinition(json_schema=dict(schema.json), name=schema.name)
            parameters = ModelRequestParameters(
                output_mode="native", output_object=shape, prompted_output_template=False
            )
        in_words = request.schema if schema is None else None
        most = max(request.max_tokens * PER_TOKEN, SHORTEST)
        return _Call(_messages(request.messages, in_words), settings, parameters, most)

    async def _whole(self, call: _Call) -> ModelResponse:
        response = await model_request(
            self.connection.model,
            call.messages,
            model_settings=call.settings,
            model_request_parameters=call.parameters,
        )
        call.heard = "".join(part.content for part in response.parts if isinstance(part, TextPart))
        return response

    async def _streamed(self, call: _Call, told: Told) -> ModelResponse:
        async with model_request_stream(
            self.connection.model,
            call.messages,
            model_settings=call.settings,
            model_request_parameters=call.parameters,
        ) as stream:
            async for event in stream:
                if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
                    piece = event.part.content
                elif isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
                    piece = event.delta.content_delta
                else:
                    continue
                call.heard += piece
                told(piece)
                if len(call.heard) > call.most:
                    break
            return stream.get()

    def _read(self, request: Request, response: ModelResponse, call: _Call) -> Reply:
        text = call.heard[: call.most]
        usage = response.usage
        return Reply(
            text,
            usage.input_tokens or request_tokens(request),
            usage.output_tokens or estimated_tokens(text),
            self.connection.price(response),
            whole=response.finish_reason != "length" and len(call.heard) <= call.most,
        )

    def _failure(self, error: Exception) -> ModelFailed:
        logger.debug("A call of %s failed.", self.name, exc_info=error)
        return explained(error, self.options)


def _messages(messages: Sequence[Message], schema: Schema | None) -> list[ModelMessage]:
    """As the library has them; a `schema` that no format says stands at the end of the system's words."""
    found: list[ModelMessage] = []
    parts: list[SystemPromptPart | UserPromptPart] = []
    for message in messages:
        if message.role == "assistant":
            found += [ModelRequest(parts), ModelResponse([TextPart(message.text)])]
            parts = []
        elif message.role == "system":
            parts.append(SystemPromptPart(message.text + (_in_words(schema) if schema else "")))
            schema = None
        else:
            parts.append(UserPromptPart(_content(message)))
    return [*found, ModelRequest(parts)]


def _in_words(schema: Schema) -> str:
    shape = json.dumps(schema.json, ensure_ascii=False, separators=(",", ":"))
    return f"\n\nReply with JSON of this schema and nothing else:\n{shape}"


def _content(message: Message) -> str | list[UserContent]:
    if not message.pictures:
        return message.text
    pictures = [BinaryContent(each.data, media_type=each.media_type) for each in message.pictures]
    return [message.text, *pictures]


def build(options: ModelOptions) -> ProviderChat:
    """The registry's entry."""
    return ProviderChat(options, connected(options))
