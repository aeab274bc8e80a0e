"""A report as one HTML file: no script, nothing loaded, every paragraph in the direction of its own text."""

from collections.abc import Iterator
from html import escape

from leadline.citing.report.labels import Labels
from leadline.citing.report.outline import Passage, Reference, Report, Side, Statement

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
body { font: 1rem/1.6 "Noto Sans", system-ui, "Noto Sans Arabic", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei",
  sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin-top: 2rem; border-bottom: 1px solid #ddd; }
.summary { color: #555; } sup a { text-decoration: none; } .note { color: #555; font-size: .875rem; }
.warned .note { color: #8a4b00; } table { border-collapse: collapse; width: 100%; margin: .75rem 0; }
th, td { border: 1px solid #ccc; padding: .35rem .6rem; text-align: start; vertical-align: top; }
ol.references > li { margin-bottom: .9rem; } .snippet { color: #8a4b00; }
blockquote { margin: .25rem 0; padding-inline-start: .8rem; border-inline-start: 3px solid #ccc; color: #444; font-size: .9rem; }
@media print { body { max-width: none; margin: 0; font-size: 10.5pt; } h2 { break-after: avoid; }
  a { color: inherit; } tr, blockquote, li { break-inside: avoid; } @page { margin: 20mm; } }
"""


def render_html(report: Report) -> bytes:
    """A complete document."""
    title = _text(report.title)
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="viewport" content="width=device-width"><title>{title}</title><style>{_STYLE}</style>'
    )
    body = "\n".join(_body(report))
    way = "rtl" if report.labels.turned else "ltr"
    opened = f'<html lang="{report.labels.language}" dir="{way}">'
    return f"<!DOCTYPE html>\n{opened}<head>{head}</head>\n<body>\n{body}\n</body></html>\n".encode()


def _body(report: Report) -> Iterator[str]:
    labels = report.labels
    yield f'<h1 dir="auto">{_text(report.title)}</h1>'
    yield f'<p class="summary">{_text(report.summary)}</p>'
    for section in report.sections:
        if section.title:
            yield f'<h2 dir="auto">{_text(section.title)}</h2>'
        yield from map(_statement, section.statements)
    if report.disputes:
        yield f"<h2>{labels.disputes}</h2>"
        yield from (_dispute(sides, labels) for sides in report.disputes)
    if report.missing:
        yield f"<h2>{labels.missing}</h2>"
        yield from _list(report.missing)
    yield f"<h2>{labels.method}</h2>"
    yield from _list((*report.method, *report.notices))
    if report.references:
        yield f'<h2>{labels.references}</h2>\n<ol class="references">'
        yield from (_reference(each, labels) for each in report.references)
        yield "</ol>"


def _text(text: str) -> str:
    return escape(text, quote=True)


def _statement(statement: Statement) -> str:
    kind = "warned" if statement.warned else "claim"
    note = f' <bdi class="note">({_text(statement.note)})</bdi>' if statement.note else ""
    return f'<p class="{kind}" dir="auto">{_text(statement.text)}{_marks(statement.numbers)}{note}</p>'


def _marks(numbers: tuple[int, ...]) -> str:
    return "".join(f'<sup><a href="#reference-{number}">[{number}]</a></sup>' for number in numbers)


def _dispute(sides: tuple[Side, ...], labels: Labels) -> str:
    rows = "\n".join(
        f'<tr><td dir="auto">{_text(side.text)}{_marks(side.numbers)}</td><td>{_text(side.published)}</td></tr>'
        for side in sides
    )
    head = f"<tr><th>{labels.said}</th><th>{labels.day}</th></tr>"
    return f"<table><thead>{head}</thead>\n<tbody>{rows}</tbody></table>"


def _list(items: tuple[str, ...]) -> Iterator[str]:
    yield "<ul>"
    yield from (f'<li dir="auto">{_text(item)}</li>' for item in items)
    yield "</ul>"


def _reference(reference: Reference, labels: Labels) -> str:
    address = f"<bdi>{_text(reference.source)}</bdi>"
    if reference.link:
        address = f'<a href="{_text(reference.link)}" rel="noreferrer nofollow">{address}</a>'
    dates = f"{labels.comma}{_text(reference.dates)}" if reference.dates else ""
    snippet = f' <em class="snippet">({labels.snippet})</em>' if reference.snippet else ""
    quotes = "".join(map(_quote, reference.passages))
    cite = f'<cite dir="auto">{_text(reference.title)}</cite>'
    return f'<li id="reference-{reference.number}">{cite}<br>{address}{dates}{snippet}{quotes}</li>'


def _quote(passage: Passage) -> str:
    place = f" <small>({_text(passage.place)})</small>" if passage.place else ""
    return f'<blockquote dir="auto">{_text(passage.quote)}{place}</blockquote>'
