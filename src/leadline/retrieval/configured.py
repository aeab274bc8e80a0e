"""From the settings to a retriever over the collections of one store."""

from collections.abc import Sequence

from leadline.embeddings.base import Embedder
from leadline.retrieval.hybrid import HybridRetriever, RetrievalOptions
from leadline.retrieval.tuned import tuned
from leadline.settings import Settings
from leadline.store.base import Reading
from leadline.store.filter_names import missing_fields
from leadline.store.filters import Filter
from leadline.types import Collection


def retrieval_options(settings: Settings, where: Filter | None = None) -> RetrievalOptions:
    """What the retriever is told, from the settings and this call's filter."""
    how = settings.search
    return RetrievalOptions(how.pool, how.fusion, where=where, today=how.today, ef=how.ef)


def alike(collections: Sequence[Collection], embedder: Embedder | None) -> list[Collection]:
    """Those that this encoder can search too; without one, all."""
    return [each for each in collections if embedder is None or each.embedding == embedder.name]


async def retriever_of(
    settings: Settings,
    store: Reading,
    known: Sequence[Collection],
    wider: Sequence[Collection],
    embedder: Embedder | None,
    where: Filter | None = None,
    written: str = "",
) -> HybridRetriever:
    """Searches the `known` collections, and for a widened query the `wider` ones too. `written` is the filter as it
    was given."""
    options = tuned(retrieval_options(settings, where), known, settings.search.model_fields_set)
    names = tuple(each.name for each in known)
    fields = [one for name in names for one in await store.fields(name)] if where else []
    notices = missing_fields(where, written, names, fields) if where else ()
    others = tuple(each.name for each in wider)
    return HybridRetriever(store, names, embedder, options, others, (*notices, *await store.notices()))
