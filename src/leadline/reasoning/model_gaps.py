"""Gaps with a model: what the facts leave open and what to search for next, in one call."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.events import Defaulted
from leadline.llm.base import Chat, Request, Schema
from leadline.llm.json_text import Unreadable, json_in, listing, mapping, spoken
from leadline.llm.prompting import Prompts
from leadline.llm.reading import first, texts
from leadline.llm.structured import Unread, asked
from leadline.llm.verdicts import truth
from leadline.reasoning.base import Gaps
from leadline.reasoning.model_queries import distinct, searchable
from leadline.reasoning.model_schemas import record, text_list
from leadline.reasoning.model_showing import packed, reply_tokens
from leadline.reasoning.offline_gaps import MOST, open_gaps
from leadline.retrieval.base import TermWeights
from leadline.run import Run
from leadline.types import Fact, Query

CHARACTERS = 24_000
TOKENS = 1_024
ASKED = 30
"""Queries asked before that a model is shown."""
_GAPS = ("gaps", "missing", "open", "unknown", "gap")
_QUERIES = ("queries", "questions", "next", "search", "searches", "follow_ups", "query", "question")
_NOTHING = re.compile(
    r"\W*(?:no|none|nothing)\b[^.\n]{0,80}\W*$|\W*(?:没有|无)[^。\n]{0,40}\W*$|\W*لا (?:توجد|يوجد|شيء)[^.\n]{0,80}\W*$",
    re.IGNORECASE,
)
"""A reply that says in words that nothing is open."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What the model says of the facts."""

    gaps: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()


async def found_gaps(
    chat: Chat,
    prompts: Prompts,
    most: int,
    question: str,
    facts: Sequence[Fact],
    before: Sequence[Query],
    weights: TermWeights,
    run: Run,
) -> Gaps:
    """At most three gaps, and at most `most` queries. Without a usable reply, what of the question no fact covers."""
    asked_before = distinct((query.text for query in before), ())[-ASKED:]
    searched = ("Searched for", "\n".join(asked_before))
    documents = packed(chat, "find_gaps", fact_pieces(facts), CHARACTERS, run, searched)
    messages = prompts.messages(
        "find_gaps", question=question, documents=documents.text, rule=documents.rule, most=most
    )
    schema = Schema("gaps", record(gaps=text_list(MOST), queries=text_list(most)))
    request = Request(messages, "find_gaps", schema, documents.marker, reply_tokens(chat, TOKENS))
    thought = await asked(chat, request, lambda reply: read(reply, most), run, prompts=prompts)
    if isinstance(thought, Unread):
        run.emit(Defaulted("find_gaps", thought.reason, "gaps are what of the question no fact covers"))
        return open_gaps(question, facts, before, weights)
    number = max((query.round for query in before), default=1) + 1
    return Gaps(thought.gaps, tuple(Query(text, "follow", number) for text in thought.queries))


def fact_pieces(facts: Sequence[Fact]) -> list[tuple[str, str]]:
    """Facts as a model sees them: above each the titles of its sources and the newest day they name."""
    found: list[tuple[str, str]] = []
    for fact in facts:
        titles = dict.fromkeys(each.title for each in fact.citations if each.title)
        against = f" (disagrees with {', '.join(map(str, fact.against))})" if fact.against else ""
        above = ", ".join(part for part in (*titles, fact.published) if part)
        found.append((above, f"{fact.statement}{against}"))
    return found


def read(reply: str, most: int) -> Thought:
    """What a reply says: an object with gaps and queries, a list of either or of pairs, or that nothing is open.

    >>> read('{"gaps": ["the year"], "queries": ["year of the mill"]}', 3)
    Thought(gaps=('the year',), queries=('year of the mill',))
    >>> read('[{"gap": "the year", "query": "when was it built"}]', 3), read("None.", 3)
    (Thought(gaps=('the year',), queries=('when was it built',)), Thought(gaps=(), queries=()))
    """
    try:
        value = json_in(reply)
    except Unreadable:
        if _NOTHING.match(spoken(reply)):
            return Thought()
        return _thought((), texts(reply, most), most)
    if (said := mapping(value)) is not None:
        return _object(said, most)
    items = listing(value)
    if items is None:
        raise Unreadable("the reply names neither gaps nor queries")
    pairs = [said for item in items if (said := mapping(item)) is not None]
    if pairs:
        return _thought(_each(pairs, _GAPS), _each(pairs, _QUERIES), most)
    return _thought((), texts(items, most), most)


def _object(said: Mapping[str, object], most: int) -> Thought:
    enough = [truth(said.get(name)) for name in ("sufficient", "enough", "complete", "done")]
    if not said.keys() & {*_GAPS, *_QUERIES}:
        if True in enough:
            return Thought()
        raise Unreadable("the reply names neither gaps nor queries")
    listed = listing(first(said, _GAPS)) or []
    pairs = [pair for item in listed if (pair := mapping(item)) is not None]
    if pairs:
        own = _each(pairs, _QUERIES) or _texts(first(said, _QUERIES), most)
        return _thought(_each(pairs, (*_GAPS, "text", "description", "aspect")), own, most)
    return _thought(_texts(first(said, _GAPS), MOST), _texts(first(said, _QUERIES), most), most)


def _thought(gaps: Sequence[str], queries: Sequence[str], most: int) -> Thought:
    """Queries without gaps are gaps; gaps without queries are searched for as they stand."""
    wanted = searchable(queries) or searchable(gaps)
    return Thought(tuple((gaps or wanted)[:MOST]), wanted[:most])


def _each(pairs: Sequence[Mapping[str, object]], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(text for pair in pairs for text in _texts(first(pair, names), MOST))


def _texts(value: object, most: int) -> tuple[str, ...]:
    """A list in an object that is good otherwise: one that cannot be read is none."""
    try:
        return texts([value] if isinstance(value, str) else value, most)
    except Unreadable:
        return ()
