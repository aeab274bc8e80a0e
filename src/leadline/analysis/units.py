"""Numbers with their units, so that 5 km and 5 miles are told apart."""

import re

from leadline.analysis.fold import fold
from leadline.analysis.values import numbers

_SPELLINGS = {
    "%": "% percent 'per cent' ٪ بالمئة 'في المئة'",
    "percentage points": "'percentage points' 'percentage point' 个百分点",
    "km": "km kilometre kilometres kilometer kilometers 公里 千米 كم كيلومتر",
    "m": "m metre metres meter meters 米 متر",
    "cm": "cm centimetre centimetres centimeter centimeters 厘米",
    "mm": "mm millimetre millimetres millimeter millimeters 毫米",
    "mi": "mi mile miles 英里 ميل",
    "ft": "ft foot feet 英尺",
    "inch": "inch inches 英寸",
    "kg": "kg kilogram kilograms kilo kilos 公斤 千克 كغ كيلوغرام",
    "g": "g gram grams 克",
    "mg": "mg milligram milligrams 毫克",
    "t": "t tonne tonnes ton tons 吨 طن",
    "lb": "lb lbs pound pounds 磅",
    "l": "l litre litres liter liters 升 لتر",
    "ml": "ml millilitre millilitres milliliter milliliters 毫升",
    "°C": "°c ℃ celsius 'degrees celsius' 摄氏度",
    "°F": "°f ℉ fahrenheit 'degrees fahrenheit' 华氏度",
    "s": "s sec second seconds 秒 ثانية",
    "min": "min minute minutes 分钟 دقيقة",
    "h": "h hr hour hours 小时 ساعة",
    "days": "day days 天 يوم",
    "weeks": "week weeks 周 星期 أسبوع",
    "months": "month months 个月 شهر",
    "years": "yr year years سنة عام",
    "kW": "kw kilowatt kilowatts 千瓦",
    "MW": "mw megawatt megawatts 兆瓦",
    "GW": "gw gigawatt gigawatts 吉瓦",
    "kWh": "kwh",
    "MWh": "mwh",
    "kB": "kb kilobyte kilobytes",
    "MB": "mb megabyte megabytes",
    "GB": "gb gigabyte gigabytes",
    "TB": "tb terabyte terabytes",
    "USD": "usd us$ $ dollar dollars 美元 دولار",
    "EUR": "eur € euro euros 欧元 يورو",
    "GBP": "gbp £ sterling 英镑",
    "CNY": "cny rmb yuan 元 人民币",
    "JPY": "jpy yen 日元",
}
_SPELLING = re.compile(r"'([^']+)'|(\S+)")
_UNITS = {
    fold(m[1] or m[2]): unit for unit, spellings in _SPELLINGS.items() for m in _SPELLING.finditer(spellings)
}


def _alternatives(spellings: list[str]) -> str:
    ordered = sorted(spellings, key=len, reverse=True)
    return "|".join(
        rf"{re.escape(s)}(?![^\W\d_])" if s.isascii() and s.isalpha() else re.escape(s) for s in ordered
    )


_FIGURE = r"\d[\d.,٬٫]*"
_SCALE = r"thousand|million|billion|bn|万|亿|萬|億|ألف|مليون|مليار"
_AFTER = re.compile(
    rf"(?P<figure>{_FIGURE}(?:\s*(?:{_SCALE}))?)[\s-]?(?P<unit>{_alternatives(list(_UNITS))})"
)
_BEFORE = re.compile(
    rf"(?P<unit>us\$|\$|€|£|usd|eur|gbp|cny|rmb)\s?(?P<figure>{_FIGURE}(?:\s*(?:{_SCALE}))?)"
)


def measures(text: str) -> dict[str, frozenset[str]]:
    """The units that stand beside each number of `text`.

    >>> measures("5 km, then $3.5 million")
    {'5': frozenset({'km'}), '3500000': frozenset({'USD'})}
    """
    found: dict[str, frozenset[str]] = {}
    plain = fold(text)
    for pattern in (_AFTER, _BEFORE):
        for match in pattern.finditer(plain):
            for number in numbers(match["figure"].rstrip(".,")):
                found[number] = found.get(number, frozenset()) | {_UNITS[match["unit"]]}
    return found


_IN_BASE = {
    "km": ("m", 1_000.0),
    "cm": ("m", 0.01),
    "mm": ("m", 0.001),
    "mi": ("m", 1_609.344),
    "ft": ("m", 0.3048),
    "inch": ("m", 0.0254),
    "t": ("kg", 1_000.0),
    "g": ("kg", 0.001),
    "mg": ("kg", 1e-6),
    "lb": ("kg", 0.45359237),
    "ml": ("l", 0.001),
    "min": ("s", 60.0),
    "h": ("s", 3_600.0),
    "kW": ("W", 1e3),
    "MW": ("W", 1e6),
    "GW": ("W", 1e9),
    "MWh": ("kWh", 1e3),
    "kB": ("B", 1e3),
    "MB": ("B", 1e6),
    "GB": ("B", 1e9),
    "TB": ("B", 1e12),
}


def in_base(value: float, unit: str) -> tuple[float, str]:
    """The value in the unit that all of its kind are compared in; money and degrees are not converted.

    >>> in_base(2.0, "km"), in_base(5.0, "USD")
    ((2000.0, 'm'), (5.0, 'USD'))
    """
    base, factor = _IN_BASE.get(unit, (unit, 1.0))
    return value * factor, base
