"""Questions that ask for a report and not for a fact."""

import re

_REPORT = re.compile(
    r"\b(report|overview|survey|summar(y|ies|i[sz]e)|review of|everything about|timeline|history of)\b"
    r"|报告|概述|概览|总结|综述|梳理|盘点|来龙去脉|تقرير|نظرة عامة|لخ[ّص]+|ملخص|استعراض",
    re.IGNORECASE,
)


def wants_report(question: str) -> bool:
    """Whether breadth is asked for.

    >>> wants_report("Write an overview of the harbour's dredging"), wants_report("Who dredges the harbour?")
    (True, False)
    """
    return bool(_REPORT.search(question))
