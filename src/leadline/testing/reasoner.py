"""A reasoner that says what a test tells it to say."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from leadline.reasoning.base import Draft, FollowUp, Gaps, Known, Option, Passage, Plan, Reflection
from leadline.reasoning.offline_facts import stated
from leadline.reasoning.placing import citation_of
from leadline.retrieval.base import TermWeights
from leadline.run import Run
from leadline.types import Chunk, Claim, Evidence, Fact, Hit, Query, Verdict

NO_GAPS = Reflection(coverage=1.0, missing=(), queries=())


def keep_all(hits: Sequence[Hit]) -> list[Verdict]:
    """Keep every hit at its own score."""
    return [Verdict(True, hit.score, "kept by script") for hit in hits]


def quote_all(passages: Sequence[Passage]) -> Draft:
    """One claim for each piece of evidence, quoting its chunk whole; not found when there is none."""
    claims = tuple(_quote(piece.chunk) for passage in passages for piece in passage.evidence)
    return Draft(claims, bool(claims), float(bool(claims)))


def _quote(chunk: Chunk) -> Claim:
    citation = citation_of(chunk, chunk.text, chunk.start, chunk.end)
    return Claim(chunk.text, (citation,), "quoted")


def each_fact(facts: Sequence[Fact]) -> Draft:
    """One claim for each fact; not found when there is none."""
    return Draft(tuple(map(stated, facts)), bool(facts), float(bool(facts)), None)


@dataclass(slots=True)
class ScriptedReasoner:
    """Plans, judges, reflects and writes by script, and remembers in `asked` what it was given.

    `plans` are the sub-queries that join the original question. `verdicts` is a callable over the hits, or
    a mapping from chunk id to "keep this?" (True when absent). `reflections` are used up in order, one a
    round, then nothing is missing. `drafts` is a callable over the passages. An exception given in place
    of a reflection is raised there. `rewrites` join the plan, `follow_ups` are a chain's questions in order, `notes`
    the short answers to them (resting on the first hit), `choices` what is chosen of any options that have them,
    `mends` what becomes of claims that failed the check. `facts` is a callable over the passages (each quoted whole, when
    left out), `open` gaps used up in order, one a round, then none is left, `reports` a callable over the facts.
    """

    plans: Sequence[str] = ()
    verdicts: Callable[[Sequence[Hit]], list[Verdict]] | Mapping[str, bool] = keep_all
    reflections: Sequence[Reflection | Exception] = ()
    drafts: Callable[[Sequence[Passage]], Draft] = quote_all
    notice: str = ""
    rewrites: Sequence[Query] = ()
    follow_ups: Sequence[str] = ()
    notes: Mapping[str, str] = field(default_factory=dict[str, str])
    choices: Sequence[str] = ()
    mends: Mapping[str, Claim] = field(default_factory=dict[str, Claim])
    facts: Callable[[Sequence[Passage]], Sequence[Claim]] = lambda passages: quote_all(passages).claims
    open: Sequence[Gaps | Exception] = ()
    reports: Callable[[Sequence[Fact]], Draft] = each_fact
    asked: list[tuple[str, Any]] = field(default_factory=list[tuple[str, Any]])

    def calls(self, step: str) -> list[Any]:
        """What `step` ("plan", "judge", "reflect", "write") was given, call by call."""
        return [given for name, given in self.asked if name == step]

    def ranks(self, question: str) -> bool:
        return False

    async def plan(self, question: str, weights: TermWeights, run: Run, *, simple: bool = False) -> Plan:
        """The question itself, then the scripted sub-queries."""
        self.asked.append(("plan", question))
        return Plan((Query(question), *(Query(text, "sub") for text in self.plans)))

    async def judge(
        self, question: str, queries: Sequence[Query], hits: Sequence[Hit], weights: TermWeights, run: Run
    ) -> list[Verdict]:
        """The scripted verdicts."""
        self.asked.append(("judge", tuple(hits)))
        if callable(self.verdicts):
            return self.verdicts(hits)
        keep = self.verdicts
        return [Verdict(keep.get(hit.chunk.id, True), hit.score, "by script") for hit in hits]

    async def rewrite(
        self, question: str, weights: TermWeights, run: Run, *, simple: bool = False
    ) -> tuple[Query, ...]:
        """The scripted rewrites."""
        self.asked.append(("rewrite", question))
        return tuple(self.rewrites)

    async def follow_up(
        self,
        question: str,
        known: Sequence[Known],
        evidence: Sequence[Evidence],
        weights: TermWeights,
        run: Run,
    ) -> FollowUp:
        """The next scripted follow-up; after the last, enough is known."""
        self.asked.append(("follow_up", tuple(known)))
        done = len(known)
        return FollowUp(self.follow_ups[done]) if done < len(self.follow_ups) else FollowUp("", enough=True)

    async def note(self, question: str, hits: Sequence[Hit], weights: TermWeights, run: Run) -> Known:
        """The scripted answer, supported by the first hit."""
        self.asked.append(("note", (question, tuple(hits))))
        answer = self.notes.get(question, "")
        return Known(question, answer, tuple(hit.chunk.id for hit in hits[:1]) if answer else ())

    async def choose(
        self, question: str, options: Sequence[Option], run: Run, *, several: bool = False
    ) -> tuple[str, ...]:
        """Those of the scripted choices that are among the options."""
        self.asked.append(("choose", tuple(options)))
        names = {option.name for option in options}
        return tuple(name for name in self.choices if name in names)

    async def reflect(
        self,
        question: str,
        asked: Sequence[Query],
        evidence: Sequence[Evidence],
        weights: TermWeights,
        run: Run,
    ) -> Reflection:
        """The next scripted reflection."""
        done = len(self.calls("reflect"))
        self.asked.append(("reflect", (tuple(asked), tuple(evidence))))
        scripted = self.reflections[done] if done < len(self.reflections) else NO_GAPS
        if isinstance(scripted, Exception):
            raise scripted
        return scripted

    async def write(
        self,
        question: str,
        asked: Sequence[Query],
        passages: Sequence[Passage],
        weights: TermWeights,
        run: Run,
        known: Sequence[Known] = (),
    ) -> Draft:
        """The scripted draft."""
        if known:
            self.asked.append(("known", tuple(known)))
        self.asked.append(("write", (tuple(asked), tuple(passages))))
        return self.drafts(passages)

    async def mend(
        self,
        question: str,
        claims: Sequence[Claim],
        passages: Sequence[Passage],
        weights: TermWeights,
        run: Run,
    ) -> Sequence[Claim | None]:
        """The scripted mends, by the text of the claim; none where the script has none."""
        self.asked.append(("mend", tuple(claims)))
        return [self.mends.get(claim.text) for claim in claims]

    async def extract(
        self, question: str, passages: Sequence[Passage], weights: TermWeights, run: Run
    ) -> list[Claim]:
        """The scripted facts."""
        self.asked.append(("extract", tuple(passages)))
        return list(self.facts(passages))

    async def gaps(
        self, question: str, facts: Sequence[Fact], asked: Sequence[Query], weights: TermWeights, run: Run
    ) -> Gaps:
        """The next scripted gaps."""
        done = len(self.calls("gaps"))
        self.asked.append(("gaps", (tuple(facts), tuple(asked))))
        scripted = self.open[done] if done < len(self.open) else Gaps()
        if isinstance(scripted, Exception):
            raise scripted
        return scripted

    async def compose(
        self,
        question: str,
        facts: Sequence[Fact],
        open: Sequence[str],
        rounds: int,
        weights: TermWeights,
        run: Run,
    ) -> Draft:
        """The scripted report."""
        self.asked.append(("compose", (tuple(facts), tuple(open), rounds)))
        return self.reports(facts)
