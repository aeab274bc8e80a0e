"""What search providers answered, what became of each page, and what facts were found, for `--explain`."""

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.text import Text

from leadline.citing.render.outline import SNIPPET
from leadline.citing.render.plain import line
from leadline.events import Event, FactsFound, GapsFound, PageRead, WebSearched, WebSearchFailed

_SHOWN = 200


def web_story(event: Event) -> RenderableType | None:
    """What to print for `event`; None when it is none of these."""
    match event:
        case WebSearched():
            counts = f"  {event.results} results, {event.new} of them new, {event.milliseconds:.0f} ms"
            told = _asked(event.provider, event.query).append(counts, style="dim")
            hint = (
                f"\n    its own answer, which is no evidence: {line(event.hint, _SHOWN)}"
                if event.hint
                else ""
            )
            return told.append(hint, style="dim")
        case WebSearchFailed():
            instead = f"; {line(event.instead)}" if event.instead else ""
            return _asked(event.provider, event.query).append(f"  {line(event.reason)}{instead}", style="red")
        case PageRead():
            return _page(event)
        case FactsFound():
            text = (
                f"  facts: {event.extracted} found, {event.unverified} not borne out by their page, "
                f"{event.merged} known already, {event.new} new; {event.total} in all"
            )
            over = f"; {event.over} left out, beyond those that are enough" if event.over else ""
            return Text(text + over, style="bold")
        case GapsFound():
            return _gaps(event)
        case _:
            return None


def _asked(provider: str, query: str) -> Text:
    text = Text("  web ", style="bold")
    return text.append(line(provider), style="default").append(f" “{line(query, _SHOWN)}”", style="default")


def _page(event: PageRead) -> Text:
    told = {
        "read": (f"read, {event.bytes:,} bytes, {event.milliseconds:.0f} ms", "dim"),
        "kept": ("as it was read lately", "dim"),
        "snippet": (SNIPPET, "yellow"),
        "failed": ("not read", "red"),
    }
    words, style = told[event.status]
    why = f" ({line(event.reason, _SHOWN)})" if event.reason else ""
    return Text(f"    {line(event.url, _SHOWN)}").append(f"  {words}{why}", style=style)


def _gaps(event: GapsFound) -> RenderableType:
    return Group(
        Text("  open: " if event.gaps else "  nothing is open", style="bold"),
        *_lines(f"    - {line(gap, _SHOWN)}" for gap in event.gaps),
        *_lines(f"    next: {line(query, _SHOWN)}" for query in event.queries),
        *_lines(f"    not asked: {line(text, _SHOWN)} ({line(why)})" for text, why in event.dropped),
    )


def _lines(texts: Iterable[str]) -> list[Text]:
    return [Text(text) for text in texts]
