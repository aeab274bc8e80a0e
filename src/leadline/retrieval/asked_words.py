"""The words by which questions name documents, in English, Chinese and Arabic.

Patterns are for texts in the form of `analysis.periods.even`, but for quoted titles and Chinese, which it leaves alone.
"""

import re
from collections.abc import Iterable

WORD = re.compile(r"[^\W_]+(?:[-&.'’][^\W_]+)*")

_EXTENSIONS = (
    "pdf docx? docm pptx? xlsx? xlsm odt ods odp rtf html? epub eml msg mbox csv tsv jsonl? xml md markdown rst tex ipynb "
    "txt log py js ts java go rs rb php sql yaml yml toml ini cfg"
)
FILE = re.compile(
    rf"(?<![\w./-])[\w.-]{{1,100}}\.(?:{'|'.join(_EXTENSIONS.split())})(?![\w]|\.\w)", re.IGNORECASE
)

_NOUNS = """report minutes memo memorandum handbook manual guide guideline guidelines policy contract agreement letter notes
    proposal invoice newsletter bulletin plan budget survey review specification spec whitepaper brief briefing protocol
    agenda charter statute regulation regulations roadmap summary transcript logbook diary faq"""
SINGULAR = {"guidelines": "guideline", "regulations": "regulation", "memorandum": "memo"}
ANY_DOCUMENT = frozenset({"document", "file", "paper", "article", "page", "text", "record", "booklet"})
"""Nouns that say nothing of what a document is called."""

NO_MODIFIERS = frozenset(
    """the our my your their this that these an a latest last newest new old recent current previous original same full
    english arabic chinese pdf word excel for of on in about and or first year""".split()
)
"""Words before the noun that are no part of a title."""

CALLED = re.compile(
    r"\b(?:in|from|per|by|within|under|see|to|on|of)\s+(?:(?:the|our|my|your|their|this|that|an?)\s+"
    rf"(?P<before>(?:[\w&.'’-]+\s+){{0,4}}?)(?P<noun>{'|'.join([*_NOUNS.split(), *sorted(ANY_DOCUMENT)])})\b)"
)

QUOTED = re.compile(
    r"(?:在|根据|根據|按照|依据|依據|参照|參照|见|見|从|從)\s*《(?P<name>[^》\n]{2,40})》|《(?P<second>[^》\n]{2,40})》(?=中|里|裡|内|內|上|规定|規定)"
)
"""A title in book quotes, where it is what is read and not what is asked about."""

_CHINESE_NOUNS = "报告|手册|会议纪要|纪要|会议记录|备忘录|合同|协议|政策|制度|办法|规定|指南|白皮书|说明书|简报|章程|预算|报表|总结"
CALLED_IN_CHINESE = re.compile(
    r"(?:在|根据|按照|依据|参照|按|从|见)(?P<before>[\u4e00-\u9fff\w]{0,12}?)的?"
    rf"(?P<noun>{_CHINESE_NOUNS})(?=中|里|内|上|的|[，,。？?、\s]|$)"
)

_ARABIC_NOUNS = "تقرير|دليل|محضر|عقد|سياسه|مذكره|اتفاقيه|خطه|كتيب|لايحه|ميزانيه|وثيقه"
CALLED_IN_ARABIC = re.compile(
    rf"(?<!\w)(?:في|من|حسب|بحسب|وفقا|وفق|بموجب)\s+(?:ل)?(?P<named>(?:{_ARABIC_NOUNS})(?:\s+ال[^\W\d_]+){{1,2}})"
)

_IN = r"(?:in|from|of|on|per|to|among|within)\s+(?:the|our|my|your|their|this|that|these|those|an?|all|any)?\s*(?:[\w-]+\s+){0,2}?"


def _kind(kinds: str, anywhere: str, only_in: str = "") -> tuple[tuple[str, ...], re.Pattern[str]]:
    """A pattern that says any of `kinds`: words that do `anywhere`, and such that do after "in the"."""
    guarded = rf"|\b{_IN}(?:{only_in})\b" if only_in else ""
    return tuple(kinds.split()), re.compile(rf"(?:{anywhere}){guarded}")


TYPES = (
    _kind("pdf", r"(?<![\w.])pdfs?(?![a-z\d])"),
    _kind(
        "docx doc odt rtf",
        r"\bword (?:document|file)s?\b|(?<![\w.])docx\b|word ?文[档件]|(?:مستند|ملف)(?:ات)? word",
    ),
    _kind("xlsx xls ods csv tsv", r"\bspreadsheets?\b|\bexcel (?:file|sheet)s?\b|电子表格|جداول? بيانات|ملفات? اكسل"),
    _kind("csv", r"(?<![\w.])csvs?(?![a-z\d])"),
    _kind(
        "pptx ppt odp",
        r"\bslide ?decks?\b|\bpowerpoints?\b|幻灯片|演示文稿|العرض التقديمي|العروض التقديميه",
        "slides|presentations?|decks?",
    ),
    _kind(
        "eml msg mbox",
        r"(?:在|封)[^，。？]{0,8}?(?:邮件|电邮)(?:中|里)|(?:في|من) (?:البريد|رساله البريد|رسايل البريد)",
        "e-?mails?|mailbox",
    ),
    _kind("html", r"\bhtml (?:file|page)s?\b|网页(?:中|里|上)|(?:في|من) صفحه الويب", "web ?pages?|websites?"),
    _kind("markdown", r"\bmarkdown (?:file|note|document)s?\b"),
    _kind("notebook", r"\bjupyter notebooks?\b"),
    _kind("code", r"\bsource (?:code|files?)\b|源代码|الشيفره المصدريه"),
    _kind("epub", r"\be-?books?\b|(?<![\w.])epubs?\b|电子书"),
    _kind("vtt srt", r"\bsubtitles?\b|字幕|الترجمه المصاحبه"),
)  # fmt: skip
"""Kinds of file as `type` has them, and what says that one is meant."""

_LANGUAGES = {
    "en": "english|英文|英语|انجليزي|انكليزي",
    "zh": "chinese|中文|汉语|صيني",
    "ar": "arabic|阿拉伯文|阿拉伯语|عربي",
    "fr": "french|法文|法语|فرنسي",
    "de": "german|德文|德语|الماني",
    "es": "spanish|西班牙文|西班牙语|اسباني",
    "it": "italian|意大利文|意大利语|ايطالي",
    "pt": "portuguese|葡萄牙文|葡萄牙语|برتغالي",
    "ru": "russian|俄文|俄语|روسي",
    "ja": "japanese|日文|日语|ياباني",
    "ko": "korean|韩文|韩语|كوري",
    "tr": "turkish|土耳其文|土耳其语|تركي",
    "nl": "dutch|荷兰文|荷兰语|هولندي",
    "fa": "persian|波斯文|波斯语|فارسي",
    "el": "greek|希腊文|希腊语|يوناني",
    "he": "hebrew|希伯来文|希伯来语|عبري",
}
_DOCUMENTS = (
    "documents?|files?|texts?|versions?|reports?|papers?|pages?|sources?|articles?|manuals?|editions?|translations?|notes|"
    "letters?|handbooks?|guides?"
)
_CHINESE_DOCUMENTS = "版|文档|文件|资料|报告|文本|文章|材料|文献|手册|合同|说明"
_ARABIC_DOCUMENTS = "وثيقه|وثايق|مستند|مستندات|نص|نصوص|نسخه|ملف|ملفات|تقرير|تقارير|دليل|مصادر|مقال|مقالات"


def _of_language(names: str) -> re.Pattern[str]:
    words = names.split("|")
    latin = _joined(word for word in words if word.isascii())
    arabic = _joined(word for word in words if "\u0600" <= word[0] <= "\u06ff")
    chinese = _joined(word for word in words if "\u4e00" <= word[0] <= "\u9fff")
    return re.compile(
        rf"\b(?:{latin})(?:[ -]language)? (?:{_DOCUMENTS})\b|\b(?:{_DOCUMENTS})(?: written)? in (?:{latin})\b"
        rf"|(?:{chinese})的?(?:{_CHINESE_DOCUMENTS})"
        rf"|(?<!\w)(?:[بلو]?ال|لل)?(?:{_ARABIC_DOCUMENTS}) (?:المكتوب\w* )?(?:باللغه )?ال(?:{arabic})(?:ه|ين)?(?!\w)"
    )


def _joined(words: Iterable[str]) -> str:
    return "|".join(words)


LANGUAGES = tuple((code, _of_language(names)) for code, names in _LANGUAGES.items())
"""Languages by their code, and what says that documents in one are meant."""
