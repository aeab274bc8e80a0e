"""What an experiment runs with: the parts of a workspace, as they are configured."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from leadline import registry
from leadline.agents.configured import ask_options
from leadline.agents.options import AskOptions
from leadline.config import Settings
from leadline.embeddings.base import Embedder
from leadline.reasoning.base import Reasoner
from leadline.reranking.base import Reranker
from leadline.retrieval.configured import retrieval_options
from leadline.retrieval.hybrid import RetrievalOptions
from leadline.store.base import Store
from leadline.types import Collection
from leadline.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Setup:
    """`store` should be one of its own: sets become collections in it, and outdated ones are dropped.

    `reasoners` makes a new reasoner for each question, where they remember what they judged. `models` are the names of
    those that think, none without.
    """

    store: Store
    embedder: Embedder | None
    reasoner: Reasoner
    retrieval: RetrievalOptions = RetrievalOptions()
    ask: AskOptions = AskOptions()
    reranker: Reranker | None = None
    reasoners: Callable[[], Awaitable[Reasoner]] | None = None
    models: tuple[str, ...] = ()

    @property
    def embedding(self) -> str:
        """The name of the embedding, "none" without one."""
        return self.embedder.name if self.embedder else "none"

    @classmethod
    async def of(cls, workspace: Workspace, store: Store, collection: Collection | None = None) -> "Setup":
        """The parts of a workspace over this store; with a collection, the encoder that it was made with."""
        settings = workspace.settings
        return cls(
            store=store,
            embedder=await (
                workspace.encoders.searching([collection]) if collection else workspace.embedder()
            ),
            reasoner=await workspace.reasoner(),
            retrieval=retrieval_options(settings),
            ask=ask_options(settings),
            reranker=await workspace.reranker(),
            reasoners=workspace.reasoner,
            models=tuple(str(name) for name in (settings.model, settings.fast_model) if name),
        )

    async def new_reasoner(self) -> Reasoner:
        """One that remembers nothing of other questions."""
        return await self.reasoners() if self.reasoners else self.reasoner


def work_folder(settings: Settings) -> Path:
    """Where evaluations keep their collections and finished rows: apart from the user's own."""
    return settings.data / "evaluation"


@asynccontextmanager
async def opened(settings: Settings, *, read_only: bool = False) -> AsyncGenerator[Setup]:
    """A setup as `settings` say, its store open in the work folder; only one at a time can write."""
    own = settings.model_copy(update={"data": work_folder(settings)})
    store: Store = await registry.find("store", "lance")(own.data, read_only=read_only)
    try:
        async with Workspace(own) as workspace:
            yield await Setup.of(workspace, store)
    finally:
        await store.close()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one stage ("load", or a method's name) of one set is; `kept` of those done are rows of an earlier run."""

    set_name: str
    stage: str
    done: int
    total: int
    kept: int = 0


OnProgress = Callable[[Progress], None]


def unwatched(progress: Progress) -> None:
    """For callers that do not want to know."""
