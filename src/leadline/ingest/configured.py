"""From the settings to what a load is told."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager

from leadline import registry
from leadline.cluster.opening import opened, options_of
from leadline.documents.base import Readers
from leadline.documents.splitting import SplitOptions
from leadline.embeddings.base import Embedder
from leadline.errors import ConfigError, UsageError
from leadline.ingest.loading import LoadOptions
from leadline.ingest.picturing import Describer
from leadline.ingest.spreading import SpreadGroups
from leadline.llm.base import Chat
from leadline.llm.prompting import Prompts
from leadline.run import Run
from leadline.settings import Settings
from leadline.types import IndexOptions, MetaValue

LOCAL = "local"


def picture_describer(settings: Settings, model: Chat | None, run: Run) -> Describer | None:
    """Whoever describes pictures in a load; None where nobody is to."""
    if not settings.load.describe_pictures:
        return None
    if model is None:
        raise ConfigError("`load.describe_pictures` needs a model that sees: set `model`, or leave it out.")
    return Describer(model, Prompts(settings.llm.prompts), run)


@asynccontextmanager
async def reading(
    settings: Settings, engine: str, embedder: Callable[[], Embedder] | None
) -> AsyncGenerator[Readers | SpreadGroups]:
    """Who reads files: processes beside this one, or the workers of a cluster, which embed with `embedder` too."""
    how = settings.load
    if engine not in (known := (LOCAL, *registry.names("cluster"))):
        raise UsageError(f"`engine` cannot be `{engine}`. It is `{'` or `'.join(known)}`.")
    if engine == LOCAL:
        pool = await asyncio.to_thread(registry.find, "reader", "pool")
        async with pool(processes(settings), how.seconds, how.memory_mb) as readers:
            yield readers
        return
    if how.describe_pictures:
        raise ConfigError("`load.describe_pictures` works in this process: leave it or `--engine` out.")
    async with opened(engine, options_of(settings)) as cluster:
        yield SpreadGroups(cluster, how.seconds, how.memory_mb, embedder)


def processes(settings: Settings) -> int:
    """How many processes read files."""
    return settings.load.workers or min(os.cpu_count() or 1, 8)


def load_options(
    settings: Settings,
    collection: str,
    metadata: Mapping[str, MetaValue],
    prune: bool,
    exclude: tuple[str, ...],
    passwords: tuple[str, ...],
) -> LoadOptions:
    """What the settings say, and what this load changes or adds."""
    how, graph = settings.load, settings.hnsw
    return LoadOptions(
        collection=collection,
        metadata=metadata,
        prune=prune,
        exclude=(*how.exclude, *exclude),
        passwords=passwords,
        max_file_mb=how.max_file_mb,
        ocr=how.ocr,
        split=SplitOptions(how.chunk_size, how.section_size),
        index=IndexOptions(graph.m, graph.ef_construction, graph.ef),
    )
