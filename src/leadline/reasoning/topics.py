"""What a research is about, by rules: the topic under a question's wording, its parts, and how much a text is about them.

"What is known about the shipyard of Velden?" -> "the shipyard of Velden" -> its weighed words -> share that a text holds
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from leadline.analysis.names import names
from leadline.analysis.terms import analyse
from leadline.reasoning.base import Passage
from leadline.reasoning.covering import Sought, sought
from leadline.reasoning.enumerating import Listed, asks, listed
from leadline.reasoning.planning import plan_queries, stripped
from leadline.retrieval.base import TermWeights
from leadline.types import Citation, Fact

ABOUT, ABOUT_ASKED = 0.6, 0.1
"""Share of a topic's weight that a text about it holds, and of a question's: each step of a chain holds little of that."""
NEAREST = 0.6
"""Where no text holds so much: the share of the most that one holds."""
LISTED = 4
"""A sentence with so many commas lists things; what it names belongs together no further."""

_ABOUT = re.compile(
    r"^(?:an? |the |short |brief |full |complete |detailed |write |give |make |me |us )*"
    r"(?:report|overview|summary|survey|profile|introduction|information|details?|facts|background|everything|all|anything)"
    r"(?: (?:that|which|there) is)?(?: known)? (?:of|on|about|to)\s+",
    re.IGNORECASE,
)
_SCRIPTS = (
    (re.compile("[\u3400-\u9fff]"), "han"),
    (re.compile("[\u0600-\u06ff]"), "arabic"),
    (re.compile(r"[A-Za-z\u00c0-\u052f]"), "letters"),
)
_TAIL = re.compile(r"(?:有哪些|的)?(?:资料|信息|概况|概述|简介|报告)$")
_WITH_ITS = re.compile(r"\s+(?:and|with)\s+(?:its|their|his|her)\s+", re.IGNORECASE)
_SITE = re.compile(r"\s+(?:[|·»]|::|[—–])\s+(?P<site>[^|·»—–]{2,40})$")


@lru_cache(maxsize=500)
def topic_of(question: str) -> str:
    """The topic that a question names, without the words that ask for it.

    >>> topic_of("What is known about the shipyard?"), topic_of("Write a short report on the mills of Velden")
    ('the shipyard', 'the mills of Velden')
    >>> topic_of("When was the shipyard founded?")
    'When was the shipyard founded?'
    """
    text = stripped(question)
    if text != question.strip():
        text = text.rstrip("?？؟ ")
    bare = _TAIL.sub("", _ABOUT.sub("", text)).strip()
    return bare or text


def is_named(question: str) -> bool:
    """Whether a topic is named, and nothing is asked about it.

    >>> is_named("Write a report on the mills of Velden"), is_named("Which mills does the report of 2020 list?")
    (True, False)
    """
    return not asks(topic_of(question))


def parts_of(question: str) -> Listed | None:
    """The parts that the topic of a question lists."""
    return listed(topic_of(question))


def bare_title(title: str) -> str:
    """The title of a page without the name of its site behind it.

    >>> bare_title("The lens comes home | Ashmere Courier"), bare_title("The lens comes home")
    ('The lens comes home', 'The lens comes home')
    """
    return _SITE.sub("", title).strip() or title


def above(citation: Citation) -> tuple[str, ...]:
    """The title and the headings that a quote stands under."""
    return (bare_title(citation.title), *citation.heading_path, citation.context)


@dataclass(frozen=True, slots=True)
class Topic:
    """What texts are to be about: any one of `units`. Where these are `parts` of something, a text must hold enough of the part
    by itself; what it is a part of may be named elsewhere on its page."""

    units: tuple[Sought, ...]
    enough: float
    parts: tuple[Sought, ...] = ()
    whole: frozenset[str] = frozenset()

    def share(self, texts: Iterable[str]) -> float:
        """How much of one unit these texts hold between them, 0 to 1."""
        return self.best(texts, self.whole)[1]

    def best(self, texts: Iterable[str], named: Collection[str]) -> tuple[int, float]:
        """The place of the unit that these texts hold most of between them, and how much, 0 to 1. `named` is what of the whole
        their page names."""
        terms = [term for text in texts for term in analyse(text)]
        shares = [unit.share(unit.held([*terms, *named])) for unit in self.units]
        if self.parts:
            own = (part.share(part.held(terms)) for part in self.parts)
            shares = [min(pair) for pair in zip(shares, own, strict=True)]
        most = max(shares, default=0.0)
        return (shares.index(most) if shares else 0), most

    def named(self, passages: Iterable[Passage]) -> dict[str, frozenset[str]]:
        """What of the whole each document names; all of it, where none names any."""
        found: dict[str, frozenset[str]] = {}
        for each in passages:
            texts = (each.text, *(one.chunk.title for one in each.evidence))
            own = self.whole.intersection(term for text in texts for term in analyse(text))
            found[each.document_id] = found.get(each.document_id, frozenset()) | own
        return found if any(found.values()) else dict.fromkeys(found, self.whole)

    def least(self, found: Iterable[float], *, later: bool = False) -> float:
        """The share from which on a text is about the topic, given what texts hold of it. What comes `later` is sought for by
        names, and may hold nothing of the topic."""
        return NEAREST * self.enough if later else min(self.enough, NEAREST * max(found, default=0.0))

    def of(self, fact: Fact) -> float:
        """How much of the topic a fact holds, with what it stands under."""
        return max((self.share((fact.statement, *above(each))) for each in fact.citations), default=0.0)

    def tied(self, fact: Fact) -> bool:
        """Whether a fact's own sentence is about the topic, and no list of things."""
        return not listing(fact.statement) and self.share((fact.statement,)) >= self.enough


def script(text: str) -> str:
    """What most of a text's letters are written in, as far as words can be told from words: "han", "arabic" or "letters".

    >>> script("灯塔 of Velden 有多高"), script("the tower")
    ('letters', 'letters')
    """
    counts = [(len(letters.findall(text)), name) for letters, name in _SCRIPTS]
    return max(counts)[1]


def listing(sentence: str) -> bool:
    """Whether a sentence does no more than list things."""
    return sum(sentence.count(comma) for comma in ",，、،") >= LISTED


def topic(question: str, weights: TermWeights) -> Topic:
    """Read what a question is about against the collection's term weights."""
    subject = topic_of(question)
    parts = listed(subject)
    if parts is not None:
        # "The tide mill of Velden: history, ..." is about the mill; "Velden: harbour, ..." is about the harbour there.
        thing = set(analyse(parts.whole)) - {term for name in _names(parts.whole) for term in analyse(name)}
        if thing:
            return Topic((sought(parts.whole, weights),), ABOUT)
        said, own = ([sought(text, weights) for text in texts] for texts in (parts.said, parts.parts))
        return Topic(tuple(said), ABOUT, tuple(own), frozenset(analyse(parts.whole)))
    asking = asks(subject)
    others = [query.text for query in plan_queries(question)[1:]] if asking else _WITH_ITS.split(subject)
    units = tuple(sought(text, weights) for text in dict.fromkeys([subject, *others]))
    return Topic(units, ABOUT_ASKED if asking else ABOUT)


def _names(text: str) -> list[str]:
    # Behind a word, since the capital of a single word that opens a sentence says nothing.
    return names(f"The {text}.")
