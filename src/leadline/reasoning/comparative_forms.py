"""The forms of questions that ask for a comparison or a calculation, in English, Chinese and Arabic."""

import re

from leadline.reasoning.comparative_words import CUES, NOUN, ORDERS, any_of

_ROLES = "director|producer|writer|author|composer|performer|singer|founder|designer|architect|builder|owner|screenwriter|captain|creator"
ROLE = re.compile(
    rf"\b(?:ha(?:s|ve)(?: the| a)?|with the|whose) (?P<a>{_ROLES})s?\b|\b(?P<b>{_ROLES})s? of\b",
    re.IGNORECASE,
)
OF_ROLE = re.compile(rf"^(?:the\s+)?(?P<role>{_ROLES})s?\s+of\s+(?:the\s+)?(?:both\s+)?")
"""In lower case only: "The Captain of" opens a title."""

BEFORE_NAME = re.compile(
    r"^(?:both\s+)?(?:of\s+)?(?:the\s+(?=[a-z]))?(?:both\s+)?"
    r"(?:(?:films?|movies?|bands?|songs?|albums?|airports?|books?|novels?|rivers?|villages?|schools?|compan(?:y|ies)|ferry|ferries|ships?)\b,?\s+)?(?=\S)",
)
ASIDE = re.compile(
    rf"{any_of((*CUES, *ORDERS))}|^\s*(?:which|who|what|how many|how much)(?:\s+of)?(?:\s+[a-z]+(?=\s+(?:is|was|were|has|had|did)\b))?"
    r"|\b(?:is|was|were|has|had|did|does|do|the|than|other|years?|months?|days?|same|between|passed)\b",
    re.IGNORECASE,
)
SAME = re.compile(
    r"^(?:are|were|is|was|do|did|does|have|has)\s+(?P<subjects>.+?)[,\s]+(?:both\s+|films\s+|movies\s+)*"
    r"(?:(?:are\s+)?(?:located|situated|based|born|built|founded|released|published)\s+)?"
    rf"(?:(?:share|have|had)\s+(?:the\s+)?(?:(?:{_ROLES})s?\s+(?:who\s+(?:are|were)\s+)?(?:from\s+the\s+)?)?"
    r"|(?:(?:originated?|come|came|hail)\s+)?(?:from|of|in|within|with)\s+the\s+)"
    r"(?:same|common)\s+(?P<what>country|nationality|nation|year|citizenship)\b",
    re.IGNORECASE,
)
SUBJECT = re.compile(
    r"^(?:who|what|which)\b\s*(?:[^\W\d_]+\s+){0,2}?(?=(?:is|was|were|are|has|had|have|did|does|came|died|lived|opened|closed|whose|who|that|costs?|carr\w+|cost)\b)"
    r"|^(?:who|what|which)\b\s*(?:[^\W\d_]+\s+)?",
    re.IGNORECASE,
)
THE_OTHER = re.compile(r"\s+than the other$")
_VERB = r"(?:(?:is|was|were|been|born|die|died|live|lived|released|built|founded|formed|come|came|open|opened|launched|established|published|out|completed)\s+){0,2}"
_CUE_WORDS = any_of(CUES)
_HEAD = rf"{_VERB}(?:the\s+)?(?:{any_of((*CUES, *ORDERS))})"
CHOICES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:which|who|what)\b(?:\s+one)?\s+of\s+(?P<subjects>.+?\s+(?:and|or)\s+.+?)\s+"
        rf"(?P<head>(?:is|was|were|has|had|did|does|came|died|lived|costs?|carr\w+)\b.*(?:{_CUE_WORDS}).*)$",
        rf"^(?P<head>(?:which|who|what|whose)\b.*?(?:{_CUE_WORDS})[^,:]*?)\s*"
        r"(?:,?\s*\b(?:out of|between|among)\s+|[,:]\s*)(?P<subjects>.+\s+(?:or|and)\s+.+)$",
        rf"^(?P<head>(?:which|who|what)\b.*?(?:{_CUE_WORDS}))\s+(?P<subjects>.+\s+or\s+.+)$",
        rf"^(?:was|were|is|are|did|does|do|has)\s+(?P<subjects>.+\s+or\s+.+?)\s+(?P<head>{_HEAD})$",
    )
)
THAN = re.compile(
    rf"^(?:was|were|is|are|did|does|do|has)\s+(?P<a>.+?)\s+(?P<head>{_HEAD})\s+(?:than\s+)?(?P<b>.+)$",
    re.IGNORECASE,
)
_UNIT = r"(?P<unit>years?|months?|days?|metres|meters|feet|miles|kilometres|kilometers)"
DIFFERENCES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^how (?:many|much)\s+(?:{_UNIT}\s+)?(?P<head>{any_of((*CUES, *ORDERS))})\s+(?:is|was|were|are|did|does|do|has)\s+"
        r"(?P<a>.+?)(?:\s+(?P<verb>(?-i:[a-z]+)))?\s+than\s+(?P<b>.+)$",
        rf"^how (?:many|much)\s+{_UNIT}\s+(?P<head>before|after)\s+(?P<b>.+?)\s+(?:is|was|were|did)\s+(?P<a>.+?)\s+(?P<verb>(?-i:[a-z]+))$",
    )
)
BETWEEN = re.compile(
    r"^how many\s+(?P<unit>years?|months?|days?)\s+(?:.*?\bbetween|apart (?:are|were))\s+(?P<subjects>.+?\s+and\s+.+)$",
    re.IGNORECASE,
)
EVENT_OF = re.compile(
    r"^(?:the\s+)?(?:birth|death|building|construction|opening|launch|founding|formation|foundation|release|publication|completion|closing"
    r"|establishment)\s+of\s+(?:the\s+)?",
    re.IGNORECASE,
)
AGED = re.compile(
    r"^how old was\s+(?P<a>.+?)\s+when\s+(?P<b>.+?)\s+(?:was\s+|were\s+)?(?:first\s+)?(?P<event>(?-i:[a-z]+)|came out)$",
    re.IGNORECASE,
)
SUM = re.compile(
    rf"^how (?:many|much)\s+{NOUN}\s+(?:do|did|does|have|can)\s+(?P<subjects>.+?\s+and\s+.+?)\s+[a-z]+\s+(?:together|in total|combined|altogether)$",
    re.IGNORECASE,
)
LIVED = re.compile(
    r"^how old was\s+(.+?)\s+when\s+(?:he|she|they|it)\s+died$|^how (?:long|many years)\s+did\s+(.+?)\s+live$"
    r"|^at what age did\s+(.+?)\s+die$|^(.+?)(?:享年多少岁?|活了多少岁|活了几岁)$",
    re.IGNORECASE,
)
_WHICH_HAN = "(?:哪个|哪個|哪一个|哪家|哪座|哪艘|哪条|哪部|哪位|谁|誰)"
FOREIGN_FORMS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^{_WHICH_HAN}(?P<q>.+?)[,，:：](?P<a>.+?)(?:还是|還是|或|和|与)(?P<b>.+)$",
        rf"^(?P<a>.+?)(?:和|与|與|跟|还是|還是|、)(?P<b>.+?)[,，]?(?:相比[,，]?)?{_WHICH_HAN}(?P<q>.+)$",
        r"^(?P<a>.+?)比(?P<b>.+?)(?P<q>[早晚高长重][出了]?(?:多少|几).*)$",
        r"^(?P<q>(?:أيهما|ايهما|من منهما|من|أي)\s.+?)[،,:]\s*(?P<a>.+?)\s+(?:أم|أو|ام|او)\s+(?P<b>.+)$",
    )
)
