"""What can be wrong with searching the web: a key, an address, a library that is not there.

settings -> providers -> is each there? -> does your own SearXNG answer?
"""

from leadline.apps.doctor_check import Check
from leadline.config import search_access
from leadline.errors import ConfigError, ProviderFailed
from leadline.providers import SEARCHES
from leadline.searches import REMEDY, BrokenKey, MissingProvider, address, named, provider
from leadline.settings import Settings
from leadline.web.base import SearchProvider, WebQuery
from leadline.web.pages import UNNAMED, opens_none

OTHERS = "Correct that, or take it out of `web.searches`; documents are searched without."
CLOSED = "Do one of both, or take it out; until then pages of closed networks are not read."
PROBE = WebQuery("lighthouse", 1)
MOST_SECONDS = 5.0


async def web(settings: Settings) -> list[Check]:
    """Every check. Only a server of your own is asked: a search elsewhere may cost money."""
    checks = [Check("web hosts", "note", UNNAMED, CLOSED)] if opens_none(settings) else []
    usable = 0
    for name in named(settings):
        try:
            found = provider(settings, name)
        except BrokenKey as error:
            checks.append(Check(f"web search {name}", "fail", f"left out: {error}", OTHERS))
        except MissingProvider as error:
            checks.append(Check(f"web search {name}", "note", f"left out: {error}", _advice(settings)))
        except ConfigError as error:
            checks.append(Check(f"web search {name}", "fail", str(error), OTHERS))
        else:
            checks.append(await _one(settings, name, found))
            usable += 1
    if not usable and not any(check.state == "fail" for check in checks):
        checks.append(Check("web search", "note", "no provider can be used", REMEDY))
    return checks


def _advice(settings: Settings) -> str:
    return OTHERS if settings.web.searches else "Nothing needs doing to search documents."


async def _one(settings: Settings, name: str, found: SearchProvider) -> Check:
    what = f"web search {name}"
    service = SEARCHES.get(name)
    if service is None:
        return Check(what, "ok", "a plugin")
    if service.own:
        return await _answering(what, found, settings)
    access = search_access(name)
    at = f", at {address(settings, name)}" if address(settings, name) else ""
    return Check(what, "ok", f"key from {access.variable}{at}" if access.key else f"needs no key{at}")


async def _answering(what: str, found: SearchProvider, settings: Settings) -> Check:
    try:
        listing = await found.search(PROBE, min(settings.web.search_seconds, MOST_SECONDS))
    except ProviderFailed as error:
        return Check(what, "fail", f"{address(settings, found.name)} {error.reason}", OTHERS)
    finally:
        await found.close()
    if not listing.results:
        said = f"{address(settings, found.name)} answers, and finds nothing for `{PROBE.text}`"
        return Check(what, "note", said, "Look at which engines it has, and whether they answer it.")
    return Check(what, "ok", f"{address(settings, found.name)} answers")
