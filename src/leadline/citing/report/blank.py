"""A font of unseen boxes, one glyph a character and all of one width, for text that is there to be read back."""

from copy import deepcopy
from pathlib import Path
from typing import Any, cast

from fontTools.feaLib import builder
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from leadline.citing.report.directions import MARK

FAMILY = "Leadline Blank"
_EM, _WIDTH, _HEIGHT, _DEPTH = 1000, 500, 700, 200
# Marks count as bases, or shaping would take away their width. A mark of direction that a rule has put there is kept by
# shaping, which drops it otherwise.
_RULES = """
feature ccmp {{ sub u{mark:04X} by mark; }} ccmp;
table GDEF {{ GlyphClassDef [{names}], , , ; }} GDEF;
"""


def blank_font(text: str, folder: Path) -> None:
    """Write one with the characters of `text`. A box is drawn, since readers leave out glyphs that draw nothing."""
    codes = sorted({*map(ord, text), ord(MARK)})
    names = ["mark", *(f"u{code:04X}" for code in codes)]
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
    rules = _RULES.format(mark=ord(MARK), names=" ".join(names))
    cast(Any, builder).addOpenTypeFeaturesFromString(font.font, rules)
    font.save(str(folder / "blank.ttf"))


def _box() -> object:
    pen = cast(Any, TTGlyphPen(None))
    pen.moveTo((0, 0))
    for corner in ((0, _HEIGHT), (_WIDTH, _HEIGHT), (_WIDTH, 0)):
        pen.lineTo(corner)
    pen.closePath()
    return pen.glyph()
