"""Names of fields in a filter that no document has: a misspelt one is refused, a missing one is said."""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from leadline.errors import FilterError
from leadline.store.base import FieldSummary
from leadline.store.filters import And, Compare, Filter, Not, Or, filter_text

DOCUMENTED = frozenset(
    "source type title lang language modified date published created year kind".split()
)  # fmt: skip
"""Names that the manual gives a meaning, whether documents here have them or not."""

ALIKE = 0.75
"""How much two names must have in common for one to be taken for the other, misspelt."""


def missing_fields(
    where: Filter, text: str, collections: Sequence[str], fields: Sequence[FieldSummary]
) -> tuple[str, ...]:
    """What to say of each name in `where` that no document has; `FilterError` for one that looks misspelt.

    `text` is the filter as it was written, "" where it was built.
    """
    have = {one.name for one in fields} | {"kind"}
    have |= {"lang"} if "language" in have else set[str]()
    if not fields:  # nothing is loaded yet
        return ()
    missing = [name for name in dict.fromkeys(_names(where)) if name not in have]
    return tuple(_said(name, have, text or filter_text(where), collections) for name in missing)


def _names(where: Filter) -> Iterator[str]:
    match where:
        case Compare(field):
            yield field
        case Not(part):
            yield from _names(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _names(part)


def _said(name: str, have: set[str], text: str, collections: Sequence[str]) -> str:
    near = sorted(have | DOCUMENTED)
    close = get_close_matches(name.lower(), near, n=1, cutoff=ALIKE)
    if close and name not in DOCUMENTED:
        found = re.search(rf"(?<![\w.-])`?{re.escape(name)}(?![\w-])", text)
        hint = f"No document has a field `{name}`; did you mean `{close[0]}`?"
        raise FilterError(hint, text, found.start() if found else 0)
    places = ", ".join(f"`{one}`" for one in collections)
    more = " A file's own date is `modified`." if name in {"year", "date"} and "modified" in have else ""
    return (
        f"No document in {places} has a field `{name}`, so only `!=` and `not` pass.{more} "
        f"`leadline collections show {collections[0]}` lists the fields there are."
    )
