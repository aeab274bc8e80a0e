"""The words of a report itself are in the language of its question."""

from collections.abc import Callable
from dataclasses import fields, replace

import pytest

from leadline.citing.report.html import render_html
from leadline.citing.report.labels import ARABIC, CHINESE, ENGLISH, Counted, Labels, labels_for
from leadline.citing.report.markdown import render_markdown
from leadline.citing.report.outline import Report, report
from leadline.types import Claim, StopReason, Support
from tests.citing.report.answers import FACTS, GAZETTE, MINUTES, research

OTHERS = (CHINESE, ARABIC)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("How deep is the harbour of Norvik?", "en"),
        ("Wie tief ist der Hafen von Norvik, und seit wann?", "en"),
        ("诺维克港的吞吐量是多少？", "zh"),
        ("OpenAI的GPT-4与Anthropic的Claude有何不同？", "zh"),
        ("諾維克港什麼時候啟用？", "zh"),
        ("ノルヴィク港の水深はどのくらいですか", "en"),
        ("노르비크 항구의 수심은?", "en"),
        ("ما هي حركة السفن في ميناء نورفيك (2025)؟", "ar"),
        ("كم طول الرصيف؟", "ar"),
        ("آیا بندر نورویک در سال گذشته گسترش یافت و چه کسی آن را ساخت؟", "en"),
        ("🚢?", "en"),
    ],
)
def test_the_language_is_that_of_the_question(question: str, language: str) -> None:
    assert labels_for(question).language == language


@pytest.mark.parametrize("labels", OTHERS, ids=lambda labels: labels.language)
def test_every_word_has_its_translation(labels: Labels) -> None:
    signs = {"turned", "comma", "semicolon", "stop", "dash"}
    for each in fields(Labels):
        mine, english = getattr(labels, each.name), getattr(ENGLISH, each.name)
        if isinstance(english, str) and each.name not in signs:
            assert mine != english and mine.count("{") == english.count("{"), each.name
        elif isinstance(english, Counted):
            assert mine(7) != english(7) and "7" in mine(7), each.name
    for table in ("support", "reasons"):
        mine, english = getattr(labels, table), getattr(ENGLISH, table)
        assert {key for key, words in mine.items() if words == english[key]} <= {Support.SUPPORTED}
    assert set(labels.reasons) == set(StopReason) and set(labels.support) == set(Support)


@pytest.mark.parametrize("labels", OTHERS, ids=lambda labels: labels.language)
@pytest.mark.parametrize("render", [render_html, render_markdown])
def test_a_report_has_no_english_of_its_own(labels: Labels, render: Callable[[Report], bytes]) -> None:
    kind = {"zh": "chinese", "ar": "arabic"}[labels.language]
    claims = (
        Claim("1", (GAZETTE,), support=Support.PARTLY),
        Claim("2", (MINUTES,), kind="computed"),
        Claim("3", (GAZETTE, MINUTES), disputed=True),
    )
    answer = replace(research(kind), claims=claims, facts=FACTS, stop=StopReason.DEADLINE)
    text = render(report(answer)).decode().partition("</head>")[2] or render(report(answer)).decode()
    headings = (labels.disputes, labels.said, labels.day, labels.missing, labels.method, labels.references)
    assert [each for each in headings if each not in text] == []
    english = "partly computed disagree accessed published Stopped rounds statement sources p. Nothing Round".split()
    assert [word for word in english if word in text] == []


def test_numbers_stand_in_the_words() -> None:
    shown = report(research("chinese"))
    assert shown.summary == "2条陈述，出自2个来源；1个问题未能解答。"
    assert shown.method[1] == "停止原因：轮次已用完（max_rounds）。"
    shown = report(research("arabic"))
    assert shown.summary == "عدد العبارات: 2، عدد المصادر: 2؛ أسئلة بقيت مفتوحة: 2."
    assert shown.references[0].dates == "نُشر في 2026/01/20، اطُّلع عليه في 2026/11/30"


def test_an_arabic_page_runs_from_right_to_left_and_others_do_not() -> None:
    opened = {kind: render_html(report(research(kind))).decode() for kind in ("arabic", "chinese", "english")}
    assert '<html lang="ar" dir="rtl">' in opened["arabic"]
    assert '<html lang="zh" dir="ltr">' in opened["chinese"]
    assert '<html lang="en" dir="ltr">' in opened["english"]
