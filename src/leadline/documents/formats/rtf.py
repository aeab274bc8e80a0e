"""RTF, read here because the font of a run decides the encoding of its bytes, and other readers lose Japanese text so."""

import re

from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.sources import Source

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\"
)
_CHARSETS = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "cp950", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_SKIPPED = frozenset(
    [
        "colortbl",
        "pict",
        "object",
        "themedata",
        "colorschememapping",
        "datastore",
        "generator",
        "listtable",
        "listoverridetable",
        "rsidtbl",
        "fldinst",
        "xmlnstbl",
        "latentstyles",
        "pgptbl",
        "filetbl",
        "revtbl",
        "mmathPr",
        "bkmkstart",
        "bkmkend",
        "nonshppict",
        "sn",
        "sv",
        "header",
        "headerl",
        "headerr",
        "headerf",
        "footer",
        "footerl",
        "footerr",
        "footerf",
        "pnseclvl",
        "pntxta",
        "pntxtb",
        "objdata",
        "blipuid",
        "panose",
        "falt",
        "private1",
        "wgrffmtfilter",
        "operator",
        "company",
        "nextfile",
        "template",
        "passwordhash",
    ]
)
_CHARACTERS = {
    "tab": "\t", "line": "\n", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ", "softline": "\n",
}  # fmt: skip
_SYMBOLS = {b"~": " ", b"_": "-", b"{": "{", b"}": "}", b"\\": "\\", b"\n": "\n", b"\r": "\n"}
_DEEPEST = 1000


def read(source: Source) -> Extracted:
    """The body; footnotes follow the paragraph they hang on."""
    reader = _Reader()
    reader.run(source.data)
    return reader.composer.build()


class _State:
    """What braces save and restore."""

    __slots__ = ("destination", "font", "outline", "skip", "style", "table")

    def __init__(self, other: "_State | None" = None) -> None:
        self.destination = other.destination if other else ""
        self.font = other.font if other else -1
        self.skip = other.skip if other else 1
        self.style = other.style if other else 0
        self.outline = other.outline if other else -1
        self.table = other.table if other else False


class _Reader:
    def __init__(self) -> None:
        self.composer = Composer("rtf")
        self.state = _State()
        self.stack: list[_State] = []
        self.encoding = "cp1252"
        self.fonts: dict[int, str] = {}
        self.styles: dict[int, int] = {}
        self.pending = bytearray()
        self.text: dict[str, list[str]] = {"": []}
        self.cells: list[str] = []
        self.rows: list[list[str]] = []
        self.to_skip = 0
        self.star = False
        self.naming = 0
        self.notes: list[str] = []

    def run(self, data: bytes) -> None:
        position = 0
        while (match := _TOKEN.match(data, position)) is not None:
            position = match.end()
            word, number, code, symbol, brace, plain = match.groups()
            if word == b"bin" and number:
                position += max(0, int(number))
            elif word is not None:
                self.flush()
                self.word(word.decode("ascii"), int(number) if number else None)
            elif code is not None:
                self.bytes(bytes((int(code, 16),)))
            elif brace is not None:
                self.flush()
                self.open() if brace == b"{" else self.close()
            elif symbol is not None:
                self.symbol(symbol)
            elif plain is not None:
                self.bytes(plain)
        self.flush()
        self.end_paragraph()
        self.end_table()

    def open(self) -> None:
        if len(self.stack) < _DEEPEST:
            self.stack.append(_State(self.state))
        self.star = False

    def close(self) -> None:
        ended = self.state
        self.state = self.stack.pop() if self.stack else _State()
        if ended.destination == self.state.destination:
            return
        words = "".join(self.text.pop(ended.destination, [])).strip()
        if ended.destination in {"footnote", "annotation"} and words:
            self.notes.append(words)
        elif ended.destination in {"title", "author", "subject", "keywords"} and words:
            self.composer.metadata[ended.destination] = words
            self.composer.title = str(self.composer.metadata.get("title", ""))

    def symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self.star = True
            return
        self.flush()
        if symbol in _SYMBOLS:
            self.put(_SYMBOLS[symbol])

    def bytes(self, data: bytes) -> None:
        if self.to_skip:
            dropped = min(self.to_skip, len(data))
            self.to_skip -= dropped
            data = data[dropped:]
        self.pending += data

    def flush(self) -> None:
        """Bytes become text only when their run ends: half a character may stand in each escape."""
        if self.pending:
            encoding = self.fonts.get(self.state.font, self.encoding)
            text = bytes(self.pending).decode(encoding, "replace")
            self.pending.clear()
            self.put(text)

    def put(self, text: str) -> None:
        if self.state.destination == "stylesheet":
            level = re.match(r"\s*(?:heading|überschrift|titre|标题)\s*(\d)", text, re.IGNORECASE)
            if level:
                self.styles[self.state.style] = int(level.group(1))
        elif self.state.destination not in {"fonttbl", "skip"}:
            self.text.setdefault(self.state.destination, []).append(text)

    def word(self, word: str, number: int | None) -> None:
        starred, self.star = self.star, False
        if word in _SKIPPED or (
            starred and word not in {"shppict", "shpinst", "shptxt", "footnote", "annotation", "ud"}
        ):
            self.state.destination = "skip"
        elif word in {
            "fonttbl",
            "stylesheet",
            "footnote",
            "annotation",
            "title",
            "author",
            "subject",
            "keywords",
            "info",
        }:
            if self.state.destination != "skip":
                self.state.destination = "skip" if word == "info" and starred else word
        elif word == "u" and number is not None:
            self.put(chr(number % 65_536))
            self.to_skip = self.state.skip
        elif word in _CHARACTERS:
            self.put(_CHARACTERS[word])
        else:
            self.setting(word, number if number is not None else 0)
            self.layout(word, number)

    def setting(self, word: str, number: int) -> None:
        if word == "ansicpg":
            self.encoding = f"cp{number}" if _known(f"cp{number}") else "cp1252"
        elif word == "deff" and self.state.font < 0:
            self.state.font = number
        elif word == "f":
            self.state.font = self.naming = number
        elif word == "fcharset" and number in _CHARSETS:
            if number or self.encoding == "cp1252":
                self.fonts[self.naming] = _CHARSETS[number]
        elif word == "cpg" and self.state.destination == "fonttbl" and _known(f"cp{number}"):
            self.fonts[self.naming] = f"cp{number}"
        elif word == "uc":
            self.state.skip = max(0, min(number, 16))
        elif word == "s":
            self.state.style = number
        elif word == "outlinelevel":
            self.state.outline = number

    def layout(self, word: str, number: int | None) -> None:
        if word in {"par", "sect", "page"}:
            self.end_paragraph() if self.state.destination == "" else self.put("\n")
        elif word == "pard":
            self.state.style, self.state.outline, self.state.table = 0, -1, False
        elif word == "intbl":
            self.state.table = True
        elif word in {"cell", "nestcell"}:
            self.cells.append("".join(self.text[""]).strip())
            self.text[""] = []
        elif word in {"row", "nestrow"}:
            self.rows.append(self.cells)
            self.cells = []

    def end_paragraph(self) -> None:
        text = "".join(self.text.get("", []))
        if self.state.table and (self.cells or text.strip()):
            self.text[""] = [text, " "]
            return
        self.text[""] = []
        self.end_table()
        level = self.styles.get(self.state.style, self.state.outline + 1)
        if level and len(text) < 300:
            self.composer.heading(level, _paired(text))
        else:
            self.composer.paragraph(_paired(text))
        for note in self.notes:
            self.composer.paragraph(_paired(note))
        self.notes.clear()

    def end_table(self) -> None:
        if self.cells:
            self.rows.append(self.cells)
        self.composer.table([[_paired(cell) for cell in row] for row in self.rows])
        self.cells, self.rows = [], []


def _paired(text: str) -> str:
    """RTF writes characters beyond the first plane as two halves: join them."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _known(encoding: str) -> bool:
    try:
        return bool(b"a".decode(encoding))
    except (LookupError, UnicodeDecodeError):
        return False
