"""Figures: their caption, alt text and the text around them, in every format that has pictures."""

import json
from pathlib import Path

import pytest

from leadline.documents.base import Extracted
from leadline.documents.figures import is_caption, said
from leadline.documents.reading import read
from leadline.documents.splitting import split
from leadline.types import Block, BlockKind, Document
from tests.documents import samples
from tests.documents.samples import words

PLAN = "A plan of the harbour"
CAPTION = "Figure 1: The harbour in 1990"
_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_O = 'xmlns:text="t" xmlns:draw="d" xmlns:svg="s" xmlns:xlink="l" xmlns:table="b" xmlns:office="o"'


def found(tmp_path: Path, name: str, data: bytes | str) -> Extracted:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read(path, ocr=False)


def figures(one: Extracted) -> list[str]:
    return [one.text[b.start : b.end] for b in one.blocks if b.kind == "figure"]


def word_picture(alt: str) -> str:
    return f'<w:p><w:r><w:drawing><wp:inline xmlns:wp="x"><wp:docPr id="1" descr="{alt}"/></wp:inline></w:drawing></w:r></w:p>'


def slide(shapes: str) -> bytes:
    return samples.zipped(
        {
            "ppt/presentation.xml": "<p/>",
            "ppt/slides/slide1.xml": f"<p:sld {_P} {_A} {_R}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>",
        }
    )


def slide_text(text: str) -> str:
    return f"<p:sp><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"


def open_document(body: str) -> bytes:
    return samples.zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"<o {_O}><office:body>{body}</office:body></o>",
            "META-INF/manifest.xml": "<m/>",
        }
    )


_PICTURE = f'<p:pic><p:nvPicPr><p:cNvPr id="2" name="Picture 2" descr="{PLAN}"/></p:nvPicPr></p:pic>'
_FRAME = f'<draw:frame><draw:image xlink:href="Pictures/a.png"/><svg:desc>{PLAN}</svg:desc></draw:frame>'
FILES: dict[str, bytes | str] = {
    "a.html": f'<p>Before.</p><figure><img src="x.png" alt="{PLAN}"><figcaption>{CAPTION}</figcaption></figure><p>After.</p>',
    "b.html": f'<p>Before.</p><p><a href="y"><img src="x.png" alt="{PLAN}"></a></p><p>{CAPTION}</p><p>After.</p>',
    "a.md": f"Before.\n\n![{PLAN}](x.png)\n*{CAPTION}*\n\nAfter.",
    "b.md": f"Before.\n\n[![{PLAN}](x.png)](y)\n\n{CAPTION}\n\nAfter.",
    "c.md": f'Before.\n\n<p align="center"><img src="x.png" alt="{PLAN}"></p>\n\n{CAPTION}\n\nAfter.',
    "a.docx": samples.docx(words("Before.") + word_picture(PLAN) + words(CAPTION) + words("After.")),
    "b.docx": samples.docx(words("Before.") + words(CAPTION) + word_picture(PLAN) + words("After.")),
    "a.pptx": slide(slide_text("Before.") + _PICTURE + slide_text(CAPTION) + slide_text("After.")),
    "a.odt": open_document(
        f"<text:p>Before.</text:p><text:p><draw:frame><draw:text-box><text:p>{_FRAME}{CAPTION}</text:p></draw:text-box></draw:frame></text:p><text:p>After.</text:p>"
    ),
    "a.epub": samples.zipped(
        {
            "mimetype": "application/epub+zip",
            "one.xhtml": f'<html><body><p>Before.</p><figure><img src="x.png" alt="{PLAN}"/><figcaption>{CAPTION}</figcaption></figure><p>After.</p></body></html>',
        }
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_picture_is_a_figure_by_its_alt_text_and_caption(tmp_path: Path, name: str) -> None:
    one = found(tmp_path, name, FILES[name])
    [figure] = figures(one)
    assert PLAN in figure and CAPTION in figure
    assert "Before" not in figure and "After" not in figure
    assert one.text.count(PLAN) == one.text.count(CAPTION) == 1


def test_every_picture_has_its_own_caption(tmp_path: Path) -> None:
    body = "".join(
        word_picture(f"Drawing of boat {name}") + words(f"Figure {number}: Boat {name}", "Caption")
        for number, name in ((1, "Heron"), (2, "Tern"))
    )
    one = found(tmp_path, "a.docx", samples.docx(body))
    assert figures(one) == [
        "Drawing of boat Heron\n\nFigure 1: Boat Heron",
        "Drawing of boat Tern\n\nFigure 2: Boat Tern",
    ]


def test_a_picture_without_words_of_its_own_has_those_of_its_caption(tmp_path: Path) -> None:
    styles = '<w:style w:styleId="c1"><w:name w:val="caption"/></w:style>'
    data = samples.docx(
        word_picture("") + words("The quay from the north", "c1") + words("Figure 1 shows it."), styles=styles
    )
    assert figures(found(tmp_path, "a.docx", data)) == ["The quay from the north"]


def test_pictures_that_say_nothing_are_no_figures(tmp_path: Path) -> None:
    page = '<p>Words <img alt="smile" src="s.png"> more.</p><p><img alt="IMG_0042.jpg"></p><p><img alt=""></p><p><img alt="image1"></p>'
    one = found(tmp_path, "a.html", page)
    assert figures(one) == [] and one.text == "Words smile more."
    assert figures(found(tmp_path, "a.md", "![](a-file-with-a-long-name.png)\n\nText.")) == []
    badges = "[![a build badge here](x)](y) [![another badge there](x)](y)\n"
    assert figures(found(tmp_path, "b.md", badges)) == []


def test_a_figure_that_holds_a_table_or_code_is_read_as_such(tmp_path: Path) -> None:
    page = f"<figure><table><tr><th>x<th>y<tr><td>1<td>2</table><figcaption>{CAPTION}</figcaption></figure><figure><pre>code\n  here</pre></figure>"
    kinds = [block.kind for block in found(tmp_path, "a.html", page).blocks]
    assert kinds == ["table", "paragraph", "code"]


def test_outputs_of_a_notebook_lose_what_stands_in_for_a_picture(tmp_path: Path) -> None:
    outputs = [{"data": {"image/png": "AAAA", "text/plain": ["<Figure size 640x480 with 1 Axes>"]}}]
    cells: list[object] = [
        {"cell_type": "code", "source": "plot(x)", "outputs": outputs},
        {"cell_type": "markdown", "source": f"![{PLAN}](attachment:p.png)", "attachments": {}},
    ]
    one = found(tmp_path, "a.ipynb", json.dumps({"cells": cells}))
    assert one.text == f"plot(x)\n\n![{PLAN}](attachment:p.png)"
    assert len(figures(one)) == 1


def test_captions_in_a_pdf_are_figures_on_their_page(tmp_path: Path) -> None:
    page = samples.lines("The quay was built in stone and is still in use today.", top=380)
    page += samples.lines("Figure 3: Depth of the Marlow harbour", top=300)
    page += samples.lines("Dredging went on for years and cost the town a lot of money.", top=240)
    one = found(tmp_path, "a.pdf", samples.pdf(samples.lines("A page of words comes first."), page))
    assert figures(one) == ["Figure 3: Depth of the Marlow harbour"]
    document = Document("d", "a.pdf", one.text, "t", "h", pages=one.pages, blocks=one.blocks)
    [chunk] = [c for c in split(document)[1] if c.kind == "figure"]
    assert chunk.page == 2


def test_the_alt_text_of_a_tagged_pdf_is_read(tmp_path: Path) -> None:
    content = samples.lines("The quay was built in stone.") + "/Figure << /MCID 0 >> BDC 0 0 5 5 re f EMC"
    tagged = {
        1: "<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 70 0 R >>",
        5: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 6 0 R /StructParents 0"
        " /Resources << /Font << /F 4 0 R >> >> >>",
        70: "<< /Type /StructTreeRoot /K [71 0 R] /ParentTree 72 0 R >>",
        71: f"<< /Type /StructElem /S /Figure /P 70 0 R /Pg 5 0 R /Alt ({PLAN}) /K [0] >>",
        72: "<< /Nums [0 [71 0 R]] >>",
    }
    assert figures(found(tmp_path, "a.pdf", samples.pdf(content, more=tagged))) == [PLAN]


def test_a_figures_chunk_is_exact_and_indexed_with_the_text_around_it(tmp_path: Path) -> None:
    text = (
        "Dredging began in spring.\n\n"
        + "The tides were low that year and nobody sailed. " * 30
        + f"\n\n![{PLAN}](x.png)\n\n{CAPTION}\n\n"
        + "Boats came back in autumn. "
        + "Other things are told here at some length. " * 30
        + "\n\nAs Fig. 1 makes clear, the mole was longer then."
    )
    one = found(tmp_path, "a.md", text)
    document = Document("d", "a.md", one.text, "t", "h", headings=one.headings, blocks=one.blocks)
    chunks = split(document)[1]
    assert all(one.text[c.start : c.end] == c.text for c in chunks)
    [figure] = [c for c in chunks if c.kind == "figure"]
    assert PLAN in figure.text and CAPTION in figure.text
    assert "nobody sailed." in figure.context and "Boats came back" in figure.context
    assert "As Fig. 1 makes clear, the mole was longer then." in figure.context
    assert "spring" not in figure.context and len(figure.context) < 1_000
    assert {"plan", "harbour", "boat", "mole"} <= set(figure.terms.split())


def test_a_picture_of_a_few_letters_goes_with_the_text_beside_it() -> None:
    text = "The harbour is deep.\n\nA chart\n\nIt has two quays."
    blocks: list[tuple[BlockKind, int, int]] = [
        ("paragraph", 0, 20),
        ("figure", 22, 29),
        ("paragraph", 31, len(text)),
    ]
    document = Document("d", "a", text, "t", "h", blocks=tuple(_blocks(blocks)))
    assert [(c.text, c.kind) for c in split(document)[1]] == [(text, "paragraph")]


def test_captions_are_told_from_sentences_about_figures() -> None:
    captions = (
        "Figure 3: Depth",
        "Fig. 2.1. Depth",
        "图 2 港口水深",
        "图2：港口",
        "Abb. 4 – Hafen",
        "Рис. 5. Порт",
    )
    captions += ("شكل 1: ميناء", "Figure 7", "*Figure 3:* Depth")
    assert [text for text in captions if not is_caption(text)] == []
    prose = (
        "Figure 3 shows the depth.",
        "Figures are given.",
        "Table 1: Costs",
        "In Figure 3: depth",
        "图书馆2号楼",
    )
    prose += (f"Figure 3: {'long ' * 200}",)
    assert [text for text in prose if is_caption(text)] == []


def test_of_what_is_said_of_a_picture_nothing_is_said_twice() -> None:
    automatic = "A boat at sea\n\nDescription automatically generated with medium confidence"
    assert said([automatic, "a boat at sea", "", "photo_1.jpeg", "Depth"]) == ["A boat at sea", "Depth"]


def _blocks(spans: list[tuple[BlockKind, int, int]]) -> list[Block]:
    return [Block(*span) for span in spans]
