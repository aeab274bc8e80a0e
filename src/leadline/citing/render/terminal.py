"""An answer for the terminal. Nothing from a document is read as markup or reaches the terminal as a control."""

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from leadline.citing.render.outline import Line, Outline, header_of, outline, when, where
from leadline.citing.render.plain import line
from leadline.types import Answer, Citation, Evidence, Support

_QUOTE = 320
_STYLES = {Support.SUPPORTED: "", Support.PARTLY: "yellow", Support.UNSUPPORTED: "red"}
_SIGNS = {Support.SUPPORTED: "", Support.PARTLY: "◐", Support.UNSUPPORTED: "✗"}


@dataclass(frozen=True, slots=True)
class Indented:
    """Text two columns in. Rich's own padding also fills every line up to the width, which stays behind
    when the output is kept in a file or copied."""

    text: Text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for row in self.text.wrap(console, max(options.max_width - 2, 1)):
            row.rstrip()
            yield Text("  ") + row if row else row


def render_terminal(answer: Answer) -> RenderableType:
    """Claims with their numbers, then the numbered sources, then what a reader should know."""
    parts = outline(answer)
    shown: list[RenderableType] = [Text(line(answer.question), style="bold"), Text()]
    if parts.headline:
        shown += [Text(parts.headline, style="bold yellow"), Text()]
    shown += _claims(parts)
    shown += [_passage(evidence) for evidence in parts.nearest]
    if parts.sources:
        shown += [Text("Sources", style="bold")]
        shown += [
            _source(number, citation, parts.copies.get(number, "")) for number, citation in parts.sources
        ]
        shown.append(Text())
    if parts.missing:
        shown.append(Text("Still open", style="bold"))
        shown += [Text(f"  - {line(missing)}") for missing in parts.missing]
    shown += [Text(f"Note: {line(notice)}", style="cyan") for notice in parts.notices]
    shown.append(Text(line(parts.footer), style="dim"))
    return Group(*shown)


def _claims(parts: Outline) -> list[RenderableType]:
    shown: list[RenderableType] = []
    for topic, lines in parts.groups:
        if topic:
            shown.append(Text(line(topic), style="bold underline"))
        shown += [_claim(item) for item in lines]
        shown.append(Text())
    return shown


def _claim(item: Line) -> Text:
    text = Text(f"{line(item.context)}\n" if item.context else "", style="dim")
    text.append(line(item.text), style="default not dim")
    for number in item.numbers:
        text.append(f" [{number}]", style="cyan")
    if item.rests:
        text.append(f"  ({item.rests})", style="dim")
    if item.warning:
        text.append(f"  {_SIGNS[item.support]} {line(item.warning)}", style=_STYLES[item.support])
    return text


def _source(number: int, citation: Citation, copies: str) -> RenderableType:
    text = Text(f"[{number}] ", style="cyan")
    text.append(line(where(citation)), style="bold default")
    if told := when(citation):
        text.append(f"  {line(told)}", style="yellow" if citation.snippet else "dim")
    if citation.via:
        text.append(f"  found through ‘{line(citation.via)}’", style="magenta")
    if copies:
        text.append(f"  also in {line(copies)}", style="dim")
    if citation.context:
        text.append(f"\n{line(citation.context, _QUOTE)}", style="dim")
    text.append(f"\n“{line(citation.quote, _QUOTE)}”", style="default")
    return Indented(text)


def _passage(evidence: Evidence) -> RenderableType:
    text = Text(line(where(evidence.chunk)), style="bold")
    if told := when(evidence.chunk):
        text.append(f"  {line(told)}", style="dim")
    if header := header_of(evidence.chunk):
        text.append(f"\n{line(header, _QUOTE)}", style="dim")
    text.append(f"\n“{line(evidence.chunk.text, _QUOTE)}”\n", style="default")
    return Indented(text)
