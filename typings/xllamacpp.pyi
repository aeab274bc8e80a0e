from collections.abc import Callable, Mapping
from typing import Any

class CommonParamsModel:
    path: str

class CpuParams:
    n_threads: int

class CommonParams:
    model: CommonParamsModel
    cpuparams: CpuParams
    cpuparams_batch: CpuParams
    n_ctx: int
    n_parallel: int
    n_threads_http: int
    cache_ram_mib: int
    fit_params: bool
    warmup: bool
    ui: bool
    endpoint_slots: bool
    verbosity: int
    api_keys: list[str]

class Server:
    def __init__(self, params: CommonParams) -> None: ...
    @property
    def listening_address(self) -> str: ...
    def handle_chat_completions(
        self, request: Mapping[str, Any], callback: Callable[[Mapping[str, Any]], bool]
    ) -> None: ...
