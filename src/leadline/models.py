"""The language models of a workspace, one per role: `smart` plans, reflects and writes, `fast` judges and routes.

settings -> provider, address, key -> provider -> limit -> retry -> meter -> cache
"""

import asyncio
from dataclasses import dataclass
from difflib import get_close_matches

import httpx2

from leadline import registry
from leadline.config import Access, own_access
from leadline.endpoints import is_here
from leadline.errors import ConfigError
from leadline.llm.base import Chat
from leadline.llm.caching import Cached
from leadline.llm.limiting import Limited
from leadline.llm.metering import Metered
from leadline.llm.options import ModelOptions
from leadline.llm.prompting import Prompts
from leadline.llm.replies import FILE, Replies
from leadline.llm.retrying import Retried
from leadline.providers import ALIASES, PROVIDERS
from leadline.reasoning.base import Reasoner
from leadline.reasoning.model import ModelChoices
from leadline.settings import Settings

HOSTED = "hosted"
"""The builder of everything that is asked over HTTP; other builders are named by what stands before the colon."""

OLLAMA = "http://localhost:11434/v1"
"""Where Ollama listens unless told otherwise."""

NEARLY = 0.8
"""How like a provider's name a word must be to be taken for a slip of the pen, where it may be a model's name."""

FAMILIES = frozenset({"codellama", "llama", "magistral", "ministral", "mixtral"})
"""Models whose names are that like a provider's; others have a digit or a dash in theirs."""

TAIL = "/chat/completions"
KEY = "LEADLINE_API_KEY"


@dataclass(frozen=True, slots=True)
class Roles:
    """The model of each role, the same one where only one is configured, and the prompts they get."""

    smart: Chat
    fast: Chat
    prompts: Prompts


class Models:
    """Built when first needed; `close` lets go of connections and of the file of kept replies."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.replies = Replies(settings.llm.cache_file or settings.data / FILE)
        self._roles: Roles | None = None
        self._gates: dict[str, asyncio.Semaphore] = {}
        self._reasoners: dict[str, registry.Build] = {}
        self._building = asyncio.Lock()

    async def roles(self) -> Roles | None:
        """The configured models; None when there is none, and answers are quotes."""
        if not self.settings.model:
            if self.settings.fast_model:
                raise ConfigError("`fast_model` needs `model`: set that, or only that.")
            return None
        async with self._building:
            if self._roles is None:
                # Off the loop, since the first use of a library imports it, which can take seconds.
                self._roles = await asyncio.to_thread(self._build)
        return self._roles

    async def reasoner(self) -> Reasoner:
        """A new one for each question: the configured models, or retrieval statistics where there are none."""
        how, roles = self.settings, await self.roles()
        if roles is None:
            offline: Reasoner = self._builder("offline")(gap_queries=how.ask.gap_queries)
            return offline
        choices = ModelChoices(how.ask.judge_batch, how.ask.gap_queries, how.research.queries)
        model: Reasoner = self._builder("model")(roles.smart, roles.fast, roles.prompts, choices)
        return model

    def _builder(self, name: str) -> registry.Build:
        # To look for plugins takes as long as a search.
        if name not in self._reasoners:
            self._reasoners[name] = registry.find("reasoner", name)
        return self._reasoners[name]

    async def close(self) -> None:
        """Let go of everything."""
        roles, self._roles = self._roles, None
        if roles is not None:
            await roles.smart.close()
            if roles.fast is not roles.smart:
                await roles.fast.close()
        await asyncio.to_thread(self.replies.close)

    def _build(self) -> Roles:
        check_address(self.settings)
        smart = self._chat(self.settings.model)
        fast = self.settings.fast_model
        other = self._chat(fast) if fast and fast != self.settings.model else smart
        return Roles(smart, other, Prompts(self.settings.llm.prompts))

    def _chat(self, model: str) -> Chat:
        how = self.settings.llm
        if is_hosted(model):
            options = hosted_options(self.settings, model)
            built: Chat = _hosted(model)(options)
            place = options.url or options.provider
        else:
            place, (prefix, _, name) = model, model.partition(":")
            built = registry.find("model", prefix)(
                name, context=how.context, threads=how.threads, seconds=how.seconds
            )
        gate = self._gates.setdefault(place, asyncio.Semaphore(how.parallel))
        chat: Chat = Metered(Retried(Limited(built, gate), how.attempts, how.wait))
        return Cached(chat, self.replies, how.on_miss) if how.cache or how.on_miss == "raise" else chat


def _hosted(model: str) -> registry.Build:
    try:
        return registry.find("model", HOSTED)
    except ConfigError as error:
        raise ConfigError(str(error).replace(f"model = {HOSTED}", f"model = {model}")) from error


def is_hosted(model: str) -> bool:
    """Whether it is asked over HTTP, and not built by what stands before the colon of its name."""
    prefix = model.partition(":")[0]
    return prefix == HOSTED or prefix not in registry.names("model")


def hosted_options(settings: Settings, model: str) -> ModelOptions:
    """Where a model is and with which key it is asked; `ConfigError` says what is missing."""
    provider, name = split(model, settings.base_url)
    url, access = _access(settings, provider, model)
    known = PROVIDERS[provider]
    if not (access.key or url or known.keyless):
        ours = (KEY,) if provider == split(settings.model, settings.base_url)[0] else ()
        raise ConfigError(
            f"`model = {model}` needs a key: set the environment variable {' or '.join((*known.keys[:1], *ours))}."
        )
    if not (access.key.isascii() and access.key.isprintable()):
        raise ConfigError(
            f"the key in {access.variable} holds a line break, a dash or another character that no key has. Copy it again."
        )
    return ModelOptions(
        provider,
        name,
        _address(url) if url else "",
        access.key,
        access.variable,
        settings.llm.seconds,
        settings.llm.context,
    )


def split(model: str, base_url: str = "") -> tuple[str, str]:
    """The provider and the name of `provider:name`. At a `base_url` the provider may be left out.

    >>> split("deepseek:deepseek-chat"), split("qwen2.5:7b", "http://localhost:11434/v1")
    (('deepseek', 'deepseek-chat'), ('openai', 'qwen2.5:7b'))
    """
    prefix, colon, name = model.strip().partition(":")
    provider = ALIASES.get(prefix.lower(), prefix.lower())
    if colon and provider in PROVIDERS and name.strip():
        return provider, name.strip()
    known = sorted({*PROVIDERS, *registry.names("model")} - {HOSTED})
    at_address = bool(base_url) and (provider not in PROVIDERS or not colon)
    close = get_close_matches(prefix.lower(), known, n=1, cutoff=NEARLY if at_address else 0.6)
    if at_address and not (colon and close and prefix.isalpha() and prefix.lower() not in FAMILIES):
        return "openai", model.strip()
    hint = f"Did you mean `{close[0]}:{name or 'NAME'}`?" if close else f"Providers: {', '.join(known)}."
    if at_address:
        hint += f" A model of that name at `base_url` is `openai:{model.strip()}`."
    raise ConfigError(f"`model = {model}` is not `PROVIDER:NAME` of a provider that is known. {hint}")


def check_address(settings: Settings) -> None:
    """A `base_url` that no model is at would mislead: what is sent would go elsewhere."""
    url = settings.base_url
    named = [each for each in (settings.model, settings.fast_model) if each]
    if url and not any(_is_there(each, url) for each in named):
        raise ConfigError(
            f"`base_url` is for OpenAI-compatible servers, and `model = {settings.model}` is not at one. "
            f"Set `model` to `openai:NAME`, or take `base_url` away."
        )


def _is_there(model: str, url: str) -> bool:
    return is_hosted(model) and PROVIDERS[split(model, url)[0]].own


def _access(settings: Settings, provider: str, model: str) -> tuple[str, Access]:
    """The address ("" for the provider's own) and the key that was configured for that address, no other."""
    own, key = own_access(provider), settings.api_key.get_secret_value().strip()
    ours = Access(key, KEY if key else "")
    known = PROVIDERS[provider]
    if settings.base_url and known.own:
        if key and settings.is_stray("base_url") and not is_here(_parsed(settings.base_url).host):
            raise ConfigError(
                f"`base_url` stands in the configuration file of this folder, {KEY} in the environment: the key is "
                "not sent to an address that only such a file names. Set LEADLINE_BASE_URL to it as well, or name "
                "the file with --config."
            )
        return settings.base_url, ours
    # Our key belongs to `base_url` where there is one, else to the provider of `model`.
    first = split(settings.model, settings.base_url)[0]
    if not key or settings.base_url or provider != first:
        return _own_address(provider, own, model), own
    if own.address:
        raise ConfigError(
            f"{KEY} is not sent to the address in {known.address}: set LEADLINE_BASE_URL to it, or put the "
            f"key into {known.keys[0]}."
        )
    return _own_address(provider, own, model), ours


def _own_address(provider: str, own: Access, model: str) -> str:
    """Where a provider's own variable says it is; "" where its library knows."""
    if own.address or not PROVIDERS[provider].own or provider == "openai":
        return own.address
    if provider == "ollama":
        return OLLAMA
    raise ConfigError(f"`model = {model}` needs an address: set `base_url` to where it is.")


def _address(url: str) -> str:
    """An address to which the library adds what it asks for."""
    found = _parsed(url)
    return str(
        found.copy_with(path=found.path.removesuffix("/").removesuffix(TAIL), query=None, fragment=None)
    )


def _parsed(url: str) -> httpx2.URL:
    try:
        found = httpx2.URL(url)
    except httpx2.InvalidURL as error:
        raise ConfigError(f"`base_url` `{url}` is not an address: {error}.") from error
    if found.scheme not in ("http", "https") or not found.host:
        raise ConfigError(f"`base_url` `{url}` must begin with http:// or https:// and a host.")
    if found.userinfo:
        raise ConfigError(f"`base_url` must not hold a key or a password. Put it into {KEY}.")
    return found
