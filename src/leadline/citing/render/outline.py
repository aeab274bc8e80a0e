"""What every rendering of an answer shows, in order, before it is put in a form.

One number per distinct place cited; a claim carries the numbers of what it rests on.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import PurePosixPath

from leadline.documents.figures import generated_in
from leadline.reasoning.placing import citation_of
from leadline.types import Answer, Chunk, Citation, Claim, Evidence, StopReason, Support, Usage

NEAREST = 3
NOT_FOUND = "No answer to this was found. The nearest passages:"
NOTHING = "No answer to this was found, and no passage comes near it."
UNSEARCHED = "The run ended before anything was searched for."
NO_CLAIMS = "There is no answer text. What was found so far:"
STOPPED = {
    StopReason.ANSWERED: "nothing was left to ask",
    StopReason.MAX_ROUNDS: "all rounds are used",
    StopReason.NO_NEW_EVIDENCE: "the last round found nothing new",
    StopReason.REPEATED_QUERIES: "all that was left to ask had been asked",
    StopReason.FACT_BUDGET: "enough facts were gathered",
    StopReason.BUDGET: "the budget is spent",
    StopReason.DEADLINE: "the time is up",
    StopReason.CANCELLED: "it was cancelled",
    StopReason.NOTHING_FOUND: "no answer was found in what was searched",
}
SNIPPET = "search snippet; the page could not be read"
_CUT = {StopReason.BUDGET, StopReason.DEADLINE, StopReason.CANCELLED}
_MARKS = {Support.SUPPORTED: "", Support.PARTLY: "partly supported", Support.UNSUPPORTED: "not supported"}


@dataclass(frozen=True, slots=True)
class Line:
    """One claim: its text, the numbers of its citations, and what a reader is warned of ("" if nothing).

    `rests` says on how many documents, that they disagree, or that it is computed ("" for a quote of one). `context` is shown above a claim that cannot be read without: the header of the table whose row it is.
    """

    text: str
    numbers: tuple[int, ...]
    support: Support
    warning: str
    context: str = ""
    rests: str = ""


@dataclass(frozen=True, slots=True)
class Outline:
    """The parts of an answer. `groups` are claims by topic; `nearest` are passages shown for want of claims.

    `copies` are the other sources of a text, by the number of the place cited.
    """

    headline: str
    groups: tuple[tuple[str, tuple[Line, ...]], ...]
    sources: tuple[tuple[int, Citation], ...]
    nearest: tuple[Evidence, ...]
    missing: tuple[str, ...]
    notices: tuple[str, ...]
    footer: str
    copies: Mapping[int, str] = field(default_factory=dict[int, str])


def outline(answer: Answer) -> Outline:
    """Lay `answer` out."""
    sources = numbered(answer)
    places = {place(citation): number for number, citation in sources}
    groups = tuple(
        (topic, tuple(_line(claim, places) for claim in claims))
        for topic, claims in groupby(answer.claims, key=lambda claim: claim.topic)
    )
    nearest = () if answer.claims else answer.evidence[:NEAREST]
    return Outline(
        _headline(answer, nearest),
        groups,
        sources,
        nearest,
        answer.missing,
        answer.notices,
        footer(answer),
        _copies(answer, sources),
    )


def _copies(answer: Answer, sources: Sequence[tuple[int, Citation]]) -> dict[int, str]:
    held = {item.chunk.id: item.also_in for item in answer.evidence if item.also_in}
    found = ((number, held.get(citation.chunk_id, ())) for number, citation in sources)
    return {number: ", ".join(map(_short, copies)) for number, copies in found if copies}


def _short(source: str) -> str:
    return source if "://" in source else PurePosixPath(source).name or source


def place(citation: Citation) -> tuple[str, int, int]:
    return citation.document_id, citation.start, citation.end


def numbered(answer: Answer) -> tuple[tuple[int, Citation], ...]:
    """Every distinct place the claims cite, numbered from 1 in order of first mention."""
    first: dict[tuple[str, int, int], Citation] = {}
    for claim in answer.claims:
        for citation in claim.citations:
            first.setdefault(place(citation), citation)
    return tuple(enumerate(first.values(), start=1))


def _line(claim: Claim, places: dict[tuple[str, int, int], int]) -> Line:
    numbers = tuple(dict.fromkeys(places[place(citation)] for citation in claim.citations))
    warning = ": ".join(part for part in (_MARKS[claim.support], claim.note) if part)
    shown = "" if claim.support is Support.SUPPORTED and not claim.disputed else warning
    return Line(claim.text, numbers, claim.support, shown, _above(claim), _rests(claim))


def _rests(claim: Claim) -> str:
    if claim.disputed and claim.documents > 1:
        return f"{claim.documents} documents disagree"
    if claim.kind == "computed":
        return f"computed from {_count(claim.documents, 'document')}" if claim.documents else "computed"
    if claim.documents > 1 or (claim.documents and claim.kind == "stated"):
        return _count(claim.documents, "document")
    return ""


def _above(claim: Claim) -> str:
    """The header of the one row that a claim quotes."""
    contexts = {citation.context for citation in claim.citations}
    return contexts.pop() if claim.kind == "quoted" and len(contexts) == 1 else ""


def _headline(answer: Answer, nearest: tuple[Evidence, ...]) -> str:
    if not answer.found:
        if answer.claims or nearest:
            return NOT_FOUND
        return UNSEARCHED if answer.stop in _CUT and not answer.usage.searches else NOTHING
    return "" if answer.claims else NO_CLAIMS


def where(cited: Citation | Chunk) -> str:
    """File name, title, figure, page and heading path, as far as they are known and differ; of the web its title first,
    then its address.

    >>> from leadline.types import Citation
    >>> where(Citation("1", "1", "plan.pdf", "", "The yard", 0, 8, page=3, kind="figure"))
    'plan.pdf · figure, p. 3'
    >>> where(Citation("1", "1", "https://quay.example/a", "The quay", "Stone", 0, 5))
    'The quay · https://quay.example/a'
    """
    return " · ".join(_places(cited))


def when(cited: Citation | Chunk) -> str:
    """Of a page, the day it names, the day it was read, and that only a snippet of it was; "" of a file.

    >>> from leadline.types import Citation
    >>> page = Citation("1", "1", "https://quay.example/a", "", "Stone", 0, 5, published="2024-05-01", accessed="2025-03-02")
    >>> when(page)
    'published 2024-05-01, accessed 2025-03-02'
    """
    if isinstance(cited, Chunk):
        cited = citation_of(cited, "", 0, 0)
    told = [f"published {cited.published}"] if cited.published else []
    told += [f"accessed {cited.accessed}"] if cited.accessed else []
    told += [SNIPPET] if cited.snippet else []
    return ", ".join(told)


def _places(cited: Citation | Chunk) -> Iterator[str]:
    name = _short(cited.source)
    shown, title = name or cited.title or cited.document_id, cited.title
    if "://" in name:
        yield from [title] if title and title != name else []
        yield shown
    else:
        yield shown
        yield from [title] if name and title and title not in {name, PurePosixPath(name).stem} else []
    place = ["figure"] if cited.kind == "figure" else []
    place += [f"p. {cited.page}"] if cited.page is not None else []
    if place:
        yield ", ".join(place)
    path = [part for part in cited.heading_path if part != cited.title]
    if path:
        yield " › ".join(path)


def header_of(chunk: Chunk) -> str:
    """The header of a table of which a chunk shows rows only, or a figure's description, which says who made it."""
    return chunk.context if chunk.kind == "table" else generated_in(chunk.context)


def footer(answer: Answer) -> str:
    """Why it stopped and what it took."""
    usage = answer.usage
    parts = [f"Stopped because {STOPPED[answer.stop]} ({answer.stop})"]
    if answer.rounds:
        parts.append(_count(answer.rounds, "round"))
    if usage.searches:
        parts.append(_count(usage.searches, "search", "searches"))
    if usage.calls:
        parts.append(spent(usage))
    parts.append(f"{usage.seconds:.1f} s")
    if answer.agent:
        parts.append(f"agent {answer.agent}")
    return " · ".join(parts)


def spent(usage: Usage) -> str:
    """What models took."""
    price = f", ${usage.usd:.4f}" if usage.usd else ""
    return f"{_count(usage.calls, 'model call')}, {_count(usage.tokens, 'token')}{price}"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
