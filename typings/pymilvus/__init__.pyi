from enum import IntEnum
from typing import Any

class DataType(IntEnum):
    INT64 = 5
    VARCHAR = 21
    ARRAY = 22
    FLOAT_VECTOR = 101
    SPARSE_FLOAT_VECTOR = 104

class FunctionType(IntEnum):
    BM25 = 1

class Function:
    def __init__(
        self,
        name: str,
        function_type: FunctionType,
        input_field_names: list[str],
        output_field_names: list[str] | None = ...,
    ) -> None: ...

class CollectionSchema:
    def add_field(self, field_name: str, datatype: DataType, **kwargs: Any) -> CollectionSchema: ...
    def add_function(self, function: Function) -> CollectionSchema: ...

class IndexParams:
    def add_index(
        self, field_name: str, index_type: str = ..., index_name: str = ..., **kwargs: Any
    ) -> None: ...

class MilvusClient:
    def __init__(
        self, uri: str = ..., *, token: str = ..., timeout: float | None = ..., **kwargs: Any
    ) -> None: ...
    def close(self) -> None: ...
    @staticmethod
    def create_schema(**kwargs: Any) -> CollectionSchema: ...
    @staticmethod
    def prepare_index_params() -> IndexParams: ...
