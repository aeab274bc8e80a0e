"""Normalisation changes what cannot be seen and nothing that can."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from leadline.documents.composing import Composer
from leadline.documents.normalising import normalise


def test_newlines_spaces_and_invisible_characters_are_made_plain() -> None:
    assert normalise("a\r\nb\rc\u2028d\u00a0e\u00adf\x00g\ufeff") == "a\nb\nc\nd efg"


def test_blank_lines_are_bounded_and_line_ends_trimmed() -> None:
    assert normalise("\n\na  \n\n\n\n\n\nb\t\n") == "a\n\n\nb"


def test_letters_are_composed_but_look_as_in_the_source() -> None:
    assert normalise("e\u0301 ½ ﬁ Ａ") == "é ½ ﬁ Ａ"


def test_half_characters_cannot_reach_the_store() -> None:
    assert normalise("a\ud83db").encode() == b"ab"


def test_joiners_that_change_meaning_stay() -> None:
    assert normalise("می\u200cخواهم") == "می\u200cخواهم"


@given(st.lists(st.tuples(st.sampled_from("hpict"), st.text(max_size=30)), max_size=12))
def test_pieces_put_together_are_normalised_and_where_they_say(pieces: list[tuple[str, str]]) -> None:
    composer = Composer("text")
    for kind, text in pieces:
        if kind == "h":
            composer.heading(1, text)
        elif kind == "t":
            composer.table([[text, "x"], ["y", text]])
        elif kind == "i":
            composer.item(text)
        elif kind == "c":
            composer.page()
        else:
            composer.paragraph(text)
    found = composer.build()
    assert unicodedata.is_normalized("NFC", found.text)
    assert all(found.text[h.start : h.end] == h.text for h in found.headings)
    assert all(found.text[b.start : b.end].strip() for b in found.blocks)
    assert [b.start for b in found.blocks] == sorted(b.start for b in found.blocks)
    ends = [page.end for page in found.pages]
    assert [page.start for page in found.pages][1:] == ends[:-1]
    assert not found.pages or (found.pages[0].start, ends[-1]) == (0, len(found.text))
