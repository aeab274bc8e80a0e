"""PDFs: what is printed reads back equal, every character has a glyph, and hostile text stays text."""

import random
import re
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pypdfium2
import pytest
from fontTools.ttLib import TTFont

from leadline.citing.report.fonts import Fonts, covers, fonts_for, is_han, printable
from leadline.citing.report.outline import report
from leadline.citing.report.pdf import render_pdf
from leadline.documents.reading import read
from leadline.errors import ConfigError
from leadline.types import Claim
from tests.citing.report.answers import GAZETTE, KINDS, YEARBOOK, research
from tests.citing.report.test_forms import lost, squeezed

MARK = "\u200e"


def text_of(pdf: bytes) -> str:
    """What a browser's reader copies, without page numbers and the marks of direction that show nothing."""
    pages = cast(Any, pypdfium2.PdfDocument(pdf))
    texts = [page.get_textpage().get_text_range() for page in pages]
    return "\n".join(re.sub(r"\s*\d+\s*\Z", "", text) for text in texts).replace(MARK, "")


@pytest.mark.parametrize("kind", KINDS)
def test_the_text_of_a_pdf_reads_back_equal(kind: str, tmp_path: Path) -> None:
    shown = report(research(kind))
    pdf = render_pdf(shown)
    file = tmp_path / "report.pdf"
    file.write_bytes(pdf)
    own = read(file).text.replace(MARK, "")
    if kind in {"hostile", "mixed"}:
        # A private character is shown as one that could not be: no font has it.
        text, own = (each.replace("\ufffd", "\ue000") for each in (text_of(pdf), own))
    else:
        text = text_of(pdf)
    assert lost(shown, text) == []
    assert lost(shown, own) == []


def test_what_stands_in_a_pdf_stands_there_in_order_and_nothing_twice() -> None:
    shown = report(research("arabic"))
    text = squeezed(text_of(render_pdf(shown)))
    at = -1
    for statement in shown.sections[0].statements:
        assert text.count(squeezed(statement.text)) == 1
        assert text.index(squeezed(statement.text)) > at
        at = text.index(squeezed(statement.text))


PIECES = (
    "سفينة متراً الأمواج لا افتُتح אור שָׁלוֹם 4,120 38.5% ١٢٫٥٪ 2019-05-01 12-15 (7) «طن» The Office $40 [1] 诺维克港 。 🚢 "
    "C-3PO B2B ؛ ، ! ? — “quoted” a/b https://x.example/ar?p=1&q=2 ± +3 -7 {x} <b> و لله ۱۲۳ فارسی می‌خواهم ہے 𠮷 · ' \" * # % °C é à"
).split()


def mixed_lines(seed: int, count: int) -> list[str]:
    rnd = random.Random(seed)
    texts = [
        "".join(rnd.choice(PIECES) + rnd.choice(["  ", " ", " ", ""]) for _ in range(rnd.randint(2, 24)))
        for _ in range(count)
    ]
    return [" ".join(text.split()) for text in texts]


def test_lines_of_mixed_directions_read_back_equal_whatever_they_hold() -> None:
    texts = mixed_lines(7, 60)
    answer = replace(research("english"), claims=tuple(map(Claim, texts)), facts=())
    held = squeezed(text_of(render_pdf(report(answer))))
    missing = [text for text in texts if squeezed(text) not in held]
    assert missing == []


def test_every_character_of_a_report_has_a_glyph_in_a_font_that_is_asked_for_it() -> None:
    texts = [printable(text) for kind in KINDS for text in report(research(kind)).texts()]
    fonts = fonts_for(texts)
    assert not fonts.everywhere
    held = glyphs(fonts)
    seen = {each for text in texts for each in text if unicodedata.category(each) not in {"Cf", "Zs", "Mn"}}
    assert {each for each in seen if ord(each) not in held} == set()
    assert set(fonts.plain) == set(fonts.han)
    assert fonts.han[0].startswith("Noto Sans CJK")


def glyphs(fonts: Fonts) -> set[int]:
    """The code points of the shipped faces of these families."""
    held: set[int] = set()
    for folder in fonts.paths:
        for file in Path(folder).glob("*.tt[fc]"):
            for index in range(5 if file.suffix == ".ttc" else 1):
                with TTFont(str(file), fontNumber=index) as font:
                    name = str(cast(Any, font["name"]).getBestFamilyName())
                if name in fonts.plain:
                    held |= covers(str(file), index)
    return held


def test_a_script_without_a_font_is_named_and_not_printed_as_boxes() -> None:
    answer = replace(research("english"), claims=(Claim("𒀀𒀁 and 𓀀", (YEARBOOK,)),))
    with pytest.raises(ConfigError, match=r"cuneiform \(U\+12000 U\+12001\), egyptian") as caught:
        render_pdf(report(answer))
    assert ".html" in str(caught.value)


def test_japanese_and_korean_get_their_own_forms() -> None:
    assert fonts_for(["港の船"]).language == "ja"
    assert fonts_for(["항구의 배 港"]).language == "ko"
    assert fonts_for(["港口"]).language == "zh"
    assert is_han("诺维克港 2025 ok") and not is_han("The harbour (港)")


def test_hostile_text_is_printed_as_it_is_and_sets_nothing() -> None:
    shown = report(research("hostile"))
    pages = cast(Any, pypdfium2.PdfDocument(render_pdf(shown)))
    assert '#read("/etc/hosts")' in shown.title
    assert all(page.get_size() == pytest.approx((595.27, 841.89), abs=0.1) for page in pages)
    assert pages.get_metadata_value("Title").startswith("#set page(width: 1cm)")


def test_the_numbers_and_addresses_of_a_pdf_are_links() -> None:
    pdf = render_pdf(report(research("english")))
    addresses = set(re.findall(rb"/URI\s*\(([^)]*)\)", pdf))
    assert addresses == {YEARBOOK.source.encode(), GAZETTE.source.encode()}
    assert len(re.findall(rb"/Subtype\s*/Link", pdf)) >= len(addresses) + 6
    hostile = render_pdf(report(research("hostile")))
    assert not re.search(rb"/URI\s*\(|/JavaScript|/JS\b|/Launch", hostile)


def test_the_same_report_is_the_same_file() -> None:
    shown = report(research("english"))
    assert render_pdf(shown) == render_pdf(shown)


@pytest.mark.parametrize("word", ["x" * 9000, "س" * 9000, "-" * 12000, "https://x.example/" + "a-b" * 3000])
def test_a_word_longer_than_a_page_is_broken_and_nothing_of_it_is_lost_or_cut(word: str) -> None:
    answer = replace(research("english"), claims=(Claim(word),), facts=())
    pages = cast(Any, pypdfium2.PdfDocument(render_pdf(report(answer))))
    held = ""
    for page in pages:
        text = page.get_textpage()
        held += re.sub(r"\s*\d+\s*\Z", "", text.get_text_range())
        assert all(text.get_charbox(at)[2] < 560 for at in range(0, text.count_chars(), 50))
    assert len(pages) > 1
    assert squeezed(held.replace(MARK, "").replace("\ufffe", "-")).count(word[0]) >= word.count(word[0])
