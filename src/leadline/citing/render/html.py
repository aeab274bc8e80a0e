"""An answer as a page of its own: no script, no outside address, every text escaped and free to run its own way."""

from html import escape

from leadline.citing.render.outline import Line, Outline, header_of, outline, when, where
from leadline.citing.render.plain import safe
from leadline.types import Answer, Citation, Evidence

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
blockquote { margin: .25rem 0; padding-inline-start: 1rem; border-inline-start: 3px solid #bbb; white-space: pre-line; }
.partly .warning { color: #8a5a00; } .unsupported .warning { color: #a40000; } .warning, footer { font-size: .875rem; }
footer, .above { color: #555; } sup a { text-decoration: none; }
"""


def render_html(answer: Answer) -> str:
    """A complete document."""
    parts = outline(answer)
    title = _text(answer.question)
    body = [
        f'<h1 dir="auto">{title}</h1>',
        f'<p class="headline"><strong>{_text(parts.headline)}</strong></p>' if parts.headline else "",
        *_claims(parts),
        *(_passage(evidence) for evidence in parts.nearest),
        *_sources(parts),
        *_list("Still open", parts.missing),
        *_list("Notes", parts.notices),
        f"<footer>{_text(parts.footer)}</footer>",
    ]
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="viewport" content="width=device-width"><title>{title}</title><style>{_STYLE}</style>'
    )
    page = "\n".join(part for part in body if part)
    return f"<!DOCTYPE html>\n<html><head>{head}</head>\n<body>\n{page}\n</body></html>\n"


def _text(text: str) -> str:
    return escape(safe(text), quote=True)


def _claims(parts: Outline) -> list[str]:
    shown: list[str] = []
    for topic, lines in parts.groups:
        if topic:
            shown.append(f'<h2 dir="auto">{_text(topic)}</h2>')
        shown += [_claim(item) for item in lines]
    return shown


def _claim(item: Line) -> str:
    marks = "".join(f'<sup><a href="#source-{n}">[{n}]</a></sup>' for n in item.numbers)
    warning = f' <em class="warning">({_text(item.warning)})</em>' if item.warning else ""
    above = _above(item.context)
    rests = f" <small>({_text(item.rests)})</small>" if item.rests else ""
    return f'<p class="claim {item.support}" dir="auto">{above}{_text(item.text)}{marks}{rests}{warning}</p>'


def _above(context: str) -> str:
    """A table's header above its row."""
    return f'<span class="above">{_text(context)}</span><br>' if context else ""


def _sources(parts: Outline) -> list[str]:
    if not parts.sources:
        return []
    items = [_source(number, citation, parts.copies.get(number, "")) for number, citation in parts.sources]
    return ["<h2>Sources</h2>", "<ol>", *items, "</ol>"]


def _source(number: int, citation: Citation, copies: str) -> str:
    via = f" <span>found through ‘<bdi>{_text(citation.via)}</bdi>’</span>" if citation.via else ""
    also = f" <small>also in <bdi>{_text(copies)}</bdi></small>" if copies else ""
    told = f" <small>{_text(when(citation))}</small>" if when(citation) else ""
    quote = f'<blockquote dir="auto">{_above(citation.context)}{_text(citation.quote)}</blockquote>'
    return f'<li id="source-{number}"><cite dir="auto">{_text(where(citation))}</cite>{told}{also}{via}{quote}</li>'


def _passage(evidence: Evidence) -> str:
    header = _above(header_of(evidence.chunk))
    told = f" <small>{_text(when(evidence.chunk))}</small>" if when(evidence.chunk) else ""
    quote = f'<blockquote dir="auto">{header}{_text(evidence.chunk.text)}</blockquote>'
    return f'<div class="passage"><cite dir="auto">{_text(where(evidence.chunk))}</cite>{told}{quote}</div>'


def _list(name: str, items: tuple[str, ...]) -> list[str]:
    if not items:
        return []
    return [f"<h2>{name}</h2>", "<ul>", *(f'<li dir="auto">{_text(item)}</li>' for item in items), "</ul>"]
