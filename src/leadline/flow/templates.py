"""Text with slots for fields: `{{question}}`, `{{answer.text}}`. What is put in is never looked at for slots again."""

import json
import re
from typing import Any

from leadline.flow.base import Row
from leadline.flow.expressions.comparing import found

_SLOT = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")


def slots(template: str) -> list[str]:
    """The fields that a template names, each once, in order.

    >>> slots("{{a}} {{b.0.c}} {{ a }}")
    ['a', 'b.0.c']
    """
    return list(dict.fromkeys(_SLOT.findall(template)))


def filled(template: str, row: Row) -> str:
    """A template with the fields of a row; text as it is, null and what is not there as nothing, the rest as JSON.

    >>> filled("{{a}}: {{b.0.c}}{{none}}", {"a": "{{b}}", "b": [{"c": [1]}]})
    '{{b}}: [1]'
    """
    return _SLOT.sub(lambda slot: shown(found(slot[1].split("."))(row)), template)


def shown(value: Any) -> str:
    """A value within a text."""
    return "" if value is None else as_text(value)


def as_text(value: Any) -> str:
    """A value as text: text as it is, anything else as JSON. Half a character pair becomes a question mark.

    >>> as_text("a"), as_text([1, None]), as_text(True), as_text("\\ud83d")
    ('a', '[1, null]', 'true', '?')
    """
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
