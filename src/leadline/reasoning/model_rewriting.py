"""Rewrite with a model: the question in other words, and a passage that might answer it. Both are asked for at once.

Kept replies are shared by questions that differ in case, filler and punctuation alone.
"""

import re
from collections.abc import Awaitable, Callable

from leadline.errors import LeadlineError
from leadline.events import Defaulted
from leadline.llm.base import Chat, Message, Request, Schema
from leadline.llm.json_text import Unreadable, spoken
from leadline.llm.prompting import Prompts
from leadline.llm.reading import declined, fields, texts
from leadline.llm.structured import Unread, asked
from leadline.reasoning.model_queries import distinct, searchable
from leadline.reasoning.model_schemas import record, text_list
from leadline.reasoning.rewriting import like
from leadline.run import Run, raise_endings, settle
from leadline.types import Query

MOST = 3
LONGEST_PASSAGE = 1_200
"""Characters: encoders read no more of a text than about so many."""

_EXPAND = Schema("expand", record(queries=text_list(MOST)))
_NAMES = ("queries", "rewrites", "alternatives", "questions", "paraphrases")
_OPENING = re.compile(
    r"^(?:\*\*)?(?:sure|okay|certainly|of course|here(?: is|['’]s| are)|(?:hypothetical )?(?:passage|answer|document))\b[^\n:]{0,60}:(?:\*\*)?\s*",
    re.IGNORECASE,
)

Step = Callable[[], Awaitable[tuple[Query, ...]]]


async def rewritten(
    chat: Chat, prompts: Prompts, question: str, run: Run, *, simple: bool = False
) -> tuple[Query, ...]:
    """Other words for the question; unless it is `simple`, a passage too. A step without a usable reply gives none."""
    steps: list[Step] = [lambda: _expanded(chat, prompts, question, run)]
    if not simple:
        steps.append(lambda: _passage(chat, prompts, question, run))
    found = await settle(lambda step: step(), steps)
    raise_endings(found)
    return tuple(query for one in found if not isinstance(one, LeadlineError) for query in one)


async def _expanded(chat: Chat, prompts: Prompts, question: str, run: Run) -> tuple[Query, ...]:
    messages = prompts.messages("expand", question=question, most=MOST)
    request = Request(messages, "expand", _EXPAND, max_tokens=400, like=_like(messages, question))
    found = await asked(chat, request, _read, run, prompts=prompts)
    if not isinstance(found, Unread):
        # None is an answer, so it is not asked for again; whoever asked for other words should hear of it.
        found = distinct(found, [question]) or Unread("the reply has no other words for it")
    if isinstance(found, Unread):
        run.emit(Defaulted("expand", found.reason, "the question is searched for in its own words"))
        return ()
    return tuple(Query(text, "expanded") for text in found[:MOST])


async def _passage(chat: Chat, prompts: Prompts, question: str, run: Run) -> tuple[Query, ...]:
    messages = prompts.messages("hyde", question=question)
    request = Request(messages, "hyde", max_tokens=400, like=_like(messages, question))
    found = await asked(chat, request, passage, run, prompts=prompts)
    if isinstance(found, Unread):
        run.emit(Defaulted("hyde", found.reason, "no passage is compared with the documents"))
        return ()
    return (Query(found, "hyde"),)


def _like(messages: tuple[Message, ...], question: str) -> str:
    """What a cache knows the request by: the prompt without the question, and what the question comes down to."""
    return "\n".join([*(message.text.replace(question, "") for message in messages), like(question)])


def _read(reply: str) -> tuple[str, ...]:
    return searchable(texts(reply, 2 * MOST, _NAMES))


def passage(reply: str) -> str:
    """The passage of a reply, also of one that is JSON or says first what it gives.

    >>> passage("Here is a passage:\\nThe yard was founded by two brothers.")
    'The yard was founded by two brothers.'
    """
    said = spoken(reply).strip()
    if declined(said):
        raise Unreadable("the reply declines to answer")
    if said.startswith("{"):
        said = next((value for value in fields(reply).values() if isinstance(value, str)), "")
    said = " ".join(_OPENING.sub("", said).strip('"“”`').split())
    if not any(map(str.isalpha, said)):
        raise Unreadable("the reply is empty")
    return said[:LONGEST_PASSAGE]
