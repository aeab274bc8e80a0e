"""What is indexed is what is searched for: both sides are cut into the same terms."""

import pytest

from leadline.analysis.terms import analyse, chunk_terms, sequence


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The ferries were crossing the harbour's narrow channels", "ferri cross harbour narrow channel"),
        ("The ship’s captain's logs", "ship captain log"),
        ("报销流程", "报销 销流 流程"),
        ("舰", "舰"),
        ("東京タワー", "東京 京タ タワ ワー"),
        ("서울 항구의", "서울 항구 구의"),
        ("ท่าเรือ", "ท่ ่า าเ เร รื ือ"),
        ("الإدارة العامة", "اداره عامه"),
        ("أحمد إلى آسيا", "احمد اسي"),
        ("пароходы и гавани", "пароход гаван"),
        ("हिन्दी में", "हिन्दी में"),
        ("Café Zürich", "cafe zurich"),
        ("İstanbul", "istanbul"),
        ("A中文B", "中文 b"),
        ("", ""),
        ("?! … 。", ""),
    ],
)
def test_words_become_terms_by_their_script(text: str, terms: str) -> None:
    assert analyse(text) == terms.split()


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("XR-2000", "xr-2000 xr 2000"),
        ("ＸＲ－２０００", "xr-2000 xr 2000"),
        ("ISO/IEC-27001", "iso/iec-27001 iso iec 27001"),
        ("v2.10.1", "v2.10.1 v2 10 1"),
        ("mbh09", "mbh09"),
        ("1,200", "1200"),
        ("12,345.67", "12345.67"),
        ("3.14", "3.14"),
        ("٢٠٠٠", "2000"),
        ("2000", "2000"),
    ],
)
def test_codes_stay_whole_and_numbers_lose_their_separators(text: str, terms: str) -> None:
    assert analyse(text) == terms.split()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,200", "1200"),
        ("Zürich", "zurich"),
        ("مُدَرِّسَة", "مدرسه"),
        ("أحمد", "احمد"),
        ("the founding", "founded"),
        ("ﬁsh", "fishes"),
        ("KÖLN", "Koln"),
        ("га\u0301вань", "гавани"),
    ],
)
def test_spellings_of_one_word_are_one_term(one: str, other: str) -> None:
    assert analyse(one) == analyse(other) != []


def test_stop_words_go_from_the_terms_but_stay_in_a_phrase() -> None:
    assert analyse("Lady of the Lake") == ["ladi", "lake"]
    assert sequence("Lady of the Lake") == ["ladi", "of", "the", "lake"]
    chinese = analyse("请问灯塔在哪里")
    assert "灯塔" in chinese
    assert not {"请问", "哪里"}.intersection(chinese)
    assert analyse("ما هو الفنار") == ["فنار"]


def test_a_chunk_counts_its_title_thrice_and_its_headings_twice() -> None:
    terms = chunk_terms("It burned.", title="Marlow", headings=("Marlow", "Fire"), context="Year")
    assert terms == "marlow marlow marlow fire fire year burn"


@pytest.mark.parametrize("unit", ["a-a-a-", "a1-", "1,000,", "1.", ",,,,", "中", "x_", "Aa's "])
def test_long_runs_of_one_pattern_are_analysed(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    assert len(sequence(text)) <= len(text)
    assert sequence(text + " lighthouse")[-1] == "lighthous"
