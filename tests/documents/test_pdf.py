"""PDF: words in logical order, pages in order, headings where they are, scans recognised or refused."""

import shutil
from pathlib import Path

import pytest

from leadline.documents.base import Extracted
from leadline.documents.formats.ocr import words_of
from leadline.documents.reading import read
from leadline.errors import DocumentError
from tests.documents import samples
from tests.documents.samples import lines

PROSE = ("The tide turns twice a day and the boats wait for it", "in the lower harbour until the bell rings.")
PICTURE = {
    90: samples.stream(
        "\x00" * 64,
        "/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8",
    )
}
SCAN = "200 0 0 200 20 20 cm /X Do"


def opened(folder: Path, data: bytes, *, ocr: bool = True, passwords: tuple[str, ...] = ()) -> Extracted:
    path = folder / "a.pdf"
    path.write_bytes(data)
    return read(path, ocr=ocr, passwords=passwords)


def test_lines_flow_into_paragraphs_and_larger_ones_are_headings(tmp_path: Path) -> None:
    data = samples.pdf(
        lines("Harbour rules", size=20) + lines(*PROSE, top=340), lines("Second page.", *PROSE)
    )
    found = opened(tmp_path, data)
    assert found.text.startswith(
        "Harbour rules\n\nThe tide turns twice a day and the boats wait for it in the lower"
    )
    assert [(h.level, h.text, found.text[h.start : h.end]) for h in found.headings] == [
        (1, "Harbour rules", "Harbour rules")
    ]
    assert [found.text[p.start : p.end][:6] for p in found.pages] == ["Harbou", "Second"]
    assert found.pages[0].end == found.pages[1].start and found.pages[1].end == len(found.text)


def test_an_outline_names_the_headings(tmp_path: Path) -> None:
    entries = {
        20: "<< /Type /Outlines /First 21 0 R /Last 23 0 R /Count 3 >>",
        21: "<< /Title (One) /Parent 20 0 R /Next 22 0 R /Dest [5 0 R /Fit] >>",
        22: "<< /Title (Two) /Parent 20 0 R /Next 23 0 R /Dest [5 0 R /Fit] >>",
        23: "<< /Title (Three) /Parent 20 0 R /Dest [5 0 R /Fit] >>",
        1: "<< /Type /Catalog /Pages 2 0 R /Outlines 20 0 R >>",
    }
    page = (
        lines("One")
        + lines(*PROSE, top=350)
        + lines("Two", top=300)
        + lines(*PROSE, top=280)
        + lines("Three", top=230)
    )
    found = opened(tmp_path, samples.pdf(page, more=entries))
    assert [h.text for h in found.headings] == ["One", "Two", "Three"]


def test_arabic_comes_out_in_logical_order_with_lam_before_alef(tmp_path: Path) -> None:
    data = samples.pdf(
        "BT /A 20 Tf 100 300 Td (ACBEDCB) Tj ET", fonts="<< /F 4 0 R /A 80 0 R >>", more=samples.arabic_font()
    )
    assert opened(tmp_path, data).text == "سلاب سلام"


def test_running_heads_are_kept_once(tmp_path: Path) -> None:
    pages = [
        lines(
            "Harbour rules 2024", f"Matter number {'abcde'[i]} is here.", "It has a second line.", f"Page {i}"
        )
        for i in range(5)
    ]
    found = opened(tmp_path, samples.pdf(*pages))
    assert found.text.count("Harbour rules 2024") == 1 and found.text.count("Page ") == 1
    assert all(f"Matter number {letter} is here." in found.text for letter in "abcde")


def test_properties_are_read_and_titles_that_programs_invent_are_not(tmp_path: Path) -> None:
    info = "/Title (Tides) /Author (Ada) /CreationDate (D:20240131120000Z)"
    found = opened(tmp_path, samples.pdf(lines("x y z"), info=info))
    assert found.title == "Tides"
    assert found.metadata == {"title": "Tides", "author": "Ada", "created": "2024-01-31T12:00:00"}
    assert opened(tmp_path, samples.pdf(lines("x"), info="/Title (Microsoft Word - a.doc)")).title == ""


def test_a_page_without_contents_is_empty_not_an_error(tmp_path: Path) -> None:
    assert opened(tmp_path, samples.pdf("")).text == ""


def test_a_scan_is_refused_with_a_remedy_when_it_cannot_be_recognised(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="scan"):
        opened(tmp_path, samples.pdf(SCAN, more=PICTURE), ocr=False)


def test_scanned_pages_among_others_are_named_in_a_note(tmp_path: Path) -> None:
    found = opened(tmp_path, samples.pdf(SCAN, lines("Words here"), SCAN, SCAN, more=PICTURE), ocr=False)
    assert found.text == "Words here" and "1, 3-4" in found.notes[0]
    assert [p.number for p in found.pages] == [1, 2, 3, 4]


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
@pytest.mark.parametrize("turn", ["", "-1 0 0 -1 400 400 cm "])
def test_a_scan_is_recognised_even_upside_down(tmp_path: Path, turn: str) -> None:
    # Glyphs without a character map are as illegible as a picture.
    table = "/CIDInit /ProcSet findresource begin begincmap\n1 begincodespacerange <00> <FF> endcodespacerange\n1 beginbfrange\n<20> <7E> <E020>\nendbfrange\nendcmap end"
    fonts = {
        80: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 81 0 R >>",
        81: samples.stream(table),
    }
    page = turn + lines("Harbour master report", "The tide turns twice", "every single day", size=24).replace(
        "/F", "/A"
    )
    found = opened(tmp_path, samples.pdf(page, fonts="<< /A 80 0 R >>", more=fonts))
    assert "Harbour master report" in found.text and "every single day" in found.text


def test_words_of_a_recognised_page_keep_lines_and_paragraphs() -> None:
    row = "5\t1\t{}\t1\t{}\t1\t0\t0\t1\t1\t{}\t{}"
    table = "\n".join(
        ["head", row.format(1, 1, 90, "One"), row.format(1, 2, 70, "two"), row.format(2, 1, 80, "three")]
    )
    found = words_of(table)
    assert (found.text, found.count, found.confidence) == ("One\ntwo\n\nthree", 3, 80)
