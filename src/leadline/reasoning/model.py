"""The reasoner with a language model: `smart` plans, reflects and writes, `fast` judges, notes, chooses and takes facts.

Every step ends in something usable: a reply, its one repair, or the step's safe default, which is told as an event.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.llm.base import Chat
from leadline.llm.prompting import Prompts
from leadline.reasoning import model_chain
from leadline.reasoning.base import Draft, FollowUp, Gaps, Known, Option, Passage, Plan, Reflection
from leadline.reasoning.model_composing import Material, composed
from leadline.reasoning.model_facts import extracted
from leadline.reasoning.model_gaps import found_gaps
from leadline.reasoning.model_judging import Judge
from leadline.reasoning.model_planning import planned
from leadline.reasoning.model_reflecting import reflected
from leadline.reasoning.model_rewriting import rewritten
from leadline.reasoning.model_writing import Writer
from leadline.reasoning.offline import OfflineReasoner
from leadline.retrieval.base import TermWeights
from leadline.run import Run
from leadline.types import Claim, Evidence, Fact, Hit, Query, Verdict


@dataclass(frozen=True, slots=True)
class ModelChoices:
    """`judge_batch` passages go into one call of the judge (1: each has its own, answered YES or NO); a reflection
    gives at most `gap_queries`, a fact loop at most `research_queries` a round."""

    judge_batch: int = 10
    gap_queries: int = 3
    research_queries: int = 3


class ModelReasoner:
    """Made for one question: it remembers verdicts, so that no text is judged twice for the same queries."""

    def __init__(
        self, smart: Chat, fast: Chat, prompts: Prompts | None = None, choices: ModelChoices | None = None
    ) -> None:
        self.smart = smart
        self.fast = fast
        self.prompts = prompts or Prompts()
        self.choices = choices or ModelChoices()
        self._offline = OfflineReasoner(gap_queries=self.choices.gap_queries)
        self._judge = Judge(fast, self.prompts, self.choices.judge_batch)
        self._writer = Writer(smart, self.prompts)

    @property
    def notice(self) -> str:
        """None: what an answer's reader must know comes with its draft."""
        return ""

    def ranks(self, question: str) -> bool:
        return False

    async def plan(self, question: str, weights: TermWeights, run: Run, *, simple: bool = False) -> Plan:
        """A simple question stays whole, and no model need be asked how to split it: rules take what is said around
        it away."""
        if simple:
            return await self._offline.plan(question, weights, run)
        return await planned(self.smart, self.prompts, question, run)

    async def rewrite(
        self, question: str, weights: TermWeights, run: Run, *, simple: bool = False
    ) -> tuple[Query, ...]:
        return await rewritten(self.fast, self.prompts, question, run, simple=simple)

    async def judge(
        self, question: str, queries: Sequence[Query], hits: Sequence[Hit], weights: TermWeights, run: Run
    ) -> list[Verdict]:
        return await self._judge(question, queries, hits, run)

    async def reflect(
        self,
        question: str,
        asked: Sequence[Query],
        evidence: Sequence[Evidence],
        weights: TermWeights,
        run: Run,
    ) -> Reflection:
        most = self.choices.gap_queries
        return await reflected(self.smart, self.prompts, most, question, asked, evidence, weights, run)

    async def follow_up(
        self,
        question: str,
        known: Sequence[Known],
        evidence: Sequence[Evidence],
        weights: TermWeights,
        run: Run,
    ) -> FollowUp:
        return await model_chain.follow_up(self.smart, self.prompts, question, known, run)

    async def note(self, question: str, hits: Sequence[Hit], weights: TermWeights, run: Run) -> Known:
        return await model_chain.note(self.fast, self.prompts, question, hits, weights, run)

    async def choose(
        self, question: str, options: Sequence[Option], run: Run, *, several: bool = False
    ) -> tuple[str, ...]:
        return await model_chain.choose(self.fast, self.prompts, question, options, run, several=several)

    async def write(
        self,
        question: str,
        asked: Sequence[Query],
        passages: Sequence[Passage],
        weights: TermWeights,
        run: Run,
        known: Sequence[Known] = (),
    ) -> Draft:
        return await self._writer.write(question, asked, passages, weights, run, known)

    async def mend(
        self,
        question: str,
        claims: Sequence[Claim],
        passages: Sequence[Passage],
        weights: TermWeights,
        run: Run,
    ) -> Sequence[Claim | None]:
        return await self._writer.mend(question, claims, passages, run)

    async def extract(
        self, question: str, passages: Sequence[Passage], weights: TermWeights, run: Run
    ) -> list[Claim]:
        return await extracted(self.fast, self.prompts, question, passages, weights, run)

    async def gaps(
        self, question: str, facts: Sequence[Fact], asked: Sequence[Query], weights: TermWeights, run: Run
    ) -> Gaps:
        most = self.choices.research_queries
        return await found_gaps(self.smart, self.prompts, most, question, facts, asked, weights, run)

    async def compose(
        self,
        question: str,
        facts: Sequence[Fact],
        open: Sequence[str],
        rounds: int,
        weights: TermWeights,
        run: Run,
    ) -> Draft:
        return await composed(self.smart, self.prompts, Material(question, facts, open, rounds), weights, run)
