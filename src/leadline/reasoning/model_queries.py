"""Queries as a model writes them: which can be searched for, and which are new."""

import re
from collections.abc import Iterable

from leadline.reasoning.model_schemas import LONGEST_QUERY

_PLACEHOLDER = re.compile(
    r"\[[^\]]*(?:answer|result|name|step|\d)[^\]]*\]|<[^<>]{1,40}>|#\d|\{\w+\}", re.IGNORECASE
)
"""What stands for an answer that is not there yet: searching for it finds anything."""


def searchable(found: Iterable[str]) -> tuple[str, ...]:
    """Those that can be searched for as they stand.

    >>> searchable(["Who directed Heron?", "When was [ANSWER1] born?", "the birthplace of #1"])
    ('Who directed Heron?',)
    """
    return tuple(text[:LONGEST_QUERY] for text in found if not _PLACEHOLDER.search(text))


def distinct(found: Iterable[str], known: Iterable[str]) -> list[str]:
    """Those that are not among `known`, each once, whatever their letter case and end marks."""
    seen = {_key(text) for text in known}
    kept: list[str] = []
    for text in found:
        if _key(text) not in seen:
            seen.add(_key(text))
            kept.append(text)
    return kept


def _key(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip("?？؟. ")
