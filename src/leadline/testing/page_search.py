"""A plain search engine over a handful of pages: BM25 over title and text, a snippet of where the words stand.

What a loopback search server finds for a test or a measurement. It ranks pages whole, as a search engine does.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from leadline.analysis.sentences import sentences
from leadline.analysis.terms import analyse
from leadline.retrieval.scoring import K1, B, idf
from leadline.web.base import WebResult

SNIPPET = 220
TITLE = 3
"""How often a word of the title counts."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A page as the engine knows it; `text` may be what it once was. A `snippet` is shown whatever is searched for."""

    url: str
    title: str
    text: str
    published: str = ""
    snippet: str = ""


class PageSearch:
    """Call it with words and a number: at most so many pages, best first. Pages without a word of them are not found."""

    def __init__(self, pages: Iterable[Listed]) -> None:
        self.pages = tuple(pages)
        self._counts = [Counter([*analyse(p.title) * TITLE, *analyse(p.text)]) for p in self.pages]
        self._lengths = [counts.total() for counts in self._counts]
        self._mean = sum(self._lengths) / max(len(self.pages), 1) or 1.0
        self._holding = Counter(term for counts in self._counts for term in counts)

    def __call__(self, query: str, limit: int) -> list[WebResult]:
        terms = tuple(dict.fromkeys(analyse(query)))
        scores = {place: self._score(place, terms) for place in range(len(self.pages))}
        best = sorted((place for place in scores if scores[place] > 0), key=lambda p: (-scores[p], p))
        return [self._result(self.pages[place], terms) for place in best[:limit]]

    def _score(self, place: int, terms: Iterable[str]) -> float:
        counts = self._counts[place]
        norm = K1 * (1 - B + B * self._lengths[place] / self._mean)
        return sum(
            idf(self._holding[term], len(self.pages)) * counts[term] / (counts[term] + norm)
            for term in terms
            if term in counts
        )

    def _result(self, page: Listed, terms: Iterable[str]) -> WebResult:
        wanted = set(terms)
        spans = [page.text[start:end] for start, end in sentences(page.text)]
        shown = max(spans, key=lambda text: len(wanted.intersection(analyse(text))), default="")
        snippet = page.snippet or " ".join(shown.split())[:SNIPPET]
        return WebResult(page.url, page.title, snippet, page.published)
