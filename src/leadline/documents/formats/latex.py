"""LaTeX: the words without the commands, sections as headings, lists, tables and verbatim text kept apart. Formulas stay."""

import re

from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.decoding import decode
from leadline.documents.normalising import normalise
from leadline.documents.sources import Source

_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n?[ \t]*")
_SECTIONS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
_SECTION = re.compile(r"\\(" + "|".join(_SECTIONS) + r")\*?\s*(?:\[[^\]]*\])?\s*(?=\{)")
_VERBATIM = re.compile(
    r"\\begin\{(verbatim|lstlisting|minted|Verbatim)\*?\}(?:\[[^\]]*\])?(?:\{[^}]*\})?\n?(.*?)\\end\{\1\*?\}",
    re.DOTALL,
)
_TABULAR = re.compile(r"\\begin\{(tabular[xy*]?|longtable)\}(.*?)\\end\{\1\}", re.DOTALL)
_DROPPED = re.compile(
    r"[~ ]?\\(?:label|vspace|hspace|cite[a-zA-Z]*|ref|eqref|pageref|cref|Cref|autoref|includegraphics|bibliography"
    r"|bibliographystyle|usepackage|documentclass|input|include|setlength|setcounter|begin|end|centering|pagestyle"
    r"|thispagestyle|newcommand|renewcommand|def|hline|toprule|midrule|bottomrule|cline|cmidrule|vskip|hskip)"
    r"\*?(?:\([^)]*\))?(?:\s*\[[^\]]*\])*(?:\{[^{}]*\})*"
)
_SPECIAL = {
    r"\\": "\n", r"\%": "%", r"\&": "&", r"\$": "$", r"\#": "#", r"\_": "_", r"\{": "{", r"\}": "}", "~": " ", "---": "—",
    "--": "–", "``": "“", "''": "”", r"\ldots": "…", r"\dots": "…", r"\ss": "ß", r"\o": "ø", r"\ae": "æ", r"\LaTeX": "LaTeX",
    r"\TeX": "TeX", r"\S": "§", r"\copyright": "©", r"\,": " ", r"\;": " ", r"\ ": " ", r"\-": "", r"\/": "",
}  # fmt: skip
_SPECIALS = re.compile(
    "|".join(re.escape(key) + (r"(?![a-zA-Z])" if key[-1].isalpha() else "") for key in _SPECIAL)
)
_ACCENT = re.compile(
    r"\\([`'^\"~=.uvHckbdr])\s*(?:\{\\?([a-zA-Z])\}|(?<=[`'^\"~=.])\\?([a-zA-Z])|\s+([a-zA-Z])(?![a-zA-Z]))"
)
_MARKS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307", "u": "\u0306",
    "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "b": "\u0331", "d": "\u0323", "r": "\u030a",
}  # fmt: skip
_MATH = re.compile(
    r"\$\$.+?\$\$|\$[^$]+\$|\\\[.+?\\\]|\\\(.+?\\\)|\\begin\{(equation|align|gather|multline|eqnarray|math|displaymath)\*?\}.+?\\end\{\1\*?\}",
    re.DOTALL,
)
_COMMAND = re.compile(r"\\[a-zA-Z@]+\*?(?:\s*\[[^\]\n]{0,200}\])?")
_KEPT = "\ue000"


def read(source: Source) -> Extracted:
    """The body of the document; nothing that it includes is opened."""
    text = normalise(decode(source.data))
    composer = Composer(source.kind)
    for name in ("title", "author", "date"):
        value = _argument(text, re.search(rf"\\{name}\s*(?:\[[^\]]*\])?\s*(?=\{{)", text))
        if value:
            composer.metadata[name] = " ".join(_words(value).split())
    composer.title = str(composer.metadata.get("title", ""))
    begin = text.find(r"\begin{document}")
    if begin >= 0:
        text = text[begin + len(r"\begin{document}") :].split(r"\end{document}")[0]
    position = 0
    for match in _VERBATIM.finditer(text):
        _sections(composer, text[position : match.start()])
        composer.code(match.group(2))
        position = match.end()
    _sections(composer, text[position:])
    return composer.build()


def _sections(composer: Composer, text: str) -> None:
    text = _COMMENT.sub("", text)
    top = min((_SECTIONS.index(m.group(1)) for m in _SECTION.finditer(text)), default=0)
    position = 0
    for match in _SECTION.finditer(text):
        _body(composer, text[position : match.start()])
        position = _closing(text, match.end()) + 1
        composer.heading(
            _SECTIONS.index(match.group(1)) - min(top, 2) + 1, _words(text[match.end() + 1 : position - 1])
        )
    _body(composer, text[position:])


def _body(composer: Composer, text: str) -> None:
    position = 0
    for match in _TABULAR.finditer(text):
        _paragraphs(composer, text[position : match.start()])
        composer.table(_rows(match.group(2)))
        position = match.end()
    _paragraphs(composer, text[position:])


def _rows(text: str) -> list[list[str]]:
    """The rows of a tabular; what stands first in braces is its column specification."""
    text = re.sub(r"^\s*(?:\[[^\]]*\])?\s*(?:\{[^{}]*\}\s*){1,2}", "", text)
    rows = [[_words(cell) for cell in re.split(r"(?<!\\)&", row)] for row in text.split(r"\\")]
    return [row for row in rows if any(cell.strip() for cell in row)]


def _paragraphs(composer: Composer, text: str) -> None:
    text = re.sub(r"\\(?:footnote|caption)\s*(?:\[[^\]]*\])?\s*\{", "\n\n{", text)
    for piece in re.split(r"\n[ \t]*\n", text):
        first, *items = re.split(r"\\item\b(?:\s*\[[^\]]*\])?", piece)
        composer.paragraph(" ".join(_words(first).split(" ")))
        for item in items:
            composer.item(_words(item))


def _words(text: str) -> str:
    """Text without commands; their arguments stay, formulas stay as written."""
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match.group())
        return _KEPT

    text = _MATH.sub(keep, text)
    text = _ACCENT.sub(lambda m: (m.group(2) or m.group(3) or m.group(4)) + _MARKS[m.group(1)], text)
    text = _DROPPED.sub("", text)
    text = _SPECIALS.sub(lambda m: _SPECIAL[m.group()], text)
    text = _COMMAND.sub("", text).replace("{", "").replace("}", "")
    parts = text.split(_KEPT)
    text = "".join(part + formula for part, formula in zip(parts, [*kept, ""], strict=False))
    return re.sub(r"[ \t]*\n[ \t]*", "\n", re.sub(r"[ \t]+(?=[ .,;:)])", "", text)).strip()


def _argument(text: str, match: re.Match[str] | None) -> str:
    return text[match.end() + 1 : _closing(text, match.end())] if match else ""


def _closing(text: str, opening: int) -> int:
    """Where the brace that opens at `opening` closes."""
    depth = 0
    for i in range(opening, min(len(text), opening + 20_000)):
        if text[i] == "{" and text[i - 1] != "\\":
            depth += 1
        elif text[i] == "}" and text[i - 1] != "\\":
            depth -= 1
            if depth == 0:
                return i
    return min(len(text), opening + 200)
