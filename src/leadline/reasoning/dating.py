"""Sentences of another time than the one asked for: "In 2021 ...", where the question says "after 2023".

the filters that a search read from the question -> their timespans -> a sentence is of another time when none of its own
meets them
"""

import re
from collections.abc import Iterable

from leadline.analysis.fold import bare
from leadline.analysis.timespans import Timespan, absolute
from leadline.types import Hit

Asked = tuple[tuple[Timespan, ...], ...]
"""What is said of time in each filter; one that is met is enough."""

_DOCUMENT = re.compile(
    r"\b(?:(?:report|document|file|paper|article|edition|version|budget|plan|survey|audit|statement|letter|note|newsletter|"
    r"agenda|handbook|guide|manual|contract|agreement|forecast)s?|minutes|polic(?:y|ies)|summar(?:y|ies))\b"
    r"|报告|年报|纪要|文件|文档|文章|预算|计划|通知|手册|合同|报道|報告|年報|紀要|文檔|預算|計劃|合約|報導"
    r"|(?:تقرير|تقارير|محضر|محاضر|وثيق|وثايق|مستند|ميزاني|خطه|دليل|عقد|نشره|مقال|بيان)"
)
"""Who asks for the report of 2023 asks for what it says, of whatever year."""


def asked_times(question: str, hits: Iterable[Hit]) -> Asked:
    """The timespans of the filters that were read from the question; none when it asks for documents of a time."""
    if _DOCUMENT.search(bare(question)):
        return ()
    words = dict.fromkeys(found.words for hit in hits for found in hit.found if found.words)
    return tuple(spans for said in words if (spans := tuple(absolute(said))))


def of_another_time(sentence: str, asked: Asked) -> bool:
    """Whether the sentence names a time, and none that was asked for."""
    told = absolute(sentence) if asked else []
    return bool(told) and not any(_meets(one, spans) for one in told for spans in asked)


def _meets(told: Timespan, spans: tuple[Timespan, ...]) -> bool:
    """As the filter: all open ends hold, of several closed spans any may."""
    closed = [one for one in spans if one.begin and one.end]
    opened = [one for one in spans if one not in closed]
    return all(told.meets(one) for one in opened) and (not closed or any(told.meets(one) for one in closed))
