"""Prompt: a template of the flow against the configured model; what it replies goes into the row.

template + fields, documents fenced -> request -> reply -> (repair) -> text, or a value that follows a schema
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast

from leadline.errors import ConfigError
from leadline.flow.base import FieldKind, Row, Scope, Shape, workspace_of
from leadline.flow.operators.shapes import having, reading
from leadline.flow.stepping import Step
from leadline.flow.steps.schemas import followed, usable
from leadline.flow.steps.values import value_at
from leadline.flow.templates import filled, slots
from leadline.llm.base import Message, Request, Schema
from leadline.llm.json_text import json_in, readable
from leadline.llm.prompting import sendable
from leadline.llm.structured import Unread, asked
from leadline.models import Roles
from leadline.reasoning.model_showing import Shown, packed, reply_tokens, titled

T = TypeVar("T")

DOCUMENTS = "documents"
"""The slot that stands for them."""
CHARACTERS = 40_000
Role = Literal["smart", "fast"]


@dataclass(frozen=True, slots=True)
class Asker:
    """How a step asks a model. What a document says is shown to it between marks that nobody could have written, and it is
    told to obey nothing in it."""

    step: str
    role: Role
    max_tokens: int
    schema: Mapping[str, Any] | None = None

    async def __call__(
        self,
        documents: Sequence[tuple[str, str]],
        messages: Callable[[Shown], Sequence[Message]],
        read: Callable[[str], T],
        scope: Scope,
    ) -> T:
        """What is read from the model's reply, after one repair if it must be."""
        roles = await roles_of(scope, self.step)
        chat = roles.smart if self.role == "smart" else roles.fast
        shown = packed(chat, self.step, documents, CHARACTERS, scope.run)
        schema = None if self.schema is None else Schema(self.step, self.schema)
        tokens = reply_tokens(chat, self.max_tokens)
        request = Request(tuple(messages(shown)), self.step, schema, shown.marker, tokens)
        said = await asked(chat, request, read, scope.run, prompts=roles.prompts)
        if isinstance(said, Unread):
            raise ValueError(f"the model gave nothing usable: {said.reason}")
        return said


async def roles_of(scope: Scope, step: str) -> Roles:
    """The configured models."""
    roles = await workspace_of(scope, step).models.roles()
    if roles is None:
        raise ConfigError(
            f"`{step}` asks a model, and none is configured. Set `model`, such as `ollama:qwen2.5:7b`."
        )
    return roles


@dataclass(frozen=True, slots=True)
class Prompt(Step):
    """Asks the configured model, and puts what it replies into the row.

    In the template `{{field}}` stands for a field of the row, with dots for what is inside of it; what a field holds is
    never looked at for slots again. Documents are shown fenced and numbered, as many as fit, best first: at
    `{{documents}}`, or below the rest. With a schema the reply is a value that follows it: what does not is shown to the
    model once more, and a row without a usable reply fails.

    template: what the model is asked.
    into: the field for the reply.
    system: what the model is told about its task, of itself without slots.
    documents: the field with the documents, which are texts or chunks: one or a list.
    schema: a JSON schema of the reply.
    role: `smart`, the model that writes, or `fast`, the one that judges.
    max_tokens: the longest reply.

    Example:
        prompt:
          template: "Which year does the document name for {{title}}?"
          documents: text
          schema:
            type: object
            properties:
              year: {type: integer, description: "four digits"}
          into: found
    """

    template: str
    into: str = "reply"
    system: str = ""
    documents: str = ""
    schema: Mapping[str, Any] | None = None
    role: Role = "smart"
    max_tokens: int = 1_024

    @property
    def costly(self) -> bool:
        return True

    def __post_init__(self) -> None:
        if self.schema is not None:
            usable(self.schema)
        if DOCUMENTS in slots(self.template) and not self.documents:
            raise ValueError("the template has {{documents}}: `documents` must say in which field they are")

    def reads(self) -> Mapping[str, FieldKind]:
        paths = [*slots(self.template), *([self.documents] if self.documents else [])]
        return reading(*(path for path in paths if path != DOCUMENTS))

    def after(self, before: Shape) -> Shape:
        return having(before, {self.into: "text" if self.schema is None else "any"})

    async def apply(self, row: Row, scope: Scope) -> list[Row]:
        schema = None if self.schema is None else usable(self.schema)
        documents = list(pieces(value_at(row, self.documents), self.documents)) if self.documents else []

        def messages(shown: Shown) -> list[Message]:
            # A document never stands where a slot is looked for: the template is filled with its place, once.
            known = {**row, DOCUMENTS: shown.text} if self.documents else row
            template = self.template
            if self.documents and DOCUMENTS not in slots(template):
                template += "\n\n{{documents}}"
            system = " ".join(part for part in (self.system, shown.rule if self.documents else "") if part)
            parts = [Message("system", system)] if system else []
            return [*parts, Message("user", sendable(filled(template, known)).strip())]

        def value(reply: str) -> Any:
            return readable(reply) if schema is None else followed(json_in(reply), schema)

        ask = Asker("prompt", self.role, self.max_tokens, schema)
        return [{**row, self.into: await ask(documents, messages, value, scope)}]


def pieces(value: object, place: str) -> Iterator[tuple[str, str]]:
    """Title and text of what a field holds: a text, a chunk, or a list of them."""
    if isinstance(value, str):
        yield "", value
    elif isinstance(value, list):
        for at, one in enumerate(cast(list[object], value)):
            yield from pieces(one, f"{place}[{at}]")
    elif isinstance(value, dict) and isinstance(text := cast(Row, value).get("text"), str):
        told = cast(Row, value)
        headings = cast(Sequence[Any], told.get("heading_path") or ())
        yield titled(str(told.get("title") or ""), [str(one) for one in headings[-1:]]), text
    elif value is not None:
        raise ValueError(
            f"field `{place}` holds no document but {value!r:.60}: a text, or a mapping with `text`"
        )
