"""Write with a model: sections around the evidence in, claims with places in them out.

passages -> packed and fenced -> claims with numbers and quotes -> citations -> Draft
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from leadline.errors import BudgetSpent
from leadline.events import Defaulted, Drafted
from leadline.llm.base import Chat, Request, Schema, Told
from leadline.llm.prompting import Prompts
from leadline.llm.structured import Unread, asked
from leadline.reasoning import model_claims
from leadline.reasoning.attributing import cited
from leadline.reasoning.base import Draft, Known, Passage
from leadline.reasoning.drafting import Drafting
from leadline.reasoning.model_claims import Written, Wrote
from leadline.reasoning.model_schemas import FLAG, WHOLE, many, record, text
from leadline.reasoning.model_showing import Shown, packed, reply_tokens, titled
from leadline.reasoning.quoting import quote_answer
from leadline.reasoning.reports import wants_report
from leadline.retrieval.base import TermWeights
from leadline.retrieval.sections import window
from leadline.run import Run
from leadline.types import Claim, Query

CHARACTERS = 40_000
SHORTEST = 800
"""A section is shown at least so much of, around what was found in it."""
TOKENS, REPORT_TOKENS = 2_048, 4_096
COMPLETE, PARTIAL = 0.9, 0.6
"""Confidence in an answer from documents that are said to answer all of the question, or a part."""
CUT = "The model's answer was cut short: what it had still to say is missing."
_CHECK_NOTES = (
    "The last document holds unverified notes of a machine: check them against the others, never cite it.\n"
)
_FAILED = "The last document lists the claims."
_BRIEF, _LONG = "briefly", "as a report of up to 20 sentences"
_CITES = many(record(n=WHOLE, quote=text(400)), 6)
_TEXT = text(model_claims.LONGEST)


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes and mends; quotes instead where the model gives nothing."""

    chat: Chat
    prompts: Prompts

    async def write(
        self,
        question: str,
        before: Sequence[Query],
        passages: Sequence[Passage],
        weights: TermWeights,
        run: Run,
        known: Sequence[Known] = (),
    ) -> Draft:
        """Claims that answer the question, in its language. "Not found" is an answer."""
        report = wants_report(question)
        notes = _notes(known)
        documents = self._shown("write", passages, run, notes)
        messages = self.prompts.messages(
            "write",
            question=question,
            known=_CHECK_NOTES if notes else "",
            documents=documents.text,
            rule=documents.rule,
            length=_LONG if report else _BRIEF,
        )
        most = reply_tokens(self.chat, REPORT_TOKENS if report else TOKENS)
        request = Request(
            messages, "write", _schema(20 if report else 10), documents.marker, most, purpose="write"
        )
        told = Drafting(lambda words: run.emit(Drafted(words)))
        read = [passages[place] for place in documents.places if place < len(passages)]
        written = await self._written(request, len(read), run, told)
        if isinstance(written, Unread):
            return self._quoted(question, before, passages, weights, run, written.reason, known)
        return _draft(written, read)

    async def mend(
        self, question: str, claims: Sequence[Claim], passages: Sequence[Passage], run: Run
    ) -> list[Claim | None]:
        """Claims that failed the check put right; None where the model has no better."""
        listed = "\n".join(
            f"{number}. {claim.text} (failed: {claim.note})" for number, claim in enumerate(claims, 1)
        )
        # A claim may be what a document told the model to say.
        documents = self._shown("mend", passages, run, ("Claims that failed", listed))
        messages = self.prompts.messages(
            "mend", question=question, claims=_FAILED, documents=documents.text, rule=documents.rule
        )
        most = reply_tokens(self.chat, TOKENS)
        request = Request(
            messages, "mend", _mend_schema(len(claims)), documents.marker, most, purpose="write"
        )
        read = [passages[place] for place in documents.places if place < len(passages)]
        written = await self._written(request, len(read), run)
        if isinstance(written, Unread):
            run.emit(Defaulted("mend", written.reason, "claims that failed are dropped or marked"))
            return [None] * len(claims)
        return _mended(claims, written, read)

    async def _written(
        self, request: Request, count: int, run: Run, told: Told | None = None
    ) -> Written | Unread:
        """What the model claims from `count` documents; a budget that is spent is no reply."""
        try:
            return await asked(
                self.chat,
                request,
                lambda reply: model_claims.read(reply, count),
                run,
                told,
                prompts=self.prompts,
                cut=lambda reply: model_claims.read_cut(reply, count),
            )
        except BudgetSpent as error:
            return Unread(str(error))

    def _shown(
        self, step: str, passages: Sequence[Passage], run: Run, last: tuple[str, str] | None = None
    ) -> Shown:
        longest = max(CHARACTERS // max(len(passages), 1), SHORTEST)
        pieces = [piece(passage, longest) for passage in passages]
        return packed(self.chat, step, pieces, CHARACTERS, run, last)

    def _quoted(
        self,
        question: str,
        before: Sequence[Query],
        passages: Sequence[Passage],
        weights: TermWeights,
        run: Run,
        reason: str,
        known: Sequence[Known],
    ) -> Draft:
        run.emit(Defaulted("write", reason, "the answer is quoted from the sources"))
        draft = quote_answer(question, before, passages, weights, known=known)
        notice = (
            f"The model wrote no answer ({reason}): every sentence is quoted from the sources as it stands."
        )
        return replace(draft, notices=(*draft.notices, notice))


def _schema(most: int) -> Schema:
    claims = many(record(text=_TEXT, cites=_CITES, disagree=FLAG), most)
    return Schema("answer", record(found=FLAG, claims=claims))


def _mend_schema(most: int) -> Schema:
    return Schema("mended", record(claims=many(record(id=WHOLE, text=_TEXT, cites=_CITES), most)))


def _notes(known: Sequence[Known]) -> tuple[str, str] | None:
    """What a chain has noted, as a document behind the others."""
    steps = [f"- {step.question} {step.answer}" for step in known if step.answer]
    return ("Unverified notes of a machine", "\n".join(steps)) if steps else None


def piece(passage: Passage, longest: int) -> tuple[str, str]:
    """The passage's title and text, at most `longest` of it around its evidence."""
    first, last = passage.evidence[0].chunk, passage.evidence[-1].chunk
    kept = max(first.start - passage.start, 0), min(last.end - passage.start, len(passage.text))
    start, end = window(passage.text, (0, len(passage.text)), kept, longest)
    return titled(first.title, first.heading_path), passage.text[start:end]


def _draft(written: Written, shown: Sequence[Passage]) -> Draft:
    claims = tuple(claim_of(wrote, shown) for wrote in written.claims)
    found = written.found and bool(claims)
    confidence = (COMPLETE if written.whole and not written.missing else PARTIAL) if found else 0.0
    notices = () if written.whole else (CUT,)
    return Draft(claims if found else (), found, confidence, written.missing, notices=notices)


def claim_of(wrote: Wrote, shown: Sequence[Passage]) -> Claim:
    """What was written, with the places in the passages shown that it cites."""
    citations = [
        citation
        for cite in wrote.cites
        for citation in cited(shown, [cite.number] if cite.number else [], cite.quote, wrote.text)
    ]
    if not wrote.cites:
        citations = cited(shown, [], "", wrote.text)
    return Claim(wrote.text, tuple(dict.fromkeys(citations)), disputed=wrote.disputed)


def _mended(claims: Sequence[Claim], written: Written, shown: Sequence[Passage]) -> list[Claim | None]:
    """By number; by place where the model gives none and left none out."""
    numbered = {wrote.number: wrote for wrote in written.claims if 1 <= wrote.number <= len(claims)}
    if not numbered and len(written.claims) == len(claims):
        numbered = dict(enumerate(written.claims, start=1))
    mended: list[Claim | None] = []
    for number, old in enumerate(claims, start=1):
        wrote = numbered.get(number)
        new = claim_of(wrote, shown) if wrote else None
        mended.append(replace(new, topic=old.topic, disputed=old.disputed or new.disputed) if new else None)
    return mended
