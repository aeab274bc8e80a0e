"""The write path: files -> documents -> sections and chunks -> vectors -> one commit per batch."""

from leadline.ingest.entries import add, entry
from leadline.ingest.loading import load
from leadline.ingest.reindexing import ReindexReport, swap_encoder
from leadline.ingest.report import LoadOptions, LoadReport

__all__ = ["LoadOptions", "LoadReport", "ReindexReport", "add", "entry", "load", "swap_encoder"]
