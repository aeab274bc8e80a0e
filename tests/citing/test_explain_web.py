"""`--explain` tells what the web was asked, what became of each page, and what facts came of it."""

import io

import pytest
from rich.console import Console

from leadline.citing.explain import Explainer
from leadline.events import Event, FactsFound, GapsFound, PageRead, WebSearched, WebSearchFailed

HOSTILE = "[bold]x[/] \x1b[2J\x1b]0;title\x07 \u202etxt [/nope]"


def shown(event: Event) -> str:
    renderable = Explainer()(event)
    if renderable is None:
        return ""
    out = io.StringIO()
    Console(file=out, width=300, force_terminal=True, color_system=None, legacy_windows=False).print(
        renderable
    )
    return " ".join(out.getvalue().split())


def test_what_a_provider_answered_is_one_line() -> None:
    assert (
        shown(WebSearched("brave", "quay wall", 5, 212.4, 3))
        == "web brave “quay wall” 5 results, 3 of them new, 212 ms"
    )


def test_what_a_provider_refused_says_why_and_what_is_done_instead() -> None:
    failed = WebSearchFailed("tavily", "quay wall", "refused the key (401)", "brave is asked")
    assert shown(failed) == "web tavily “quay wall” refused the key (401); brave is asked"


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (PageRead("https://quay.example/a", "read", 12_000, 35.2), "read, 12,000 bytes, 35 ms"),
        (PageRead("https://quay.example/a", "kept"), "as it was read lately"),
        (
            PageRead("https://quay.example/a", "failed", reason="it answered 500"),
            "not read (it answered 500)",
        ),
        (
            PageRead("https://quay.example/a", "snippet", reason="it answered 500"),
            "search snippet; the page could not be read (it answered 500)",
        ),
    ],
)
def test_what_became_of_a_page_is_one_line(event: PageRead, text: str) -> None:
    assert shown(event) == f"https://quay.example/a {text}"


def test_facts_are_counted_before_and_after_they_were_merged() -> None:
    assert shown(FactsFound(2, 12, 1, 4, 7, 19)) == (
        "facts: 12 found, 1 not borne out by their page, 4 known already, 7 new; 19 in all"
    )


def test_gaps_are_shown_with_what_is_asked_next_and_what_is_not() -> None:
    told = shown(GapsFound(1, ("who paid",), ("who paid for the quay",), (("quay wall", "asked already"),)))
    assert told == "open: - who paid next: who paid for the quay not asked: quay wall (asked already)"
    assert shown(GapsFound(2, (), ())) == "nothing is open"


@pytest.mark.parametrize(
    "event",
    [
        WebSearched(HOSTILE, HOSTILE, 1, 1.0),
        WebSearchFailed(HOSTILE, HOSTILE, HOSTILE, HOSTILE),
        PageRead(HOSTILE, "failed", reason=HOSTILE),
        GapsFound(1, (HOSTILE,), (HOSTILE,), ((HOSTILE, HOSTILE),)),
    ],
)
def test_hostile_words_stay_words(event: Event) -> None:
    told = shown(event)
    assert "[bold]x[/]" in told
    assert not {"\x1b", "\x07", "\u202e"}.intersection(told)


def test_a_provider_s_own_answer_is_shown_as_no_evidence() -> None:
    told = shown(WebSearched("tavily", "quay wall", 5, 212.4, 3, "Built\x1b[31m in 1877."))
    assert told.endswith("212 ms its own answer, which is no evidence: Built in 1877.")
