"""What a report says in its own words, in the language of its question: English, Chinese or Arabic.

Notices and what the check of a claim found are told in English everywhere in Leadline, and so they are here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from leadline.analysis.language import language
from leadline.analysis.scripts import scripts
from leadline.citing.render import outline
from leadline.types import StopReason, Support

HAN = 0.2
"""The share of a question's letters that are Han in a Chinese one: it may name more in Latin than it asks in Chinese."""
KANA = 0.1
"""The share of kana, from which on Han is Japanese."""


@dataclass(frozen=True, slots=True)
class Counted:
    """How many of something there are, in words; `{}` stands for the number."""

    many: str
    one: str = ""

    def __call__(self, number: int) -> str:
        return (self.one if number == 1 and self.one else self.many).format(number)


@dataclass(frozen=True, slots=True)
class Labels:
    """The words of one language, in the order in which a report shows them. `turned`: it runs from right to left. `dash`
    parts a date: behind Arabic letters 2026-01-20 would be shown as 20-01-2026, since a hyphen joins no numbers there."""

    language: str
    turned: bool
    comma: str
    semicolon: str
    stop: str
    nothing: str
    partial: str
    statements: Counted
    sources: Counted
    stated: str
    facts: Counted
    points: Counted
    questions: Counted
    support: Mapping[Support, str]
    disagree: str
    computed: str
    disputes: str
    said: str
    day: str
    missing: str
    method: str
    rounds: Counted
    searches: Counted
    calls: Counted
    tokens: Counted
    seconds: str
    agent: str
    stopped: str
    reasons: Mapping[StopReason, str]
    asked: str
    references: str
    published: str
    accessed: str
    dash: str
    page: str
    snippet: str


ENGLISH = Labels(
    language="en",
    turned=False,
    comma=", ",
    semicolon="; ",
    stop=".",
    nothing="Nothing was found that answers this.",
    partial="No full answer was found. ",
    statements=Counted("{} statements", "{} statement"),
    sources=Counted("{} sources", "{} source"),
    stated="{} from {}",
    facts=Counted("{} facts gathered", "{} fact gathered"),
    points=Counted("{} points on which sources disagree", "{} point on which sources disagree"),
    questions=Counted("{} questions left open", "{} question left open"),
    support={
        Support.SUPPORTED: "",
        Support.PARTLY: "partly supported",
        Support.UNSUPPORTED: "not supported",
    },
    disagree="its sources disagree",
    computed="computed",
    disputes="Where sources disagree",
    said="What is said",
    day="Published",
    missing="What could not be answered",
    method="How it was searched",
    rounds=Counted("{} rounds", "{} round"),
    searches=Counted("{} searches", "{} search"),
    calls=Counted("{} model calls", "{} model call"),
    tokens=Counted("{} tokens", "{} token"),
    seconds="{:.1f} s",
    agent="agent {}",
    stopped="Stopped because {} ({}).",
    reasons=outline.STOPPED,
    asked="Round {} asked: {}",
    references="References",
    published="published {}",
    accessed="accessed {}",
    dash="-",
    page="p. {}",
    snippet=outline.SNIPPET,
)
CHINESE = Labels(
    language="zh",
    turned=False,
    comma="，",
    semicolon="；",
    stop="。",
    nothing="没有找到能回答此问题的内容。",
    partial="没有找到完整的答案。",
    statements=Counted("{}条陈述"),
    sources=Counted("{}个来源"),
    stated="{}，出自{}",
    facts=Counted("收集了{}条事实"),
    points=Counted("{}处来源说法不一"),
    questions=Counted("{}个问题未能解答"),
    support={Support.SUPPORTED: "", Support.PARTLY: "部分得到支持", Support.UNSUPPORTED: "未得到支持"},
    disagree="来源说法不一",
    computed="由计算得出",
    disputes="来源说法不一之处",
    said="说法",
    day="发布日期",
    missing="未能解答的问题",
    method="检索过程",
    rounds=Counted("{}轮"),
    searches=Counted("{}次检索"),
    calls=Counted("调用模型{}次"),
    tokens=Counted("{}个词元"),
    seconds="{:.1f}秒",
    agent="代理：{}",
    stopped="停止原因：{}（{}）。",
    reasons={
        StopReason.ANSWERED: "没有其他要问的了",
        StopReason.MAX_ROUNDS: "轮次已用完",
        StopReason.NO_NEW_EVIDENCE: "最后一轮没有新发现",
        StopReason.REPEATED_QUERIES: "剩下的问题都已问过",
        StopReason.FACT_BUDGET: "收集的事实已足够",
        StopReason.BUDGET: "预算已用完",
        StopReason.DEADLINE: "时间已到",
        StopReason.CANCELLED: "已被取消",
        StopReason.NOTHING_FOUND: "在检索范围内没有找到答案",
    },
    asked="第{}轮检索：{}",
    references="参考资料",
    published="发布于{}",
    accessed="访问于{}",
    dash="-",
    page="第{}页",
    snippet="仅为搜索摘要；网页无法读取",
)
ARABIC = Labels(
    language="ar",
    turned=True,
    comma="، ",
    semicolon="؛ ",
    stop=".",
    nothing="لم يُعثر على ما يجيب عن هذا.",
    partial="لم يُعثر على إجابة كاملة. ",
    statements=Counted("عدد العبارات: {}"),
    sources=Counted("عدد المصادر: {}"),
    stated="{}، {}",
    facts=Counted("الحقائق المجموعة: {}"),
    points=Counted("نقاط تختلف فيها المصادر: {}"),
    questions=Counted("أسئلة بقيت مفتوحة: {}"),
    support={Support.SUPPORTED: "", Support.PARTLY: "مدعوم جزئيًا", Support.UNSUPPORTED: "غير مدعوم"},
    disagree="تختلف مصادره",
    computed="محسوب",
    disputes="ما تختلف فيه المصادر",
    said="ما قيل",
    day="تاريخ النشر",
    missing="ما لم تتيسر الإجابة عنه",
    method="كيف جرى البحث",
    rounds=Counted("عدد الجولات: {}"),
    searches=Counted("عمليات البحث: {}"),
    calls=Counted("استدعاءات النموذج: {}"),
    tokens=Counted("عدد الرموز: {}"),
    seconds="المدة: {:.1f} ثانية",
    agent="الوكيل: {}",
    stopped="سبب التوقف: {} ({}).",
    reasons={
        StopReason.ANSWERED: "لم يبقَ ما يُسأل عنه",
        StopReason.MAX_ROUNDS: "انتهت الجولات كلها",
        StopReason.NO_NEW_EVIDENCE: "لم تأتِ الجولة الأخيرة بجديد",
        StopReason.REPEATED_QUERIES: "كل ما بقي سُئل عنه من قبل",
        StopReason.FACT_BUDGET: "جُمع ما يكفي من الحقائق",
        StopReason.BUDGET: "نفدت الميزانية",
        StopReason.DEADLINE: "انتهى الوقت",
        StopReason.CANCELLED: "أُلغي البحث",
        StopReason.NOTHING_FOUND: "لم يُعثر على إجابة فيما جرى البحث فيه",
    },
    asked="أسئلة الجولة {}: {}",
    references="المراجع",
    published="نُشر في {}",
    accessed="اطُّلع عليه في {}",
    dash="/",
    page="ص {}",
    snippet="مقتطف من محرك البحث؛ تعذرت قراءة الصفحة",
)


def labels_for(question: str) -> Labels:
    """The words of the language that a question is in; English ones for all but Chinese and Arabic.

    >>> [labels_for(text).language for text in ("港口有多大？", "GPT-4与Claude有何不同？", "ما طول الرصيف؟", "港の大きさは？", "How long is it?")]
    ['zh', 'zh', 'ar', 'en', 'en']
    """
    shares = scripts(question)
    if shares.get("han", 0.0) >= HAN and shares.get("kana", 0.0) < KANA:
        return CHINESE
    # Persian and Urdu are written in Arabic letters too; a question too short to tell is taken for Arabic.
    is_arabic = next(iter(shares), "") == "arabic" and language(question) in {"ar", ""}
    return ARABIC if is_arabic else ENGLISH
