"""Markdown, HTML and Word: everything is there, under the same numbers, and hostile text stays text."""

import io
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, cast

import docx
import pytest
from docx.oxml.ns import qn
from markdown_it import MarkdownIt

from leadline.citing.report.docx import render_docx
from leadline.citing.report.html import render_html
from leadline.citing.report.markdown import render_markdown
from leadline.citing.report.outline import Report, report
from leadline.documents.reading import read
from tests.citing.report.answers import KINDS, YEARBOOK, research

TAGS = frozenset(
    "html head meta title style body h1 h2 p sup a bdi table thead tbody tr th td ul li ol cite br em blockquote small".split()
)


def squeezed(text: str) -> str:
    """Without blanks: where a line ends says nothing."""
    return re.sub(r"\s+", "", text)


def lost(shown: Report, text: str) -> list[str]:
    """The texts of the report that `text` does not hold, character by character."""
    held = squeezed(text)
    return [each for each in shown.texts() if squeezed(each) not in held]


class Page(HTMLParser):
    """Tags, attributes and text of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


def parsed(page: bytes) -> Page:
    found = Page()
    found.feed(page.decode())
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_html_shows_every_text_and_nothing_in_it_is_a_tag(kind: str) -> None:
    shown = report(research(kind))
    page = parsed(render_html(shown))
    assert lost(shown, page.text) == []
    assert page.tags <= TAGS
    assert {name for name, _ in page.attributes} <= {"charset", "content", "name", "lang", "http-equiv", "dir", "class", "href", "id", "rel"}  # fmt: skip
    addresses = {value for name, value in page.attributes if name == "href"}
    assert all(value.startswith(("#reference-", "https://")) for value in addresses)


def test_html_asks_for_nothing_and_leaves_every_paragraph_its_direction() -> None:
    page = render_html(report(research("mixed"))).decode()
    assert "default-src 'none'" in page
    assert "url(" not in page and "@import" not in page and "src=" not in page
    for tag in ("h1", "h2", "p", "li", "td", "blockquote", "cite"):
        for opened in re.findall(f"<{tag}( [^>]*)?>[^<]*[\u0600-\u06ff]", page):
            assert 'dir="auto"' in opened


def test_every_number_of_html_leads_to_its_reference() -> None:
    page = parsed(render_html(report(research("mixed"))))
    targets = {value for name, value in page.attributes if name == "id"}
    assert {value[1:] for name, value in page.attributes if name == "href" and value[0] == "#"} == targets


@pytest.mark.parametrize("kind", KINDS)
def test_markdown_shows_every_text_and_nothing_in_it_is_markup(kind: str) -> None:
    shown = report(research(kind))
    text = render_markdown(shown).decode()
    page = parsed(MarkdownIt("commonmark").enable("table").render(text).encode())
    assert lost(shown, page.text) == []
    assert page.tags <= {"h1", "h2", "p", "em", "strong", "ul", "li", "a", "table", "thead", "tbody", "tr", "th", "td", "pre", "code"}  # fmt: skip
    assert all(value.startswith("https://") for name, value in page.attributes if name == "href")
    assert "img" not in page.tags and "script" not in page.tags


def test_markdown_has_a_footnote_for_every_number_and_no_other() -> None:
    text = render_markdown(report(research("mixed"))).decode()
    notes = set(re.findall(r"^\[\^(\d+)\]:", text, re.MULTILINE))
    assert notes == set(re.findall(r"(?<!\\)\[\^(\d+)\](?!:)", text))


def test_all_forms_give_a_statement_the_same_numbers() -> None:
    shown = report(research("english"))
    page = parsed(render_html(shown)).text
    notes = render_markdown(shown).decode()
    words = "\n".join(each.text for each in docx.Document(io.BytesIO(render_docx(shown))).paragraphs)
    assert "ships" in words
    for form in (page, words):
        assert "Pier 7 was opened in 1998.[2]" in form
        assert "· ½ ‰.[1][2]" in form
    assert "Pier 7 was opened in 1998.[^2]" in notes


@pytest.mark.parametrize("kind", KINDS)
def test_the_text_of_a_word_document_reads_back_equal(kind: str, tmp_path: Path) -> None:
    shown = report(research(kind))
    file = tmp_path / "report.docx"
    file.write_bytes(render_docx(shown))
    held = docx.Document(str(file))
    cells = [cell.text for table in held.tables for row in table.rows for cell in row.cells]
    assert lost(shown, "\n".join([*(each.text for each in held.paragraphs), *cells])) == []
    assert lost(shown, read(file).text) == []


def test_arabic_paragraphs_and_words_of_a_word_document_run_from_right_to_left() -> None:
    held = docx.Document(io.BytesIO(render_docx(report(research("arabic")))))
    turned = 0
    for paragraph in held.paragraphs:
        inside = cast(Any, paragraph)._p
        first = next((each for each in paragraph.text if each.isalpha()), "")
        is_turned = "\u0600" <= first <= "\u06ff"
        assert (inside.find(f".//{qn('w:bidi')}") is not None) == is_turned
        turned += is_turned
        for run in inside.iter(qn("w:r")):
            text = "".join(each.text or "" for each in run.iter(qn("w:t")))
            marked = run.find(f".//{qn('w:rtl')}") is not None
            if re.search("[\u0600-\u065f\u066e-\u06ef]", text):
                assert marked and not re.search("[A-Za-z\u4e00-\u9fff]", text)
            elif re.search("[A-Za-z\u4e00-\u9fff]", text):
                assert not marked
    assert turned >= 5


def test_the_numbers_of_a_word_document_lead_to_its_references() -> None:
    held = docx.Document(io.BytesIO(render_docx(report(research("mixed")))))
    body = cast(Any, held.element).body
    marks = {each.get(qn("w:name")) for each in body.iter(qn("w:bookmarkStart"))}
    links = {each.get(qn("w:anchor")) for each in body.iter(qn("w:hyperlink"))} - {None}
    assert links == marks
    ids = [each.get(qn("w:id")) for each in body.iter(qn("w:bookmarkStart"))]
    assert len(ids) == len(set(ids))
    targets = {each.target_ref for each in held.part.rels.values() if each.is_external}
    assert YEARBOOK.source in targets
    assert all(target.startswith("https://") for target in targets)
