"""Every setting with its kind, bounds, default and meaning; `leadline.config` reads them from where they are said."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args, get_origin

from pydantic import BaseModel, Field, PrivateAttr, SecretStr
from pydantic.fields import FieldInfo

from leadline.settings_parts import (
    AskSettings,
    BudgetSettings,
    ClusterSettings,
    FlowSettings,
    HnswSettings,
    LoadSettings,
    ModelSettings,
    Names,
    Part,
    ResearchSettings,
    SearchSettings,
    WebSettings,
)

PREFIX = "LEADLINE_"


class Settings(Part):
    """Everything that can be configured."""

    data: Annotated[Path, Field(description="Folder that holds the collections.")] = Path(".leadline")
    collection: Annotated[str, Field(min_length=1, description="Collection used when none is named.")] = (
        "default"
    )
    model: Annotated[
        str,
        Field(
            description="Language model as `provider:name`, or `gguf:FILE`; none given: answers are quotes."
        ),
    ] = ""
    fast_model: Annotated[
        str, Field(description="Model that judges, routes and rewrites; none given: the same.")
    ] = ""
    base_url: Annotated[
        str,
        Field(description="OpenAI-compatible server of `openai:` models, as `http://localhost:8000/v1`."),
    ] = ""
    api_key: Annotated[
        SecretStr,
        Field(description="Key for the model, else its provider's own variable; from the environment only."),
    ] = SecretStr("")
    store: Annotated[
        str, Field(min_length=1, description="`lance`, `milvus`, `qdrant`, or a plugin's name.")
    ] = "lance"
    store_uri: Annotated[
        str,
        Field(description="Server or file of `milvus` and `qdrant`; none given: a file in the data folder."),
    ] = ""
    store_token: Annotated[
        SecretStr, Field(description="`USER:PASSWORD` or API key; read from the environment only.")
    ] = SecretStr("")
    embedding: Annotated[
        str,
        Field(
            min_length=1,
            description="`static`, `multilingual`, `onnx`, `sentence-transformers`, `remote`, `none`, or a plugin's name.",
        ),
    ] = "static"
    embedding_model: Annotated[
        str, Field(description="Folder or name of the model, for `onnx`, `sentence-transformers`, `remote`.")
    ] = ""
    embedding_url: Annotated[
        str, Field(description="Where `remote` adds `/embeddings`, as in `http://localhost:8000/v1`.")
    ] = ""
    embedding_key: Annotated[
        SecretStr, Field(description="Key for `remote`; read from the environment only.")
    ] = SecretStr("")
    embedding_pooling: Annotated[
        Literal["auto", "mean", "cls"], Field(description="How `onnx` makes one vector of all tokens.")
    ] = "auto"
    embedding_query_prefix: Annotated[str, Field(description="Put before every question.")] = ""
    embedding_passage_prefix: Annotated[str, Field(description="Put before every passage.")] = ""
    embedding_tokens: Annotated[
        int, Field(ge=16, le=32_768, description="Longer passages are cut to so many tokens.")
    ] = 512
    embedding_threads: Annotated[
        int, Field(ge=0, le=256, description="Threads of a local model; 0 takes what its library takes.")
    ] = 0
    embedding_seconds: Annotated[
        float, Field(gt=0, description="Most seconds for one reply of the embedding server.")
    ] = 60
    embedding_scripts: Annotated[
        Names,
        Field(description="Scripts the model knows, as `latin, han`; none given: read from its vocabulary."),
    ] = ()
    embedding_cache_mb: Annotated[
        int, Field(ge=0, description="Vectors of slow encoders kept for the next time, in MiB; 0 keeps none.")
    ] = 1_024
    reranker: Annotated[
        str,
        Field(min_length=1, description="`none`, `cross-encoder`, `onnx`, `endpoint`, or a plugin's name."),
    ] = "none"
    reranker_model: Annotated[
        str, Field(description="Folder or name of the model; for `endpoint` its name on the server.")
    ] = ""
    reranker_url: Annotated[
        str, Field(description="Where `endpoint` adds `/rerank`, as in `http://localhost:8000/v1`.")
    ] = ""
    reranker_key: Annotated[
        SecretStr, Field(description="Key for `endpoint`; read from the environment only.")
    ] = SecretStr("")
    reranker_tokens: Annotated[
        int,
        Field(ge=16, le=32_768, description="A local model reads so many of question and passage together."),
    ] = 512
    reranker_threads: Annotated[
        int, Field(ge=0, le=256, description="Threads of `onnx`; 0 takes what its library takes.")
    ] = 0
    reranker_seconds: Annotated[
        float, Field(gt=0, description="Most seconds for one ranking; then the order of the search stays.")
    ] = 20
    reranker_scripts: Annotated[
        Names,
        Field(
            description="Scripts it is used for, as `latin, han`; none given: read from a local model, all for `endpoint`."
        ),
    ] = ()
    load: LoadSettings = LoadSettings()
    hnsw: HnswSettings = HnswSettings()
    search: SearchSettings = SearchSettings()
    ask: AskSettings = AskSettings()
    llm: ModelSettings = ModelSettings()
    budget: BudgetSettings = BudgetSettings()
    cluster: ClusterSettings = ClusterSettings()
    flow: FlowSettings = FlowSettings()
    web: WebSettings = WebSettings()
    research: ResearchSettings = ResearchSettings()

    _stray: Set[str] = PrivateAttr(default=frozenset())

    def straying(self, paths: Set[str]) -> Self:
        """The same settings, those at `paths` marked as read from a file that nobody named: it lies in the folder."""
        marked = self.model_copy()
        marked._stray = paths
        return marked

    def is_stray(self, path: str) -> bool:
        """Whether the setting at `path` comes from such a file. A key from the environment must not follow it: the
        file may have come with a folder of somebody else's."""
        return path in self._stray


@dataclass(frozen=True, slots=True)
class Key:
    """One setting: its dotted path, its variable, and what the reference says of it."""

    path: str
    variable: str
    default: object
    kind: str
    description: str


def keys() -> tuple[Key, ...]:
    """Every setting there is, in order."""
    return tuple(_keys(Settings, ""))


def _keys(model: type[BaseModel], above: str) -> list[Key]:
    found: list[Key] = []
    for name, info in model.model_fields.items():
        path = f"{above}{name}"
        kind = info.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found += _keys(kind, f"{path}.")
        else:
            variable = PREFIX + path.upper().replace(".", "_")
            default = "" if isinstance(info.default, SecretStr) else info.default
            found.append(Key(path, variable, default, _kind(info), info.description or ""))
    return found


SECRET = "secret text"
_WORDS: Mapping[Any, str] = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "true or false",
    Path: "path",
    SecretStr: SECRET,
    tuple[str, ...]: "list of texts",
    date: "day, as `2024-05-15`",
}


def _kind(info: FieldInfo) -> str:
    """What a value may be, in words: `whole number >= 1, <= 10`."""
    annotation: Any = info.annotation
    if get_origin(annotation) is Literal:
        return " or ".join(f'"{value}"' for value in get_args(annotation))
    words = [word for kind, word in _WORDS.items() if annotation == kind or annotation == kind | None]
    bounds: list[str] = []
    for mark, attribute in ((">=", "ge"), (">", "gt"), ("<=", "le")):
        found = [getattr(rule, attribute) for rule in info.metadata if hasattr(rule, attribute)]
        bounds += [f"{mark} {value:g}" for value in found]
    return " ".join([*words, ", ".join(bounds)]).strip()
