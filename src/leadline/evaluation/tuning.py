"""Choose how a collection is searched by the user's own questions, without fitting to chance.

questions -> every choice ranks every question (the best ones also in a model's other words)
          -> best of one half, measured on the other, and the other way round
          -> is that held-out gain more than chance? -> the best of all questions, or no change
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path, PurePath

from leadline.errors import UsageError
from leadline.evaluation.bootstrap import Interval, interval
from leadline.evaluation.cases import QUESTIONS, Case, read_questions
from leadline.evaluation.judging import passages_of
from leadline.evaluation.metrics import mean, ndcg_at, places_of, recall_at
from leadline.evaluation.setup import OnProgress, Progress, Setup, unwatched
from leadline.evaluation.tuning_words import DEPTH, expanded, gains, other_words
from leadline.retrieval.hybrid import HybridRetriever
from leadline.retrieval.tuned import Choice
from leadline.run import Budget, Run
from leadline.types import Query

WEIGHTS = (0.0, 0.1, 0.2, 0.35, 0.5, 0.7)
FEWEST = 20
"""Questions: with fewer of them no difference could be told from chance."""

FEWEST_MOVED = 6
"""Questions that must fare differently: five that all fare better are one time in sixteen chance (sign test)."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One choice over all questions: mean recall@5, mean nDCG@10, and each question's score, their mean."""

    choice: Choice
    recall_at_5: float
    ndcg_at_10: float
    scores: tuple[float, ...]

    def score(self, of: Sequence[int]) -> float:
        """The mean score of these questions."""
        return mean([self.scores[at] for at in of])


@dataclass(frozen=True, slots=True)
class Tuning:
    """What was tried, the usual choice first; what is best; and how much a choice gains on questions it has not seen.

    `gain` is in points of score: what choosing on one half of the questions gained over the usual on the other half;
    `moved` questions fared better or worse there.
    """

    tried: tuple[Tried, ...]
    best: Tried
    gain: Interval
    moved: int

    @property
    def usual(self) -> Tried:
        return self.tried[0]

    @property
    def pays(self) -> bool:
        """Whether the best choice is another than the usual, and the gain more than chance."""
        return self.best is not self.usual and self.gain.is_gain and self.moved >= FEWEST_MOVED


def choices(*, dense: bool) -> list[Choice]:
    """Every combination, the usual one first; of equal ones the earlier is taken."""
    weights: list[float | None] = [None, *(WEIGHTS if dense else ())]
    return [
        Choice(fusion, weight, linked, coverage)
        for linked, coverage, fusion, weight in product(
            (True, False), (True, False), ("score", "rrf"), weights
        )
        if fusion == "score" or dense
    ]


async def tune(
    folder: Path, collection: str, setup: Setup, progress: OnProgress = unwatched, run: Run | None = None
) -> Tuning:
    """Measure every choice on the questions in `folder`, over a collection of `setup.store`.

    With a `run` for its calls, a model's other words are measured too, where the reasoner has any.
    """
    stored = await setup.store.fingerprints(collection)
    cases = resolved(read_own(folder), [source for source, _ in stored.values()], collection)
    tried: list[Tried] = []
    every = choices(dense=setup.embedder is not None)
    for done, choice in enumerate(every, start=1):
        tried.append(await _try(choice, cases, collection, setup))
        progress(Progress(collection, "tune", done, len(every)))
    if run is not None:
        tried += await _in_other_words(tried, cases, collection, setup, run, progress)
    return settled(tried)


async def _in_other_words(
    tried: Sequence[Tried],
    cases: Sequence[Case],
    collection: str,
    setup: Setup,
    run: Run,
    progress: OnProgress,
) -> list[Tried]:
    """The usual choice, and the best of each half and of all, with what other words add to each."""
    words = await other_words(cases, collection, setup, run, progress)
    count = len(cases)
    halves = (range(0, count, 2), range(1, count, 2), range(count))
    bases = [tried[0], *(_best(tried, of) for of in halves)] if words else []
    found: list[Tried] = []
    for base in dict.fromkeys(bases):
        more = await gains(base.choice, words, cases, collection, setup)
        scores = tuple(own + gain.score for own, gain in zip(base.scores, more, strict=True))
        recall = base.recall_at_5 + mean([gain.recall for gain in more])
        found.append(
            Tried(expanded(base.choice), recall, base.ndcg_at_10 + mean([g.ndcg for g in more]), scores)
        )
    return found


def read_own(folder: Path) -> list[Case]:
    """The questions of a folder, or of a file of questions, that say what should be found."""
    file = folder / QUESTIONS if folder.is_dir() else folder
    cases = [case for case in read_questions(file) if case.supporting]
    if len(cases) < FEWEST:
        raise UsageError(
            f'{file}: {len(cases)} questions say in "sources" or "supporting_ids" what should be found. '
            f"Tuning needs at least {FEWEST}: fewer cannot tell a gain from chance."
        )
    return cases


def resolved(cases: Sequence[Case], sources: Sequence[str], collection: str) -> list[Case]:
    """The cases with what supports them by its stored source: that itself, or the end of its path."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(name for case in cases for name in case.supporting):
        parts = PurePath(name).parts
        fits = [source for source in sources if source == name] or [
            source for source in sources if parts and PurePath(source).parts[-len(parts) :] == parts
        ]
        if len(fits) != 1:
            what = "holds no source" if not fits else f"holds {len(fits)} sources"
            raise UsageError(
                f"collection `{collection}` {what} `{name}`. Name it as `collections show` does."
            )
        found[name] = fits[0]
    return [
        Case(case.id, case.question, supporting=tuple(dict.fromkeys(found[name] for name in case.supporting)))
        for case in cases
    ]


async def _try(choice: Choice, cases: Sequence[Case], collection: str, setup: Setup) -> Tried:
    retriever = HybridRetriever(setup.store, (collection,), setup.embedder, choice.on(setup.retrieval))
    recalls: list[float] = []
    gains: list[float] = []
    for case in cases:
        # More chunks than places: several of one document are one result here.
        results = await retriever.search(Query(case.question), 5 * DEPTH, Run(Budget(searches=None)))
        places = places_of(passages_of(results.hits), set(case.supporting))
        recalls.append(recall_at(places, 5))
        gains.append(ndcg_at(places, DEPTH))
    scores = tuple((one + other) / 2 for one, other in zip(recalls, gains, strict=True))
    return Tried(choice, mean(recalls), mean(gains), scores)


def settled(tried: Sequence[Tried]) -> Tuning:
    """The best choice over all questions, and the gain of choosing, each half by what the other half chose."""
    usual = tried[0]
    count = len(usual.scores)
    halves = [range(0, count, 2), range(1, count, 2)]
    gains: dict[int, float] = {}
    for chosen_on, measured_on in (halves, halves[::-1]):
        best = _best(tried, chosen_on)
        gains |= {at: 100 * (best.scores[at] - usual.scores[at]) for at in measured_on}
    moved = sum(gain != 0 for gain in gains.values())
    return Tuning(tuple(tried), _best(tried, range(count)), interval([list(gains.values())]), moved)


def _best(tried: Sequence[Tried], of: Sequence[int]) -> Tried:
    """The first of the best, so that the usual choice wins where another is not better."""
    return max(tried, key=lambda one: (round(one.score(of), 9), -tried.index(one)))


def as_record(tuning: Tuning) -> Mapping[str, object]:
    """For programs."""
    return {
        "questions": len(tuning.usual.scores),
        "gain": {"mean": tuning.gain.mean, "low": tuning.gain.low, "high": tuning.gain.high},
        "moved": tuning.moved,
        "pays": tuning.pays,
        "best": tuning.best.choice.words(),
        "tried": [
            {
                "choice": one.choice.words(),
                "recall@5": round(one.recall_at_5, 4),
                "ndcg@10": round(one.ndcg_at_10, 4),
            }
            for one in tuning.tried
        ],
    }


def tuning_table(tuning: Tuning, most: int = 10) -> list[list[str]]:
    """The usual choice, the best ones and those in other words, as rows: choice, recall@5, nDCG@10, difference in
    points of score."""
    whole = range(len(tuning.usual.scores))
    ranked = sorted(tuning.tried[1:], key=lambda one: -one.score(whole))
    return [
        [
            one.choice.words(),
            f"{100 * one.recall_at_5:.1f}",
            f"{100 * one.ndcg_at_10:.1f}",
            "" if one is tuning.usual else f"{100 * (one.score(whole) - tuning.usual.score(whole)):+.1f}",
        ]
        for place, one in enumerate((tuning.usual, *ranked))
        if place <= most or one.choice.expand
    ]
