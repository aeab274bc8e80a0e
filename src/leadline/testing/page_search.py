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
        self._sentences: dict[int, list[tuple[frozenset[str], str]]] = {}

    def __call__(self, query: str, limit: int) -> list[WebResult]:
        terms = tuple(dict.fromkeys(analyse(query)))
        scores = {place: self._score(place, terms) for place in range(len(self.pages))}
        best = sorted((place for place in scores if scores[place] > 0), key=lambda p: (-scores[p], p))
        return [self._result(place, terms) for place in best[:limit]]

    def _score(self, place: int, terms: Iterable[str]) -> float:
        counts = self._counts[place]
        norm = K1 * (1 - B + B * self._lengths[place] / self._mean)
        return sum(
            idf(self._holding[term], len(self.pages)) * counts[term] / (counts[term] + norm)
            for term in terms
            if term in counts
        )

    def _result(self, place: int, terms: Iterable[str]) -> WebResult:
        page = self.pages[place]
        return WebResult(
            page.url, page.title, page.snippet or self._snippet(place, set(terms)), page.published
        )

    def _snippet(self, place: int, wanted: set[str]) -> str:
        told = self._sentences.get(place)
        if told is None:
            text = self.pages[place].text
            spans = [text[start:end] for start, end in sentences(text)]
            # The same pages are found again and again, and analysing them takes longer than all else here.
            told = self._sentences[place] = [(frozenset(analyse(span)), span) for span in spans]
        _, shown = max(told, key=lambda one: len(wanted & one[0]), default=(None, ""))
        return " ".join(shown.split())[:SNIPPET]
