"""Every family of formats gives its words, and positions that are exact."""

import json
from pathlib import Path

import pytest

from leadline.documents.base import Extracted
from leadline.documents.reading import read
from tests.documents import samples
from tests.documents.samples import words


class Desk:
    """Puts a file on disk, reads it, and checks what holds for every file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, name: str, data: bytes | str) -> Extracted:
        path = self.folder / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        found = read(path)
        assert all(found.text[h.start : h.end] == h.text for h in found.headings)
        assert all(found.text[b.start : b.end].strip() for b in found.blocks)
        return found


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def outline(found: Extracted) -> list[tuple[int, str]]:
    return [(heading.level, heading.text) for heading in found.headings]


def blocks(found: Extracted, kind: str) -> list[str]:
    return [found.text[b.start : b.end] for b in found.blocks if b.kind == kind]


def test_markdown_keeps_its_text_and_gives_up_its_front_matter(desk: Desk) -> None:
    source = "---\ntitle: Tides\ndate: 2024-05-01\ntags: [sea, moon]\nby: {name: Ada}\n---\n# Tides\n\nThey *turn*.\n\n```\n# no heading\n```\n\nUnder\n-----\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n- two\n"
    found = desk.read("a.md", source)
    assert found.metadata == {
        "title": "Tides",
        "date": "2024-05-01",
        "tags": ("sea", "moon"),
        "by.name": "Ada",
    }
    assert found.title == "Tides" and found.text.startswith("# Tides\n\nThey *turn*.")
    assert outline(found) == [(1, "Tides"), (2, "Under")]
    assert blocks(found, "code") == ["```\n# no heading\n```"]
    assert blocks(found, "table") == ["| a | b |\n|---|---|\n| 1 | 2 |"]
    assert blocks(found, "list") == ["- one\n- two"]


def test_front_matter_that_is_none_stays_text(desk: Desk) -> None:
    assert desk.read("a.md", "---\n: : [\n---\nwords").text.startswith("---")
    assert desk.read("b.md", "---\n\nA rule above.").text.startswith("---")
    bomb = "---\na: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\nd: plain\n---\nwords"
    assert desk.read("c.md", bomb).metadata == {"a": ("x", "x"), "b": (), "c": (), "d": "plain"}


def test_toml_front_matter_is_read_too(desk: Desk) -> None:
    found = desk.read("a.md", '+++\ntitle = "Buoys"\n+++\ntext')
    assert (found.title, found.text) == ("Buoys", "text")


def test_code_is_cut_at_the_left_margin(desk: Desk) -> None:
    found = desk.read(
        "a.py", "import os\n\n\ndef one():\n    x = 1\n\n    return x\n\n\nclass Two:\n    pass\n"
    )
    assert outline(found) == [(1, "def one"), (1, "class Two")]
    assert blocks(found, "code") == [
        "import os",
        "def one():\n    x = 1\n\n    return x",
        "class Two:\n    pass",
    ]


def test_an_even_csv_is_a_table_and_a_ragged_one_stays_as_it_is(desk: Desk) -> None:
    even = desk.read("a.csv", 'name;town\n"Ada; L.";Rome\nBo;"a|b"\n')
    assert even.text == "| name | town |\n| --- | --- |\n| Ada; L. | Rome |\n| Bo | a\\|b |"
    assert desk.read("b.csv", "1,2\na,b,c\n").text == "1,2\na,b,c"


def test_json_is_readable_and_cut_by_record(desk: Desk) -> None:
    found = desk.read("a.json", json.dumps([{"town": "Zürich"}, {"town": "東京"}]))
    assert blocks(found, "code") == ['{\n "town": "Zürich"\n}', '{\n "town": "東京"\n}']
    assert len(blocks(desk.read("a.jsonl", '{"a": 1}\n{"a": 2}\n'), "code")) == 2
    assert desk.read("b.json", "{broken").notes
    assert desk.read("c.json", "[" * 100_000).text.startswith("[")


def test_notebooks_give_cells_and_what_they_printed(desk: Desk) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Tides\n", "words"]},
        {"cell_type": "code", "source": "1 + 1", "outputs": [{"data": {"text/plain": ["2"]}}]},
    ]
    found = desk.read("a.ipynb", json.dumps({"cells": cells}))
    assert found.title == "Tides" and blocks(found, "code") == ["1 + 1", "2"]


def test_captions_name_the_speaker_and_leave_times_out(desk: Desk) -> None:
    found = desk.read(
        "a.vtt",
        "WEBVTT\n\n1\n00:01.000 --> 00:02.000\n<v Ada>It <i>turns</i> &amp; goes\n\nNOTE no\n\n00:02.000 --> 00:03.000\n<v Bo>Yes\n",
    )
    assert found.text == "Ada: It turns & goes\n\nBo: Yes"
    assert (
        desk.read("a.srt", "1\r\n00:00:01,000 --> 00:00:02,000\r\nHello\r\nthere\r\n").text == "Hello there"
    )


def test_restructured_text_ranks_headings_by_first_use(desk: Desk) -> None:
    found = desk.read(
        "a.rst",
        "=====\nTides\n=====\n\nOne\n---\n\ntext::\n\n    code\n\n.. include:: /etc/passwd\n\nTwo\n---\n",
    )
    assert outline(found) == [(1, "Tides"), (2, "One"), (2, "Two")]
    assert "root:" not in found.text and blocks(found, "code") == ["    code"]


def test_latex_gives_words_formulas_and_sections(desk: Desk) -> None:
    source = (
        r"\documentclass{article}\title{On \emph{Tides}}\begin{document}\section{Sea % no"
        + "\n"
        + r"}Caf\'e $x^2$~\cite{a} 5\% of it.\begin{itemize}\item one\item two\end{itemize}\begin{tabular}{ll}a & b\\ 1 & 2\end{tabular}\input{/etc/passwd}\begin{verbatim}\raw{x}\end{verbatim}\end{document}"
    )
    found = desk.read("a.tex", source)
    assert found.title == "On Tides" and outline(found) == [(1, "Sea")]
    assert "Café $x^2$ 5% of it." in found.text and "- one\n- two" in found.text
    assert blocks(found, "table") == ["| a | b |\n| --- | --- |\n| 1 | 2 |"] and blocks(found, "code") == [
        r"\raw{x}"
    ]


def test_html_shows_what_a_reader_sees(desk: Desk) -> None:
    page = "<html lang=en><head><title>Tides</title><style>x{}</style></head><body><nav>menu</nav><h1>The sea</h1><p>One <b>two</b><br>three&nbsp;four</p><script>alert(1)</script><ul><li>a<ul><li>b</ul></ul><table><tr><th>x<th>y<tr><td>1<td>2</table><pre>a\n  b</pre><img alt='A chart'><p hidden>no</p>"
    found = desk.read("a.html", page)
    assert (
        found.title == "Tides" and found.metadata["language"] == "en" and outline(found) == [(1, "The sea")]
    )
    assert (
        found.text
        == "The sea\n\nOne two\nthree four\n\n- a\n  - b\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n\na\n  b\n\nA chart"
    )


def test_a_date_that_a_document_gives_keeps_the_name_it_has_there(desk: Desk) -> None:
    page = "<meta name=date content=2023-02-11><meta property=article:published_time content=2023-02-13><p>a"
    assert desk.read("a.html", page).metadata == {"date": "2023-02-11", "published": "2023-02-13"}
    paper = r"\documentclass{article}\date{11 February 2023}\begin{document}a\end{document}"
    assert desk.read("a.tex", paper).metadata == {"date": "11 February 2023"}


def test_a_page_with_the_wrong_charset_comes_out_right(desk: Desk) -> None:
    arabic = "اللغة العربية هي واحدة من أكثر اللغات انتشارا في العالم"
    page = f'<html><head><meta charset="utf-8"></head><body><p>{arabic}</p></body></html>'
    assert desk.read("a.html", page.encode("cp1256")).text == arabic
    assert desk.read("b.html", page.encode("utf-16")).text == arabic


def test_epub_chapters_come_in_reading_order(desk: Desk) -> None:
    page = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head><body><h1>{}</h1><p>a&nbsp;<ruby>漢<rt>かん</rt></ruby></p></body></html>'
    book = samples.zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfiles><rootfile full-path="o/b.opf"/></rootfiles></container>',
            "o/b.opf": '<package xmlns:dc="d"><metadata><dc:title>Tides</dc:title><dc:creator>Ada</dc:creator></metadata>'
            '<manifest><item id="1" href="one.xhtml"/><item id="2" href="t%20o.xhtml"/></manifest><spine><itemref idref="2"/><itemref idref="1"/></spine></package>',
            "o/one.xhtml": page.format("One"),
            "o/t o.xhtml": page.format("Two"),
        }
    )
    found = desk.read("a.epub", book)
    assert (found.title, found.metadata["author"]) == ("Tides", "Ada")
    assert found.text == "Two\n\na 漢\n\nOne\n\na 漢"


def test_mail_gives_headers_body_inner_messages_and_attachments(desk: Desk) -> None:
    inner = "From: Bo <b@x.org>\nSubject: Inner\n\nInner words\n"
    mail = f"""From: =?utf-8?b?w4RkYQ==?= <a@x.org>\nTo: Bo <b@x.org>\nSubject: Tides\nDate: Fri, 16 Dec 2022 17:04:16 -0500\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B\n\n--B\nContent-Type: multipart/alternative; boundary=C\n\n--C\nContent-Type: text/plain\n\nPlain words\n--C\nContent-Type: text/html\n\n<p>Rich words\n--C--\n--B\nContent-Type: text/markdown\nContent-Disposition: attachment; filename=n.md\n\n# Note\n\nAttached words\n--B\nContent-Type: message/rfc822\n\n{inner}\n--B\nContent-Disposition: attachment; filename=p.png\n\nxx\n--B--\n"""
    found = desk.read("a.eml", mail)
    assert (
        found.metadata["author"] == "Äda <a@x.org>"
        and found.metadata["created"] == "2022-12-16T17:04:16-05:00"
    )
    assert outline(found) == [(1, "Tides"), (2, "n.md"), (1, "Note"), (2, "Inner")]
    assert "Plain words" in found.text and "Attached words" in found.text and "Inner words" in found.text
    assert "Rich words" not in found.text
    assert desk.read("b.eml", mail.encode("utf-16")).text == found.text


def test_a_mailbox_gives_all_its_messages(desk: Desk) -> None:
    box = "From a@x.org Mon Jul 20 01:01:07 2015\nSubject: One\n\nwords\n>From the sea\n\nFrom b@x.org Mon Jul 20 01:01:07 2015\nSubject: Two\n\nmore\n"
    found = desk.read("a.mbox", box)
    assert outline(found) == [(1, "One"), (1, "Two")] and "\nFrom the sea" in found.text


def test_word_files_lose_no_text_boxes_notes_or_comments(desk: Desk) -> None:
    box = f"<w:p><w:r><w:t>Before</w:t><w:pict><w:txbxContent>{words('In the box')}</w:txbxContent></w:pict></w:r></w:p>"
    table = f"<w:tbl><w:tr><w:tc>{words('a')}</w:tc><w:tc>{words('b')}</w:tc></w:tr></w:tbl>"
    deleted = "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>"
    styles = '<w:style w:styleId="X"><w:name w:val="heading 2"/></w:style><w:style w:styleId="Y"><w:basedOn w:val="X"/></w:style>'
    data = samples.docx(
        words("The sea", "Y") + box + table + deleted,
        styles=styles,
        footnotes=f"<w:footnote>{words('A note')}</w:footnote>",
        comments=f'<w:comment w:author="Ada">{words("A remark")}</w:comment>',
    )
    found = desk.read("a.docx", data)
    assert outline(found) == [(2, "The sea")]
    assert (
        found.text
        == "The sea\n\nBefore\n\nIn the box\n\n| a | b |\n| --- | --- |\n\nnew\n\nA note\n\nAda: A remark"
    )


def test_headings_of_a_word_file_without_styles_are_known_by_the_names_of_their_styles(desk: Desk) -> None:
    body = (
        words("Tides", "Title") + words("The sea", "Heading2") + words("Das Meer", "berschrift1") + words("x")
    )
    assert outline(desk.read("a.docx", samples.docx(body))) == [(1, "Tides"), (2, "The sea"), (1, "Das Meer")]
    styles = '<w:style w:styleId="Heading2"><w:name w:val="Body words"/></w:style>'
    assert outline(desk.read("b.docx", samples.docx(body, styles=styles))) == [(1, "Tides"), (1, "Das Meer")]


def test_pages_of_a_word_file_follow_the_breaks_it_recorded(desk: Desk) -> None:
    second = "<w:p><w:r><w:lastRenderedPageBreak/><w:t>Two</w:t></w:r></w:p>"
    found = desk.read("a.docx", samples.docx(words("One") + second))
    assert [found.text[p.start : p.end].strip() for p in found.pages] == ["One", "Two"]


def test_slides_keep_order_notes_and_comments(desk: Desk) -> None:
    a, p = 'xmlns:a="urn:a"', 'xmlns:p="urn:p" xmlns:r="urn:r"'
    slide = '<p:sld {0} {1}><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>{2}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>'
    notes = f'<p:notes {a} {p}><p:sp><p:nvSpPr><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Say it</a:t></a:r></a:p></p:txBody></p:sp></p:notes>'
    data = samples.zipped(
        {
            "ppt/presentation.xml": f'<p:presentation {p}><p:sldIdLst><p:sldId id="256" r:id="two"/><p:sldId id="257" r:id="one"/></p:sldIdLst></p:presentation>',
            "ppt/_rels/presentation.xml.rels": '<R><R Id="one" Target="slides/slide1.xml"/><R Id="two" Target="slides/slide2.xml"/></R>',
            "ppt/slides/slide1.xml": slide.format(a, p, "One"),
            "ppt/slides/slide2.xml": slide.format(a, p, "Two"),
            "ppt/slides/_rels/slide2.xml.rels": '<R><R Id="n" Target="../notesSlides/n.xml"/><R Id="c" Target="../comments/c.xml"/></R>',
            "ppt/notesSlides/n.xml": notes,
            "ppt/comments/c.xml": f'<p:cmLst {p}><p:cm authorId="0"><p:text>Why?</p:text></p:cm></p:cmLst>',
        }
    )
    found = desk.read("a.pptx", data)
    assert found.text == "Two\n\nSay it\n\nWhy?\n\nOne"
    assert [(p.number, found.text[p.start : p.end].strip()[:3]) for p in found.pages] == [
        (1, "Two"),
        (2, "One"),
    ]


def test_sheets_show_numbers_and_strings_as_people_see_them(desk: Desk) -> None:
    cells = '<c r="A1" t="s"><v>0</v></c><c r="D1" t="inlineStr"><is><t>Sum</t></is></c>'
    more = '<c r="A2"><v>0.30000000000000004</v></c><c r="D2" t="b"><v>1</v></c>'
    found = desk.read(
        "a.xlsx",
        samples.xlsx(
            f'<sheetData><row r="1">{cells}</row><row r="2">{more}</row></sheetData>', "<si><t>Part</t></si>"
        ),
    )
    assert found.text == "Figures\n\n| Part | Sum |\n| --- | --- |\n| 0.3 | TRUE |"


def test_open_documents_of_three_kinds_share_one_reader(desk: Desk) -> None:
    def content(body: str) -> bytes:
        names = 'xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:presentation="p"'
        return samples.zipped(
            {"content.xml": f"<office:document {names}><office:body>{body}</office:body></office:document>"}
        )

    text = '<office:text><text:h text:outline-level="2">Sea</text:h><text:p>a<text:s text:c="2"/>b</text:p><text:list><text:list-item><text:p>i</text:p></text:list-item></text:list></office:text>'
    assert desk.read("a.odt", content(text)).text == "Sea\n\na  b\n\n- i"
    row = '<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    sheet = f'<office:spreadsheet><table:table table:name="S"><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row>{row}</table:table></office:spreadsheet>'
    assert desk.read("a.ods", content(sheet)).text == "S\n\n| x |\n| --- |"
    slide = '<office:presentation><draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Head</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box><text:p>Body</text:p></draw:text-box></draw:frame></draw:page></office:presentation>'
    found = desk.read("a.odp", content(slide))
    assert found.text == "Head\n\nBody" and len(found.pages) == 1


def test_rtf_reads_each_run_in_the_encoding_of_its_font(desk: Desk) -> None:
    japanese = "".join(f"\\'{byte:02x}" for byte in "古書店".encode("cp932"))
    source = (
        r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset128 B;}}{\stylesheet{\s1 heading 1;}}{\info{\title Sea}}\pard\s1 Top\par\pard caf\'e9 {\f1 "
        + japanese
        + r"} \u-10179?\u-8704? x{\footnote\pard A note}\par\trowd\intbl a\cell b\cell\row\pard{\*\secret no}end\par}"
    )
    found = desk.read("a.rtf", source)
    assert found.title == "Sea" and outline(found) == [(1, "Top")]
    assert found.text == "Top\n\ncafé 古書店 😀 x\n\nA note\n\n| a | b |\n| --- | --- |\n\nend"


def test_xml_data_and_prose_are_both_readable(desk: Desk) -> None:
    found = desk.read(
        "a.xml",
        "<book><title>Tides</title><ship><name>Ada</name><year>1852</year></ship><p>One <b>two</b>.</p></book>",
    )
    assert found.text == "Tides\n\nname: Ada\nyear: 1852\n\nOne two."


def test_plain_text_is_cut_at_blank_lines(desk: Desk) -> None:
    found = desk.read("a.txt", "one\ntwo\r\n\r\nthree\n")
    assert blocks(found, "paragraph") == ["one\ntwo", "three"]


def test_an_empty_file_is_empty_and_says_so(desk: Desk) -> None:
    found = desk.read("a.pdf", b"")
    assert (found.text, found.kind) == ("", "pdf") and found.notes
