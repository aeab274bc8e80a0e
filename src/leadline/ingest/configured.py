"""From the settings to what a load is told."""

from collections.abc import Mapping

from leadline.documents.splitting import SplitOptions
from leadline.ingest.loading import LoadOptions
from leadline.settings import Settings
from leadline.types import IndexOptions, MetaValue


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
