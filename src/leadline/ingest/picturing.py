"""Pictures inside documents, described by a model that can see, so that they can be found by what they show.

A description is indexed with its figure and is no part of the document's text: nothing of it can be quoted.

figures with a mark -> picture + text around it -> model -> description -> context and terms of the figure's chunk
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from leadline.analysis.terms import chunk_terms
from leadline.documents.base import Extracted, HeldPicture
from leadline.documents.figures import generated
from leadline.errors import BudgetSpent, Cancelled
from leadline.events import Defaulted, Notice
from leadline.ingest.entries import Prepared
from leadline.llm.base import Chat, Picture, Request
from leadline.llm.json_text import Unreadable, spoken
from leadline.llm.prompting import Prompts, fence
from leadline.llm.reading import declined
from leadline.llm.structured import Unread, asked
from leadline.run import Run, each
from leadline.types import Chunk

AROUND = 500
"""Characters before and after a picture that a model is shown."""
LONGEST = 1_200
SHORTEST = 15
GIVE_UP = 3
"""Pictures in a row without an answer, after which no other is asked for."""

_MARK = re.compile(r"\[picture [0-9a-f]{8}\]")


@dataclass(frozen=True, slots=True)
class Descriptions:
    """What was seen, by mark. `whole` is False where an answer may still be had another time."""

    texts: Mapping[str, str]
    whole: bool
    by: str

    def put_into(self, prepared: Prepared) -> Prepared:
        """The document with descriptions indexed beside its figures."""
        return replace(prepared, chunks=tuple(self._told(chunk) for chunk in prepared.chunks))

    def _told(self, chunk: Chunk) -> Chunk:
        texts = [self.texts[mark] for mark in _MARK.findall(chunk.text) if mark in self.texts]
        if not texts:
            return chunk
        context = f"{chunk.context}\n{generated(self.by, ' '.join(texts))}"
        terms = chunk_terms(chunk.text, title=chunk.title, headings=chunk.heading_path, context=context)
        # The context of a table is its header, which is shown above what is quoted of it.
        return replace(chunk, terms=terms, context=chunk.context if chunk.kind == "table" else context)


@dataclass(slots=True)
class Describer:
    """Looks at the pictures of one load, and counts what came of it."""

    chat: Chat
    prompts: Prompts
    run: Run
    described: int = 0
    missed: dict[str, int] = field(default_factory=dict[str, int])
    _failed: int = 0
    _over: str = ""

    @property
    def name(self) -> str:
        """The model's."""
        return self.chat.name

    async def __call__(self, read: Extracted) -> Descriptions:
        """The descriptions of a document's pictures. One without an answer is left out and counted."""
        whole = True
        texts: dict[str, str] = {}

        async def one(picture: HeldPicture) -> None:
            nonlocal whole
            seen, answered = await self._seen(picture, _around(read.text, picture.mark))
            whole = whole and answered
            if seen:
                texts[picture.mark] = seen

        await each(one, read.pictures)
        return Descriptions(texts, whole, self.name)

    def notices(self) -> tuple[Notice, ...]:
        """What a person should know at the end."""
        said = [f"Pictures that {self.name} described: {self.described}."] if self.described else []
        said += [f"Pictures not described: {count}. {reason}." for reason, count in self.missed.items()]
        return tuple(map(Notice, said))

    async def _seen(self, picture: HeldPicture, around: str) -> tuple[str, bool]:
        """The description, "" for none, and whether the model answered at all."""
        if self._over:
            return self._missed(self._over), False
        answered = False

        def read(reply: str) -> str:
            nonlocal answered
            answered = True
            return description(reply)

        try:
            found = await asked(
                self.chat, self._request(picture, around), read, self.run, prompts=self.prompts
            )
        except (BudgetSpent, Cancelled) as error:
            self._over = str(error)
            return self._missed(self._over), False
        if isinstance(found, Unread):
            self._failed += 1
            if self._failed >= GIVE_UP and not self.described:
                self._over = found.reason
            self.run.emit(
                Defaulted("describe", found.reason, "the picture is indexed by its own words alone")
            )
            return self._missed(found.reason), answered
        self._failed = 0
        self.described += 1
        return found, True

    def _missed(self, reason: str) -> str:
        reason = reason.rstrip(".")
        self.missed[reason] = self.missed.get(reason, 0) + 1
        return ""

    def _request(self, picture: HeldPicture, around: str) -> Request:
        fenced = fence([around])
        *before, last = self.prompts.messages("describe", documents=fenced.text, rule=fenced.rule)
        shown = replace(last, pictures=(Picture(picture.data, picture.media_type),))
        # A load writes no answer that some of its limits would have to be kept for.
        return Request((*before, shown), "describe", None, fenced.marker, max_tokens=500, purpose="write")


def description(reply: str) -> str:
    """What a reply says of a picture, on one line, bounded.

    >>> description("<think>hm</think>A line chart:\\n depth by year.")
    'A line chart: depth by year.'
    """
    text = " ".join(_MARK.sub("", spoken(reply)).split())
    if declined(text) or len(text) < SHORTEST:
        raise Unreadable("the reply describes no picture")
    return text if len(text) <= LONGEST else text[:LONGEST].rpartition(" ")[0]


def _around(text: str, mark: str) -> str:
    at = max(text.find(mark), 0)
    return _MARK.sub("", text[max(at - AROUND, 0) : at + AROUND]).strip() or "(no text)"
