"""The reasoner without a model: retrieval statistics, rules, and the sources' own sentences.

Deterministic, and it never invents a sentence: what it writes are quotes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.reasoning.base import Draft, FollowUp, Gaps, Known, Option, Passage, Plan, Reflection
from leadline.reasoning.bridging import NAMES_PER_QUERY, gap_queries, leads
from leadline.reasoning.chaining import best_sentence, next_question
from leadline.reasoning.covering import Sought, chain_coverage, missing, sought
from leadline.reasoning.offline_facts import listed, quoted_facts, ranked_facts
from leadline.reasoning.offline_gaps import open_gaps
from leadline.reasoning.planning import plan_queries
from leadline.reasoning.quoting import ANSWERED, quote_answer
from leadline.reasoning.topics import is_named
from leadline.retrieval.base import TermWeights
from leadline.retrieval.phrases import aboutness, phrase
from leadline.retrieval.scoring import answered
from leadline.run import Run
from leadline.types import Claim, Evidence, Fact, Hit, Query, Verdict


@dataclass(frozen=True, slots=True)
class OfflineReasoner:
    """Thresholds are shares of the best score and of the question's term weight, both 0 to 1."""

    keep_score: float = 0.25
    keep_coverage: float = 0.2
    gap_queries: int = 3
    answered: float = ANSWERED

    @property
    def notice(self) -> str:
        return "Answered without a language model: every sentence is quoted from the sources, or marked as computed."

    def ranks(self, question: str) -> bool:
        return is_named(question)

    async def plan(self, question: str, weights: TermWeights, run: Run, *, simple: bool = False) -> Plan:
        return Plan(plan_queries(question))

    async def rewrite(
        self, question: str, weights: TermWeights, run: Run, *, simple: bool = False
    ) -> tuple[Query, ...]:
        return ()

    async def judge(
        self, question: str, queries: Sequence[Query], hits: Sequence[Hit], weights: TermWeights, run: Run
    ) -> list[Verdict]:
        """Keep what a name led to, what is about a name being followed, and what covers enough of the question."""
        asked = sought(question, weights)
        best = max((hit.score for hit in hits), default=0.0) or 1.0
        followed = {phrase(lead.name): lead.name for query in queries for lead in query.leads}
        return [self._verdict(hit, hit.score / best, asked, followed) for hit in hits]

    async def reflect(
        self,
        question: str,
        asked: Sequence[Query],
        evidence: Sequence[Evidence],
        weights: TermWeights,
        run: Run,
    ) -> Reflection:
        """Follow the rarest names of the best evidence; say which words of the question are still open.

        Where recall has followed names itself, doing so again was measured to add nothing.
        """
        seen = sought(question, weights)
        number = max((query.round for query in asked), default=1) + 1
        followed = any(item.hit.parent for item in evidence)
        most = 0 if followed else self.gap_queries * NAMES_PER_QUERY
        found = leads(question, asked, evidence, weights, most)
        return Reflection(
            coverage=chain_coverage(seen, evidence[:10]),
            missing=missing(
                seen,
                [item.chunk for item in evidence],
                frozenset(t for e in evidence for t in answered(e.hit)),
            ),
            queries=tuple(gap_queries(found, number, self.gap_queries)),
        )

    async def follow_up(
        self,
        question: str,
        known: Sequence[Known],
        evidence: Sequence[Evidence],
        weights: TermWeights,
        run: Run,
    ) -> FollowUp:
        """The question's own parts first, then the names that the evidence leads to."""
        return FollowUp(next_question(question, known, evidence, weights))

    async def note(self, question: str, hits: Sequence[Hit], weights: TermWeights, run: Run) -> Known:
        """The one sentence that answers most of the question."""
        return best_sentence(question, hits, weights)

    async def choose(
        self, question: str, options: Sequence[Option], run: Run, *, several: bool = False
    ) -> tuple[str, ...]:
        """None: rules choose where no model does."""
        return ()

    async def write(
        self,
        question: str,
        asked: Sequence[Query],
        passages: Sequence[Passage],
        weights: TermWeights,
        run: Run,
        known: Sequence[Known] = (),
    ) -> Draft:
        return quote_answer(question, asked, passages, weights, self.answered)

    async def mend(
        self,
        question: str,
        claims: Sequence[Claim],
        passages: Sequence[Passage],
        weights: TermWeights,
        run: Run,
    ) -> Sequence[Claim | None]:
        """A quote that fails the check is not a quote: nothing to put right."""
        return [None] * len(claims)

    async def extract(
        self, question: str, passages: Sequence[Passage], weights: TermWeights, run: Run
    ) -> list[Claim]:
        """Sentences that state something, as they stand."""
        how = ranked_facts if is_named(question) else quoted_facts
        return how(question, passages, weights)

    async def gaps(
        self, question: str, facts: Sequence[Fact], asked: Sequence[Query], weights: TermWeights, run: Run
    ) -> Gaps:
        """The parts and words of the question that no fact covers, then names that the facts bring up."""
        return open_gaps(question, facts, asked, weights)

    async def compose(
        self,
        question: str,
        facts: Sequence[Fact],
        open: Sequence[str],
        rounds: int,
        weights: TermWeights,
        run: Run,
    ) -> Draft:
        """The facts themselves, in sections."""
        return listed(question, facts, open, weights, self.answered)

    def _verdict(self, hit: Hit, relative: float, asked: Sought, followed: dict[str, str]) -> Verdict:
        held = asked.held([*hit.chunk.terms.split(), *answered(hit)])
        share = asked.share(held)
        about = [name for key, name in followed.items() if aboutness(key, hit.chunk) >= 0.6]
        words = ", ".join(sorted(held, key=lambda term: (-asked.shares[term], term))[:4])
        if about:
            return Verdict(True, max(share, 0.5), f"is about {about[0]}")
        if hit.parent:
            return Verdict(True, max(share, 0.5), f"found through {hit.name or 'a link'}")
        if share >= self.keep_coverage or (relative >= self.keep_score and share > 0):
            return Verdict(True, share, f"covers {share:.0%} of the question: {words}")
        return Verdict(
            False, share, f"covers only {share:.0%} of the question" + (f": {words}" if words else "")
        )
