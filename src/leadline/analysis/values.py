"""Numbers, dates and codes in a text, in a form in which equal ones are equal strings."""

import re
import unicodedata

from leadline.analysis.fold import DIGITS

_MONTHS = {
    name: number
    for number, names in enumerate(
        """january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|october oct
        |november nov|december dec""".split("|"),
        start=1,
    )
    for name in names.split()
}
_ARABIC_MONTHS = dict(
    zip(
        "يناير فبراير مارس ابريل مايو يونيو يوليو اغسطس سبتمبر اكتوبر نوفمبر ديسمبر".split(),
        range(1, 13),
        strict=True,
    )
) | {"أبريل": 4, "إبريل": 4, "أغسطس": 8, "أكتوبر": 10}
MONTH_NUMBERS = {**_MONTHS, **_ARABIC_MONTHS}
"""The names of months, in lower case."""

_MONTH = "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True))
_DATE = re.compile(
    rf"\b(?P<y1>\d{{4}})-(?P<m1>\d{{1,2}})-(?P<d1>\d{{1,2}})\b"
    rf"|(?P<y2>\d{{4}})\s*年(?:\s*(?P<m2>\d{{1,2}})\s*月(?:\s*(?P<d2>\d{{1,2}})\s*[日号號])?)?"
    rf"|(?:\b|(?<=و))(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m3>{_MONTH})\.?,?\s+(?P<y3>\d{{3,4}})\b"
    rf"|\b(?P<m4>{_MONTH})\.?\s+(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y4>\d{{3,4}})\b"
    rf"|\b(?P<m5>{_MONTH})\.?,?\s+(?P<y5>\d{{4}})\b",
    re.IGNORECASE,
)
_SCALES = {
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "万": 1e4,
    "亿": 1e8,
    "萬": 1e4,
    "億": 1e8,
    "ألف": 1e3,
    "مليون": 1e6,
    "مليار": 1e9,
}
_NUMBER = re.compile(
    r"(?<![\d._A-Za-zÀ-ɏ])(?P<digits>\d{1,3}(?:[,٬ ]\d{3})+(?:\.\d+)?|\d+(?:[.٫]\d+)?)(?![.]?\d)(?:\s*(?P<scale>"
    + "|".join(_SCALES)
    + r"))?",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"(?<![A-Za-z0-9_])(?=[A-Za-z0-9_./-]{0,60}\d)(?=[A-Za-z0-9_./-]{0,60}[A-Za-z])"
    r"[A-Za-z0-9]+(?:[-_./][A-Za-z0-9]+)*(?![A-Za-z0-9_])"
)
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s|年|月|日|km|kg|m|cm|mm|ft|mw|kw|gb|mb|pm|am)", re.IGNORECASE)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(DIGITS) if not text.isascii() else text


def dates(text: str) -> list[str]:
    """Dates as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, as far as the text tells. A bare number is not a date.

    >>> dates("Built on 12 March 1980, rebuilt May 1991 and 2003年5月.")
    ['1980-03-12', '1991-05', '2003-05']
    """
    found: list[str] = []
    for match in _DATE.finditer(_plain(text)):
        parts = {name[0]: value for name, value in match.groupdict().items() if value}
        month = parts.get("m", "").lower()
        number = int(month) if month.isdigit() else _MONTHS.get(month) or _ARABIC_MONTHS.get(month)
        iso = f"{int(parts['y']):04d}"
        if number and 1 <= number <= 12:
            iso += f"-{number:02d}"
            if 1 <= int(parts.get("d", "0")) <= 31:
                iso += f"-{int(parts['d']):02d}"
        found.append(iso)
    return list(dict.fromkeys(found))


def numbers(text: str) -> list[str]:
    """Numbers in plain decimal form, those inside dates and codes included by their digits.

    >>> numbers("1,200 workers, 3.5 million crowns, 40% in 1980")
    ['1200', '3500000', '40', '1980']
    >>> numbers("约7561万人，عام2003")
    ['75610000', '2003']
    """
    found: list[str] = []
    for match in _NUMBER.finditer(_plain(text)):
        digits = re.sub(r"[,٬ ]", "", match["digits"]).replace("٫", ".")
        value = float(digits) * _SCALES.get((match["scale"] or "").lower(), 1.0)
        found.append(f"{value:.15g}" if value < 1e15 else digits)
    return list(dict.fromkeys(found))


def codes(text: str) -> list[str]:
    """Identifiers that mix letters and digits, folded: part numbers, versions, clause references.

    >>> codes("The XR-2000 and the xr-2100 (not 1980s, 5km)")
    ['xr-2000', 'xr-2100']
    >>> codes("即MBH09型")
    ['mbh09']
    """
    found = [m.group().lower() for m in _CODE.finditer(_plain(text)) if not _ORDINAL.fullmatch(m.group())]
    return list(dict.fromkeys(found))
