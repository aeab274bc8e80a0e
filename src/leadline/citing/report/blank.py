"""A font of unseen boxes, one glyph a character and all of one width, for text that is there to be read back."""

import unicodedata
from copy import deepcopy
from pathlib import Path
from typing import Any, cast

from fontTools.feaLib import builder
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from leadline.citing.report.directions import MARK

FAMILY = "Leadline Blank"
_EM, _WIDTH, _HEIGHT, _DEPTH = 1000, 500, 700, 200
# Marks count as bases, or shaping would take away their width. Joiners and marks of direction that a rule has put there are
# kept by shaping, which drops them otherwise.
_RULES = """
feature ccmp {{ {kept} }} ccmp;
table GDEF {{ GlyphClassDef [{names}], , , ; }} GDEF;
"""


def blank_font(text: str, folder: Path) -> None:
    """Write one with the characters of `text`. A box is drawn, since readers leave out glyphs that draw nothing."""
    codes = sorted({*map(ord, text), ord(MARK)})
    unseen = [f"u{code:04X}" for code in codes if unicodedata.category(chr(code)) == "Cf"]
    names = [*(f"u{code:04X}" for code in codes), *(f"{name}.kept" for name in unseen)]
    glyphs = [".notdef", *names]
    box = _box()
    font = cast(Any, FontBuilder(_EM, isTTF=True))
    font.setupGlyphOrder(glyphs)
    font.setupCharacterMap({code: f"u{code:04X}" for code in codes})
    font.setupGlyf({name: deepcopy(box) for name in glyphs})
    font.setupHorizontalMetrics(dict.fromkeys(glyphs, (_WIDTH, 0)))
    font.setupHorizontalHeader(ascent=_HEIGHT, descent=-_DEPTH)
    style = {"familyName": FAMILY, "styleName": "Regular", "psName": "LeadlineBlank-Regular"}
    font.setupNameTable(
        {**style, "fullName": FAMILY, "uniqueFontIdentifier": FAMILY, "version": "Version 1.0"}
    )
    font.setupOS2(sTypoAscender=_HEIGHT, sTypoDescender=-_DEPTH, usWinAscent=_HEIGHT, usWinDescent=_DEPTH)
    font.setupPost()
    kept = " ".join(f"sub {name} by {name}.kept;" for name in unseen)
    rules = _RULES.format(kept=kept, names=" ".join(names))
    cast(Any, builder).addOpenTypeFeaturesFromString(font.font, rules)
    font.save(str(folder / "blank.ttf"))


def _box() -> object:
    pen = cast(Any, TTGlyphPen(None))
    pen.moveTo((0, 0))
    for corner in ((0, _HEIGHT), (_WIDTH, _HEIGHT), (_WIDTH, 0)):
        pen.lineTo(corner)
    pen.closePath()
    return pen.glyph()
