"""Extract: what a text says of some fields, as values of the row. Only what the text says itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from leadline.flow.base import FieldKind, Row, Scope, Shape
from leadline.flow.operators.shapes import having, reading
from leadline.flow.stepping import Step
from leadline.flow.steps.prompting import Asker, Role, pieces
from leadline.flow.steps.schemas import Json, followed, usable
from leadline.flow.steps.values import value_at
from leadline.llm.base import Message
from leadline.llm.json_text import json_in
from leadline.reasoning.model_showing import Shown

Kind = Literal["text", "number", "bool", "list"]

_OF_KIND: Mapping[Kind, Json] = {
    "text": {"type": "string"},
    "number": {"type": "number"},
    "bool": {"type": "boolean"},
    "list": {"type": "array", "items": {"type": "string"}, "maxItems": 50},
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A field to fill: of what kind, and what it means."""

    type: Kind = "text"
    description: str = ""


@dataclass(frozen=True, slots=True)
class Extract(Step):
    """Reads values out of a text with the configured model.

    Each becomes a field of the row; what the text does not say is null.

    field: the field with the text, or with chunks.
    fields: for each new field what it means, or its `type` (text, number, bool, list) and `description`.
    into: the field for a mapping of them; if not given, they are fields of the row.
    role: `smart`, the model that writes, or `fast`, the one that judges.
    max_tokens: the longest reply.

    Example:
        extract:
          field: text
          fields:
            founder: who founded it
            year: {type: number, description: when it was founded}
    """

    field: str
    fields: Mapping[str, Wanted | str]
    into: str = ""
    role: Role = "smart"
    max_tokens: int = 1_024

    @property
    def costly(self) -> bool:
        return True

    def __post_init__(self) -> None:
        if not self.fields:
            raise ValueError("`fields` must name at least one")

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(self.field)

    def after(self, before: Shape) -> Shape:
        new: dict[str, FieldKind] = {self.into: "mapping"} if self.into else dict.fromkeys(self.fields, "any")
        return having(before, new)

    async def apply(self, row: Row, scope: Scope) -> list[Row]:
        wanted = {
            name: one if isinstance(one, Wanted) else Wanted(description=one)
            for name, one in self.fields.items()
        }
        properties = {name: dict(_OF_KIND[one.type]) for name, one in wanted.items()}
        schema = usable({"type": "object", "properties": properties, "required": []})
        listed = "\n".join(
            f"- {name} ({one.type}): {one.description}".rstrip(": ") for name, one in wanted.items()
        )

        def messages(shown: Shown) -> list[Message]:
            task = (
                f"Task: extract\nRead these values out of the document. Leave out what it does not say; infer nothing.\n"
                f"{listed}\n{shown.rule}\nReply only with JSON: an object with these names."
            )
            return [Message("system", task), Message("user", shown.text)]

        def value(reply: str) -> dict[str, Any]:
            said = json_in(reply)
            if isinstance(said, dict):
                said = {name: one for name, one in cast(Json, said).items() if one is not None}
            return cast(dict[str, Any], followed(said, schema))

        documents = list(pieces(value_at(row, self.field), self.field))
        ask = Asker("extract", self.role, self.max_tokens, schema)
        said = await ask(documents, messages, value, scope)
        values = {name: said.get(name) for name in wanted}
        return [{**row, self.into: values} if self.into else {**row, **values}]
