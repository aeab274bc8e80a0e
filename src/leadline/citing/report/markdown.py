"""A report as Markdown with footnotes. No text of a page or a model can become markup."""

from collections.abc import Iterator

from leadline.citing.render.markdown import escape
from leadline.citing.report.labels import Labels
from leadline.citing.report.outline import Reference, Report, Side, Statement


def render_markdown(report: Report) -> bytes:
    """Title, sections, disputes, open questions, method; the footnotes are the references."""
    return ("\n\n".join(_blocks(report)) + "\n").encode()


def _blocks(report: Report) -> Iterator[str]:
    labels = report.labels
    yield f"# {escape(report.title)}"
    yield f"*{escape(report.summary)}*"
    for section in report.sections:
        if section.title:
            yield f"## {escape(section.title)}"
        yield from map(_statement, section.statements)
    if report.disputes:
        yield f"## {labels.disputes}"
        yield from (_dispute(sides, labels) for sides in report.disputes)
    if report.missing:
        yield f"## {labels.missing}"
        yield _list(report.missing)
    yield f"## {labels.method}"
    yield _list((*report.method, *report.notices))
    if report.references:
        yield f"## {labels.references}"
        yield from (_reference(each, labels) for each in report.references)


def _statement(statement: Statement) -> str:
    note = f" *({escape(statement.note)})*" if statement.note else ""
    return f"{escape(statement.text)}{_marks(statement.numbers)}{'⚠️' if statement.warned else ''}{note}"


def _marks(numbers: tuple[int, ...]) -> str:
    return "".join(f"[^{number}]" for number in numbers)


def _dispute(sides: tuple[Side, ...], labels: Labels) -> str:
    rows = [f"| {escape(side.text)}{_marks(side.numbers)} | {escape(side.published)} |" for side in sides]
    return "\n".join([f"| {labels.said} | {labels.day} |", "| --- | --- |", *rows])


def _list(items: tuple[str, ...]) -> str:
    return "\n".join(f"- {escape(item)}" for item in items)


def _reference(reference: Reference, labels: Labels) -> str:
    address = f"<{reference.link}>" if reference.link else escape(reference.source)
    parts = [f"**{escape(reference.title)}**", address]
    parts += [escape(reference.dates)] if reference.dates else []
    parts += [f"*{labels.snippet}*"] if reference.snippet else []
    quotes = [_quote(each.quote, each.place) for each in reference.passages]
    return "\n\n    ".join([f"[^{reference.number}]: {', '.join(parts)}", *quotes])


def _quote(quote: str, place: str) -> str:
    where = f" ({escape(place)})" if place else ""
    return f"“{escape(quote)}”{where}"
