from collections.abc import Callable, Iterable

import pyarrow as pa
from ray.data import DataContext
from ray.data.block import BlockMetadata

class Datasource:
    def estimate_inmemory_data_size(self) -> int | None: ...
    def get_read_tasks(
        self, parallelism: int, per_task_row_limit: int | None = ..., data_context: DataContext | None = ...
    ) -> list[ReadTask]: ...

class ReadTask:
    def __init__(self, read_fn: Callable[[], Iterable[pa.Table]], metadata: BlockMetadata) -> None: ...
