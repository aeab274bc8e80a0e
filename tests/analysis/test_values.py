"""Equal numbers, dates and codes are equal strings."""

import pytest

from leadline.analysis.values import codes, dates, numbers


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,200 workers and 40% in 1980", ["1200", "40", "1980"]),
        ("1 000 000 or 12,000,000.50", ["1000000", "12000000.5"]),
        ("3.5 million, 3.5 Million and 2 billion", ["3500000", "2000000000"]),
        ("约7561万人，3亿5000万", ["75610000", "300000000", "50000000"]),
        ("٣٫٥ مليون و١٬٢٠٠ و5 مليار", ["3500000", "1200", "5000000000"]),
        ("１２３４ and ۱۲", ["1234", "12"]),
        ("00012 and 0.50", ["12", "0.5"]),
        ("12345678901234567890", ["12345678901234567890"]),
        ("the XR-2000", ["2000"]),
        ("v2.10.1 and mbh09", []),
        ("five and six, and five", []),
        ("7, 7 and 7.0", ["7"]),
    ],
)
def test_numbers_are_plain_decimals(text: str, found: list[str]) -> None:
    assert numbers(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("12 March 1980, rebuilt May 1991", ["1980-03-12", "1991-05"]),
        ("March 12th, 1980", ["1980-03-12"]),
        ("the 3rd of May 1066", ["1066-05-03"]),
        ("Sept. 3 2001 and Sept 2002", ["2001-09-03", "2002-09"]),
        ("1980-3-5", ["1980-03-05"]),
        ("2003年5月12日，2004 年 6 月，２００５年", ["2003-05-12", "2004-06", "2005"]),
        ("12 مارس 1889 و١٥ أغسطس ١٩٩٠", ["1889-03-12", "1990-08-15"]),
        ("أبريل 1990", ["1990-04"]),
        ("1980-13-40", ["1980"]),
        ("in 1980", []),
        ("may 5 people", []),
        ("12 March 1980 is March 12, 1980", ["1980-03-12"]),
    ],
)
def test_dates_are_iso_as_far_as_the_text_tells(text: str, found: list[str]) -> None:
    assert dates(text) == found


@pytest.mark.parametrize(
    "months",
    [
        "January February March April May June July August September October November December",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
        "يناير فبراير مارس ابريل مايو يونيو يوليو اغسطس سبتمبر اكتوبر نوفمبر ديسمبر",
    ],
)
def test_every_month_is_known(months: str) -> None:
    assert [dates(f"3 {month} 1980") for month in months.split()] == [
        [f"1980-{number:02d}-03"] for number in range(1, 13)
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The XR-2000, the xr-2000 and XR-2100.", ["xr-2000", "xr-2100"]),
        ("即MBH09型", ["mbh09"]),
        ("ＸＲ－９", ["xr-9"]),
        ("ISO/IEC-27001 and v2.1.3", ["iso/iec-27001", "v2.1.3"]),
        ("1980s, 3rd, 5km, 10pm, 2000", []),
        ("well-known", []),
    ],
)
def test_codes_mix_letters_and_digits(text: str, found: list[str]) -> None:
    assert codes(text) == found


@pytest.mark.parametrize("unit", ["1,", "1,000,", "1.", "a-a-a-", "a1-", "12 March ", "1年", "000 ", "…"])
def test_long_runs_of_one_pattern_are_read(unit: str) -> None:
    text = unit * (100_000 // len(unit)) + "\nXR-7 came on 4 May 1999 with 42 crew"
    assert "42" in numbers(text)
    assert "1999-05-04" in dates(text)
    assert "xr-7" in codes(text)
