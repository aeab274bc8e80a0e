"""Single lines of foreign text: one line, nothing that controls a terminal, nothing that Markdown acts on."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from leadline.citing.render.markdown import escape
from leadline.citing.render.plain import line


@pytest.mark.parametrize(
    "text",
    [
        "# head",
        "- item",
        "+ item",
        "1. one",
        "12) one",
        "=====",
        "---",
        "> said",
        "    code",
        "~~~",
        "a\n\n# b",
        ": d",
    ],
)
def test_a_line_cannot_open_a_block(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(escape(text))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    inline = "".join(child.content for child in tokens[1].children or [])
    assert inline == " ".join(text.split())


def test_addresses_do_not_become_links() -> None:
    assert escape("http://example.com www.example.com a@b.example") == (
        "http\\://example.com www\\.example.com a\\@b.example"
    )


@given(st.text())
def test_a_shown_line_is_one_safe_line(text: str) -> None:
    short = line(text, 40)
    assert len(short) <= 40
    assert short.encode("utf-8").decode("utf-8") == short
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", short)


@given(st.text())
def test_escaped_markdown_reads_as_the_text(text: str) -> None:
    tokens = MarkdownIt("commonmark", {"html": True}).parse(escape(text))
    assert {token.type for token in tokens} <= {"paragraph_open", "inline", "paragraph_close"}
    inline = [child for token in tokens for child in token.children or []]
    assert {child.type for child in inline} <= {"text", "text_special"}
