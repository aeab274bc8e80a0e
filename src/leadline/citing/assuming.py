"""What an answer takes for granted: the period, the subject or the measure that its question leaves open.

claims -> sentences that say the same of another year, another name, another kind of the measure -> what was assumed, and the others
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline.analysis.names import names, subjects
from leadline.analysis.sentences import sentences
from leadline.analysis.terms import analyse
from leadline.analysis.values import codes, dates, numbers
from leadline.reasoning.cues import wanted
from leadline.retrieval.phrases import phrase
from leadline.types import Chunk, Citation, Claim

ALIKE = 0.6
"""Sentences say the same of different things when this share of their other terms is common."""
OTHERS = 4
_PERIOD = re.compile(
    r"(?:\b(?:Q[1-4]|H[12]|FY|(?:first|second|third|fourth) (?:quarter|half)(?: of)?)[\s/-]*)?"
    r"(?<![\d.,/-])(?:19|20)\d{2}(?![\d%]|[.,]\d)"
    r"(?:\s*年(?:第?[一二三四1-4]季度|[上下]半年|\d{1,2}月)?|[\s/-]*Q[1-4]\b)?",
    re.IGNORECASE,
)
_TIMED = re.compile(
    r"\b(?:now|today|current(?:ly)?|latest|recent(?:ly)?|last|this|previous|next|ever|always|per|each|every|annual(?:ly)?"
    r"|over time|trend|histor\w+|since|until|between|during|years?|months?|quarters?)\b"
    r"|现在|目前|当前|最新|最近|去年|今年|本年|历年|每年|趋势|الآن|حاليا|الحالي|الأحدث|العام الماضي|سنويا",
    re.IGNORECASE,
)
"""A question with one of these says of what time it is, or of all."""
_WHOSE = re.compile(
    r"\b(?:who|whom|whose|which|each|every|all|both|list)\b|谁|哪|各|每|所有|من هو|من هي|أي|كل", re.IGNORECASE
)
"""A question with one of these asks for the subject, or means all."""
_KINDS = (
    "gross net operating adjusted total average median nominal real basic diluted consolidated recurring minimum maximum "
    "installed rated peak pre-tax after-tax pretax"
).split()
_KIND = re.compile(rf"\b({'|'.join(map(re.escape, _KINDS))})\s+([a-z]{{3,}})", re.IGNORECASE)
_HAN_KIND = re.compile(r"(毛|净|营业|扣非净|归母净|总|平均)(利润|收入|资产|负债|成本|工资|面积)")


@dataclass(frozen=True, slots=True)
class _Said:
    """One sentence: what period and whom it is about, as written, and its other terms."""

    text: str
    periods: tuple[str, ...]
    about: tuple[str, ...]
    terms: frozenset[str]

    def alike(self, other: "_Said") -> bool:
        common, whole = self.terms & other.terms, self.terms | other.terms
        return bool(common) and len(common) >= ALIKE * len(whole)


def assumptions(question: str, claims: Sequence[Claim], chunks: Sequence[Chunk]) -> tuple[str, ...]:
    """What the claims assume, in words for the reader, each with the alternatives that `chunks` have. Usually nothing."""
    cited = [_cited(citation) for claim in claims for citation in claim.citations]
    if not cited:
        return ()
    others = [said for chunk in chunks for said in _sentences(chunk)]
    found = (
        _period(question, cited, others),
        _subject(question, cited, others),
        _measure(question, cited, others),
    )
    return tuple(text for text in found if text)


def _period(question: str, cited: Sequence[_Said], others: Sequence[_Said]) -> str:
    if (
        _TIMED.search(question)
        or _PERIOD.search(question)
        or dates(question)
        or "date" in wanted(question).kinds
    ):
        return ""
    taken = _shown(period for said in cited for period in said.periods)
    if len(taken) != 1:
        return ""
    mine = [said for said in cited if said.periods]
    also = _shown(
        period
        for other in others
        if any(said.alike(other) and _same(said.about, other.about) for said in mine)
        for period in other.periods
    )
    return _told("name a period", f"for {taken[0]}", _without(also, taken))


def _subject(question: str, cited: Sequence[_Said], others: Sequence[_Said]) -> str:
    if subjects(question) or codes(question) or _WHOSE.search(question):
        return ""
    mine = [said for said in cited if said.about and numbers(_PERIOD.sub(" ", said.text))]
    taken = _shown(name for said in mine for name in said.about)
    asked = phrase(question)
    if len(taken) != 1 or phrase(taken[0]) in asked or any(dates(one) for one in taken):
        return ""
    also = _shown(
        name
        for other in others
        if any(said.alike(other) for said in mine) and numbers(_PERIOD.sub(" ", other.text))
        for name in other.about
    )
    return _told("say whom or what it is about", f"about {taken[0]}", _without(also, taken))


def _measure(question: str, cited: Sequence[_Said], others: Sequence[_Said]) -> str:
    asked = set(analyse(question))
    if _kinds(question):
        return ""
    mine = [
        (kind, noun) for said in cited for kind, noun in _kinds(said.text) if asked.issuperset(analyse(noun))
    ]
    taken = _shown(f"{kind}{_gap(noun)}{noun}" for kind, noun in mine)
    if len(taken) != 1:
        return ""
    noun = mine[0][1]
    also = _shown(
        f"{kind}{_gap(noun)}{noun}"
        for other in others
        for kind, its in _kinds(other.text)
        if analyse(its) == analyse(noun)
    )
    return _told(f"say which {noun} is meant", f"the {taken[0]}", _without(also, taken))


def _told(open_point: str, taken: str, others: Sequence[str]) -> str:
    if not others:
        return ""
    listed = ", ".join(others[:OTHERS]) + (
        f" and {len(others) - OTHERS} more" if len(others) > OTHERS else ""
    )
    return f"Assumed: the question does not {open_point}; this is {taken}. The sources also have {listed}."


def _cited(citation: Citation) -> _Said:
    where = (*reversed(citation.heading_path), citation.title, citation.source.rsplit("/", 1)[-1])
    return _said(citation.quote, where, citation.title, citation.context)


def _sentences(chunk: Chunk) -> Iterator[_Said]:
    where = (*reversed(chunk.heading_path), chunk.title, *_dated(chunk), chunk.source.rsplit("/", 1)[-1])
    for start, end in sentences(chunk.text):
        yield _said(chunk.text[start:end], where, chunk.title, chunk.context)


def _dated(chunk: Chunk) -> list[str]:
    return [str(chunk.metadata[key]) for key in ("year", "period", "date") if key in chunk.metadata]


def _said(text: str, where: Sequence[str], title: str, context: str) -> _Said:
    """A sentence, its period and its subject read from itself, else from what stands over it."""
    own = _shown(_found(text))
    named = tuple(name for name in names(text) if not _PERIOD.fullmatch(name))
    periods = own or next((found for each in where if (found := _shown(_found(each)))), own)
    bare = text
    for name in named:
        bare = bare.replace(name, " ")
    terms = frozenset(
        term for term in analyse(_PERIOD.sub(" ", f"{context} {bare}")) if not term[0].isdigit()
    )
    about = _shown(_PERIOD.sub(" ", name) for name in named) or _shown([_PERIOD.sub(" ", title)])
    return _Said(text, tuple(periods), tuple(about), terms)


def _found(text: str) -> Iterator[str]:
    return (match.group().strip() for match in _PERIOD.finditer(text))


def _shown(found: Iterator[str] | Sequence[str]) -> list[str]:
    """Each once, in their order, blanks and letter case aside."""
    kept: dict[str, str] = {}
    for text in found:
        clean = " ".join(text.split()).strip(" ,;:()-")
        if clean:
            kept.setdefault(clean.casefold(), clean)
    return list(kept.values())


def _without(found: Sequence[str], taken: Sequence[str]) -> list[str]:
    known = {text.casefold() for text in taken}
    return [text for text in found if text.casefold() not in known]


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    left, right = ({text.casefold() for text in each} for each in (one, other))
    return left == right or not left or not right


def _kinds(text: str) -> list[tuple[str, str]]:
    """Qualified measures: (gross, profit)."""
    found = [(match[1].lower(), match[2].lower()) for match in _KIND.finditer(text)]
    return found + [(match[1], match[2]) for match in _HAN_KIND.finditer(text)]


def _gap(noun: str) -> str:
    return " " if noun.isascii() else ""
