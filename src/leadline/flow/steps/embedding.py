"""Embed: texts as vectors, with the encoder of the settings or of a collection."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from leadline.embeddings.base import Embedder
from leadline.errors import FlowError
from leadline.flow.base import FieldKind, Row, Scope, Shape, workspace_of
from leadline.flow.operators.shapes import having, reading
from leadline.flow.stepping import Step
from leadline.flow.steps.progress import encoder_of
from leadline.flow.steps.values import value_at


@dataclass(frozen=True, slots=True)
class Embed(Step):
    """Puts the vector of a text into the row, as a list of numbers; of a list of texts, a list of vectors.

    In a deep search that `plan` began, the encoder is that of what is searched, and the vector null where no vectors are.

    field: the field with the text, or with a list of texts; of a query (a mapping with `text`), its text counts.
    into: the field for the vector; by itself the name of `field` and `_vector`.
    side: what the text is: a `document`, or a `query` to search documents with. Some encoders tell the two apart.
    collection: whose encoder; by itself the one of the settings.

    Example:
        embed: {field: sub_query, into: sub_query_vector, side: query}
    """

    field: str = "text"
    into: str = ""
    side: Literal["document", "query"] = "document"
    collection: str = ""

    @property
    def costly(self) -> bool:
        return True

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(self.field)

    def after(self, before: Shape) -> Shape:
        return having(before, {self._into(): "list"})

    def _into(self) -> str:
        return self.into or f"{self.field.rpartition('.')[2]}_vector"

    async def apply(self, row: Row, scope: Scope) -> list[Row]:
        given = value_at(row, self.field)
        several = isinstance(given, list)
        texts = [self._text(each) for each in (cast(list[Any], given) if several else [given])]
        deep = not self.collection and "search" in row
        encoder = await encoder_of(row, scope) if deep else await self._encoder(scope)
        if encoder is None:
            return [{**row, self._into(): None}]
        encode = encoder.embed_queries if self.side == "query" else encoder.embed_documents
        vectors: list[list[float]] = (await asyncio.to_thread(encode, texts)).tolist() if texts else []
        return [{**row, self._into(): vectors if several else vectors[0]}]

    def _text(self, value: object) -> str:
        if isinstance(value, dict):
            value = cast(Row, value).get("text")
        if not isinstance(value, str):
            raise ValueError(f"field `{self.field}` is no text, nor a list of texts")
        return value

    async def _encoder(self, scope: Scope) -> Embedder:
        workspace = workspace_of(scope, "embed")
        if self.collection:
            found = await workspace.encoders.of(await workspace.collection(self.collection))
        else:
            found = await workspace.embedder()
        if found is None:
            raise FlowError(
                "`embed` needs an encoder, and `embedding` is `none`. Set it, or name a `collection`."
            )
        return found
