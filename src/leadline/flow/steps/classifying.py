"""Classify: which of some labels suits a text. A model says so, or without one the nearest by meaning and words."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast

from leadline.analysis.terms import analyse
from leadline.embeddings.base import Embedder, Vectors
from leadline.events import Notice
from leadline.flow.base import FieldKind, Row, Scope, Shape, workspace_of
from leadline.flow.operators.shapes import having, reading
from leadline.flow.stepping import Step
from leadline.flow.steps.prompting import Asker, Role, pieces
from leadline.flow.steps.schemas import followed, usable
from leadline.flow.steps.values import text_at, value_at
from leadline.llm.base import Message
from leadline.llm.json_text import json_in
from leadline.reasoning.model_showing import Shown

UNMODELLED = (
    "classify: no model is set, so each text gets the label that is nearest to it in meaning and words. "
    "To ask a model, set LEADLINE_MODEL, or `model` in leadline.toml."
)

WORDS = 0.5
"""How much shared words count beside likeness of meaning, where both are known."""


@dataclass(frozen=True, slots=True)
class Classify(Step):
    """Says which label suits a text.

    The configured model chooses. Without one it is the label whose words and description are nearest to the text: by the
    encoder of the settings where there is one, and by the words that they share.

    field: the field with the text.
    labels: the labels, a list, or a mapping of each to what it means.
    into: the field for the label, or for the list of them.
    several: any number of labels may suit, also none; only a model can say so.
    otherwise: the label where none suits; null if not given.
    role: `fast`, the model that judges, or `smart`, the one that writes.
    max_tokens: the longest reply.

    Example:
        classify:
          field: text
          labels: {harbour: "ships, quays and tides", railway: "trains, tracks and stations"}
          into: topic
    """

    field: str
    labels: Sequence[str] | Mapping[str, str]
    into: str = "label"
    several: bool = False
    otherwise: str | None = None
    role: Role = "fast"
    max_tokens: int = 256

    @property
    def costly(self) -> bool:
        return True

    def __post_init__(self) -> None:
        if len(self.labels) < 2:
            raise ValueError("`labels` must be at least two")

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(self.field)

    def after(self, before: Shape) -> Shape:
        return having(before, {self.into: "list" if self.several else "any"})

    async def apply(self, row: Row, scope: Scope) -> list[Row]:
        modelled = await workspace_of(scope, "classify").models.roles() is not None
        if self.several or modelled:
            return [{**row, self.into: await self._chosen(row, scope)}]
        await scope.kept.get(UNMODELLED, lambda: _told(UNMODELLED, scope))
        return [{**row, self.into: await self._nearest(text_at(row, self.field), scope)}]

    def _meanings(self) -> dict[str, str]:
        if isinstance(self.labels, Mapping):
            return dict(self.labels)
        return dict.fromkeys(self.labels, "")

    async def _chosen(self, row: Row, scope: Scope) -> Any:
        meanings = self._meanings()
        names = [*meanings, *([] if self.several else ["none"])]
        one = {"type": "string", "enum": names}
        many = {"type": "array", "items": one, "maxItems": len(names)}
        schema = usable({"type": "object", "properties": {"label": many if self.several else one}})
        listed = "\n".join(
            f"- {label}: {meaning}" if meaning else f"- {label}" for label, meaning in meanings.items()
        )
        which = (
            "Which of these labels suit the document? Any number may."
            if self.several
            else ("Which one of these labels suits the document best? Say none where none does.")
        )

        def messages(shown: Shown) -> list[Message]:
            task = f"Task: classify\n{which}\n{listed}\n{shown.rule}"
            form = '["..."]' if self.several else '"..."'
            return [
                Message("system", f'{task}\nReply only with JSON: {{"label": {form}}}'),
                Message("user", shown.text),
            ]

        def value(reply: str) -> Any:
            return cast(dict[str, Any], followed(json_in(reply), schema))["label"]

        documents = list(pieces(value_at(row, self.field), self.field))
        ask = Asker("classify", self.role, self.max_tokens, schema)
        said = await ask(documents, messages, value, scope)
        if self.several:
            return list(dict.fromkeys(cast(list[str], said)))
        return self.otherwise if said == "none" and "none" not in meanings else said

    async def _nearest(self, text: str, scope: Scope) -> str | None:
        meanings = self._meanings()
        said = [f"{label} {meaning}".strip() for label, meaning in meanings.items()]
        terms = set(analyse(text))
        scores = [len(terms & (own := set(analyse(each)))) / (len(own) or 1) * WORDS for each in said]
        embedder = await workspace_of(scope, "classify").embedder()
        if embedder is not None:
            labels = await scope.kept.get(("labels", *said), lambda: _encoded(embedder, said))
            vector = (await asyncio.to_thread(embedder.embed_documents, [text]))[0]
            scores = [score + float(like) for score, like in zip(scores, labels @ vector, strict=True)]
        best = max(range(len(said)), key=lambda at: scores[at])
        return list(meanings)[best] if scores[best] > 0 else self.otherwise


@asynccontextmanager
async def _encoded(embedder: Embedder, texts: Sequence[str]) -> AsyncGenerator[Vectors]:
    yield await asyncio.to_thread(embedder.embed_documents, texts)


@asynccontextmanager
async def _told(text: str, scope: Scope) -> AsyncGenerator[None]:
    scope.run.emit(Notice(text))
    yield
