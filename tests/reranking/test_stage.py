"""The reranker's part in a run: order, language, time, and failure without loss."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest

from leadline.errors import RerankingFailed
from leadline.events import Event, Notice, Reranked
from leadline.reranking.base import Reranker, RerankerOptions
from leadline.reranking.endpoint import build
from leadline.reranking.stage import LONGEST_PASSAGE, Stage, shown
from leadline.run import Budget, Run
from leadline.testing.builders import chunk, hits
from leadline.testing.running import go
from leadline.types import Hit
from tests.reranking.server import DRIP, HANG, Server, always, ending, serving

QUESTION = "Where was the founder of the yard born?"
HITS = hits(
    [chunk("granite quay", "a.md"), chunk("founder", "b.md"), chunk("founder of the yard born", "c.md")]
)


@dataclass
class Watched:
    """A run and what it emitted."""

    events: list[Event] = field(default_factory=list[Event])
    budget: Budget = field(default_factory=Budget)

    def run(self) -> Run:
        return Run(self.budget, self.events.append)

    @property
    def notices(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, Notice)]

    @property
    def reranked(self) -> list[Reranked]:
        return [event for event in self.events if isinstance(event, Reranked)]


@dataclass
class Plugin:
    """A reranker of somebody else's."""

    score: Callable[[Sequence[str]], list[float]]
    scripts: frozenset[str] | None = None
    name: str = "plugin"

    async def rerank(self, question: str, passages: Sequence[str], run: Run) -> list[float]:
        return self.score(passages)


def endpoint(server: Server) -> Reranker:
    return build(RerankerOptions(model="tiny", url=server.url))


def sources(found: Sequence[Hit] | None) -> list[str]:
    return [hit.chunk.source for hit in found or ()]


def test_hits_come_in_the_rerankers_order_and_the_event_holds_both() -> None:
    watched = Watched()
    with serving() as server:
        ordered = go(Stage(endpoint(server)).order(QUESTION, HITS, watched.run(), keep=2))
    assert sources(ordered) == ["c.md", "b.md", "a.md"]
    [event] = watched.reranked
    assert event.before == tuple(hit.chunk.id for hit in HITS)
    assert [one for one, _ in event.after] == [hit.chunk.id for hit in ordered or ()]
    assert [score for _, score in event.after] == [hit.score for hit in ordered or ()]
    assert (event.kept, event.question, event.reranker) == (2, QUESTION, "endpoint-tiny")


def test_equal_scores_keep_the_order_of_the_search() -> None:
    stage = Stage(Plugin(lambda passages: [0.5] * len(passages)))
    assert sources(go(stage.order(QUESTION, HITS, Run()))) == ["a.md", "b.md", "c.md"]


def test_what_one_request_has_scored_is_not_asked_for_again() -> None:
    watched = Watched()
    with serving() as server:
        stage = Stage(endpoint(server))
        go(stage.order(QUESTION, HITS, watched.run()))
        again = go(stage.order(QUESTION, HITS[1:], watched.run()))
        assert len(server.requests) == 1
        go(stage.order("another question", HITS, watched.run()))
        assert len(server.requests) == 2
    assert sources(again) == ["c.md", "b.md"]
    assert len(watched.reranked) == 3


def test_a_question_in_a_script_the_reranker_does_not_know_is_left_alone_and_that_is_said() -> None:
    watched = Watched()
    stage = Stage(Plugin(lambda passages: [1.0] * len(passages), frozenset({"latin"})))
    assert go(stage.order("造船厂的创始人出生在哪里？", HITS, watched.run())) is None
    assert go(stage.order("أين ولد مؤسس الحوض؟", HITS, watched.run())) is None
    assert go(stage.order(QUESTION, HITS, watched.run())) is not None
    assert len(watched.notices) == 2
    assert "not for questions in han (only latin)" in watched.notices[0]
    assert len(watched.reranked) == 1


def test_without_a_reranker_and_with_less_than_two_hits_nothing_happens() -> None:
    watched = Watched()
    stage = Stage(Plugin(lambda _: [1.0]))
    assert go(Stage().order(QUESTION, HITS, watched.run())) is None
    assert go(stage.order(QUESTION, HITS[:1], watched.run())) is None
    assert watched.events == []


@pytest.mark.parametrize("given", [[1.0], [1.0, 2.0, float("nan")], [1.0, 2.0, 3.0, 4.0]])
def test_a_plugin_that_does_not_give_one_finite_score_each_is_not_believed(given: list[float]) -> None:
    watched = Watched()
    stage = Stage(Plugin(lambda _: given))
    assert go(stage.order(QUESTION, HITS, watched.run())) is None
    assert watched.notices == stage.notices
    assert "plugin failed (it did not give one finite score for each passage)" in stage.notices[0]


def test_a_reranker_that_failed_is_said_once_and_not_asked_again() -> None:
    watched = Watched()
    with serving(always(400, b"no")) as server:
        stage = Stage(endpoint(server))
        for question in (QUESTION, "another question"):
            assert go(stage.order(question, HITS, watched.run())) is None
        assert len(server.requests) == 1
    assert len(stage.notices) == len(watched.notices) == 1
    assert "answered 400: no" in stage.notices[0]


@pytest.mark.parametrize("how", [HANG, DRIP])
def test_a_reply_that_never_ends_is_given_up_after_the_seconds_it_may_take(how: str) -> None:
    watched = Watched()
    with serving(ending(how)) as server:
        stage = Stage(endpoint(server), seconds=0.3)
        assert go(stage.order(QUESTION, HITS, watched.run())) is None
    assert "no reply in 0.3 s" in stage.notices[0]


def test_the_deadline_of_the_run_comes_first_and_is_nobodys_fault() -> None:
    watched = Watched(budget=Budget(seconds=0.4))
    with serving(ending(HANG)) as server:
        stage = Stage(endpoint(server))
        run = watched.run()
        assert go(stage.order(QUESTION, HITS, run)) is None
        assert run.usage().seconds < stage.seconds
        assert go(stage.order(QUESTION, HITS, run)) is None
        assert len(server.requests) == 1
    assert watched.events == []


def test_a_run_that_is_cancelled_asks_nobody() -> None:
    def refuse(_: Sequence[str]) -> list[float]:
        raise RerankingFailed("asked all the same")

    run = Run()
    run.cancel()
    stage = Stage(Plugin(refuse))
    assert go(stage.order(QUESTION, HITS, run)) is None
    assert stage.notices == []


def test_a_passage_is_shown_with_its_title_heading_and_table_header_and_is_bounded() -> None:
    plain = chunk("Ada Brandt was born in Velden.", "b.md", title="Ada Brandt")
    assert shown(plain) == "Ada Brandt was born in Velden."
    table = replace(
        chunk("1902 | 7", "t.md", title="Tides"), heading_path=("Book", "Tides"), context="year | metres"
    )
    assert shown(table) == "Tides\nyear | metres\n1902 | 7"
    assert len(shown(chunk("x" * 100_000))) == LONGEST_PASSAGE
