"""Find where a quote really stands in a text.

exact -> folded (case, width, marks, white space, quotation marks) -> fuzzy (at least 85% alike) -> None

Whoever asks shows the source's own words at the span, not the quote, so a lenient match can't invent.
A quote with an ellipsis is sought whole first, then as pieces in order: pieces at most 600 characters
apart become one span from first to last, others stay apart.
"""

import re
from collections import Counter
from collections.abc import Iterator

from rapidfuzz.fuzz import partial_ratio_alignment, ratio

from leadline.citing.edges import Span, is_whole, to_sentence, unspaced, whole
from leadline.citing.folding import Folded, folded

_ALIKE = 85.0
_NEAR = 600
_MARGIN = 200
_LONGEST_FUZZY = 2000
_OCCURRENCES = 200
_SEEDS = 48
_WINDOWS = 4
_EDGE = "'.,;:!?-()[]"
_ELLIPSIS = re.compile(r"\s*[\[(（]?\s*(?:…+|⋯+|\.{3,}|(?:\. ){2,}\.)\s*[\])）]?\s*")


def locate_all(text: str, quote: str, around: Span | None = None) -> tuple[Span, ...]:
    """The span of `quote` in `text`, or the spans of its pieces where an ellipsis leaves much out.

    Empty when it, or one of its pieces, isn't there in order.
    """
    if not folded(quote).strip(_EDGE):
        return ()
    near = _neighbourhood(text, around)
    pieces = [piece for piece in _ELLIPSIS.split(quote) if folded(piece).strip(_EDGE)]
    if len(pieces) <= 1:
        span = _find(text, quote, near, fuzzy=True)
        return (span,) if span else ()
    span = _find(text, quote, near, fuzzy=False)
    return (span,) if span else _find_pieces(text, pieces, near)


def _neighbourhood(text: str, around: Span | None) -> Span | None:
    if around is None or not 0 <= around[0] < around[1] or around[0] >= len(text):
        return None
    return max(0, around[0] - _MARGIN), min(len(text), around[1] + _MARGIN)


def _find(text: str, quote: str, near: Span | None, *, fuzzy: bool) -> Span | None:
    everywhere = (0, len(text))
    regions = [everywhere] if near is None else [near, everywhere]
    sources: list[Folded] = []
    for region in regions:
        span = _exact(text, quote.strip(), region)
        if span is None:
            sources.append(Folded(text, *region))
            span = _folded(text, quote, sources[-1])
        if span:
            return span
    spans = (_fuzzy(text, quote, source) for source in sources if fuzzy)
    return next((span for span in spans if span), None)


def _occurrences(text: str, needle: str, start: int, end: int) -> Iterator[int]:
    at = text.find(needle, start, end)
    for _ in range(_OCCURRENCES):
        if at < 0:
            return
        yield at
        at = text.find(needle, at + 1, end)


def _first_whole(text: str, spans: Iterator[Span]) -> Span | None:
    """The first of `spans` that cuts no word, else the first of all, grown to whole words."""
    first: Span | None = None
    for span in spans:
        if is_whole(text, span):
            return span
        first = first or whole(text, span)
    return first


def _exact(text: str, quote: str, region: Span) -> Span | None:
    return _first_whole(text, ((at, at + len(quote)) for at in _occurrences(text, quote, *region)))


def _folded(text: str, quote: str, source: Folded) -> Span | None:
    for needle in dict.fromkeys((folded(quote), folded(quote).strip("'"), folded(quote).strip(_EDGE))):
        found = _occurrences(source.text, needle, 0, len(source.text))
        span = _first_whole(text, (source.span(at, at + len(needle)) for at in found))
        if span:
            return span
    return None


def _fuzzy(text: str, quote: str, source: Folded) -> Span | None:
    needle = folded(quote).strip(_EDGE)
    shortest = 6 if unspaced(needle[0]) else 12
    if not shortest <= len(needle) <= _LONGEST_FUZZY:
        return None
    best, place = _ALIKE, None
    for start, end in _windows(source.text, needle):
        window = source.text[start:end]
        # The shorter of the two is what gets aligned: a window shorter than the quote would always fit.
        if len(window) * 100 < len(needle) * _ALIKE:
            continue
        found = partial_ratio_alignment(needle, window, score_cutoff=best)
        if found is None or found.dest_start == found.dest_end:
            continue
        score = ratio(needle, window[found.dest_start : found.dest_end])
        if score >= best:
            best, place = score, (start + found.dest_start, start + found.dest_end)
    if place is None:
        return None
    return to_sentence(text, whole(text, source.span(*place)))


def _windows(text: str, needle: str) -> list[Span]:
    """Where in `text` something like `needle` may stand: where most of its seeds agree on a position.

    Aligning against megabytes is quadratic in effect; looking a few dozen exact seeds up is linear.
    """
    slack = len(needle) // 5 + 16
    if len(text) <= 4 * (len(needle) + slack):
        return [(0, len(text))]
    size = 4 if unspaced(needle[0]) else 8
    size = min(size, max(2, len(needle) // 3))
    starts = range(len(needle) - size + 1)
    step = max(1, len(starts) // _SEEDS)
    bucket = max(16, slack)
    votes: Counter[int] = Counter()
    for at in starts[::step]:
        for found in _occurrences(text, needle[at : at + size], 0, len(text)):
            votes[(found - at) // bucket] += 1
    best = votes.most_common(_WINDOWS)
    spans = [(place * bucket - slack, (place + 1) * bucket + len(needle) + slack) for place, _ in best]
    return [(max(0, start), min(len(text), end)) for start, end in spans]


def _find_pieces(text: str, pieces: list[str], near: Span | None) -> tuple[Span, ...]:
    spans: list[Span] = []
    for region in [near, None] if near else [None]:
        spans = _in_order(text, pieces, region)
        if spans:
            break
    if not spans:
        return ()
    gaps = [after[0] - before[1] for before, after in zip(spans, spans[1:], strict=False)]
    if max(gaps) <= _NEAR:
        return ((spans[0][0], spans[-1][1]),)
    return tuple(spans)


def _in_order(text: str, pieces: list[str], region: Span | None) -> list[Span]:
    at, end = region or (0, len(text))
    spans: list[Span] = []
    for piece in pieces:
        span = _exact(text, piece.strip(), (at, end))
        if span is None:
            source = Folded(text, at, end)
            span = _folded(text, piece, source) or _fuzzy(text, piece, source)
        if span is None or span[1] <= at:
            return []
        spans.append(span)
        at = span[1]
    return spans
