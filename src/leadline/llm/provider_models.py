"""From a provider's name to pydantic-ai's model of it, with a client of our own where its library takes one."""

import inspect
from collections.abc import Callable, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx2
from openai import AsyncOpenAI
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import Model, infer_model
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import Provider, infer_provider_class
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from leadline.endpoints import is_here
from leadline.errors import ConfigError
from leadline.llm.options import ModelOptions
from leadline.llm.wire import guard, model_client
from leadline.providers import PROVIDERS

KINDS = {"openai": "openai-chat"}
"""Providers whose plain name means another interface there."""

OWN_CLIENT = {"bedrock", "groq"}
"""Providers whose libraries do not take a client of ours."""

ADDRESSES = ("base_url", "azure_endpoint", "api_base")


@dataclass(frozen=True, slots=True)
class Connected:
    """A model that can be asked, and what is known of it."""

    model: Model
    provider: Provider[Any]
    client: httpx2.AsyncClient | None
    url: str = ""

    @property
    def context(self) -> int | None:
        """Tokens of its context, where the price list has them."""
        return self.model.profile.get("context_window")

    @property
    def takes_schemas(self) -> bool:
        """Whether a reply's schema may be sent along."""
        return bool(self.model.profile.get("supports_json_schema_output"))

    @property
    def thinks(self) -> bool:
        """Whether it thinks before it answers unless it is told not to, which costs tokens."""
        profile: Mapping[str, Any] = self.model.profile
        by_default = profile.get("thinking_enabled_by_default", profile.get("supports_thinking"))
        return bool(profile.get("thinking_always_enabled") or by_default)

    @property
    def takes_temperature(self) -> bool:
        """Whether how much chance there is may be said."""
        profile: Mapping[str, Any] = self.model.profile
        refused = any(
            value for name, value in profile.items() if name.endswith("disallows_sampling_settings")
        )
        return not refused and not (self.thinks and profile.get("openai_supports_reasoning"))

    @property
    def unsupported(self) -> Set[str]:
        """Settings that its library does not take, and warns of."""
        return self.model.unsupported_settings

    def price(self, response: ModelResponse) -> float | None:
        """US dollars of one reply: none on this machine, None where nobody knows."""
        if self.url:
            return 0.0 if is_here(httpx2.URL(self.url).host) else None
        with suppress(LookupError, ValueError, AssertionError):
            return float(response.cost().total_price)
        return None

    async def close(self) -> None:
        """Let go of the connections."""
        if self.client is not None:
            await self.client.aclose()
            return
        # A provider closes a client of its own when it is left.
        async with self.provider:
            pass


def connected(options: ModelOptions) -> Connected:
    """The model that `options` name; `ConfigError` says what is missing."""
    client = None if options.provider in OWN_CLIENT else model_client(options)
    name = f"{options.provider}:{options.name}"
    try:
        provider = _provider(options, client)
        if client is not None and isinstance(provider.client, AsyncOpenAI) and _is_elsewhere(options):
            guard(client, str(provider.base_url), options)
        model = _model(options, provider)
    except ImportError as error:
        extra = PROVIDERS[options.provider].extra
        raise ConfigError(f"`model = {name}` needs `pip install 'leadline[{extra}]'`.") from error
    except (UserError, ValueError) as error:
        needs = PROVIDERS[options.provider].needs
        also = f", and whether the environment variable {needs} is set" if needs else ""
        raise ConfigError(
            f"`model = {name}` cannot be used: check the model's name (as the provider writes it), its key and its "
            f"address{also}."
        ) from error
    return Connected(model, provider, client, options.url)


def _is_elsewhere(options: ModelOptions) -> bool:
    """Whether a model that OpenAI's library asks is not OpenAI's."""
    return options.provider != "openai" or bool(options.url)


def _model(options: ModelOptions, provider: Provider[Any]) -> Model:
    if isinstance(provider, OpenAICompatibleProvider):
        return OpenAIChatModel(options.name, provider=provider)
    kind = KINDS.get(options.provider, options.provider)
    return infer_model(f"{kind}:{options.name}", provider_factory=lambda _: provider)


def _provider(options: ModelOptions, client: httpx2.AsyncClient | None) -> Provider[Any]:
    if options.provider == "openai" and options.url:
        known: Mapping[str, Any] = OpenAICompatibleProvider.model_profile(options.name) or {}
        # Only OpenAI's models that think are told the limit under its new name; some servers do not know that one.
        limit = OpenAIModelProfile(
            openai_chat_supports_max_completion_tokens=bool(known.get("openai_supports_reasoning"))
        )
        return OpenAICompatibleProvider(
            "openai-compatible",
            base_url=options.url,
            api_key=options.key or None,
            http_client=client,
            profile=limit,
        )
    kind: Callable[..., Provider[Any]] = infer_provider_class(options.provider)
    taken = inspect.signature(kind).parameters
    given: dict[str, object] = {"api_key": options.key or None, "http_client": client}
    given |= {name: options.url for name in ADDRESSES if options.url}
    return kind(**{name: value for name, value in given.items() if name in taken and value is not None})
