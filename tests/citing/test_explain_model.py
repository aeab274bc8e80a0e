"""`--explain` tells what models were asked, what failed, what was mended, and who decided what."""

import io

from rich.console import Console

from leadline.citing.explain import Explainer
from leadline.citing.render.outline import footer
from leadline.events import (
    Called,
    CallFailed,
    ChainStep,
    CollectionsChosen,
    CutShort,
    Defaulted,
    Drafted,
    Event,
    Packed,
    Repaired,
    Rewritten,
    Routed,
)
from leadline.types import Answer, StopReason, Usage

HOSTILE = "[bold]x[/] \x1b[2J\x1b]0;title\x07 \u202etxt [/nope] :smile:"


def shown(event: Event) -> str:
    renderable = Explainer()(event)
    if renderable is None:
        return ""
    out = io.StringIO()
    Console(file=out, width=300, force_terminal=True, color_system=None, legacy_windows=False).print(
        renderable
    )
    return " ".join(out.getvalue().split())


def test_a_call_is_one_line_with_tokens_price_and_time() -> None:
    called = Called("judge", "openai:gpt", 1_200, 30, 0.00123, 412.4)
    assert shown(called) == "model: judge, openai:gpt, 1200 + 30 tokens, $0.0012, 412 ms"


def test_what_costs_nothing_or_nobody_knows_what_has_no_price() -> None:
    assert "$" not in shown(Called("judge", "gguf:m", 12, 3, 0.0, 1.0))
    assert "$" not in shown(Called("judge", "openai:m", 12, 3, None, 1.0))
    assert "kept from before" in shown(Called("judge", "openai:m", 12, 3, 0.0, 1.0, cached=True))


def test_a_failure_says_whether_it_is_tried_again() -> None:
    assert shown(CallFailed("plan", "m", "it is busy (429)", 2.0)).endswith(
        "it is busy (429); once more in 2.0 s"
    )
    assert shown(CallFailed("plan", "m", "it is busy (429)")).endswith("plan failed: it is busy (429)")


def test_repairs_and_defaults_say_why() -> None:
    assert "the reply to write was cut short (its time was over)" in shown(
        CutShort("write", "its time was over")
    )
    assert "no JSON); it was then" in shown(Repaired("plan", "no JSON", usable=True))
    assert "no JSON); nor was the next" in shown(Repaired("plan", "no JSON", usable=False))
    assert shown(Defaulted("plan", "no JSON", "the question as it stands")) == (
        "plan: the question as it stands (no JSON)"
    )


def test_what_did_not_fit_is_counted() -> None:
    assert "12 passages shown to the model, 3 left out" in shown(Packed("write", 12, 3))
    assert shown(Packed("write", 12, 0)) == ""


def test_decisions_are_told() -> None:
    assert shown(Routed("chain", "it needs several facts", "rule")) == (
        "Agent chain it needs several facts (by rule)"
    )
    assert "collections a, b chosen by name" in shown(CollectionsChosen(1, ("a", "b"), "chosen by name"))
    assert "expanded: other words" in shown(Rewritten("expanded", "other words", kept=True))
    assert "dropped: it adds `7-day`" in shown(
        Rewritten("expanded", "x", kept=False, reason="it adds `7-day`")
    )


def test_a_step_of_a_chain_is_marked_as_unchecked() -> None:
    step = shown(ChainStep(2, "Who built it?", "Ada Brandt", ("c1", "c2")))
    assert "step 2 Who built it?" in step
    assert "Ada Brandt 2 passages support it (not checked)" in step
    assert "nothing useful" in shown(ChainStep(2, "Who built it?", "", ()))


def test_pieces_of_a_draft_are_not_part_of_the_story() -> None:
    assert shown(Drafted("The light")) == ""


def test_nothing_of_it_reaches_the_terminal_as_a_control_or_as_markup() -> None:
    events: tuple[Event, ...] = (
        Called("judge", HOSTILE, 1, 1, None, 1.0),
        CallFailed("judge", HOSTILE, HOSTILE),
        CutShort("judge", HOSTILE),
        Repaired("judge", HOSTILE, usable=False),
        Defaulted("judge", HOSTILE, HOSTILE),
        Routed("deep", HOSTILE, "model"),
        CollectionsChosen(1, (HOSTILE,), HOSTILE),
        Rewritten("hyde", HOSTILE, kept=False, reason=HOSTILE),
        ChainStep(1, HOSTILE, HOSTILE, ()),
    )
    for event in events:
        text = shown(event)
        assert "\x1b]0" not in text
        assert "\x1b[2J" not in text
        assert "\u202e" not in text
        assert "[bold]x[/]" in text


def test_the_last_line_of_an_answer_has_calls_tokens_and_price() -> None:
    def last(usage: Usage) -> str:
        return footer(Answer("q", (), (), StopReason.ANSWERED, found=True, usage=usage))

    assert "4 model calls, 1200 tokens, $0.0210" in last(Usage(1, 4, 1_200, 2.0, 0.021))
    assert "1 model call, 1 token · " in last(Usage(1, 1, 1, 2.0))
    assert "model" not in last(Usage(1, 0, 0, 2.0))
