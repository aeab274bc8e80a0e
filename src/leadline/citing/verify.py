"""Check a claim against the stored text of what it cites.

Each citation: the quote is located, its span put right, and the quote replaced by the source's own words, so
`document.text[start:end] == quote` holds for every citation that survives; one that isn't found goes.
The claim: what can be looked up must occur in the quotes, the sentences around them, or their titles and headings.

supported    everything looked up is there, nothing is denied, and at least half of the claim's terms are there
partly       something is missing (the note names it), or it can't be told: another language
unsupported  no citation left, none of the facts is there, or fewer than a fifth of the terms

A computed claim is computed again from the values in its quotes.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from leadline.analysis.language import language
from leadline.analysis.scripts import script
from leadline.analysis.terms import analyse
from leadline.citing.align import locate_all
from leadline.citing.edges import Span, is_whole, sentence_spans
from leadline.citing.facts import compare
from leadline.citing.folding import folded
from leadline.citing.negation import contradicts
from leadline.citing.recomputing import recomputed, results_of
from leadline.documents.cutting import header
from leadline.events import Verified
from leadline.types import Block, Citation, Claim, Document, Support

ENOUGH_TERMS = 0.5
"""A stated claim is supported only when at least this share of its terms is in what it cites."""
FEW_TERMS = 0.2
"""Below this share it is unsupported."""

ADDED = 4
"""So many words in a row of which the cited text has none are something that it does not say."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_UNSPACED = {"han", "kana", "thai"}
_LETTERS_TO_TELL = 40
_EDGE = "'.,;:!?…"
_ORDER = (Support.UNSUPPORTED, Support.PARTLY, Support.SUPPORTED)

Finding = tuple[Support, str]


def verify(claim: Claim, documents: Mapping[str, Document]) -> Claim:
    """`claim` with its citations put right, and how far they support it. `documents` is keyed by id."""
    citations = tuple(dict.fromkeys(_settled(claim.citations, documents)))
    if not citations:
        note = "its quotes are not in the sources" if claim.citations else "it cites nothing"
        return replace(claim, citations=(), support=Support.UNSUPPORTED, note=note)
    said = "\n".join(_sentences(c, documents[c.document_id]) for c in citations)
    if claim.kind == "quoted" and _is_quote(claim.text, citations):
        findings = _negation_findings(claim.text, said)
    else:
        above = "\n".join(_above(c, documents[c.document_id]) for c in citations)
        findings = _findings(claim, said, f"{said}\n{above}")
    support = min((support for support, _ in findings), key=_ORDER.index, default=Support.SUPPORTED)
    return replace(claim, citations=citations, support=support, note="; ".join(note for _, note in findings))


def verify_all(
    claims: Iterable[Claim], documents: Mapping[str, Document]
) -> tuple[tuple[Claim, ...], Verified]:
    """Every claim checked, and the counts as an event; `repaired` counts claims whose citations changed."""
    before = tuple(claims)
    after = tuple(verify(claim, documents) for claim in before)
    count = {support: sum(claim.support == support for claim in after) for support in Support}
    repaired = sum(_places(old) != _places(new) for old, new in zip(before, after, strict=True))
    return after, Verified(
        count[Support.SUPPORTED], count[Support.PARTLY], count[Support.UNSUPPORTED], repaired
    )


def _places(claim: Claim) -> list[tuple[str, int, int, str]]:
    return [(c.document_id, c.start, c.end, c.quote) for c in claim.citations]


def _settled(citations: Sequence[Citation], documents: Mapping[str, Document]) -> Iterable[Citation]:
    for citation in citations:
        document = documents.get(citation.document_id)
        if document is None or not citation.quote.strip():
            continue
        for span in _spans(citation, document.text):
            yield _moved(citation, document, span)


def _spans(citation: Citation, text: str) -> tuple[Span, ...]:
    claimed = (citation.start, citation.end)
    in_order = 0 <= citation.start < citation.end
    if in_order and text[citation.start : citation.end] == citation.quote and is_whole(text, claimed):
        return (claimed,)
    return locate_all(text, citation.quote, claimed)


def _moved(citation: Citation, document: Document, span: Span) -> Citation:
    start, end = span
    found = replace(
        citation,
        quote=document.text[start:end],
        start=start,
        end=end,
        source=document.source,
        title=document.title,
    )
    block = _block(document, start)
    if block is not None:
        context = header(document.text, block.start, block.end) if block.kind == "table" else ""
        found = replace(found, kind=block.kind, context="" if found.quote in context else context)
    if span == (citation.start, citation.end):
        return found
    page = next((p.number for p in document.pages if p.start <= start < p.end), None)
    path = _heading_path(document, start)
    return replace(found, page=page or citation.page, heading_path=path or citation.heading_path)


def _heading_path(document: Document, at: int) -> tuple[str, ...]:
    path: list[tuple[int, str]] = []
    for heading in document.headings:
        if heading.start > at:
            break
        path = [(level, text) for level, text in path if level < heading.level]
        path.append((heading.level, heading.text))
    return tuple(text for _, text in path)


def _sentences(citation: Citation, document: Document) -> str:
    """The sentences the quote is from: whole, so that a quote can't leave a "not" out."""
    spans = sentence_spans(document.text, (citation.start, citation.end))
    return "\n".join(document.text[start:end] for start, end in spans)


def _above(citation: Citation, document: Document) -> str:
    """What stands above the quote and may name what it speaks of: its table's header row, headings, title."""
    block = _block(document, citation.start)
    table = block is not None and block.kind == "table"
    first = [document.text[block.start : block.end].split("\n", 1)[0]] if block and table else []
    return "\n".join([*first, *citation.heading_path, document.title])


def _block(document: Document, at: int) -> Block | None:
    """The block that a position stands in."""
    return next((block for block in document.blocks if block.start <= at < block.end), None)


def _is_quote(text: str, citations: Sequence[Citation]) -> bool:
    said = _bare(text)
    quotes = [citation.quote for citation in citations]
    return said in map(_bare, quotes) or said.replace("...", "") == _bare("".join(quotes))


def _bare(text: str) -> str:
    return folded(text).strip(_EDGE)


def _findings(claim: Claim, said: str, cited: str) -> list[Finding]:
    """`said` are the sentences cited, `cited` is that and what stands above them."""
    findings: list[Finding] = []
    if claim.kind == "quoted":
        findings.append((Support.PARTLY, "its words differ from the source's"))
    if claim.kind == "computed":
        findings += recomputed(claim, cited)
        cited = f"{cited}\n{results_of(claim)}"
    findings += _fact_findings(claim.text, cited, script(said))
    if claim.kind == "computed":
        return findings
    if _foreign(claim.text, said):
        findings.append((Support.PARTLY, "the source is in another language, so its wording is not compared"))
    else:
        findings += _wording_findings(claim.text, cited) + _negation_findings(claim.text, said)
    return findings


def _fact_findings(text: str, cited: str, writing: str) -> list[Finding]:
    facts = compare(text, cited, writing)
    findings: list[Finding] = []
    if facts.missing:
        none_found = not facts.found and not facts.unlike
        support = Support.UNSUPPORTED if none_found else Support.PARTLY
        findings.append((support, "not in the cited text: " + ", ".join(facts.missing)))
    if facts.unlike:
        findings.append((Support.PARTLY, "names in another script: " + ", ".join(facts.unlike)))
    return findings


def _wording_findings(text: str, cited: str) -> list[Finding]:
    share = _shared(set(analyse(text)), cited)
    if share >= ENOUGH_TERMS:
        added = _added(text, cited)
        return [(Support.PARTLY, f"the cited text has nothing of “{added}”")] if added else []
    support = Support.UNSUPPORTED if share < FEW_TERMS else Support.PARTLY
    return [(support, f"only {share:.0%} of its words are in the cited text")]


def _added(text: str, cited: str) -> str:
    """The first words in a row, stop words between them not counted, that the cited text has nothing of."""
    held, run = set(analyse(cited)), list[re.Match[str]]()
    for word in _WORD.finditer(text if script(text) not in _UNSPACED else ""):
        terms = analyse(word[0])
        if terms and held.isdisjoint(terms):
            run.append(word)
        elif terms and len(run) >= ADDED:
            break
        elif terms:
            run.clear()
    return text[run[0].start() : run[-1].end()] if len(run) >= ADDED else ""


def _negation_findings(text: str, said: str) -> list[Finding]:
    if contradicts(text, said):
        return [(Support.PARTLY, "one of claim and source says “not”, the other doesn't")]
    return []


def _shared(terms: set[str], cited: str) -> float:
    return len(terms & set(analyse(cited))) / len(terms) if terms else 1.0


def _foreign(text: str, said: str) -> bool:
    """Are the two in different languages? In one script only said of texts long enough to tell."""
    words = {term for term in analyse(text) if not any(map(str.isdigit, term))}
    if _shared(words, said) >= ENOUGH_TERMS:
        return False
    one, other = script(text), script(said)
    if one != other:
        return "other" not in {one, other} and {one, other} != {"han", "kana"}
    if min(sum(map(str.isalpha, side)) for side in (text, said)) < _LETTERS_TO_TELL:
        return False
    return language(text) != language(said)
