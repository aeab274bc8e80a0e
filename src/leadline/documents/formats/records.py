"""JSON and JSON lines: readable text, one block per record, no string escapes left in it."""

import json
from typing import cast

from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.decoding import decode
from leadline.documents.formats.plain import plain
from leadline.documents.normalising import normalise
from leadline.documents.sources import Source


def read(source: Source) -> Extracted:
    """Every record as indented JSON; text that is not JSON stays as it is, and a note says so."""
    text = decode(source.data)
    try:
        records = _lines(text) if source.kind == "jsonl" else _records(text)
        composer = Composer(source.kind)
        for record in records:
            composer.code(record)
        return composer.build()
    except (ValueError, RecursionError):
        return plain(normalise(text), source.kind, ("It is not valid JSON; its text was kept as it is.",))


def _lines(text: str) -> list[str]:
    return [_dump(json.loads(line)) for line in text.splitlines() if line.strip()]


def _records(text: str) -> list[str]:
    try:
        value: object = json.loads(text)
    except ValueError:
        return _lines(text)
    if isinstance(value, list):
        return [_dump(item) for item in cast(list[object], value)]
    if isinstance(value, dict):
        return [
            f"{json.dumps(key, ensure_ascii=False)}: {_dump(item)}"
            for key, item in cast(dict[str, object], value).items()
        ]
    return [_dump(value)]


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1 if isinstance(value, dict | list) else None)
