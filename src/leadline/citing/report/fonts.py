"""Fonts for a report: which of those at hand has a glyph for each of its characters.

Noto fonts come with the extra `report`; what they lack is looked for among those of the system.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import typst
from fontTools.ttLib import TTFont

from leadline.errors import ConfigError

_PACKAGES = ("manimgx_fonts", "manimgx_fonts_cjk")
_FIRST = ("Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Emoji", "Noto Sans Symbols")
_HAN = {"SC": "Noto Sans CJK SC", "JP": "Noto Sans CJK JP", "KR": "Noto Sans CJK KR"}
_LANGUAGES = {"SC": "zh", "JP": "ja", "KR": "ko"}
REPLACEMENT = "\ufffd"
_LISTED = 4


@dataclass(frozen=True, slots=True)
class Fonts:
    """The fonts of one report. `plain` are families in the order in which they are asked for a glyph; `han` the same
    for text in Han, where quotation marks and the like are those of a Chinese font, in `language`. `everywhere`: fonts of
    the system are among them."""

    paths: tuple[str, ...]
    everywhere: bool
    plain: tuple[str, ...]
    han: tuple[str, ...]
    language: str


def is_han(text: str) -> bool:
    """Whether more of its letters are Han, kana or Hangul than any others."""
    wide = sum(_is_wide(character) for character in text)
    return wide * 2 > sum(character.isalpha() for character in text)


def _is_wide(character: str) -> bool:
    return "\u3040" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7a3" or character >= "\U00020000"


def printable(text: str) -> str:
    """`text` with U+FFFD for characters that no font can have: private and unassigned ones."""
    return "".join(REPLACEMENT if unicodedata.category(each) in {"Co", "Cn"} else each for each in text)


def fonts_for(texts: Iterable[str], more: Sequence[Path] = ()) -> Fonts:
    """Fonts that show every character of `texts`; `ConfigError` says for which there is none."""
    needed = {character for text in texts for character in text if not _shows_nothing(character)}
    needed |= set("0123456789[]")
    paths = tuple(map(str, [*_shipped(), *more]))
    region = _region(needed)
    for everywhere in (False, True):
        found = typst.Fonts(
            include_system_fonts=everywhere, include_embedded_fonts=False, font_paths=list(paths)
        )
        families = _families(found, [*_FIRST, _HAN[region]])
        chosen, missing = _chosen(families, needed)
        if not missing:
            return Fonts(paths, everywhere, chosen, _han_first(chosen), _LANGUAGES[region])
    raise ConfigError(
        f"no font here has {_listed(missing)}. Install one that has (on Debian, fonts-noto holds most), "
        "or write the report as .html, .docx or .md."
    )


def _shipped() -> list[Path]:
    specs = [find_spec(name) for name in _PACKAGES]
    return [Path(spec.origin).parent for spec in specs if spec is not None and spec.origin]


def _region(needed: set[str]) -> str:
    """Whose forms of Han characters are shown: those of the only language here that is surely one of the three."""
    if any("\u3040" <= each <= "\u30ff" for each in needed):
        return "JP"
    return "KR" if any("\uac00" <= each <= "\ud7a3" for each in needed) else "SC"


def _families(found: typst.Fonts, preferred: list[str]) -> dict[str, tuple[str, int]]:
    """Where a regular face of every family is, preferred families first."""
    faces = {
        each.family: (each.path, each.index)
        for each in sorted(found.fonts(), key=lambda face: abs(face.weight - 400), reverse=True)
        if each.path and each.style == "normal"
    }
    order = [name for name in preferred if name in faces] + sorted(set(faces) - set(preferred))
    return {name: faces[name] for name in order}


def _chosen(families: Mapping[str, tuple[str, int]], needed: set[str]) -> tuple[tuple[str, ...], set[str]]:
    chosen: list[str] = []
    missing = set(needed)
    for family, (path, index) in families.items():
        covered = {each for each in missing if ord(each) in covers(path, index)}
        if covered:
            chosen.append(family)
            missing -= covered
        if not missing:
            break
    return tuple(chosen), missing


@cache
def covers(path: str, index: int) -> frozenset[int]:
    """The code points a font has glyphs for."""
    with TTFont(path, fontNumber=index, lazy=True) as font:
        return frozenset(font.getBestCmap() or {})


def _han_first(chosen: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(chosen, key=lambda name: name not in _HAN.values()))


def _shows_nothing(character: str) -> bool:
    """Joiners, selectors, marks of direction and blanks: they need no glyph of their own."""
    invisible = unicodedata.category(character) in {"Cf", "Zs", "Zl", "Zp", "Cc"}
    return invisible or "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def _listed(missing: set[str]) -> str:
    scripts: dict[str, list[str]] = {}
    for each in sorted(missing):
        scripts.setdefault(unicodedata.name(each, "CHARACTER").split()[0].lower(), []).append(each)
    parts = [f"{script} ({_points(each)})" for script, each in scripts.items()]
    return "glyphs for " + ", ".join(parts[:_LISTED]) + (" and more" if len(parts) > _LISTED else "")


def _points(characters: list[str]) -> str:
    shown = " ".join(f"U+{ord(each):04X}" for each in characters[:_LISTED])
    return f"{shown} …" if len(characters) > _LISTED else shown
