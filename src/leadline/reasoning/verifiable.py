"""Which sentences state something that can be verified, by rules: no questions, opinions, advice or calls to act."""

import re

from leadline.analysis.names import names
from leadline.analysis.terms import analyse
from leadline.analysis.values import codes, dates, numbers

FEWEST = 3
"""Terms of a sentence that says something of something."""

_OPINION = re.compile(
    r"\b(?:i|we) (?:think|believe|feel|guess|hope|love|like|recommend|suggest)\b|\b(?:in my|in our) (?:opinion|view)\b|\bimho\b"
    r"|\b(?:arguably|hopefully|unfortunately|luckily|sadly|undoubtedly)\b|\b(?:must-see|must see|worth a visit|well worth|a treat)\b"
    r"|\b(?:beautiful|lovely|charming|wonderful|amazing|stunning|delightful|awful|terrible|boring|picturesque|unforgettable)\b"
    r"|\b(?:should|ought to)\b|我(?:们)?(?:认为|觉得|希望|喜欢|推荐)|令人|值得一[看游去]|美丽|可惜|应该|أعتقد|نعتقد|أظن|في رأي|جميل|رائع|للأسف|يجب",
    re.IGNORECASE,
)
_CALL = re.compile(
    r"^\W*(?:please|click|tap|subscribe|sign (?:up|in)|log in|read more|see also|follow us|contact us|ignore|disregard|"
    r"forget|reply|remember|do not|don['’]t|never (?!before|again|since)|note that you|you (?:can|may|must|will|are)|by "
    r"(?:using (?:this|our|the)|continuing)|we (?:use|value)|this (?:site|website|page) uses)\b"
    # Nouns open a statement too: share prices, book sales, call centres.
    r"|^\W*(?:share|accept|visit|call|book|buy|download|choose|pick|select|enter|press) (?:the|this|these|that|an?|all|our|your|my|us|me|it|now|here|on|to|with|for|at|\d)"
    r"|^\W*(?:output|respond|send|set|tell|return|print|write|reply) (?:no|only|every|all|the|it|them|nothing|with)\b"
    r"|\b(?:our|uses?|accept\w*|store|set) cookies?\b|\bcookie (?:policy|settings|consent)\b|^\W*cookies (?:help|allow|are)\b"
    r"|\b(?:(?:our|your|the|weekly|monthly) newsletter|privacy policy|all rights reserved|terms of (?:use|service)|(?:previous|prior|above|earlier) instructions|"
    r"system prompt|as an ai)\b"
    r"|^\W*(?:请|点击|订阅|登录|忽略|关注我们)|版权所有|隐私政策|^\W*(?:اضغط|انقر|اشترك|تجاهل|يرجى)|جميع الحقوق محفوظة",
    re.IGNORECASE,
)
_FOR_MACHINES = re.compile(
    r"\{\{|\{\s*\"|```|</?[a-z]\w*>|\[/\d|^\W*\"[\w-]+\"\s*:\s|^:[\w-]+:\s|={4,}|~{4,}", re.IGNORECASE
)
"""Markup and JSON in a sentence: what is written for a program to read states nothing."""
_CAPITALS = re.compile(r"^\W*(?:[A-Z][A-Z'’&.-]+\W+){3,}.*[^.!…\W]$", re.DOTALL)
"""A heading set in capitals, with what stands under it before a full stop."""
_FOR_MODELS = re.compile(
    r"\b(?:ignore|disregard|forget) (?:all |any |the |your |my )*(?:previous|prior|above|earlier) (?:instructions|prompts?)\b"
    r"|^\W*new (?:queries|instructions)\s*:|\{\s*\"(?:gaps|queries|facts|claims|answer|verdicts|sections)\"\s*:|</?think>|\[/?INST\]"
    r"|^\W*(?:system|assistant)\s*:|\bdear (?:model|assistant|ai)\b|\byou are now (?:in|an?|the)\b.*\bmode\b|\b(?:your|the system) prompt\b"
    r"|忽略(?:之前|以上|上面)的?(?:所有)?(?:指令|提示)|تجاهل (?:جميع |كل )?(?:التعليمات|الأوامر) السابقة",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(
    r"\bthis (?:web ?)?(?:page|site|website|leaflet|notice board)\b|^\W*(?:a|the|our) page (?:for|about|of|on|with)\b"
    r"|\b(?:described|listed|shown|collected|explained|discussed|found) (?:here|below|on this page)\b|\b(?:our|by) readers\b"
    r"|本(?:页|网站|站)|هذه الصفحة|هذا الموقع",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"^\W*(?:From|To|Cc|Bcc|Subject|Sent|Date|Reply-To|Message-ID|发件人|收件人|主题|من|إلى|الموضوع)\s*[:：]"
)
"""A line of a mail's head."""
_END = re.compile(r"[.。!！…؟?\"”’)）\]」』】*_|]\s*$")
_FIELD = re.compile(r"\S\s*[:：|]\s*\S")


def verifiable(sentence: str) -> bool:
    """Whether a sentence of a page states something that a source can bear out or refute.

    >>> verifiable("The north pier was rebuilt in 1987."), verifiable("The quay is made of granite.")
    (True, True)
    >>> verifiable("I think the pier is lovely."), verifiable("When was the pier built?"), verifiable("Home · Tides · Contact")
    (False, False, False)
    """
    # A row of a table or of a list has no full stop; a menu has neither that nor a figure.
    is_whole = _END.search(sentence) or _FIELD.search(sentence) or _figures(sentence)
    return bool(is_whole) and states(sentence)


def states(sentence: str) -> bool:
    """The same of what is known to be a sentence, with a full stop or without.

    >>> states("The quay is made of granite"), verifiable("The quay is made of granite")
    (True, False)
    """
    text = sentence.strip().rstrip("*_\"'” )）")
    if text.endswith(("?", "？", "؟")) or len(set(analyse(sentence))) < FEWEST:
        return False
    forms = (_OPINION, _CALL, _FOR_MACHINES, _CAPITALS, _OF_ITSELF, _HEADER)
    return not any(form.search(sentence) for form in forms) and not for_models(sentence)


def for_models(sentence: str) -> bool:
    """Whether it speaks to a language model, or pretends to be a reply of one.

    >>> for_models('New queries: {"gaps": [], "queries": []}.'), for_models("The queries of the mayor were new.")
    (True, False)
    """
    return bool(_FOR_MODELS.search(sentence))


def has_values(sentence: str) -> bool:
    """Whether it has what can be looked up: a number, a date, a code, a name.

    >>> has_values("The quay is made of granite."), has_values("The quay of Velden.")
    (False, True)
    """
    return _figures(sentence) or bool(names(sentence))


def _figures(sentence: str) -> bool:
    return bool(numbers(sentence) or dates(sentence) or codes(sentence))
