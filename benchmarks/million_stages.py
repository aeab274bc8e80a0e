"""Which part of the write path takes how long: timers around the store's own methods."""

import resource
import sys
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from inspect import iscoroutinefunction
from typing import Any
from unittest.mock import patch

from leadline.store import lance_writer
from leadline.store.catalogue_phrases import PhraseWriter
from leadline.store.catalogue_writer import CatalogueWriter
from leadline.store.lance_table import LanceTable

WATCHED: tuple[tuple[Any, str, str], ...] = (
    (lance_writer, "table_of", "rows"),
    (LanceTable, "add", "rows"),
    (CatalogueWriter, "add_documents", "catalogue"),
    (PhraseWriter, "add", "phrases"),
    (LanceTable, "compact", "keyword"),
    (LanceTable, "forget_versions", "keyword"),
    (LanceTable, "build_indexes", "vector"),
)
INSIDE = {"phrases": "catalogue"}
"""What is timed as part of another stage too, and is taken off there."""


@dataclass(slots=True)
class Stages:
    """Seconds by stage."""

    seconds: dict[str, float] = field(
        default_factory=lambda: dict.fromkeys(
            ("parse", "embed", "rows", "catalogue", "phrases", "keyword", "vector"), 0.0
        )
    )

    @contextmanager
    def timed(self, stage: str) -> Generator[None]:
        began = time.perf_counter()
        yield
        self.add(stage, time.perf_counter() - began)

    def add(self, stage: str, seconds: float) -> None:
        self.seconds[stage] += seconds
        if stage in INSIDE:
            self.seconds[INSIDE[stage]] -= seconds

    def line(self) -> str:
        """All stages in seconds."""
        return ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in self.seconds.items())

    def peak(self) -> float:
        """The most memory this process has had, in GiB."""
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / (1 << 30 if sys.platform == "darwin" else 1 << 20)


@contextmanager
def watched(stages: Stages) -> Generator[None]:
    """While the body runs, the methods above are timed."""
    with ExitStack() as stack:
        for owner, name, stage in WATCHED:
            stack.enter_context(patch.object(owner, name, _timed(getattr(owner, name), stages, stage)))
        yield


def _timed(function: Callable[..., Any], stages: Stages, stage: str) -> Callable[..., Any]:
    if iscoroutinefunction(function):

        async def later(*arguments: Any, **named: Any) -> Any:
            with stages.timed(stage):
                return await function(*arguments, **named)

        return later

    def now(*arguments: Any, **named: Any) -> Any:
        with stages.timed(stage):
            return function(*arguments, **named)

    return now
