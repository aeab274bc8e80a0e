"""Bytes become text in the encoding they really have."""

import pytest

from leadline.documents.decoding import declared_encoding, decode

CHINESE = "报销流程：员工应在三十天内提交发票，经理批准后由财务部门付款。"
TRADITIONAL = "報銷流程：員工應在三十天內提交發票，經理批准後由財務部門付款。"
JAPANESE = "出張費の精算は、帰社後一週間以内に上司の承認を得て経理部に提出してください。"
KOREAN = "출장비 정산은 복귀 후 일주일 이내에 상사의 승인을 받아 경리부에 제출해 주십시오."
ARABIC = "يجب على الموظفين تقديم الفواتير خلال ثلاثين يوما من تاريخ العودة."
PERSIAN = "کارکنان بايد فاکتورها را ظرف سي روز ارائه دهند."
RUSSIAN = "Сотрудники должны представить счета в течение тридцати дней после возвращения."
GREEK = "Οι εργαζόμενοι πρέπει να υποβάλουν τα τιμολόγια εντός τριάντα ημερών."
HEBREW = "על העובדים להגיש חשבוניות תוך שלושים יום ממועד החזרה."
THAI = "พนักงานต้องส่งใบแจ้งหนี้ภายในสามสิบวันหลังจากกลับมา"
FRENCH = "Les employés doivent présenter leurs factures dès leur retour, à la fin de l’été."
GERMAN = "Die Mitarbeiter müssen ihre Rechnungen nach der Rückkehr vorlegen. Schöne Grüße!"
POLISH = "Pracownicy muszą złożyć faktury w ciągu trzydziestu dni, żeby otrzymać środki."
TURKISH = "Çalışanlar faturalarını döndükten sonra otuz gün içinde sunmalıdır, teşekkürler."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "gb18030"),
        (CHINESE, "utf-16-le"),
        (TRADITIONAL, "big5"),
        (TRADITIONAL, "utf-16-be"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "iso2022_jp"),
        (KOREAN, "cp949"),
        (ARABIC, "cp1256"),
        (ARABIC, "iso8859_6"),
        (PERSIAN, "cp1256"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8_r"),
        (RUSSIAN, "cp866"),
        (GREEK, "cp1253"),
        (HEBREW, "cp1255"),
        (THAI, "cp874"),
        (FRENCH, "cp1252"),
        (GERMAN, "latin-1"),
        (POLISH, "cp1250"),
        (POLISH, "iso8859_2"),
        (TURKISH, "cp1254"),
        (GERMAN, "utf-16-le"),
        (GERMAN, "utf-32-be"),
        (KOREAN, "utf-8"),
    ],
)
def test_a_text_is_read_in_the_encoding_it_was_written_in(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_decides_and_is_gone(encoding: str) -> None:
    assert decode(CHINESE.encode(encoding)) == CHINESE


def test_a_few_names_in_shift_jis_are_enough() -> None:
    text = "名前,年齢\n佐藤太郎,30\n"
    assert decode(text.encode("cp932")) == text


def test_the_bytes_win_over_what_a_page_declares() -> None:
    page = f'<meta charset="utf-8"><p>{ARABIC}</p>'
    assert decode(page.encode("cp1256"), "utf-8") == page
    assert decode(page.encode("utf-8"), "iso-8859-1") == page


def test_a_declaration_breaks_a_tie() -> None:
    assert decode("mañana".encode("mac_roman"), "macintosh") == "mañana"


def test_a_declaration_is_found_in_html_and_xml() -> None:
    assert declared_encoding(b'<?xml version="1.0" encoding="Big5"?>') == "Big5"
    assert declared_encoding(b"<meta http-equiv=x content='text/html; charset=koi8-r'>") == "koi8-r"


def test_one_broken_byte_does_not_make_utf8_something_else() -> None:
    assert decode((RUSSIAN * 20).encode() + b"\xff") == RUSSIAN * 20 + "\ufffd"


def test_legacy_text_after_a_long_ascii_head_is_still_found() -> None:
    text = "id;note\n" * 20_000 + ARABIC
    assert decode(text.encode("cp1256")) == text


def test_any_bytes_give_some_text() -> None:
    assert isinstance(decode(bytes(range(256)) * 3), str)
