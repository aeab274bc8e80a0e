from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

import pyarrow as pa
from ray.data.datasource import Datasource

class ExecutionOptions:
    preserve_order: bool

class DataContext:
    target_max_block_size: int
    enable_progress_bars: bool
    execution_options: ExecutionOptions
    @staticmethod
    def get_current() -> DataContext: ...
    @staticmethod
    def current(context: DataContext) -> AbstractContextManager[None]: ...
    def copy(self) -> DataContext: ...

class ActorPoolStrategy:
    def __init__(self, *, size: int, max_tasks_in_flight_per_actor: int) -> None: ...

class Dataset:
    def map_batches(self, fn: type, **told: Any) -> Dataset: ...
    def iter_batches(
        self, *, batch_size: int | None, batch_format: str, prefetch_batches: int
    ) -> Iterable[pa.Table]: ...

def read_datasource(
    datasource: Datasource, *, override_num_blocks: int, num_cpus: float
) -> Dataset: ...
