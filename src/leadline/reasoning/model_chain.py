"""A chain of simple questions with a model: what to ask next, what a step found, and choosing by number.

known -> follow-up question, or enough | hits of one step -> short answer and its supports | options -> numbers
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from leadline.events import Defaulted
from leadline.llm.base import Chat, Request, Schema
from leadline.llm.json_text import Unreadable, json_in, spoken
from leadline.llm.prompting import Fence, Prompts, fence
from leadline.llm.reading import declined, fields, first, indices, number_in
from leadline.llm.structured import Unread, asked
from leadline.llm.verdicts import truth
from leadline.reasoning.base import FollowUp, Known, Option
from leadline.reasoning.chaining import best_sentence, filled, repeats
from leadline.reasoning.model_queries import searchable
from leadline.reasoning.model_schemas import FLAG, WHOLE, many, record, text, text_list
from leadline.reasoning.model_showing import packed, shown
from leadline.retrieval.base import TermWeights
from leadline.retrieval.phrases import phrase, whole
from leadline.run import Run
from leadline.types import Hit

CHARACTERS = 16_000
LONGEST_ANSWER = 300
SUPPORTS = 0.2
"""The part of a question's weight that a sentence must hold to stand in for an answer nobody could read."""

_QUESTION_KEYS = ("question", "query", "follow_up", "followup", "next", "next_question")
_ANSWER_KEYS = ("answer", "intermediate_answer", "short_answer", "text")
_SUPPORT_KEYS = (
    "documents",
    "supported",
    "supports",
    "support",
    "sources",
    "evidence",
    "document",
    "numbers",
)
_ENOUGH = re.compile(
    r"\W*(?:enough|done|none|nothing(?: more)?|no (?:further|more) questions?|n/?a)\W*", re.IGNORECASE
)
_NOTHING = re.compile(
    r"\W*(?:none|null|n/?a|unknown|not (?:found|known|stated|given|available|mentioned|specified)|no answer|nothing"
    r"|(?:there is |the documents? (?:hold|contain|have|has) )?(?:no|nothing) (?:relevant |useful )?(?:information|useful|answer)?"
    r"(?: (?:was )?found)?|no relevant information(?: found)?)?\W*",
    re.IGNORECASE,
)
_FOLLOW_UP = Schema("follow_up", record(steps=text_list(5), enough=FLAG))
_NOTE = Schema("note", record(answer=text(LONGEST_ANSWER), documents=many(WHOLE, 20)))
_CHOICE = Schema("choose_collections", record(collections=many(WHOLE, 50)))


async def follow_up(
    chat: Chat, prompts: Prompts, question: str, known: Sequence[Known], run: Run
) -> FollowUp:
    """The next question. Without a usable reply the question itself opens the chain, and nothing goes on with it."""
    # The answers are a model's, or sentences of documents: data either way.
    fenced = fence([transcript(known)]) if known else Fence("nothing yet", "")
    rule = fenced.rule if known else ""
    messages = prompts.messages("follow_up", question=question, known=fenced.text, rule=rule)
    request = Request(messages, "follow_up", _FOLLOW_UP, fenced.marker, max_tokens=300)
    found = await asked(chat, request, lambda reply: _next(reply, known), run, prompts=prompts)
    if not isinstance(found, Unread):
        return found
    instead = "no further question is asked" if known else "the question is searched for as it stands"
    run.emit(Defaulted("follow_up", found.reason, instead))
    return FollowUp("" if known else question)


async def note(
    chat: Chat, prompts: Prompts, question: str, hits: Sequence[Hit], weights: TermWeights, run: Run
) -> Known:
    """The short answer and the chunks that support it; without a usable reply the sentence that comes closest."""
    if not hits:
        return Known(question, "")
    documents = packed(chat, "note", list(map(shown, hits)), CHARACTERS, run)
    read = [hits[place] for place in documents.places]
    messages = prompts.messages("note", question=question, documents=documents.text, rule=documents.rule)
    request = Request(messages, "note", _NOTE, documents.marker, max_tokens=300)
    found = await asked(chat, request, lambda reply: _noted(reply, len(read)), run, prompts=prompts)
    if isinstance(found, Unread):
        run.emit(Defaulted("note", found.reason, "the sentence closest to the question stands for an answer"))
        return best_sentence(question, hits, weights, SUPPORTS)
    answer, numbers = found
    supported = [read[number - 1].chunk.id for number in numbers] or _holding(answer, read)
    return Known(question, answer if supported else "", tuple(dict.fromkeys(supported)))


def _holding(answer: str, hits: Sequence[Hit]) -> list[str]:
    """The chunks that have an answer word for word, where the model names none. An answer that no document has is the
    model's own."""
    words = phrase(answer)
    return [hit.chunk.id for hit in hits if words.strip() and words in whole(hit.chunk)]


async def choose(
    chat: Chat, prompts: Prompts, question: str, options: Sequence[Option], run: Run, *, several: bool = False
) -> tuple[str, ...]:
    """The names that suit, of `options`; none when no choice can be read."""
    step = "choose_collections" if several else "choose_agent"
    messages = prompts.messages(step, question=question, options=_listed(options))
    request = Request(messages, step, _CHOICE if several else None, max_tokens=300 if several else 200)
    read: Callable[[str], tuple[int, ...]] = (
        (lambda reply: _several(reply, options)) if several else (lambda reply: (_one(reply, options),))
    )
    found = await asked(chat, request, read, run, prompts=prompts)
    if isinstance(found, Unread):
        run.emit(
            Defaulted(step, found.reason, "all are searched" if several else "the question's shape decides")
        )
        return ()
    return tuple(options[number - 1].name for number in found)


def transcript(known: Sequence[Known]) -> str:
    """What was asked and answered so far, one line a step.

    >>> transcript([Known("Who built it?", "Ada", ("c1",)), Known("When?", "")])
    '1. Who built it? -> Ada\\n2. When? -> nothing useful was found'
    """
    lines = [
        f"{number}. {_line(step.question)} -> {_line(step.answer) or 'nothing useful was found'}"
        for number, step in enumerate(known, start=1)
    ]
    return "\n".join(lines) or "nothing yet"


def _line(text: str) -> str:
    return " ".join(text.split())[:LONGEST_ANSWER]


def _listed(options: Sequence[Option]) -> str:
    return "\n".join(
        f"{number}. {_line(option.name)}: {_line(option.description)}"
        for number, option in enumerate(options, start=1)
    )


def _next(reply: str, known: Sequence[Known]) -> FollowUp:
    """What to ask next, with references to steps filled in. One that was asked before is not a reply."""
    try:
        said = fields(reply)
    except Unreadable:
        return _spoken_next(reply, known)
    if truth(said.get("enough")) is True:
        return FollowUp("", enough=True)
    steps = said.get("steps")
    value = _next_step(cast("list[object]", steps), known) if isinstance(steps, list) else None
    if value is None:
        value = first(said, _QUESTION_KEYS)
        value = filled(value, known) if isinstance(value, str) else ""
    asking = " ".join(value.split())
    if not asking:
        raise Unreadable("the reply has neither a question nor enough")
    if _ENOUGH.fullmatch(asking):
        return FollowUp("", enough=True)
    return FollowUp(_askable(asking, known))


def _next_step(steps: Sequence[object], known: Sequence[Known]) -> str | None:
    """The first step that was not asked yet, with the answers of those before it put in; None where no step is left.

    A small model lists all steps each time: those that are known already say what the others refer to.
    """
    answered: list[Known] = []
    for step in (each for each in steps if isinstance(each, str)):
        asking = filled(step, answered)
        same = next((one for one in known if repeats(asking, [one])), None)
        if same is None:
            return asking
        answered.append(same)
    if answered:
        raise Unreadable("every step was asked before")
    return None


def _spoken_next(reply: str, known: Sequence[Known]) -> FollowUp:
    """A reply that is no JSON: its last line that asks something, or that it is enough."""
    said = spoken(reply).strip()
    if _ENOUGH.fullmatch(said):
        return FollowUp("", enough=True)
    lines = [line.strip(" \t*-\"'`“”#") for line in said.splitlines()]
    asking = [line for line in lines if line.endswith(("?", "？", "؟"))]
    if declined(said) or not asking:
        raise Unreadable("the reply holds no question")
    return FollowUp(_askable(filled(asking[-1].split(": ", 1)[-1], known), known))


def _askable(text: str, known: Sequence[Known]) -> str:
    if not searchable([text]):
        raise Unreadable("the question holds a placeholder where a name must stand")
    if repeats(text, known):
        raise Unreadable("the question was asked before")
    return searchable([text])[0]


def _noted(reply: str, count: int) -> tuple[str, tuple[int, ...]]:
    """A short answer and the numbers of its documents; no answer is supported by none."""
    try:
        said: Mapping[str, object] = fields(reply)
    except Unreadable:
        return _spoken_note(reply, count)
    key = next((key for key in _ANSWER_KEYS if key in said), None)
    if key is None:
        raise Unreadable("the reply has no answer")
    value = said[key]
    if isinstance(value, list):
        value = ", ".join(str(item) for item in cast("list[object]", value))
    answer = _answer("" if value is None or isinstance(value, dict) else str(cast("object", value)))
    numbers = indices(first(said, _SUPPORT_KEYS), count)
    return (answer, numbers) if answer else ("", ())


def _spoken_note(reply: str, count: int) -> tuple[str, tuple[int, ...]]:
    """A reply that is no JSON: its words, and the documents it names in brackets."""
    said = spoken(reply).strip()
    if not said or declined(said):
        raise Unreadable("the reply is no answer")
    marked = re.findall(r"\[(\d{1,3})\]|\b[Dd]ocuments?\s+(\d{1,3})", said)
    numbers = tuple(dict.fromkeys(n for pair in marked if 1 <= (n := int(pair[0] or pair[1])) <= count))
    answer = _answer(re.sub(r"\s*\[\d{1,3}\]", "", said))
    if answer and not numbers:
        raise Unreadable("the reply does not say which documents support it")
    return (answer, numbers) if answer else ("", ())


def _answer(text: str) -> str:
    text = _line(text)
    return "" if _NOTHING.fullmatch(text) else text


def _one(reply: str, options: Sequence[Option]) -> int:
    """The number that a reply picks, or that of the only option it names."""
    try:
        return number_in(reply, len(options))
    except Unreadable:
        named = _named(spoken(reply), options)
        if len(named) != 1:
            raise
        return named[0]


def _several(reply: str, options: Sequence[Option]) -> tuple[int, ...]:
    """Numbers, or names, of what a reply picks; what is not on the list is dropped."""
    try:
        value = json_in(reply)
    except Unreadable:
        value = spoken(reply)
    if isinstance(value, dict):
        value = next(iter(cast("dict[str, object]", value).values()), ())
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    names = [name for item in items if isinstance(item, str) for name in _named(item, options)]
    found = names or [number for item in items for number in indices(item, len(options))]
    if not found and items:
        raise Unreadable("the reply picks nothing that is on the list")
    return tuple(dict.fromkeys(found))


def _named(said: str, options: Sequence[Option]) -> list[int]:
    """The options whose names stand in a text as whole words."""
    text = said.casefold()
    return [
        number
        for number, option in enumerate(options, start=1)
        if re.search(rf"(?<!\w){re.escape(option.name.casefold())}(?!\w)", text)
    ]
