"""Plan with a model: the question itself, and the sub-questions it falls into."""

from leadline.events import Defaulted
from leadline.llm.base import Chat, Request, Schema
from leadline.llm.prompting import Prompts
from leadline.llm.reading import texts
from leadline.llm.structured import Unread, asked
from leadline.reasoning.base import Plan
from leadline.reasoning.model_queries import distinct, searchable
from leadline.reasoning.model_schemas import record, text_list
from leadline.reasoning.model_showing import reply_tokens
from leadline.run import Run
from leadline.types import Query

MOST = 4
TOKENS = 1_024
_SCHEMA = Schema("plan", record(queries=text_list(MOST)))


async def planned(chat: Chat, prompts: Prompts, question: str, run: Run) -> Plan:
    """The original question first, then at most four sub-queries; without a usable reply the question alone."""
    original = Query(question.strip())
    messages = prompts.messages("plan", question=original.text, most=MOST)
    request = Request(messages, "plan", _SCHEMA, max_tokens=reply_tokens(chat, TOKENS))
    found = await asked(chat, request, _read, run, prompts=prompts)
    if isinstance(found, Unread):
        run.emit(Defaulted("plan", found.reason, "the question is searched for as it stands"))
        return Plan((original,))
    return Plan((original, *(Query(text, "sub") for text in distinct(found, [original.text])[:MOST])))


def _read(reply: str) -> tuple[str, ...]:
    return searchable(texts(reply, 2 * MOST))
