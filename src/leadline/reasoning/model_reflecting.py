"""Reflect with a model: does the evidence suffice, what is missing, what to search for next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.events import Defaulted
from leadline.llm.base import Chat, Request, Schema
from leadline.llm.json_text import Unreadable, json_in, mapping, spoken
from leadline.llm.prompting import Prompts
from leadline.llm.reading import first, texts
from leadline.llm.structured import Unread, asked
from leadline.llm.verdicts import truth, yes_or_no
from leadline.reasoning.base import Reflection
from leadline.reasoning.covering import chain_coverage, sought
from leadline.reasoning.model_queries import distinct, searchable
from leadline.reasoning.model_schemas import FLAG, record, text_list
from leadline.reasoning.model_showing import packed, reply_tokens, shown
from leadline.reasoning.reports import wants_report
from leadline.retrieval.base import TermWeights
from leadline.run import Run
from leadline.types import Evidence, Query

MISSING = 5
OPEN = 0.9
"""The most that evidence is said to cover that the model finds insufficient."""
ASKED = 20
TOKENS = 1_024
CHARACTERS = 16_000
_NAMES = ("queries", "questions", "next", "search")
_BIAS = " It asks for a report: unless every side of it is covered, it is not answered."


@dataclass(frozen=True, slots=True)
class Thought:
    """What the model says of the evidence."""

    sufficient: bool
    missing: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()


async def reflected(
    chat: Chat,
    prompts: Prompts,
    most: int,
    question: str,
    before: Sequence[Query],
    evidence: Sequence[Evidence],
    weights: TermWeights,
    run: Run,
) -> Reflection:
    """Coverage is 1 where the model finds the evidence sufficient, else what its words cover of the question. No
    evidence never suffices, whatever is said of it.

    Without a usable reply nothing more is searched for.
    """
    covered = chain_coverage(sought(question, weights), evidence[:10])
    request = _request(chat, prompts, most, question, before, evidence, run)
    thought = await asked(chat, request, lambda reply: read(reply, most), run, prompts=prompts)
    if isinstance(thought, Unread):
        run.emit(Defaulted("reflect", thought.reason, "nothing more is searched for"))
        return Reflection(min(covered, OPEN), (), ())
    if thought.sufficient and evidence:
        return Reflection(1.0, (), ())
    number = max((query.round for query in before), default=1) + 1
    new = distinct(thought.queries, [query.text for query in before])[:most]
    # Not "gap", which is names to follow: a question of its own ranks what it finds (recall@10 83 -> 93, see docs).
    gaps = tuple(Query(text, "follow", number) for text in new)
    return Reflection(min(covered, OPEN), thought.missing, gaps)


def _request(
    chat: Chat,
    prompts: Prompts,
    most: int,
    question: str,
    before: Sequence[Query],
    evidence: Sequence[Evidence],
    run: Run,
) -> Request:
    asked_before = distinct((query.text for query in before), [question])[-ASKED:]
    pieces = [shown(item.hit) for item in evidence]
    documents = packed(chat, "reflect", pieces, CHARACTERS, run)
    messages = prompts.messages(
        "reflect",
        question=question,
        asked="; ".join(asked_before) or "the question itself",
        documents=documents.text or "(no document was found)",
        rule=documents.rule,
        most=most,
        report=_BIAS if wants_report(question) else "",
    )
    schema = Schema("reflect", record(sufficient=FLAG, missing=text_list(MISSING), queries=text_list(most)))
    return Request(messages, "reflect", schema, documents.marker, reply_tokens(chat, TOKENS))


def read(reply: str, most: int) -> Thought:
    """What a reply says: an object, a bare list of queries, or only yes (it suffices) or no.

    >>> read('{"sufficient": "no", "missing": "the year", "queries": ["when was it built"]}', 3)
    Thought(sufficient=False, missing=('the year',), queries=('when was it built',))
    >>> read("[]", 3).sufficient, read("1. When was it built?", 3).queries
    (True, ('When was it built?',))
    """
    try:
        value = json_in(reply)
    except Unreadable:
        return _spoken(reply, most)
    if (said := mapping(value)) is not None:
        return _object(said, most)
    if isinstance(value, bool):
        return Thought(value)
    listed = searchable(texts(value, most))
    return Thought(not listed, (), listed)


def _object(said: Mapping[str, object], most: int) -> Thought:
    listed = searchable(_texts(first(said, _NAMES), most))
    missing = _texts(said.get("missing"), MISSING)
    flags = (truth(said.get(name)) for name in ("sufficient", "enough", "answered", "complete"))
    sufficient = next((flag for flag in flags if flag is not None), None)
    if sufficient is None:
        if not said.keys() & {"missing", *_NAMES}:
            raise Unreadable("the reply does not say whether the documents suffice")
        sufficient = not listed and not missing
    return Thought(sufficient, missing, () if sufficient else listed)


def _texts(value: object, most: int) -> tuple[str, ...]:
    """A list in an object that is good otherwise: one that cannot be read is none."""
    try:
        return texts([value] if isinstance(value, str) else value, most)
    except Unreadable:
        return ()


def _spoken(reply: str, most: int) -> Thought:
    try:
        listed = searchable(texts(reply, most))
    except Unreadable:
        return Thought(yes_or_no(reply))
    only = truth(listed[0] if len(listed) == 1 else spoken(reply)) if len(listed) < 2 else None
    if only is not None:
        return Thought(only)
    return Thought(not listed, (), listed)
