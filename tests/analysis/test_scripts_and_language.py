"""Which letters a text is in, and which language."""

import pytest

from leadline.analysis.language import language
from leadline.analysis.scripts import script, scripts


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Harbour", "latin"),
        ("灯塔 of Marlow", "latin"),
        ("中文中文ab", "han"),
        ("豈", "han"),
        ("東京タワーの歴史", "kana"),
        ("한국어", "hangul"),
        ("الميناء", "arabic"),
        ("гавань", "cyrillic"),
        ("θάλασσα", "greek"),
        ("שלום", "hebrew"),
        ("बंदरगाह", "devanagari"),
        ("ท่าเรือ", "thai"),
        ("1980 – 42", "other"),
        ("", "other"),
    ],
)
def test_the_script_of_most_letters_is_named(text: str, name: str) -> None:
    assert script(text) == name


def test_shares_count_letters_only_and_come_largest_first() -> None:
    assert list(scripts("ab 中文中文中文, 12").items()) == [("han", 0.75), ("latin", 0.25)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The quick brown fox jumps over the lazy dog and runs.", "en"),
        ("Der Hafen wurde im Jahr 1950 von der Stadt gebaut.", "de"),
        ("Это русский текст о гавани и кораблях", "ru"),
        ("هذا نص عربي عن الميناء والسفن القديمة", "ar"),
        ("灯塔", "zh"),
        ("これは日本語です", "ja"),
        ("한국어 문장", "ko"),
        ("short", ""),
        ("12345 67890 12345 67890 12345", ""),
        ("", ""),
    ],
)
def test_languages_are_told_apart_and_too_little_text_has_none(text: str, code: str) -> None:
    assert language(text) == code
