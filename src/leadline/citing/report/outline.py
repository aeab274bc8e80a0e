"""What every form of a report shows, in order. One number per document or page cited, the same in every form.

answer -> title, summary, sections, what sources disagree on, what stays open, how it was searched, references
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import PurePosixPath

from leadline.citing.render.plain import line
from leadline.citing.report.labels import Labels, labels_for
from leadline.types import Answer, Citation, Claim, Fact, Query, Support

_NO_CHARACTERS = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")
_BOLD = re.compile(r"\*\*(?=\S)|(?<=\S)\*\*")
_LINK = re.compile(r"https?://[^\s\"<>\\^`{|}]{1,2000}")


@dataclass(frozen=True, slots=True)
class Passage:
    """A quote of a document; `place` says where in it, as far as that is known."""

    quote: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """A document or page that the report rests on. `link` is its address where it can be opened, `dates` when it was
    published and read, in words; `snippet` where only a search engine's snippet of it could be read."""

    number: int
    title: str
    source: str
    link: str
    dates: str
    snippet: bool
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, the numbers of what it rests on, and what a reader is told of it ("" if nothing)."""

    text: str
    numbers: tuple[int, ...]
    note: str = ""
    warned: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """Statements under a heading ("" for none)."""

    title: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One of several statements that contradict each other. `published` are days."""

    text: str
    published: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The parts of a report, as safe single lines of text. Each of `disputes` holds what sources say of one thing; `labels`
    are the headings and the like, in the report's own language."""

    labels: Labels
    title: str
    summary: str
    sections: tuple[Section, ...]
    disputes: tuple[tuple[Side, ...], ...]
    missing: tuple[str, ...]
    method: tuple[str, ...]
    notices: tuple[str, ...]
    references: tuple[Reference, ...]

    def texts(self) -> Iterator[str]:
        """Every text of it, in the order in which it is shown."""
        yield from (self.title, self.summary)
        for section in self.sections:
            yield section.title
            for statement in section.statements:
                yield from (statement.text, statement.note)
        if self.disputes:
            yield from (self.labels.disputes, self.labels.said, self.labels.day)
        for side in (side for sides in self.disputes for side in sides):
            yield from (side.text, side.published)
        if self.missing:
            yield from (self.labels.missing, *self.missing)
        yield from (self.labels.method, *self.method, *self.notices)
        if self.references:
            yield self.labels.references
        for each in self.references:
            yield from (each.title, each.source, each.dates, self.labels.snippet if each.snippet else "")
            for passage in each.passages:
                yield from (passage.quote, passage.place)


def report(answer: Answer) -> Report:
    """Lay `answer` out."""
    disputes = list(_disputed(answer.facts))
    cited = list(_cited(answer.claims, disputes))
    numbers: dict[str, int] = {}
    for citation in cited:
        numbers.setdefault(_key(citation), len(numbers) + 1)
    labels = labels_for(answer.question)
    sections = tuple(
        Section(_text(topic), tuple(_statement(claim, numbers, labels) for claim in claims))
        for topic, claims in groupby(answer.claims, key=lambda claim: claim.topic)
    )
    return Report(
        labels,
        _text(answer.question),
        _summary(answer, len(numbers), len(disputes), labels),
        sections,
        tuple(tuple(_side(fact, numbers) for fact in facts) for facts in disputes),
        tuple(map(_text, answer.missing)),
        tuple(_method(answer, labels)),
        tuple(map(_text, answer.notices)),
        tuple(_references(cited, numbers, labels)),
    )


def _text(text: str) -> str:
    return line(_NO_CHARACTERS.sub("", text))


def _key(citation: Citation) -> str:
    return citation.source or citation.document_id


def _numbers(citations: Iterable[Citation], numbers: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(numbers[_key(citation)] for citation in citations))


def _cited(claims: Sequence[Claim], disputes: Iterable[Sequence[Fact]]) -> Iterator[Citation]:
    for claim in claims:
        yield from claim.citations
    for facts in disputes:
        for fact in facts:
            yield from fact.citations


def _disputed(facts: Sequence[Fact]) -> Iterator[tuple[Fact, ...]]:
    """Facts that contradict each other, directly or through a third one; newer ones first."""
    taken: set[int] = set()
    for start, fact in enumerate(facts):
        if start in taken or not fact.against:
            continue
        group, open_ = {start}, [start]
        while open_:
            near = {number - 1 for number in facts[open_.pop()].against if 0 < number <= len(facts)}
            open_ += sorted(near - group)
            group |= near
        taken |= group
        if len(group) > 1:
            newest = sorted(sorted(group), key=lambda each: facts[each].published, reverse=True)
            yield tuple(facts[each] for each in newest)


def _side(fact: Fact, numbers: Mapping[str, int]) -> Side:
    days = sorted({citation.published for citation in fact.citations if citation.published}, reverse=True)
    return Side(
        _said(fact.statement, fact.citations), ", ".join(map(_text, days)), _numbers(fact.citations, numbers)
    )


def _said(text: str, citations: Sequence[Citation]) -> str:
    """A statement as a reader is shown it: the row of a table with the names of its columns, without signs of Markdown."""
    if text.startswith("|"):
        cells = _cells(text)
        columns = _cells(citations[0].context) if citations else []
        text = "; ".join(
            f"{column}: {cell}" if column and column != cell else cell
            for column, cell in zip_longest(columns[: len(cells)], cells, fillvalue="")
            if cell
        )
    return _text(_BOLD.sub("", text))


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _statement(claim: Claim, numbers: Mapping[str, int], labels: Labels) -> Statement:
    sources = labels.disagree if claim.disputed and not claim.note else ""
    computed = labels.computed if claim.kind == "computed" else ""
    parts = (labels.support[claim.support], sources, computed, claim.note)
    note = _text(": ".join(part for part in parts if part))
    warned = claim.support is not Support.SUPPORTED or claim.disputed
    return Statement(_said(claim.text, claim.citations), _numbers(claim.citations, numbers), note, warned)


def _summary(answer: Answer, sources: int, disputes: int, labels: Labels) -> str:
    if not answer.claims:
        return labels.nothing
    parts = [labels.stated.format(labels.statements(len(answer.claims)), labels.sources(sources))]
    parts += [labels.facts(len(answer.facts))] if answer.facts else []
    parts += [labels.points(disputes)] if disputes else []
    parts += [labels.questions(len(answer.missing))] if answer.missing else []
    found = "" if answer.found else labels.partial
    return f"{found}{labels.semicolon.join(parts)}{labels.stop}"


def _method(answer: Answer, labels: Labels) -> Iterator[str]:
    usage = answer.usage
    taken = [labels.rounds(answer.rounds), labels.searches(usage.searches)]
    taken += [labels.calls(usage.calls), labels.tokens(usage.tokens)] if usage.calls else []
    taken += [f"${usage.usd:.4f}"] if usage.calls and usage.usd else []
    taken.append(labels.seconds.format(usage.seconds))
    agent = labels.agent.format(answer.agent or "?")
    yield f"{labels.comma.join(taken)}{labels.semicolon}{agent}{labels.stop}"
    yield labels.stopped.format(labels.reasons[answer.stop], answer.stop)
    asked: dict[int, list[Query]] = {}
    for query in answer.queries:
        asked.setdefault(query.round, []).append(query)
    for number, queries in sorted(asked.items()):
        yield labels.asked.format(number, " | ".join(_text(query.text) for query in queries))


def _references(cited: Sequence[Citation], numbers: Mapping[str, int], labels: Labels) -> Iterator[Reference]:
    shown = short_names(list(numbers))
    for key, number in numbers.items():
        own = [citation for citation in cited if _key(citation) == key]
        places = {(each.quote, each.start, each.end): each for each in own}
        link = key if _LINK.fullmatch(key) else ""
        yield Reference(
            number,
            _title(own),
            _text(shown[key]),
            link if link == _text(link) else "",
            _dates(own, labels),
            all(each.snippet for each in own),
            tuple(Passage(_text(each.quote), _place(each, labels)) for each in places.values()),
        )


def short_names(sources: Sequence[str]) -> dict[str, str]:
    """Addresses as they are; files by name, with as many folders as tell them apart. A report is passed on, and where
    things lie on a machine is nobody's business.

    >>> short_names(["/a/b/c.md", "/a/d/c.md", "/a/e.md"])
    {'/a/b/c.md': 'b/c.md', '/a/d/c.md': 'd/c.md', '/a/e.md': 'e.md'}
    """
    shown: dict[str, str] = {}
    for source in sources:
        parts = PurePosixPath(source).parts
        tails = ["/".join(parts[-length:]) for length in range(1, len(parts) + 1)]
        others = [f"/{other}" for other in sources if other != source]
        alone = (tail for tail in tails if not any(other.endswith(f"/{tail}") for other in others))
        shown[source] = source if "://" in source else next(alone, source)
    return shown


def _title(own: Sequence[Citation]) -> str:
    titles = [_text(each.title) for each in own if _text(each.title)]
    name = PurePosixPath(_key(own[0])).name
    return titles[0] if titles else _text(name or _key(own[0]))


def _dates(own: Sequence[Citation], labels: Labels) -> str:
    published = max((each.published for each in own), default="")
    accessed = max((each.accessed for each in own), default="")
    days = ((labels.published, published), (labels.accessed, accessed))
    return labels.comma.join(words.format(_text(day).replace("-", labels.dash)) for words, day in days if day)


def _place(citation: Citation, labels: Labels) -> str:
    parts = [labels.page.format(citation.page)] if citation.page is not None else []
    path = [_text(part) for part in citation.heading_path if part != citation.title]
    return " · ".join([*parts, " › ".join(path)] if path else parts)
