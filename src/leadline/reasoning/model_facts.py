"""Facts with a model: the best passages of each page in, statements with their quotes out, in few calls.

passages -> as many to a call as its context takes, calls in parallel -> statements -> those that can be verified -> claims
"""

from collections.abc import Sequence

from leadline.events import Defaulted
from leadline.llm.base import Chat, Request, Schema
from leadline.llm.json_text import Unreadable
from leadline.llm.packing import FENCE
from leadline.llm.prompting import Prompts
from leadline.llm.structured import Unread, asked
from leadline.llm.tokens import estimated_tokens
from leadline.reasoning import model_claims
from leadline.reasoning.base import Passage
from leadline.reasoning.model_claims import Written
from leadline.reasoning.model_schemas import WHOLE, many, record, text
from leadline.reasoning.model_showing import packed, reply_tokens, room
from leadline.reasoning.model_writing import claim_of, piece
from leadline.reasoning.offline_facts import quoted_facts
from leadline.reasoning.verifiable import states
from leadline.retrieval.base import TermWeights
from leadline.run import Run, raise_endings, settle
from leadline.types import Claim
from leadline.web.base import PUBLISHED, URL

CHARACTERS = 24_000
"""Of passages in one call: a model that reads more at once overlooks more."""
PASSAGE = 2_400
"""Characters of one passage."""
TOKENS = 3_072
MOST = 30
_CITES = many(record(n=WHOLE, quote=text(400)), 6)
_SCHEMA = Schema("facts", record(facts=many(record(text=text(model_claims.LONGEST), cites=_CITES), MOST)))

Shown = tuple[str, str]


async def extracted(
    chat: Chat,
    prompts: Prompts,
    question: str,
    passages: Sequence[Passage],
    weights: TermWeights,
    run: Run,
) -> list[Claim]:
    """The facts of all passages, in their order. Passages of which the model gives nothing usable are quoted."""

    async def one(batch: Sequence[Passage]) -> list[Claim] | Unread:
        return await _stated(chat, prompts, question, batch, run)

    batches = batched(chat, passages)
    replies = await settle(one, batches, limit=max(len(batches), 1))
    raise_endings(replies)
    claims: list[Claim] = []
    for batch, reply in zip(batches, replies, strict=True):
        if isinstance(reply, list):
            claims += reply
            continue
        reason = reply.reason if isinstance(reply, Unread) else str(reply)
        run.emit(Defaulted("extract_facts", reason, f"{len(batch)} passages are quoted"))
        claims += quoted_facts(question, batch, weights)
    return claims


async def _stated(
    chat: Chat, prompts: Prompts, question: str, passages: Sequence[Passage], run: Run
) -> list[Claim] | Unread:
    documents = packed(chat, "extract_facts", [shown(each) for each in passages], CHARACTERS, run)
    messages = prompts.messages(
        "extract_facts", question=question, documents=documents.text, rule=documents.rule
    )
    request = Request(messages, "extract_facts", _SCHEMA, documents.marker, reply_tokens(chat, TOKENS))
    places = [passages[place] for place in documents.places]
    return await asked(
        chat,
        request,
        lambda reply: _claims(model_claims.read(reply, len(places)), places),
        run,
        prompts=prompts,
        cut=lambda reply: _claims(model_claims.read_cut(reply, len(places)), places),
    )


def _claims(written: Written, passages: Sequence[Passage]) -> list[Claim]:
    """What is said to be a fact, less what cannot be verified and what rests on nothing shown; where nothing is left, the
    reply was none."""
    claims = [claim_of(wrote, passages) for wrote in written.claims if states(wrote.text)]
    kept = [claim for claim in claims if claim.citations]
    if written.claims and not kept:
        raise Unreadable("no statement of the reply can be verified with the documents")
    return kept


def batched(chat: Chat, passages: Sequence[Passage]) -> list[Sequence[Passage]]:
    """The passages in as few calls as take them all whole, in order."""
    batches: list[list[Passage]] = []
    tokens = characters = 0
    for passage in passages:
        words = "".join(shown(passage))
        cost = estimated_tokens(words) + FENCE
        if not batches or tokens + cost > room(chat) or characters + len(words) > CHARACTERS:
            batches.append([])
            tokens = characters = 0
        batches[-1].append(passage)
        tokens, characters = tokens + cost, characters + len(words)
    return list(batches)


def shown(passage: Passage) -> Shown:
    """A passage as a model sees it: its title, then where and of when it is, and its text."""
    title, words = piece(passage, PASSAGE)
    metadata = passage.evidence[0].chunk.metadata
    told = [str(metadata[key]) for key in (URL, PUBLISHED) if metadata.get(key)]
    return title, "\n".join(part for part in (", ".join(told)[: PASSAGE // 4], words) if part)
