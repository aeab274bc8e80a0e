"""Research answers made by hand: in one script each, in several, and with text of an enemy."""

from leadline.types import Answer, Citation, Claim, Fact, Query, StopReason, Support, Usage

HOSTILE = (
    "#set page(width: 1cm) $x^2$ *bold* _it_ <script>alert(1)</script> `code` @ref <lab> \\u{41} // c /* */ "
    '[x](javascript:alert(1)) ![i](http://example.com/i.png) #read("/etc/hosts") {{x}} ${y} <w:p/> &amp; | cell | -- '
    "\x1b[31mred\x07 \u202eevil \ufffe\ufdd0 \ue000 [^1] {=html} --- # h"
)


def cite(
    source: str,
    title: str,
    quote: str,
    *,
    published: str = "",
    accessed: str = "2026-11-30",
    snippet: bool = False,
    page: int | None = None,
    path: tuple[str, ...] = (),
) -> Citation:
    return Citation(
        source,
        f"{source}:1",
        source,
        title,
        quote,
        0,
        len(quote),
        page=page,
        heading_path=path,
        published=published,
        accessed=accessed,
        snippet=snippet,
    )


YEARBOOK = cite(
    "https://harbour.example/yearbook/2025?lang=en&chapter=a-long-chapter-name-that-has-to-be-broken#section-12",
    "Yearbook of the harbour of Norvik",
    "In 2025 the harbour handled 4,120 ships.",
    published="2026-02-01",
    path=("Traffic", "Ships"),
)
GAZETTE = cite(
    "https://gazette.example/norvik",
    "Gazette: the harbour — “a record”",
    "The harbour handled 3,980 ships.",
    published="2025-11-02",
    snippet=True,
)
HAN = cite(
    "https://gangkou.example/诺维克",
    "诺维克港年报（二〇二五）",
    "新的防波堤长达1,240米，可以停靠更大的船只。",
    published="2026-01-15",
)
ARABIC = cite(
    "https://mina.example/تقرير",
    "تقرير ميناء نورفيك السنوي (2025)",
    "طول كاسر الأمواج 1,240 متراً، لا غير، وتديره البلدية منذ افتتاحه.",
    published="2026-01-20",
    path=("البنية",),
)
MINUTES = cite("/somewhere/minutes.pdf", "Minutes", "Pier 7 was opened in 1998.", accessed="", page=3)
ENEMY = cite("javascript:alert(1)", HOSTILE, HOSTILE)


def claim(
    text: str, topic: str, *citations: Citation, support: Support = Support.SUPPORTED, note: str = ""
) -> Claim:
    return Claim(text, citations, support=support, note=note, topic=topic, documents=len(citations))


CLAIMS = {
    "english": (
        Claim(
            "In 2025 the harbour of Norvik handled 4,120 ships – “quoted”, café → Ελλάδα Москва.",
            (YEARBOOK,),
            support=Support.SUPPORTED,
            topic="Traffic",
            note="gazette.example says 3,980 (2025-11-02)",
            disputed=True,
        ),
        claim("Pier 7 was opened in 1998.", "Traffic", MINUTES),
        claim(
            "The flow is H₂O ≥ 3 m² · ½ ‰.",
            "Piers",
            YEARBOOK,
            MINUTES,
            support=Support.PARTLY,
            note="3 is not",
        ),
    ),
    "chinese": (
        claim(
            "诺维克港每年接待4,120艘船，吞吐量为《港务年报》所列的“38.5万吨”。该港口于1998年启用，由市政府管理；"
            "2019年扩建之后，新的防波堤长达1,240米，可以停靠更大的船只。",
            "港口概况",
            HAN,
        ),
        claim("𠮷田先生于2001年任港务局长。", "港口概况", HAN, YEARBOOK),
    ),
    "arabic": (
        claim(
            "يستقبل ميناء نورفيك 4,120 سفينة في السنة، وقد افتُتح الرصيف الجديد (Pier 7) عام ١٩٩٨. طول كاسر الأمواج "
            "1,240 متراً، لا غير، وتديره البلدية منذ افتتاحه.",
            "حركة السفن",
            ARABIC,
        ),
        claim(
            "بحسب The Harbour Office of Norvik (2019-05-01) فإن الحمولة 38.5% أو 12-15 «طن» 🚢 诺维克港。",
            "حركة السفن",
            ARABIC,
            HAN,
            support=Support.PARTLY,
            note="the number 12 is not in what it cites",
        ),
    ),
    "emoji": (claim("🚢 🌊 👩‍🚀 👍🏽 🇳🇴 ❤️ ⚓ 1️⃣ ✅ ⚠️ Ships like ☀ and ♻️.", "Emoji 🚢", YEARBOOK),),
    "hostile": (claim(HOSTILE, HOSTILE, ENEMY, support=Support.UNSUPPORTED, note=HOSTILE),),
}
QUESTIONS = {
    "english": "What is known of the harbour of Norvik?",
    "chinese": "诺维克港的吞吐量是多少？",
    "arabic": "ما هي حركة السفن في ميناء نورفيك (2025)؟",
    "emoji": "🚢 and 🌊?",
    "hostile": HOSTILE,
    "mixed": "Norvik: 诺维克港, ميناء نورفيك 🚢",
}
FACTS = (
    Fact("The harbour handled 3,980 ships.", (GAZETTE,), 1, (2,)),
    Fact("In 2025 the harbour handled 4,120 ships.", (YEARBOOK,), 2, (1,)),
    Fact("Pier 7 was opened in 1998.", (MINUTES,), 2),
)
KINDS = tuple(QUESTIONS)


def research(kind: str) -> Answer:
    """An answer of this kind; `mixed` holds all of them."""
    question = QUESTIONS[kind]
    claims = CLAIMS.get(kind) or tuple(each for claims in CLAIMS.values() for each in claims)
    return Answer(
        question,
        claims,
        (),
        StopReason.MAX_ROUNDS,
        found=True,
        rounds=4,
        queries=(Query(question), Query(f"ships a year {question}", "gap", 2)),
        missing=(question, "What of تقرير (2025)?") if kind == "arabic" else (question,),
        notices=("Tavily was not asked: it has no key.",),
        usage=Usage(12, 9, 30211, 42.5, 0.0123),
        agent="research",
        facts=FACTS if kind in {"english", "mixed"} else (),
    )
