"""A report with a model: numbered facts in, sections of claims out, each with the numbers of the facts it rests on.

facts -> packed and fenced -> sections -> each claim cites what its facts cite -> Draft; no usable reply -> the facts as they stand
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from leadline.analysis.terms import analyse
from leadline.errors import BudgetSpent
from leadline.events import Defaulted, Drafted
from leadline.llm.base import Chat, Request, Schema
from leadline.llm.json_text import Unreadable
from leadline.llm.prompting import Prompts
from leadline.llm.structured import Unread, asked
from leadline.reasoning.base import Draft
from leadline.reasoning.drafting import Drafting
from leadline.reasoning.model_gaps import fact_pieces
from leadline.reasoning.model_report import Reported, Sentence, read, read_cut
from leadline.reasoning.model_schemas import FLAG, WHOLE, many, record, text, text_list
from leadline.reasoning.model_showing import packed, reply_tokens
from leadline.reasoning.model_writing import COMPLETE, CUT, PARTIAL, REPORT_TOKENS
from leadline.reasoning.offline_facts import listed
from leadline.retrieval.base import TermWeights
from leadline.run import Run
from leadline.types import Citation, Claim, Fact

CHARACTERS = 40_000
_UNREAD = "{} of {} facts did not fit into what the model reads at once, and are not in the report."
SAYS = 0.6
"""A claim that names no fact rests on the one that shares this part of its terms."""
_CLAIM = record(text=text(1_000), facts=many(WHOLE, 8), disagree=FLAG)
_SECTION = record(heading=text(120), claims=many(_CLAIM, 12))
_SCHEMA = Schema("report", record(sections=many(_SECTION, 10), missing=text_list(8)))


@dataclass(frozen=True, slots=True)
class Material:
    """What a report is made of."""

    question: str
    facts: Sequence[Fact]
    open: Sequence[str]
    rounds: int


async def composed(chat: Chat, prompts: Prompts, material: Material, weights: TermWeights, run: Run) -> Draft:
    """The report; the facts themselves, listed, where the model gives none."""
    facts = material.facts
    unfound = ("Not found", "\n".join(material.open) or "nothing is known to be missing")
    documents = packed(chat, "compose", fact_pieces(facts), CHARACTERS, run, unfound)
    messages = prompts.messages(
        "compose",
        question=material.question,
        rounds=material.rounds,
        documents=documents.text,
        rule=documents.rule,
    )
    most = reply_tokens(chat, REPORT_TOKENS)
    request = Request(messages, "compose", _SCHEMA, documents.marker, most, purpose="write")
    told = Drafting(lambda words: run.emit(Drafted(words)))
    shown = [facts[place] if place < len(facts) else None for place in documents.places]
    try:
        draft = await asked(
            chat,
            request,
            lambda reply: _draft(read(reply, len(shown)), shown),
            run,
            told,
            prompts=prompts,
            cut=lambda reply: _draft(read_cut(reply, len(shown)), shown),
        )
    except BudgetSpent as error:
        draft = Unread(str(error))
    if isinstance(draft, Unread):
        return _listed(material, draft.reason, weights, run)
    unread = len(facts) - sum(fact is not None for fact in shown)
    return replace(draft, notices=(*draft.notices, _UNREAD.format(unread, len(facts)))) if unread else draft


def _listed(material: Material, reason: str, weights: TermWeights, run: Run) -> Draft:
    run.emit(Defaulted("compose", reason, "the facts are listed as they stand"))
    draft = listed(material.question, material.facts, material.open, weights, enough=0.0)
    notice = f"The model composed no report ({reason}): the facts are listed as they stand."
    return replace(draft, notices=(*draft.notices, notice))


def _draft(report: Reported, shown: Sequence[Fact | None]) -> Draft:
    claims = tuple(claim for sentence in report.sentences if (claim := _claim(sentence, shown)))
    if report.sentences and not claims:
        raise Unreadable("no sentence of the reply rests on a fact")
    confidence = (COMPLETE if report.whole and not report.missing else PARTIAL) if claims else 0.0
    return Draft(claims, bool(claims), confidence, report.missing, () if report.whole else (CUT,))


def _claim(sentence: Sentence, shown: Sequence[Fact | None]) -> Claim | None:
    """The sentence with the places its facts cite; None for one that rests on no fact."""
    named = [shown[number - 1] for number in sentence.facts if number <= len(shown)]
    facts = [fact for fact in named if fact is not None] or _saying(sentence.text, shown)
    if not facts:
        return None
    places: dict[tuple[str, int, int], Citation] = {}
    for each in (citation for fact in facts for citation in fact.citations):
        places.setdefault((each.document_id, each.start, each.end), each)
    return Claim(sentence.text, tuple(places.values()), topic=sentence.heading, disputed=sentence.disagree)


def _saying(said: str, shown: Sequence[Fact | None]) -> list[Fact]:
    terms = set(analyse(said))
    shares = [
        (len(terms.intersection(analyse(fact.statement))) / len(terms), -at, fact)
        for at, fact in enumerate(shown)
        if fact is not None and terms
    ]
    best = max(shares, key=lambda one: one[:2], default=None)
    return [best[2]] if best is not None and best[0] >= SAYS else []
