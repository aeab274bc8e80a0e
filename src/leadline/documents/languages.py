"""How much a text looks like the language an encoding is used for: decides between legacy encodings.

A wrong reading gives characters that are rare in the language it should be, puts letters of a script
next to symbols, or strings accented letters together; each lowers the score.
"""

import re
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Candidate:
    """An encoding, how its languages write, and their most frequent letters beyond ASCII."""

    encoding: str
    writing: Literal["wide", "script", "latin"]
    frequent: str


_HAN = (
    "的一是不了在人有我他这这個们中来來上大为為和国國地到以说說时時要就出会會可也你对對生能而子那得于於着著下自之年过過发發"
    "后後作里裡用道行所然家种種事成方多经經么麼去法学學如都同现現当當没沒动動面起看定天分还還进進好小部其些主样樣理心她本前"
    "开開但因只从從想实實日军軍者意无無力它与與长長把机機十民第公此已工使情明性知全三又关關点點正业業外将將两兩高间間由问問"
    "很最重并並物手应應战戰向头頭文体體政美相见見被利什二等产產或新己制身果加西斯月话話合回特代内內信表化老给給世位次度门門"
    "任常先海通教儿兒原东東声聲提立及比员員解水名真论論处處走义義各入几幾口认認条條平系气氣题題活尔爾更别別打女变變四神总總"
    "何电電数數安少报報才结結反受目太量再感建务務做接必场場件计計管期市直德资資命山金指克许許统統区區保至队隊形社便空决決治展"
)
_HANGUL = (
    "이다는에의을가고하한지로서도를은기사시인대자리나어아그해과정수일전들있보부라주제게만장상여원적면국공동성스으구선경소관비화"
    "조니계연오유방것용업운요식실체무민중신문생행안우진미모위되금내개행터발드회법트당호분물학세년월까때며던된음성"
)
_KANA = "のにはをたがでてとしれさあいうえおかきくけこすせそちつなぬねひふへほまみむめもやゆよらりるろわんアイウエオカキクケコサシスセソタチツテトナニネノハヒフヘホマミムメモヤユヨラリルレロワンー"
_ARABIC = "اليمونرتبةعدسفهكقحجشطصخذأإىءضزثغئظآؤپچگیک،؟"
_CYRILLIC = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфїієґ"
_GREEK = "αοιετσνηυρπκμλςωγδθχβφξζψάέήίόύώ"
_HEBREW = "יוהלארתבשמםנןעדחקפכטסגזץצךףקן"
_THAI = "านรอกเงมยลวดทสตะปบคหแจพชขใไโผซถธศ่้ีัิ็ุู์ืำ"
_WESTERN = "éèàüöäßñóíáçêôâîúãåøæëïìòùœÉÄÖÜÀÇØÅ’‘“”–—…«»°§€·£•©®¿¡ºª"
_CENTRAL = "ąęłśżźćńóěščřžýáíéůťďňőűúöüäôĺŕșțăâîđŁŚŻŠČŘŽ„”“–’"
_TURKISH = "ışğüöçİŞĞÜÖÇâîû’“”–"
_BALTIC = "āčēģīķļņšūžąęėįųõäöü„“–"
_VIETNAMESE = "ăâêôơưđ̣̀́̉̃"

CANDIDATES = (
    Candidate("gb18030", "wide", _HAN),
    Candidate("big5hkscs", "wide", _HAN),
    Candidate("cp932", "wide", _KANA + _HAN),
    Candidate("euc_jp", "wide", _KANA + _HAN),
    Candidate("cp949", "wide", _HANGUL),
    Candidate("cp1256", "script", _ARABIC),
    Candidate("iso8859_6", "script", _ARABIC),
    Candidate("cp1251", "script", _CYRILLIC),
    Candidate("koi8_r", "script", _CYRILLIC),
    Candidate("cp866", "script", _CYRILLIC),
    Candidate("iso8859_5", "script", _CYRILLIC),
    Candidate("cp1253", "script", _GREEK),
    Candidate("cp1255", "script", _HEBREW),
    Candidate("cp874", "script", _THAI),
    Candidate("cp1252", "latin", _WESTERN),
    Candidate("cp1250", "latin", _CENTRAL),
    Candidate("iso8859_2", "latin", _CENTRAL),
    Candidate("cp1254", "latin", _TURKISH),
    Candidate("cp1257", "latin", _BALTIC),
    Candidate("mac_roman", "latin", _WESTERN),
)
_ANY = frozenset(
    _HAN
    + _HANGUL
    + _KANA
    + _ARABIC
    + _CYRILLIC
    + _GREEK
    + _HEBREW
    + _THAI
    + _WESTERN
    + _CENTRAL
    + "。、，．：；？！"
)
_BEYOND = r"[^\W\d_\x00-\x7f]"
_ACCENTS_IN_A_ROW = re.compile(f"(?<={_BEYOND}){_BEYOND}")
_INSIDE_LATIN = re.compile(f"(?<=[A-Za-z]){_BEYOND}+|{_BEYOND}+(?=[A-Za-z])|(?<=[a-zа-яα-ω])[А-ЯΑ-Ω]")
_FREQUENT = {candidate.encoding: frozenset(candidate.frequent) for candidate in CANDIDATES}


def likeness(text: str, candidate: Candidate) -> float:
    """From 0 (no) to about 1 (yes): how much `text` looks like a language written in `candidate`."""
    beyond = [char for char in text if char > "\x7f"]
    if not beyond:
        return 0.0
    frequent = _FREQUENT.get(candidate.encoding, frozenset[str]())
    share = sum(char in frequent for char in beyond) / len(beyond)
    if candidate.writing == "wide":
        return _wide(beyond, share)
    odd = sum(not char.isalpha() and char not in frequent for char in beyond) / len(beyond)
    # A handful of accents tell little: then the encoding most such files have is the better guess.
    prior = 2 / (10 + len(beyond)) if candidate.encoding == "cp1252" else 0.0
    return max(0.0, share + prior - 2 * odd - _misplaced(text, candidate))


def wide_likeness(text: str) -> float:
    """How much `text`, read as UTF-16, looks like text: the share of ASCII and of frequent characters of any script."""
    if not text or text.count("\ufffd") > 1:
        return 0.0
    good = sum(" " <= char <= "~" or char in "\n\r\t" or char in _ANY for char in text)
    return good / len(text)


def _wide(beyond: list[str], share: float) -> float:
    """Two bytes make one character here, so a right reading is rarely an accident: plain characters count too."""
    plain = sum(_plain(char) for char in beyond) / len(beyond)
    return plain * (0.45 + 0.75 * min(share * 1.6, 1.0)) - 2 * (1 - plain)


def _plain(char: str) -> bool:
    code = ord(char)
    return (
        0x4E00 <= code <= 0x9FFF
        or 0x3000 <= code <= 0x30FF
        or 0xAC00 <= code <= 0xD7A3
        or 0xFF00 <= code <= 0xFF60
        or char in "“”‘’—…·×°《》"
    )


def _misplaced(text: str, candidate: Candidate) -> float:
    """The share of letters beyond ASCII in the wrong company: accents in a row, another script inside a Latin word."""
    latin = candidate.writing == "latin"
    pattern = _ACCENTS_IN_A_ROW if latin else _INSIDE_LATIN
    wrong = sum(len(found) for found in pattern.findall(text))
    total = sum(char > "\x7f" and char.isalpha() for char in text)
    return (0.7 if latin else 1.0) * wrong / total if total else 0.0
