from collections.abc import Sequence
from typing import Any

class E5:
    dim: int
    def __init__(self, *, num_threads: int | None = None) -> None: ...
    def encode(self, texts: Sequence[str], is_query: bool = False) -> Any: ...

