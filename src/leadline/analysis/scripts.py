"""Which writing system a text is in."""

import re
from collections import Counter

RANGES: tuple[tuple[str, str], ...] = (
    ("latin", "A-Za-zÀ-ɏḀ-ỿＡ-Ｚａ-ｚ"),
    ("han", "㐀-䶿一-鿿\uf900-\ufaff\U00020000-\U000323af"),
    ("kana", "぀-ヿㇰ-ㇿｦ-ﾝ"),
    ("hangul", "가-힯ᄀ-ᇿ"),
    ("arabic", "؀-ۿݐ-ݿﭐ-﷿ﹰ-ﻼ"),
    ("cyrillic", "Ѐ-ԯ"),
    ("greek", "Ͱ-Ͽἀ-῿"),
    ("hebrew", "֐-׿"),
    ("devanagari", "ऀ-ॿ"),
    ("thai", "฀-๿"),
    ("other", "ঀ-෿຀-࿿က-႟ក-៿"),
)
UNSPACED = frozenset({"han", "kana", "hangul", "thai"})
"""Scripts whose words are not (or not usefully) separated by spaces; they are indexed by bigrams."""
CASED = frozenset({"latin", "cyrillic", "greek"})
"""Scripts that write names with capitals."""

_LETTER = re.compile("[A-Za-z]")
_LETTERS = re.compile("|".join(f"(?P<{name}>[{span}]+)" for name, span in RANGES))


def scripts(text: str) -> dict[str, float]:
    """The share of the text's letters in each script, largest first.

    >>> scripts("ab 中文中文中文")
    {'han': 0.75, 'latin': 0.25}
    """
    counts: Counter[str] = Counter()
    for run in _LETTERS.finditer(text):
        counts[run.lastgroup or "other"] += run.end() - run.start()
    total = sum(counts.values())
    return {name: count / total for name, count in counts.most_common()}


def script(text: str) -> str:
    """The script of most letters: "latin", "han", "arabic" ...; "other" when there is no letter.

    Japanese counts as "kana" as soon as a tenth of it is, since Chinese has none.
    """
    if text.isascii():
        return "latin" if _LETTER.search(text) else "other"
    shares = scripts(text)
    if shares.get("kana", 0.0) >= 0.1:
        return "kana"
    return next(iter(shares), "other")
