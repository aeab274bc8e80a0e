"""The JSON schemas of replies. Every string is bounded: without that a small model runs on to its token limit."""

from collections.abc import Mapping
from typing import Any

Json = Mapping[str, Any]

LONGEST_QUERY = 300


def text(longest: int) -> Json:
    return {"type": "string", "maxLength": longest}


def many(of: Json, most: int) -> Json:
    return {"type": "array", "maxItems": most, "items": of}


def text_list(most: int) -> Json:
    """A list of short texts."""
    return many(text(LONGEST_QUERY), most)


def record(**properties: Json) -> Json:
    """An object with exactly these, all of them given."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


WHOLE: Json = {"type": "integer"}
FLAG: Json = {"type": "boolean"}
