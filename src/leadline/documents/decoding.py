"""From bytes to text: which of the common encodings is this?

byte order mark -> zero bytes (UTF-16/32) -> ISO-2022-JP escapes -> UTF-8 -> the legacy encoding whose reading looks
most like a language. What a file declares about itself only breaks ties: the bytes win.
"""

import codecs
import re

from leadline.documents.languages import CANDIDATES, Candidate, likeness, wide_likeness

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 32_768
_DECLARED_BONUS = 0.3
_ISO_2022_JP = re.compile(rb"\x1b\$[@B]|\x1b\([IJ]")
_DECLARATION = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_.:-]{2,40})""", re.I)


def decode(data: bytes, declared: str = "") -> str:
    """`data` as text. Never fails: what no encoding can read becomes U+FFFD."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    encoding = encoding_of(data, declared)
    return data.decode(encoding, "replace")


def declared_encoding(data: bytes) -> str:
    """The encoding that the head of an HTML or XML file names, or ""."""
    found = _DECLARATION.search(data[:4096].replace(b"\0", b""))
    return found.group(1).decode("ascii") if found else ""


def encoding_of(data: bytes, declared: str = "") -> str:
    """The name of the encoding of `data`, which has no byte order mark."""
    if data.isascii() and 0 not in data:
        return "iso2022_jp_2" if _ISO_2022_JP.search(data) and _reads(data, "iso2022_jp_2") else "utf-8"
    if 0 in data[:_SAMPLE]:
        wide = _wide(data)
        if wide:
            return wide
    if _reads(data, "utf-8") or _nearly_utf8(data):
        return "utf-8"
    sample = _sample(data)
    if (
        len(data) % 2 == 0
        and len(sample) == len(data)
        and b" " not in data
        and b"\n" not in data
        and _wide(data)
    ):
        return _wide(data)
    return _legacy(sample, _canonical(declared))


def _wide(data: bytes) -> str:
    """UTF-32 by its zero bytes; UTF-16 in the byte order that reads better, if either reads at all."""
    sample = data[: _SAMPLE // 4 * 4]
    if len(sample) >= 8:
        quarters = [sample[i::4].count(0) / len(sample[i::4]) for i in range(4)]
        if quarters[3] > 0.95 and quarters[2] > 0.9 and quarters[0] < 0.5:
            return "utf-32-le"
        if quarters[0] > 0.95 and quarters[1] > 0.9 and quarters[3] < 0.5:
            return "utf-32-be"
    sample = sample[: len(sample) // 2 * 2]
    scores = {
        encoding: wide_likeness(sample.decode(encoding, "replace")) for encoding in ("utf-16-le", "utf-16-be")
    }
    best = max(scores, key=lambda encoding: scores[encoding])
    return best if scores[best] > 0.3 else ""


def _nearly_utf8(data: bytes) -> bool:
    """UTF-8 with a few broken bytes (a cut file, a stray Latin-1 character) is still best read as UTF-8."""
    sample = data[: _SAMPLE * 4]
    broken = sample.decode("utf-8", "replace").count("\ufffd")
    good = len(sample.decode("utf-8", "ignore").encode()) - sum(map(sample.count, _ASCII))
    return broken * 40 < good


_ASCII = tuple(bytes((code,)) for code in range(128))


def _legacy(sample: bytes, declared: str) -> str:
    best, best_score = "cp1252", 0.0
    candidates = list(CANDIDATES)
    if declared and declared not in {candidate.encoding for candidate in candidates}:
        candidates.append(Candidate(declared, "latin", ""))
    for candidate in candidates:
        try:
            text = codecs.lookup(candidate.encoding).decode(sample, "strict")[0]
        except (UnicodeDecodeError, LookupError):
            continue
        score = likeness(text, candidate) + (_DECLARED_BONUS if candidate.encoding == declared else 0.0)
        if score > best_score:
            best, best_score = candidate.encoding, score
    return best


def _sample(data: bytes) -> bytes:
    """The lines that hold more than ASCII, up to `_SAMPLE` bytes; a line end never halves a character here."""
    if len(data) <= _SAMPLE:
        return data
    lines: list[bytes] = []
    size = 0
    for line in data.split(b"\n"):
        if not line.isascii() and (size + len(line) <= _SAMPLE or not lines):
            lines.append(line)
            size += len(line)
        if size >= _SAMPLE // 2:
            break
    return b"\n".join(lines)


def _reads(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _canonical(name: str) -> str:
    """A declared name as one of ours; browsers read the Latin-1 and GB labels as their Windows supersets."""
    try:
        found = codecs.lookup(name).name.replace("-", "_")
    except LookupError:
        return ""
    supersets = {
        "iso8859_1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932",
        "euc_kr": "cp949", "big5": "big5hkscs", "iso8859_9": "cp1254", "iso8859_8": "cp1255", "tis_620": "cp874",
    }  # fmt: skip
    return "" if found.startswith("utf") else supersets.get(found, found)
