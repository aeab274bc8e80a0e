"""The words in pictures: recognised where tesseract is installed, within bounds, and never fetched."""

import base64
import json
import shutil
import time
import zlib
from pathlib import Path

import pytest

from leadline.documents.base import Extracted
from leadline.documents.formats import pictures
from leadline.documents.formats.pictures import Pictures, inline_picture
from leadline.documents.formats.rasters import size_of
from leadline.documents.reading import read
from leadline.documents.sources import Source
from tests.documents import samples
from tests.documents.pictures import encoded, pdf_image, png
from tests.documents.samples import words

needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
SAID = "Marlow harbour depth"
PICTURE = png(SAID, "twelve metres in 1990")
ADDRESS = f"data:image/png;base64,{base64.b64encode(PICTURE).decode()}"
_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'


def found(tmp_path: Path, name: str, data: bytes | str, *, ocr: bool = True) -> Extracted:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read(path, ocr=ocr)


def figures(one: Extracted) -> list[str]:
    return [one.text[b.start : b.end] for b in one.blocks if b.kind == "figure"]


def related(folder: str, part: str) -> dict[str, str | bytes]:
    relation = f'<Relationships {_RELATIONS}><Relationship Id="p1" Target="media/a.png"/></Relationships>'
    return {f"{folder}/_rels/{part}.rels": relation, f"{folder}/media/a.png": PICTURE}


def word_file() -> bytes:
    drawing = f'<w:p><w:r><w:drawing><a:blip {_A} {_R} r:embed="p1"/></w:drawing></w:r></w:p>'
    body = words("Before.") + drawing + words("After.")
    parts = related("word", "document.xml")
    return samples.zipped(
        {"word/document.xml": f"<w:document {_W}><w:body>{body}</w:body></w:document>", **parts}
    )


def slides() -> bytes:
    picture = '<p:pic><p:blipFill><a:blip r:embed="p1"/></p:blipFill></p:pic>'
    tree = f"<p:sld {_P} {_A} {_R}><p:cSld><p:spTree>{picture}</p:spTree></p:cSld></p:sld>"
    parts: dict[str, str | bytes] = {"ppt/presentation.xml": "<p/>", "ppt/slides/slide1.xml": tree}
    return samples.zipped(parts | related("ppt/slides", "slide1.xml"))


def open_text() -> bytes:
    frame = '<draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame>'
    body = f"<office:body><text:p>Before.</text:p><text:p>{frame}</text:p></office:body>"
    names = 'xmlns:text="t" xmlns:draw="d" xmlns:xlink="l" xmlns:office="o"'
    return samples.zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"<o {names}>{body}</o>",
            "META-INF/manifest.xml": "<m/>",
            "Pictures/a.png": PICTURE,
        }
    )


def book() -> bytes:
    page = '<html><body><p>Before.</p><p><img src="../img/a%20b.png"/></p></body></html>'
    return samples.zipped(
        {"mimetype": "application/epub+zip", "text/one.xhtml": page, "img/a b.png": PICTURE}
    )


FILES: dict[str, bytes | str] = {
    "a.html": f'<p>Before.</p><p><img src="{ADDRESS}"></p><p>After.</p>',
    "a.md": f"Before.\n\n![A chart of some kind]({ADDRESS})\n\nAfter.",
    "b.md": f"Before.\n\n![A chart of some kind][one]\n\nAfter.\n\n[one]: <{ADDRESS}>\n",
    "a.docx": word_file(),
    "a.pptx": slides(),
    "a.odt": open_text(),
    "a.epub": book(),
    "a.ipynb": json.dumps(
        {
            "cells": [
                {
                    "cell_type": "code",
                    "source": "x",
                    "outputs": [{"data": {"image/png": base64.b64encode(PICTURE).decode()}}],
                }
            ]
        }
    ),
    "a.pdf": samples.pdf(
        samples.lines("The quay was built in stone.", top=390) + "q 360 0 0 120 20 100 cm /X Do Q",
        more={90: pdf_image(SAID, "twelve metres in 1990")},
    ),
}


@needs_tesseract
@pytest.mark.parametrize("name", FILES)
def test_words_in_a_picture_are_part_of_the_text(tmp_path: Path, name: str) -> None:
    one = found(tmp_path, name, FILES[name])
    [figure] = figures(one)
    assert SAID in figure and "1990" in figure
    assert one.text.count(SAID) == 1
    assert "base64" not in one.text


@pytest.mark.parametrize("name", FILES)
def test_pictures_are_left_alone_without_ocr(tmp_path: Path, name: str) -> None:
    one = found(tmp_path, name, FILES[name], ocr=False)
    assert SAID not in one.text and "base64" not in one.text


@needs_tesseract
def test_one_picture_shown_often_is_read_once(tmp_path: Path) -> None:
    page = "".join(f'<p>Part {n}.</p><p><img src="{ADDRESS}"></p>' for n in range(5))
    assert found(tmp_path, "a.html", page).text.count(SAID) == 1


@needs_tesseract
def test_a_caption_below_a_picture_in_a_pdf_is_one_figure_with_it(tmp_path: Path) -> None:
    page = samples.lines("The quay was built in stone.", top=390) + "q 360 0 0 120 20 200 cm /X Do Q "
    page += samples.lines("Figure 1: What was measured", top=180)
    page += samples.lines("The town paid for all of it over many years.", top=120)
    [figure] = figures(found(tmp_path, "a.pdf", samples.pdf(page, more={90: pdf_image(SAID)})))
    assert figure.startswith("Figure 1: What was measured") and SAID in figure


@needs_tesseract
def test_a_picture_under_the_text_of_its_page_is_not_read_again(tmp_path: Path) -> None:
    page = "q 400 0 0 400 0 0 cm /X Do Q " + samples.lines("Marlow harbour depth", top=200)
    one = found(tmp_path, "a.pdf", samples.pdf(page, more={90: pdf_image(SAID)}))
    assert one.text.count(SAID) == 1 and figures(one) == []


@needs_tesseract
def test_reading_pictures_ends_with_its_number_and_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST", 1)
    few = Pictures(Source("a", b"", "html"))
    assert SAID in few.words(PICTURE)
    assert few.words(png("Other words here")) == "" and "not read" in few.notes()[0]
    late = Pictures(Source("a", b"", "html", until=time.monotonic()))
    assert late.words(PICTURE) == "" and late.notes()


def test_pictures_outside_the_document_are_never_opened() -> None:
    asked: list[str] = []

    def held(address: str) -> bytes:
        asked.append(address)
        return b""

    some = Pictures(Source("a", b"", "html"), held)
    for address in (
        "http://example.com/a.png",
        "//example.com/a.png",
        "file:///etc/a.png",
        "data:text/html,x",
    ):
        assert some.words_at(address) == ""
    assert asked == []


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no picture",
        PICTURE[:40],
        encoded(16, 16, zlib.compress(b"\0" * 272)),
        encoded(60_000, 60_000, zlib.compress(b"\0" * 1_000)),
        encoded(400, 400, b"broken"),
        b"\xff\xd8" + b"\xff\xe0\0\0" * 3_000,
    ],
    ids=["empty", "text", "cut", "icon", "bomb", "broken", "jpeg without end"],
)
def test_a_picture_that_cannot_be_read_says_nothing(data: bytes) -> None:
    assert Pictures(Source("a", b"", "html")).words(data) == ""


def test_addresses_that_hold_no_picture_give_nothing() -> None:
    assert inline_picture(ADDRESS) == PICTURE
    for address in ("data:text/plain;base64,QUJD", "data:image/png,plain", "data:image/png;base64,A", "x"):
        assert inline_picture(address) == b""


def test_the_size_of_a_picture_stands_in_its_first_bytes() -> None:
    jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\0\x05\0\x07" + b"\0" * 20
    assert size_of(jpeg) == (7, 5)
    assert size_of(
        b"BM" + bytes(16) + (9).to_bytes(4, "little") + (-4).to_bytes(4, "little", signed=True)
    ) == (9, 4)
    assert size_of(b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + b"\x09\0\0\x04\0\0") == (10, 5)
    assert size_of(PICTURE) == (800, 266)
    assert size_of(b"\xff\xd8\xff") == (0, 0)
