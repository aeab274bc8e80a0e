"""A topic that lists what it is to be about: the parts, each with what they are parts of.

"The harbour, the mills and the ferry of Velden" -> "harbour Velden", "mills Velden", "ferry Velden"
"""

import re
from dataclasses import dataclass

FEWEST, MOST = 2, 12
"""Fewer parts are no list; more of them are no topic."""
LONGEST = 6
"""Words of a part; Han characters count as half of one."""
LONGEST_TOPIC = 600
"""Characters of a topic: what is longer is a text, and the time that its forms take to be tried grows with its square."""

_BEHIND = re.compile(
    r"^(?P<parts>[^:?]+?,[^:?]+?(?:,?\s+(?:and|or|&)\s+)[^:?,]+?)\s+(?:of|in|at|on|around|near)\s+(?P<whole>[^,:?]+?)\s*[.?]*$",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"^(?P<whole>[^,:：،]+?)\s*[:：]\s*(?P<parts>[^:：]+?)\s*[.。?？؟]*$")
_CHINESE = re.compile(r"^(?P<whole>[^，,、：:]+?)的(?P<parts>[^，,：:]+?、[^，,：:]+?)[。？?]*$")
_ARABIC = re.compile(r"^(?P<parts>[^:؟]+?،[^:؟]+?)\s+في\s+(?P<whole>[^،:؟]+?)\s*[.؟]*$")
_PAIR = re.compile(
    r"^(?P<one>[^,:?]+?)\s+(?:and|&)\s+(?P<other>[^,:?]+?)(?:\s+(?:of|in|at|on|around|near)\s+(?P<whole>[^,:?]+?))?\s*[.?]*$",
    re.IGNORECASE,
)
_NAME_BEFORE = re.compile(r"^(?P<whole>(?:[A-Z]\S*\s+)+)(?P<part>[a-z].*)$")
_BETWEEN = re.compile(
    r"\s*(?:[,;，；、،]\s*(?:(?:and|or)\s+|以及|和|و(?=\w))?|\s+(?:and|or|&)\s+|以及|和(?=[^和]*$)|\s+و(?=\w{3}))\s*"
)
_ARTICLE = re.compile(r"^(?:the|its|their|an?|his|her)\s+", re.IGNORECASE)
_ASKS = re.compile(
    r"[?？؟]\s*$|^\W*(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|can|has|have)\b"
    r"|谁|什么|何时|哪|几|多[少高长大远重久深宽]|如何|为什么|吗|^\W*(?:من|ما|ماذا|متى|أين|كم|كيف|لماذا|هل)\s",
    re.IGNORECASE,
)
_HAN = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Listed:
    """What a topic lists, as it writes it: `parts` of a `whole` ("" where they are things by themselves)."""

    whole: str
    parts: tuple[str, ...]

    @property
    def said(self) -> tuple[str, ...]:
        """Each part with the whole, as it is searched for."""
        return tuple(_said(part, self.whole) for part in self.parts)


def asks(question: str) -> bool:
    """Whether it asks for something, and does not name a topic.

    >>> asks("When was the harbour of Velden built?"), asks("The harbour of Velden")
    (True, False)
    """
    return bool(_ASKS.search(question))


def listed_parts(topic: str) -> tuple[str, ...]:
    """The parts that a topic lists, each said with the whole; none where it lists nothing.

    >>> listed_parts("The harbour, the tide mills and the ferry of Velden")
    ('harbour Velden', 'tide mills Velden', 'ferry Velden')
    >>> listed_parts("Velden: its harbour, mills, and ferry"), listed_parts("维登的港口、磨坊和渡轮")
    (('harbour Velden', 'mills Velden', 'ferry Velden'), ('维登 港口', '维登 磨坊', '维登 渡轮'))
    >>> listed_parts("When was the harbour of Velden, which is in Ald, built?")
    ()
    """
    found = listed(topic)
    return found.said if found else ()


def listed(topic: str) -> Listed | None:
    """The same, with parts and whole apart.

    >>> listed("Velden tide mill and swing bridge"), listed("Salt and pepper")
    (Listed(whole='Velden', parts=('tide mill', 'swing bridge')), None)
    """
    text = topic.strip()
    if len(text) > LONGEST_TOPIC or asks(text):
        return None
    for form in (_BEHIND, _CHINESE, _ARABIC, _BEFORE):
        found = form.match(text)
        if found is None:
            continue
        parts = [_ARTICLE.sub("", part.strip()) for part in _BETWEEN.split(found["parts"])]
        if FEWEST <= len(parts) <= MOST and all(map(_short, parts)):
            return Listed(_ARTICLE.sub("", found["whole"].strip()), tuple(dict.fromkeys(parts)))
    return _pair(text)


def _pair(text: str) -> Listed | None:
    """Two things with "and" between them: of one whole, or each said in more than a word."""
    found = _PAIR.match(text)
    if found is None:
        return None
    one, other = (_ARTICLE.sub("", found[part].strip()) for part in ("one", "other"))
    whole = _ARTICLE.sub("", (found["whole"] or "").strip())
    before = None if whole or other[:1].isupper() else _NAME_BEFORE.match(one)
    if before is not None:
        whole, one = before["whole"].strip(), before["part"]
    alone = len(one.split()) > 1 and len(other.split()) > 1
    if one == other or not (_short(one) and _short(other)) or not (whole or alone):
        return None
    return Listed(whole, (one, other))


def _short(part: str) -> bool:
    return bool(part) and len(part.split()) + len(_HAN.findall(part)) / 2 <= LONGEST


def _said(part: str, whole: str) -> str:
    return (f"{whole} {part}" if _HAN.search(part) else f"{part} {whole}").strip()
