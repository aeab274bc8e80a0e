"""What a picture says in words: which texts are captions, which alt texts say anything, what stands around it."""

import re
from collections.abc import Iterable, Mapping

from leadline.analysis.sentences import sentences
from leadline.documents.normalising import normalise

LONGEST_CAPTION = 600
AROUND = 240
_LONGEST_MENTION = 300

_GENERATED = "Described by"
_NAMES = (
    r"figures?|figs?|abbildung|abb|bild|figura|illustration|image|picture|plate|chart|diagram|photo|exhibit|scheme|рисунок|рис"
    r"|図|图|圖|圖表|图表|그림|شكل|الشكل|صورة|الصورة"
)
_LABEL = re.compile(rf"(?<!\w)({_NAMES})\.?\s?(\d{{1,4}}(?:[.\-–]\d{{1,3}})*)(?![\w%])", re.IGNORECASE)
_CAPTION = re.compile(
    rf"[*_>\s]*(?:{_NAMES})\.?\s?\d{{1,4}}(?:[.\-–]\d{{1,3}})*[a-z]?(?:\s*[.:：。|、)）]|\s*[—–-]\s|\s{{2,}}|\s*[*_]|\s*$"
    rf"|(?<=[图圖図]\d)\s|(?<=[图圖図]\s\d)\s)",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"(?:images?|pictures?|img|photos?|figures?|graphics?|grafik|bild|object|logo|icon|screenshot|diagram|untitled|imagen|图片|图像|圖片|صورة)?"
    r"[\s\d_.()#-]*|[^\s/]{1,120}\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|emf|wmf)|(?:https?|data|file):\S*",
    re.IGNORECASE,
)
_AUTOMATIC = re.compile(
    r"\s*(?:Description automatically generated(?: with [\w ]+ confidence)?|AI-generated content may be incorrect\.)"
)


def generated(by: str, description: str) -> str:
    """A description that a model made of a picture, as it is indexed and shown: never without saying so."""
    return f"{_GENERATED} {by}: {' '.join(description.split())}"


def generated_in(context: str) -> str:
    """The description in what is indexed with a figure, with whoever made it; "" where there is none.

    >>> generated_in("The harbour.\\n" + generated("openai:x", "A chart."))
    'Described by openai:x: A chart.'
    """
    # What stands around a figure is on one line, so no document can write such a second one.
    _, cut, last = context.rpartition("\n")
    return last if cut and last.startswith(_GENERATED) else ""


def is_caption(text: str) -> bool:
    """Whether a paragraph names a figure rather than speaks of one.

    >>> is_caption("Figure 3: Depth by year"), is_caption("Figure 3 shows the depth by year.")
    (True, False)
    >>> is_caption("图 2 港口水深"), is_caption("Abb. 1.2 – Hafen"), is_caption("Table 1: Costs")
    (True, True, False)
    """
    return len(text) <= LONGEST_CAPTION and _CAPTION.match(text) is not None


def said(texts: Iterable[str]) -> list[str]:
    """Of the texts that belong to one picture those that say something, each once.

    >>> said(["Figure 1: The yard", "IMG_0042.jpg", "the yard", "Depth\\nin metres"])
    ['Figure 1: The yard', 'Depth\\nin metres']
    """
    kept: list[str] = []
    for text in texts:
        text = normalise(_AUTOMATIC.sub("", text)).strip()
        if not _EMPTY.fullmatch(text) and not any(text.casefold() in other.casefold() for other in kept):
            kept.append(text)
    return kept


def mentions(text: str) -> dict[str, list[int]]:
    """Where a text names each figure, as `Figure 3` or `图3`: label -> the first places."""
    found: dict[str, list[int]] = {}
    for match in _LABEL.finditer(text):
        places = found.setdefault(_label(match), [])
        if len(places) < 3:
            places.append(match.start())
    return found


def surroundings(text: str, start: int, end: int, low: int, high: int, named: Mapping[str, list[int]]) -> str:
    """What stands around the figure at `text[start:end]` within `low:high`, and a sentence elsewhere that names it."""
    before = text[max(low, start - AROUND) : start]
    after = text[end : min(high, end + AROUND)]
    if low < start - AROUND:
        before = before.partition(" ")[2] or before
    if end + AROUND < high:
        after = after.rpartition(" ")[0] or after
    label = _LABEL.search(text, start, end)
    around = (start - len(before), end + len(after))
    places = named.get(_label(label), []) if label else []
    elsewhere = next((at for at in places if not around[0] <= at < around[1]), None)
    naming = _sentence(text, elsewhere) if elsewhere is not None else ""
    return " ".join(f"{before} {after} {naming}".split())


def _label(match: re.Match[str]) -> str:
    """One key for `Figure 3`, `fig. 3` and `Figures 3`."""
    name = match[1].casefold()
    return f"{'fig' if name.startswith('fig') else name} {match[2]}"


def _sentence(text: str, at: int) -> str:
    low = max(0, at - _LONGEST_MENTION)
    piece = text[low : at + _LONGEST_MENTION]
    return next((piece[a:b] for a, b in sentences(piece) if a <= at - low < b), "")
