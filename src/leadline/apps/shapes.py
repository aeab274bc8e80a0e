"""The JSON shapes of results, one place for every door."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from leadline.citing.render.json import hits_to_json
from leadline.flow.running.report import FlowReport
from leadline.ingest import LoadReport, ReindexReport
from leadline.ingest.migrating import MigrationReport
from leadline.retrieval.base import Results
from leadline.retrieval.sections import SectionText
from leadline.status import Status
from leadline.store.base import FieldSummary
from leadline.types import Collection


def load_report(report: LoadReport) -> dict[str, Any]:
    """Counts, then every file."""
    return {
        "loaded": report.loaded,
        "unchanged": report.unchanged,
        "skipped": report.skipped,
        "failed": report.failed,
        "removed": report.removed,
        "ignored": report.ignored,
        "cancelled": report.cancelled,
        "chunks": report.chunks,
        "bytes": report.bytes,
        "seconds": round(report.seconds, 3),
        "files": [asdict(file) for file in report.files],
    }


def reindex_report(report: ReindexReport) -> dict[str, Any]:
    """What was done, and how much is left when it was stopped."""
    return {**asdict(report), "seconds": round(report.seconds, 3)}


def migration_reports(reports: Sequence[MigrationReport]) -> list[dict[str, Any]]:
    """What was copied, collection by collection."""
    return [{**asdict(report), "seconds": round(report.seconds, 3)} for report in reports]


def flow_report(report: FlowReport) -> dict[str, Any]:
    """Counts, how it ended, what it spent, then every step."""
    letters = None if report.letters is None else str(report.letters)
    usage = {**asdict(report.usage), "seconds": round(report.usage.seconds, 3)}
    return {**asdict(report), "seconds": round(report.seconds, 3), "usage": usage, "letters": letters}


def results(found: Results) -> dict[str, Any]:
    """Hits best first, how many each path gave, and what to know."""
    return {
        "hits": hits_to_json(found.hits),
        "paths": dict(found.paths),
        "notices": list(found.notices),
        "asked": list(found.asked),
    }


def sections(found: Sequence[SectionText]) -> list[dict[str, Any]]:
    """The section around each hit, by the hit's chunk."""
    return [asdict(each) for each in found]


def collections(listed: Sequence[Collection]) -> list[dict[str, Any]]:
    """What is known of each collection."""
    return [{**asdict(each), "metadata": dict(each.metadata)} for each in listed]


def fields(listed: Sequence[FieldSummary]) -> list[dict[str, Any]]:
    """What is known of each field."""
    return [
        {**asdict(each), "values": [{"value": value, "documents": count} for value, count in each.values]}
        for each in listed
    ]


def status(found: Status) -> dict[str, Any]:
    """The data folder, then each collection in it."""
    return {
        "data": str(found.data),
        "exists": found.exists,
        "documents": found.documents,
        "chunks": found.chunks,
        "bytes": found.bytes,
        "cache": found.cache,
        "changed": found.changed,
        "writer": found.writer,
        "collections": collections(found.collections),
    }
