"""An `Extracted` as JSON and back: what crosses between a worker and the pool."""

import base64
from typing import Any, cast

from leadline.documents.base import Extracted, HeldPicture
from leadline.types import Block, Heading, MetaValue, Page


def to_json(found: Extracted) -> dict[str, Any]:
    """Plain lists and dictionaries, positions as numbers."""
    return {
        "text": found.text,
        "title": found.title,
        "kind": found.kind,
        "metadata": dict(found.metadata),
        "pages": [(p.number, p.start, p.end) for p in found.pages],
        "headings": [(h.level, h.text, h.start, h.end) for h in found.headings],
        "blocks": [(b.kind, b.start, b.end) for b in found.blocks],
        "notes": found.notes,
        "pictures": [(p.mark, base64.b64encode(p.data).decode(), p.media_type) for p in found.pictures],
    }


def from_json(data: dict[str, Any]) -> Extracted:
    """The same `Extracted` again; JSON's lists become tuples."""
    return Extracted(
        text=data["text"],
        title=data["title"],
        kind=data["kind"],
        metadata={key: _value(value) for key, value in data["metadata"].items()},
        pages=tuple(Page(*page) for page in data["pages"]),
        headings=tuple(Heading(*heading) for heading in data["headings"]),
        blocks=tuple(Block(*block) for block in data["blocks"]),
        notes=tuple(data["notes"]),
        pictures=tuple(
            HeldPicture(mark, base64.b64decode(held), kind) for mark, held, kind in data["pictures"]
        ),
    )


def _value(value: Any) -> MetaValue:
    return tuple(cast(list[str], value)) if isinstance(value, list) else value
