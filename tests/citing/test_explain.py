"""`--explain` tells what was searched, found, kept, dropped and why the run stopped."""

import io
import unicodedata

from rich.console import Console, RenderableType

from leadline.citing.explain import Explainer, search_table
from leadline.events import (
    Event,
    FileLoaded,
    Judged,
    LoadStarted,
    Notice,
    Planned,
    Reflected,
    Reranked,
    RoundStarted,
    Searched,
    SearchFailed,
    Stopped,
    Verified,
)
from leadline.types import Chunk, Found, Hit, Lead, Query, StopReason

HOSTILE = "[bold]x[/] \x1b[2J\x1b]0;title\x07 \u202etxt [/nope] :smile:"
FIRST = Query("who lit it")
GAP = Query("Ada Brandt yard", "gap", 2, (Lead("Ada Brandt", "c1"),))


def hit(chunk_id: str, text: str, *found: Found, score: float = 0.5) -> Hit:
    chunk = Chunk(chunk_id, "d", "s", 0, 0, len(text), text, "docs/light.md", "Marlow Light", ("History",), 2)
    return Hit(chunk, score, found)


HITS = (
    hit("c1", "Lit by Ada Brandt.", Found("dense", 2, 0.41, "q"), Found("keyword", 1, 7.25, "q"), score=0.93),
    hit("c2", "Painted in 1902.", Found("dense", 1, 0.44, "q"), Found("dense", 9, 0.2, "r"), score=0.61),
)
EVENTS: tuple[Event, ...] = (
    LoadStarted(1, 10),
    FileLoaded("a.md", "loaded"),
    Planned("Who lit it?", (FIRST,)),
    RoundStarted(1, (FIRST,)),
    Searched(FIRST, (("dense", 30), ("keyword", 12)), HITS, 4.2),
    SearchFailed(Query("broken"), "the store is locked"),
    Reranked("who lit it", "tiny", ("c1", "c2", "c3"), (("c2", 0.9), ("c1", 0.5), ("c3", 0.1)), 2, 7.0),
    Judged(1, (("c1", True, 0.8, "covers both terms"), ("c2", False, 0.1, "covers no term"))),
    Reflected(1, 0.5, ("who bought the yard",), (GAP,), (("who lit it now", "like one already asked"),)),
    RoundStarted(2, (GAP,)),
    Searched(GAP, (), (), 1.0),
    Stopped(2, StopReason.NO_NEW_EVIDENCE, "gain 0.01 is below 0.05"),
    Verified(2, 1, 0, 1),
    Notice("keyword recall is off"),
)


def printed(*renderables: RenderableType | None) -> str:
    out = io.StringIO()
    console = Console(file=out, width=200, force_terminal=True, color_system=None, legacy_windows=False)
    for renderable in renderables:
        if renderable is not None:
            console.print(renderable)
    return out.getvalue()


def test_a_run_is_told_step_by_step() -> None:
    explain = Explainer()
    text = printed(*(explain(event) for event in EVENTS))
    steps = (
        "Question: Who lit it?",
        "the question: who lit it",
        "Round 1",
        "search “who lit it”  dense 30, keyword 12 -> 2 hits, 4 ms",
        "1. 0.930 light.md · Marlow Light · p. 2 · History  dense #2 (0.410), keyword #1 (7.250)",
        "2. 0.610 light.md · Marlow Light · p. 2 · History  dense #1 (0.440)",
        "failed: broken: the store is locked",
        "rerank “who lit it”  tiny: 3 -> 2, 7 ms",
        "1. 0.900 light.md · Marlow Light · p. 2 · History  was 2",
        "2. 0.500 light.md · Marlow Light · p. 2 · History  was 1",
        "judged: 1 kept, 1 dropped",
        "+ 0.80 light.md · Marlow Light · p. 2 · History  covers both terms",
        "“Lit by Ada Brandt.”",
        "- 0.10 light.md · Marlow Light · p. 2 · History  covers no term",
        "reflected: 50% of the question is covered",
        "missing: who bought the yard",
        "gap query: Ada Brandt yard  (through ‘Ada Brandt’)",
        "not asked: who lit it now (like one already asked)",
        "Round 2",
        "search “Ada Brandt yard”  no path -> 0 hits, 1 ms",
        "Stopped after round 2: the last round found nothing new (no_new_evidence). gain 0.01 is below 0.05",
        "Claims checked: 2 supported, 1 partly, 0 not; 1 repaired",
        "Note: keyword recall is off",
    )
    at = 0
    for step in steps:
        assert step in text[at:], step
        at = text.index(step, at) + len(step)


def test_filters_that_the_question_names_are_told_with_their_words() -> None:
    event = Searched(FIRST, (("keyword", 3), ("filtered", 1)), HITS, 4.0, ("year >= 2024 (“after 2023”)",))
    text = printed(Explainer()(event))
    assert "filtered 1" in text
    assert "where year >= 2024 (“after 2023”)" in text


def test_loading_is_not_part_of_a_run() -> None:
    explain = Explainer()
    assert explain(LoadStarted(1, 1)) is None
    assert explain(FileLoaded("a.md", "loaded")) is None


def test_long_lists_are_cut_and_say_so() -> None:
    explain = Explainer()
    many = tuple(hit(f"c{number}", "text") for number in range(12))
    assert "... and 7 more" in printed(explain(Searched(FIRST, (), many, 1.0)))
    verdicts = tuple((one.chunk.id, False, 0.0, "no term") for one in many)
    assert "... and 4 more" in printed(explain(Judged(1, verdicts)))


def test_the_search_table_shows_rank_and_score_on_every_path() -> None:
    lines = printed(search_table(HITS)).splitlines()
    head = next(row for row in lines if "score" in row)
    assert head.index("dense") < head.index("keyword") < head.index("where") < head.index("text")
    row = next(row for row in lines if "Ada Brandt" in row)
    for cell in ("1", "0.930", "#2 0.410", "#1 7.250", "light.md · Marlow Light · p. 2 · History"):
        assert cell in row
    assert "keyword" not in printed(search_table(HITS[1:]))
    assert "score" in printed(search_table(()))


def test_documents_cannot_reach_the_terminal() -> None:
    query = Query(HOSTILE, "gap", 2, (Lead(HOSTILE, HOSTILE),))
    bad = Hit(
        Chunk(HOSTILE, "d", "s", 0, 0, 1, HOSTILE, HOSTILE, HOSTILE, (HOSTILE,)),
        0.5,
        (Found(HOSTILE, 1, 0.5, HOSTILE),),
    )
    explain = Explainer()
    events: tuple[Event, ...] = (
        Planned(HOSTILE, (query,)),
        RoundStarted(2, (query,)),
        Searched(query, ((HOSTILE, 1),), (bad,), 1.0),
        SearchFailed(query, HOSTILE),
        Judged(1, ((HOSTILE, True, 0.5, HOSTILE), ("unknown" + HOSTILE, False, 0.5, HOSTILE))),
        Reflected(1, 0.5, (HOSTILE,), (query,), ((HOSTILE, HOSTILE),)),
        Stopped(1, StopReason.BUDGET, HOSTILE),
        Notice(HOSTILE),
    )
    text = printed(*(explain(event) for event in events), search_table([bad]))
    assert {c for c in text if unicodedata.category(c) in {"Cc", "Cf"}} <= {"\n"}
    assert "[bold]x[/]" in text
    assert ":smile:" in text
