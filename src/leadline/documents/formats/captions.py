"""WebVTT and SRT: what is said, one line per cue; speakers are named, times are left out."""

import re

from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.decoding import decode
from leadline.documents.normalising import normalise
from leadline.documents.sources import Source

_TIMES = re.compile(r"(?:\d+:)?\d{1,2}:\d{2}[.,]\d{3}\s*-->")
_VOICE = re.compile(r"<v(?:\.[\w.]+)?\s+([^>]+)>")
_TAG = re.compile(r"</?[^>]{0,200}>|\{\\[^}]{0,100}\}")
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&nbsp;": " ", "&lrm;": "", "&rlm;": "", "&amp;": "&"}
_LINES_TO_A_PARAGRAPH = 12


def read(source: Source) -> Extracted:
    """The spoken text in paragraphs; a new speaker begins a new one."""
    composer = Composer(source.kind)
    lines: list[str] = []
    speaker = ""
    for cue in _cues(normalise(decode(source.data))):
        voice = _VOICE.search(cue)
        name = voice.group(1).strip() if voice else ""
        if lines and (len(lines) >= _LINES_TO_A_PARAGRAPH or name != speaker):
            composer.paragraph("\n".join(lines))
            lines.clear()
        words = _plain(cue)
        if words and words not in lines[-2:]:
            lines.append(f"{name}: {words}" if name and (name != speaker or not lines) else words)
        speaker = name
    composer.paragraph("\n".join(lines))
    return composer.build()


def _cues(text: str) -> list[str]:
    cues: list[str] = []
    for block in re.split(r"\n[ \t]*\n", text):
        lines = block.split("\n")
        start = next((i + 1 for i, line in enumerate(lines) if _TIMES.match(line.strip())), None)
        if start is not None:
            cues.append("\n".join(lines[start:]))
    return cues


def _plain(cue: str) -> str:
    text = " ".join(_TAG.sub("", cue).split())
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    return text
