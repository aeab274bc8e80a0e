"""The search of the web that the settings ask for.

settings -> names of providers -> key and address of each -> providers that can be used -> WebSearch
"""

from leadline import registry
from leadline.config import search_access
from leadline.endpoints import is_here
from leadline.errors import BadKey, ConfigError
from leadline.providers import SEARCHES
from leadline.settings import Settings
from leadline.web.base import SearchOptions, SearchProvider
from leadline.web.canonical import host_of
from leadline.web.searching import SearchingOptions, WebSearch

FAMILY = "search"
REMEDY = (
    "Run `pip install 'leadline[web]'` for DuckDuckGo, which needs no key; or set TAVILY_API_KEY, BRAVE_API_KEY or "
    "SERPER_API_KEY; or set `web.searxng_url` to a SearXNG of your own."
)


def web_search(settings: Settings) -> WebSearch:
    """Searches as configured. Providers that cannot be used are left out with a notice; `ConfigError` where none can."""
    providers: list[SearchProvider] = []
    notices: list[str] = []
    for name in named(settings):
        try:
            providers.append(provider(settings, name))
        except MissingProvider as error:
            notices.append(f"The search provider {name} is left out: {error}")
    if not providers:
        why = " ".join(notices)
        raise ConfigError(f"The web cannot be searched. {why} {REMEDY}")
    options = SearchingOptions(
        settings.web.combine, settings.web.search_seconds, settings.web.searches_per_second
    )
    return WebSearch(providers, options, notices=notices)


class MissingProvider(ConfigError):
    """A provider that lacks its key, its address or its library, or whose key cannot be one; another one may do."""


class BrokenKey(MissingProvider):
    """A provider whose key cannot be one."""


def named(settings: Settings) -> tuple[str, ...]:
    """The providers to ask, in order: those of the settings, else those that have a key or an address, then the one that
    needs neither."""
    if settings.web.searches:
        return tuple(dict.fromkeys(name.strip() for name in settings.web.searches))
    return tuple(
        name
        for name, service in SEARCHES.items()
        if (service.key and search_access(name).key)
        or (service.own and address(settings, name))
        or not (service.key or service.own)
    )


def address(settings: Settings, name: str) -> str:
    """Where the settings say that a provider is; "" for its own address, and for one of a plugin."""
    return str(getattr(settings.web, f"{name}_url", "")).strip() if name in SEARCHES else ""


def provider(settings: Settings, name: str) -> SearchProvider:
    """One provider. `MissingProvider` says what it lacks, `ConfigError` what is wrong with the settings."""
    if name not in registry.names(FAMILY):
        # A name that nobody knows is a mistake; a library that is not there is none.
        registry.find(FAMILY, name)
    try:
        build = registry.find(FAMILY, name)
    except ConfigError as error:
        raise MissingProvider(str(error)) from error
    if name not in SEARCHES:
        return build(SearchOptions(depth=settings.web.tavily_depth))
    service, url = SEARCHES[name], address(settings, name)
    key = _entrusted(settings, name, url)
    if service.key and not key:
        raise MissingProvider(f"it needs a key. Set the environment variable {service.key}.")
    if service.own and not url:
        raise MissingProvider(f"it needs an address. Set `web.{name}_url`, as `http://localhost:8888`.")
    try:
        return build(SearchOptions(url, key, settings.web.tavily_depth))
    except BadKey as error:
        raise BrokenKey(str(error)) from error


def _entrusted(settings: Settings, name: str, url: str) -> str:
    """The key from the environment; refused where a file that nobody named says where it would go."""
    access = search_access(name)
    path = f"web.{name}_url"
    if access.key and url and settings.is_stray(path) and not is_here(host_of(url)):
        raise ConfigError(
            f"`{path}` stands in the configuration file of this folder, {access.variable} in the environment: the key is "
            f"not sent to an address that only such a file names. Set LEADLINE_WEB_{name.upper()}_URL to it as well, or "
            "name the file with --config."
        )
    return access.key
