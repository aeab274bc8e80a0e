"""Two spellings of the same thing fold to one string."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.analysis.fold import bare, fold
from leadline.analysis.terms import sequence

TRICKY = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from(
            "aEßẞſKÅǰΐᾳΣﬀİıйиｶﾞ한ᄀ½²ىآة٣–‘\u0301\u0308\u0345\u0327\u0640\u064b\u0654\u200b\u00ad\u202a \t\n"
        ),
    ),
    max_size=12,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Mirren  BAY\n\t1980 ", "mirren bay 1980"),
        ("ＸＲ－２０００", "xr-2000"),
        ("ﬁne ½", "fine 1⁄2"),
        ("co\u00adop\u200bera\ufefftion", "cooperation"),
        ("\u202bשלום\u202c", "שלום"),
        ("“Ada’s”", '"ada\'s"'),
        ("1939–45 — ‑", "1939-45 - -"),
        ("STRASSE Straße", "strasse strasse"),
        ("مُدَرِّســة", "مدرسة"),
        ("١٩٨٠ ۱۹۸۰", "1980 1980"),
        ("e\u0301", "é"),
        ("ｶﾞ", "ガ"),
        ("", ""),
    ],
)
def test_folding_takes_off_what_a_reader_does_not_see(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_a_hidden_mark_between_a_letter_and_its_accent_changes_nothing() -> None:
    assert fold("cafe\u200b\u0301") == fold("café") == "café"


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Café Zürich Ångström", "cafe zurich angstrom"),
        ("İstanbul", "istanbul"),
        ("θάλασσα", "θαλασσα"),
        ("паром\u0301", "паром"),
        ("й", "й"),
        ("أحمد إلى آسيا", "احمد الي اسيا"),
        ("مكتبة عامة", "مكتبه عامه"),
        ("مسؤول شاطئ", "مسوول شاطي"),
    ],
)
def test_bare_text_has_no_accents_and_one_form_of_each_arabic_letter(text: str, folded: str) -> None:
    assert bare(text) == folded


@given(TRICKY)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert bare(fold(text)) == bare(text)


@given(TRICKY)
def test_folded_text_has_the_terms_of_the_text(text: str) -> None:
    assert sequence(fold(text)) == sequence(bare(text)) == sequence(text)


@given(TRICKY)
def test_folded_text_has_no_outer_and_no_double_spaces(text: str) -> None:
    assert fold(text) == " ".join(fold(text).split())
