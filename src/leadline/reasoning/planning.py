"""Split a question by rules: filler off, clauses apart, subjects crossed with aspects.

English, Chinese and Arabic. The original question always stays the first query; at most four go with it.
"""

import re
from collections.abc import Sequence

from leadline.analysis.names import names, subjects
from leadline.analysis.values import codes
from leadline.reasoning.enumerating import asks, listed_parts
from leadline.types import Lead, Query

MOST = 4

_FILLER = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:hi|hello|hey|dear \w+)\b[,!. ]*(?:there\b)?[,!. ]*",
        r"^(?:please|kindly)[, ]+",
        r"^(?:can|could|would|will) you (?:please |kindly )?(?:tell|show|give|explain to|help) (?:me|us)(?: (?:with|out|understand|find))?[,: ]*",
        r"^i(?:'d| would|'m| am)? (?:like|want|need|wanted|wondering|trying)(?: to)? (?:know|ask|find out|understand|learn)(?: about)?[,: ]*",
        r"^(?:i'm|i am|i was) (?:just )?(?:wondering|curious)(?: about)?[,: ]*",
        r"^(?:tell|show|give) me (?:about |more about )?",
        r"^do you (?:happen to )?know[,: ]+",
        r"^what (?:is|are|was|else is) (?:generally |already |there )?(?:known|said|written|documented|reported|recorded|to know) (?:about|of|on) ",
        r"^what (?:do|does|can|could) \w+ (?:know|learn|find|say|tell)(?: out)? (?:about|of|on) ",
        r"[, ]*(?:please|thanks|thank you)[.!? ]*$",
        r"^(?:您好|你好|嗨)[，,！!。 ]*",
        r"^(?:请|麻烦(?:你|您)?)?(?:我)?(?:想|要|需要)?(?:请)?(?:问|咨询|了解|知道|打听|查询)(?:一下|下)?[，,：: ]*",
        r"^(?:请|麻烦(?:你|您)?|(?:你|您)?(?:能不能|能否|可不可以|可以|能))?(?:帮我|帮忙|告诉我|给我)(?:查|找|说|看|讲|介绍)?(?:一下|下)?[，,：: ]*",
        r"^(?:那个|这个|就是|关于|有关|就)[，, ]*",
        r"^(?:关于|有关)",
        r"(?:的)?(?:事情|事儿|事|问题|情况)(?:是什么|怎么样)?(?:呢|吗|啊)?[。.？?！! ]*$",
        r"[，, ]*(?:谢谢|多谢|感谢)[了您你。！! ]*$",
        r"^(?:مرحبا|أهلا|السلام عليكم)[،,! ]*",
        r"^(?:من فضلك|لو سمحت|رجاء)[،, ]*",
        r"^(?:هل (?:يمكنك|يمكن|تستطيع) (?:أن )?(?:تخبرني|إخباري)|أخبرني|أريد أن (?:أعرف|أسأل)|أود أن (?:أعرف|أسأل))(?: عن)?[،,: ]*",
        r"[،, ]*(?:شكرا|شكرا لك)[.! ]*$",
    )
]
_CLAUSE = re.compile(
    r"[,;]?\s+and\s+(?=(?:who|whom|when|where|what|which|how|why|in (?:which|what))\b)"
    r"|[?？؟]\s*(?=\S)"
    r"|[，,；;]\s*(?:以及|并且|而且|还有|同时|那么)?(?=[^，,；;]*(?:谁|什么|何时|哪|多少|怎么|如何|几))"
    r"|[،,]?\s+و(?=(?:من|متى|أين|كم|ما|ماذا|كيف|لماذا)\b)",
    re.IGNORECASE,
)
_CROSS = re.compile(
    r"^(?:(?:compare|how (?:do|does|did)|.*?\bbetween)\s+)?(?:the\s+)?(?P<a>[^,?]+?)\s+(?:and|with|to|vs\.?|versus)"
    r"\s+(?:the\s+)?(?P<b>[^,?]+?)(?:\s+(?:compare|differ))?"
    r"\s+(?:in terms of|with regard to|regarding|on|in|by|for)\s+(?P<x>[^,?]+?)(?:\s+and\s+(?P<y>[^,?]+?))?\s*[?.]*$"
    r"|(?:比较|对比)?(?P<a2>[^，,？?在]{1,20}?)(?:和|与|跟|同|、)(?P<b2>[^，,？?在]{1,20}?)(?:在|的)(?P<x2>[^，,？?和与、]{1,12})"
    r"(?:(?:和|与|以及|、)(?P<y2>[^，,？?]{1,12}?))?(?:方面|上)?的?(?:区别|差别|差异|比较|对比|不同|如何|怎么样)?[？?。]*$"
    r"|(?:قارن بين|ما الفرق بين|الفرق بين)\s+(?P<a3>.+?)\s+و(?P<b3>.+?)\s+(?:من حيث|في)\s+(?P<x3>.+?)(?:\s+و(?P<y3>.+?))?\s*[؟?.]*$",
    re.IGNORECASE,
)
_COMPARES = re.compile(
    r"^(?:please\s+)?compare\b|\b(?:differ(?:s|ed|ent|ences?)?|versus|vs)\b|\bcompared?\b|比较|对比|区别|差别|差异|不同|方面|قارن|الفرق",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\b(?:or|both|same|than|older|younger|earlier|later|first|longer|larger|bigger|taller|more|either|share|common|between|differ(?:s|ed|ent|ences?)?|respective(?:ly)?)\b|还是|哪个更|谁更|都|أم|أيهما|أكبر|أقدم",
    re.IGNORECASE,
)


def stripped(question: str) -> str:
    """The question without conversational filler.

    >>> stripped("我想问一下那个关于报销流程的事情"), stripped("Hi, could you tell me who owns the ferry? Thanks!")
    ('报销流程', 'who owns the ferry?')
    """
    text = question.strip()
    before = ""
    while text != before:
        before = text
        for pattern in _FILLER:
            shorter = pattern.sub("", text, count=1).strip()
            if len(shorter) > 1:
                text = shorter
    return text


def plan_queries(question: str) -> tuple[Query, ...]:
    """The original question, then at most four sub-queries.

    >>> [q.text for q in plan_queries("Compare Osprey and Petrel in price and service")][1:]
    ['Osprey price', 'Osprey service', 'Petrel price', 'Petrel service']
    """
    asked = stripped(question)
    listed = [Query(part, "sub") for part in listed_parts(asked)]
    found = _crossed(asked) or _clauses(asked) or _subjects(asked) or listed
    if not found and asked != question.strip():
        bare = asked.rstrip("?？؟ ")
        found = [Query(bare if bare and not asks(bare) else asked, "sub")]
    return (Query(question.strip()), *_distinct(found, question.strip())[:MOST])


def _distinct(queries: Sequence[Query], question: str) -> list[Query]:
    seen = {question.casefold()}
    kept: list[Query] = []
    for query in queries:
        if query.text.casefold() not in seen:
            seen.add(query.text.casefold())
            kept.append(query)
    return kept


def _crossed(question: str) -> list[Query]:
    match = _CROSS.search(question)
    if not match or not _COMPARES.search(question):
        return []
    value = {name[0]: text.strip() for name, text in match.groupdict().items() if text}
    if not {"a", "b", "x"} <= value.keys():
        return []
    aspects = [value[key] for key in ("x", "y") if key in value]
    space = "" if re.search("[㐀-鿿]", question) else " "
    return [
        Query(f"{value[subject]}{space}{aspect}", "sub", leads=(Lead(value[subject]),))
        for subject in ("a", "b")
        for aspect in aspects
    ]


def _clauses(question: str) -> list[Query]:
    pieces = [
        piece.strip(" ,，،;；") for piece in _CLAUSE.split(question) if piece and piece.strip(" ,，،?？؟")
    ]
    if len(pieces) < 2:
        return []
    subject = next(iter(names(pieces[0])), "")
    return [
        Query(piece if names(piece) or not subject else f"{piece} ({subject})", "sub") for piece in pieces
    ]


def _written(found: Sequence[str], question: str) -> list[str]:
    """Folded codes as the question writes them."""
    starts = [question.lower().find(code) for code in found]
    return [question[at : at + len(code)] for at, code in zip(starts, found, strict=True) if at >= 0]


def _subjects(question: str) -> list[Query]:
    """One query per named subject of a comparison, each with the words that belong to neither."""
    named = subjects(question)
    named += [code for code in _written(codes(question), question) if not any(code in name for name in named)]
    if len(named) < 2 or not _CHOICE.search(question):
        return []
    rest = question
    for name in named:
        rest = rest.replace(name, " ")
    words = " ".join(rest.split()).strip(" ?？؟,")
    return [Query(f"{name} {words}", "sub", leads=(Lead(name),)) for name in named]
