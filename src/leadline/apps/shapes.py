"""The JSON shapes of results, one place for every door."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from leadline.ingest import LoadReport
from leadline.retrieval.base import Results
from leadline.types import Collection, Hit


def load_report(report: LoadReport) -> dict[str, Any]:
    """Counts, then every file."""
    return {
        "loaded": report.loaded,
        "unchanged": report.unchanged,
        "skipped": report.skipped,
        "failed": report.failed,
        "removed": report.removed,
        "chunks": report.chunks,
        "bytes": report.bytes,
        "seconds": round(report.seconds, 3),
        "files": [asdict(file) for file in report.files],
    }


def results(found: Results) -> dict[str, Any]:
    """Hits best first, how many each path gave, and what to know."""
    return {
        "hits": [hit(each, rank) for rank, each in enumerate(found.hits, start=1)],
        "paths": dict(found.paths),
        "notices": list(found.notices),
    }


def hit(found: Hit, rank: int) -> dict[str, Any]:
    """One passage, where it stands, and how it was found."""
    chunk = found.chunk
    return {
        "rank": rank,
        "score": round(found.score, 6),
        "source": chunk.source,
        "title": chunk.title,
        "page": chunk.page,
        "heading_path": list(chunk.heading_path),
        "chunk_id": chunk.id,
        "document_id": chunk.document_id,
        "start": chunk.start,
        "end": chunk.end,
        "text": chunk.text,
        "found": [asdict(each) for each in found.found],
        "metadata": dict(chunk.metadata),
    }


def collections(listed: Sequence[Collection]) -> list[dict[str, Any]]:
    """What is known of each collection."""
    return [{**asdict(each), "metadata": dict(each.metadata)} for each in listed]
