from collections.abc import Sequence
from typing import Any

class SessionOptions:
    intra_op_num_threads: int
    inter_op_num_threads: int
    log_severity_level: int
    def add_session_config_entry(self, key: str, value: str) -> None: ...

class InferenceSession:
    def __init__(self, path: str, sess_options: SessionOptions, *, providers: Sequence[str]) -> None: ...
    def get_inputs(self) -> list[Any]: ...
    def run(self, names: Sequence[str] | None, feed: dict[str, Any]) -> list[Any]: ...

