"""Yes and no: verdicts of a model in any of the ways it writes them."""

import re

from leadline.llm.json_text import Unreadable, json_in, mapping, readable

# Letters and digits alone make a word: `**YES**`, `_no_` and `yes.` are the words.
_YES = re.compile(r"(?<![^\W_])yes(?![^\W_])", re.IGNORECASE)
_NO = re.compile(r"(?<![^\W_])no(?![^\W_])", re.IGNORECASE)
_TRUE = re.compile(r"(?<![^\W_])(?:yes|y|true|yeah|yep)(?![^\W_])", re.IGNORECASE)
_FALSE = re.compile(r"(?<![^\W_])(?:no|n|false|nope|not)(?![^\W_])", re.IGNORECASE)


def verdict(text: str) -> bool:
    """Whether a reply about one thing accepts it: it says YES and does not say NO, as whole words in any letter case.

    A reply without either is a rejection too; only one that says nothing is unreadable.

    >>> verdict("**Yes**, it names the year."), verdict("YES and NO"), verdict("Relevant.")
    (True, False, False)
    """
    said = readable(text)
    return bool(_YES.search(said)) and not _NO.search(said)


def yes_or_no(text: str) -> bool:
    """The answer to a question of yes or no: a JSON value, the first word, else the only one of both that is said.

    >>> yes_or_no("No, that is not enough; yes, really."), yes_or_no('{"enough": "Yes."}')
    (False, True)
    """
    said = readable(text)
    if said[0] in "{[`":
        try:
            value = json_in(said)
        except Unreadable:
            value = None
        values = list((mapping(value) or {"": value}).values())
        if decided := [answer for item in values if (answer := truth(item)) is not None]:
            return decided[0]
    answer = truth(said)
    if answer is None:
        raise Unreadable("the reply says neither yes nor no")
    return answer


def truth(value: object) -> bool | None:
    """A value of JSON as yes or no; None where it is neither."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return bool(value) if value in {0, 1} else None
    if not isinstance(value, str):
        return None
    said = value.strip()[:2_000]
    first = said.split(maxsplit=1)[0] if said else ""
    for part in (first, said):
        yes, no = bool(_TRUE.search(part)), bool(_FALSE.search(part))
        if yes != no:
            return yes
    return None
