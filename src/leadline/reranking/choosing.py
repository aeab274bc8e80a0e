"""From the settings to the reranker they name."""

import asyncio

from leadline import registry
from leadline.endpoints import entrusted
from leadline.reranking.base import Reranker, RerankerOptions
from leadline.settings import Settings

NONE = "none"


async def chosen(settings: Settings) -> Reranker | None:
    """The configured reranker, its model loaded; None for `none`. `ConfigError` when it cannot be had."""
    if settings.reranker == NONE:
        return None
    return await asyncio.to_thread(_built, settings)


def reranker_options(settings: Settings) -> RerankerOptions:
    """What a reranker is told."""
    return RerankerOptions(
        model=settings.reranker_model,
        url=settings.reranker_url,
        key=entrusted(
            "reranker",
            settings.reranker_url,
            settings.reranker_key.get_secret_value(),
            stray=settings.is_stray("reranker_url"),
        ),
        max_tokens=settings.reranker_tokens,
        threads=settings.reranker_threads,
        timeout=settings.reranker_seconds,
        scripts=settings.reranker_scripts,
    )


def _built(settings: Settings) -> Reranker:
    """Blocking: the first use of a provider imports its library, and loading a model takes seconds."""
    built: Reranker = registry.find("reranker", settings.reranker)(reranker_options(settings))
    return built
