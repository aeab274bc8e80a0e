"""Judge with a model: batches in parallel, no text twice for the same queries.

hits -> one entry a text -> those without a verdict -> batches -> verdicts -> one a hit
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from leadline.events import Defaulted
from leadline.llm.base import Chat, Request, Schema
from leadline.llm.json_text import Unreadable, json_in, listing, mapping
from leadline.llm.packing import FENCE
from leadline.llm.prompting import Prompts, fence
from leadline.llm.reading import first, indices, numbered
from leadline.llm.structured import Unread, asked
from leadline.llm.tokens import estimated_tokens
from leadline.llm.verdicts import truth, verdict
from leadline.reasoning.model_queries import distinct
from leadline.reasoning.model_schemas import WHOLE, many, record
from leadline.reasoning.model_showing import reply_tokens, room, shown
from leadline.reasoning.unjudged import by_score
from leadline.run import Run, raise_endings, settle
from leadline.types import Hit, Query, Verdict

TOKENS = 1_024
SPREAD = 0.5
"""The last of those kept is worth this much less than the first."""
_REMEMBERED = 5_000
_NAMES = ("useful", "relevant", "keep", "kept", "documents", "numbers", "answer")
_SCHEMA = Schema("judge", record(useful=many(WHOLE, 50)))

Key = tuple[str, frozenset[str], str]
"""The question, the queries, and the text that was judged for them."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Remembers what it has judged; made for one question."""

    chat: Chat
    prompts: Prompts
    batch: int = 10
    verdicts: dict[Key, Verdict] = field(default_factory=dict[Key, Verdict])

    async def __call__(
        self, question: str, queries: Sequence[Query], hits: Sequence[Hit], run: Run
    ) -> list[Verdict]:
        """One verdict per hit. Of a batch without a usable reply, good scores are kept.

        A budget that ends in the middle loses no verdict that was paid for; it is raised when there is none.
        """
        texts = frozenset(query.text for query in queries)
        keys = [(question, texts, " ".join(hit.chunk.text.split())) for hit in hits]
        if len(self.verdicts) > _REMEMBERED:
            self.verdicts.clear()
        unseen = {key: hit for key, hit in zip(keys, hits, strict=True) if key not in self.verdicts}
        best = max((hit.score for hit in hits), default=0.0)
        found = await self._unseen(question, queries, unseen, best, run)
        known = {**self.verdicts, **found}
        return [known[key] for key in keys]

    async def _unseen(
        self, question: str, queries: Sequence[Query], unseen: Mapping[Key, Hit], best: float, run: Run
    ) -> dict[Key, Verdict]:
        async def one(keys: Sequence[Key]) -> list[Verdict] | Unread:
            return await self._batch(question, queries, [unseen[key] for key in keys], run)

        # A small context holds fewer than a batch.
        tokens = sum(estimated_tokens("".join(shown(hit))) + FENCE for hit in unseen.values())
        count = max(-(-len(unseen) // self.batch), min(-(-tokens // room(self.chat)), len(unseen)))
        batches = in_batches(list(unseen), count)
        replies = await settle(one, batches, limit=max(len(batches), 1))
        raise_endings(replies)
        found: dict[Key, Verdict] = {}
        for keys, reply in zip(batches, replies, strict=True):
            if isinstance(reply, list):
                found |= dict(zip(keys, reply, strict=True))
                self.verdicts.update(zip(keys, reply, strict=True))
                continue
            reason = reply.reason if isinstance(reply, Unread) else str(reply)
            run.emit(Defaulted("judge", reason, f"{len(keys)} passages are judged by score"))
            found |= dict(zip(keys, by_score([unseen[key] for key in keys], best), strict=True))
        return found

    async def _batch(
        self, question: str, queries: Sequence[Query], hits: Sequence[Hit], run: Run
    ) -> list[Verdict] | Unread:
        alone = self.batch == 1
        fenced = fence([shown(hit) for hit in hits])
        parts = distinct((query.text for query in queries), [question])
        messages = self.prompts.messages(
            "judge_one" if alone else "judge",
            question=question,
            queries="; ".join(parts) or "none",
            documents=fenced.text,
            rule=fenced.rule,
        )
        request = Request(
            messages, "judge", None if alone else _SCHEMA, fenced.marker, reply_tokens(self.chat, TOKENS)
        )
        if alone:
            kept = await asked(self.chat, request, verdict, run, prompts=self.prompts)
            return kept if isinstance(kept, Unread) else [_verdict(0 if kept else None, 1)]
        useful = await asked(
            self.chat, request, lambda reply: read(reply, len(hits)), run, prompts=self.prompts
        )
        if isinstance(useful, Unread):
            return useful
        place = {number: at for at, number in enumerate(useful)}
        return [_verdict(place.get(number), len(useful)) for number in range(1, len(hits) + 1)]


def in_batches(keys: Sequence[Key], count: int) -> list[Sequence[Key]]:
    """`count` batches of nearly equal size: the longest one is what everybody waits for."""
    size, larger = divmod(len(keys), max(count, 1))
    batches: list[Sequence[Key]] = []
    start = 0
    for number in range(count):
        end = start + size + (number < larger)
        batches.append(keys[start:end])
        start = end
    return batches


def read(reply: str, count: int) -> tuple[int, ...]:
    """The numbers of the useful documents, best first, of a reply about `count` of them.

    >>> read('{"useful": [3, 1, 9]}', 3), read("[]", 3), read("1. YES\\n2. no\\n3. YES", 3), read('{"1": false, "2": true}', 2)
    ((3, 1), (), (1, 3), (2,))
    """
    try:
        value = json_in(reply)
    except Unreadable:
        return _accepted(numbered(reply, count))
    if (said := mapping(value)) is not None:
        if not said.keys() & set(_NAMES):
            return _accepted(numbered(said, count))
        value = first(said, _NAMES)
    if value == [] and "]" not in reply:
        raise Unreadable("the reply breaks off before its first number")
    return _listed(value, count)


def _listed(value: object, count: int) -> tuple[int, ...]:
    listed = listing(value)
    items = [value] if listed is None else listed
    if not items:
        return ()
    if any(isinstance(item, dict) for item in items) or (
        len(items) == count and all(truth(item) is not None and not _whole(item) for item in items)
    ):
        return _accepted(numbered(items, count))
    found = indices(items, count)
    if not found and not all(_nothing(item) for item in items):
        raise Unreadable(f"the reply names none of the documents 1 to {count}")
    return found


def _nothing(item: object) -> bool:
    """Whether it says "none"; null and an empty text are what is left of a reply that was cut."""
    return item == 0 or (
        isinstance(item, str) and item.strip().casefold() in {"none", "no", "nothing", "n/a"}
    )


def _whole(item: object) -> bool:
    return isinstance(item, int | float) and not isinstance(item, bool)


def _accepted(said: Mapping[int, object]) -> tuple[int, ...]:
    """Those said yes to, in order of number; in an object every flag has to say so."""
    return tuple(number for number, item in sorted(said.items()) if _accepts(item))


def _accepts(item: object) -> bool:
    if (said := mapping(item)) is not None:
        flags = [truth(value) for key, value in said.items() if key in _FLAGS]
        # An object in a list of the useful ones, without a word on whether it is, is there because it is.
        return all(flag is True for flag in flags)
    if isinstance(item, str):
        return verdict(item) or item.strip().casefold() in _ACCEPTED
    return truth(item) is True


_ACCEPTED = {"true", "y", "1", "useful", "relevant", "helpful"}
_FLAGS = {"useful", "relevant", "keep", "kept", "verdict", "answer", "helpful", "helps"}


def _verdict(place: int | None, kept: int) -> Verdict:
    if place is None:
        return Verdict(False, 0.0, "the model: does not help")
    return Verdict(True, 1.0 - SPREAD * place / kept, f"the model: helps ({place + 1} of {kept})")
