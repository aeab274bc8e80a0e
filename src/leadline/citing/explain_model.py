"""What a model was asked in a run, what came of it, and who decided what, for `--explain`."""

from rich.console import Group, RenderableType
from rich.text import Text

from leadline.citing.render.plain import line
from leadline.events import (
    Called,
    CallFailed,
    ChainStep,
    CollectionsChosen,
    CutShort,
    Defaulted,
    Event,
    Packed,
    Repaired,
    Rewritten,
    Routed,
)

_SHOWN = 200


def model_story(event: Event) -> RenderableType | None:
    """What to print for `event`; None when it is none of these."""
    match event:
        case Called():
            return _styled(f"  model: {_called(event)}", "dim")
        case CallFailed():
            after = "" if event.again is None else f"; once more in {event.again:.1f} s"
            return _styled(f"  model: {event.step} failed: {line(event.reason)}{after}", "red")
        case CutShort():
            return _styled(
                f"  model: the reply to {event.step} was cut short ({line(event.reason)}); what came stands",
                "yellow",
            )
        case Repaired():
            came = "it was then" if event.usable else "nor was the next"
            return _styled(
                f"  model: a reply to {event.step} could not be used ({line(event.reason)}); {came}", "yellow"
            )
        case Defaulted():
            return _styled(f"  {event.step}: {line(event.instead)} ({line(event.reason)})", "yellow")
        case Packed():
            return _packed(event)
        case _:
            return _decided(event)


def _decided(event: Event) -> RenderableType | None:
    match event:
        case Routed():
            return Text.assemble(
                ("Agent ", "bold"), event.agent, (f"  {line(event.reason)} (by {event.by})", "dim")
            )
        case CollectionsChosen():
            names = ", ".join(map(line, event.collections)) or "none"
            return Text.assemble(("  collections ", "bold"), names, (f"  {line(event.reason)}", "dim"))
        case Rewritten():
            why = f"  dropped: {line(event.reason)}" if not event.kept else ""
            shown = Text(f"    {event.kind}: ", style="dim")
            return shown.append(line(event.text, _SHOWN), style="default").append(why, style="dim")
        case ChainStep():
            return _step(event)
        case _:
            return None


def _called(event: Called) -> str:
    """One line: step, model, tokens, price, time."""
    parts = [event.step, line(event.model), f"{event.input_tokens} + {event.output_tokens} tokens"]
    if event.cached:
        parts.append("kept from before")
    elif event.usd:
        parts.append(f"${event.usd:.4f}")
    return ", ".join([*parts, f"{event.milliseconds:.0f} ms"])


def _packed(event: Packed) -> RenderableType | None:
    if not event.left_out:
        return None
    text = f"  {event.step}: {event.shown} passages shown to the model, {event.left_out} left out for want of room"
    return _styled(text, "dim")


def _step(event: ChainStep) -> RenderableType:
    answer = line(event.answer, _SHOWN) if event.answer else "nothing useful"
    head = Text.assemble((f"  step {event.round} ", "bold"), line(event.question))
    rests = f"  {len(event.supported)} passages support it" if event.supported else ""
    return Group(head, Text.assemble("    ", answer, (f"{rests} (not checked)", "dim")))


def _styled(text: str, style: str) -> Text:
    return Text(text, style=style)
