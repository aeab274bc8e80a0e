"""What can be wrong with the language models: address, key, name, context, and whether replies can be used.

settings -> address and key -> what the server says of itself -> one small call
"""

import time

from leadline.apps.doctor_check import Check
from leadline.config import Settings
from leadline.errors import LeadlineError
from leadline.llm.base import Chat, Message, Reply, Request, Schema
from leadline.llm.json_text import Unreadable, json_in
from leadline.llm.options import ASSUMED_CONTEXT, ModelOptions
from leadline.llm.serving import Serving, serving
from leadline.llm.wire import shown
from leadline.models import Models, hosted_options, is_hosted
from leadline.providers import PROVIDERS
from leadline.run import Run

QUOTES = 'Correct that, or set `model = ""`: answers are then quotes, which need no model.'
_PROBE = Request(
    (
        Message("system", 'Task: doctor\nReply with the JSON object {"ok": true} and nothing else.'),
        Message("user", "Are you there?"),
    ),
    "doctor",
    Schema(
        "doctor",
        {
            "type": "object",
            "properties": {"ok": {"type": "boolean"}},
            "required": ["ok"],
            "additionalProperties": False,
        },
    ),
    max_tokens=64,
    purpose="write",
)


async def models(settings: Settings) -> list[Check]:
    """Every check of every role; one small call of each model is paid for."""
    if not settings.model:
        return [Check("model", "ok", "none: answers are quotes of the sources")]
    how = settings.llm.model_copy(update={"cache": False, "on_miss": "call", "attempts": 1})
    kept = Models(settings.model_copy(update={"llm": how}))
    try:
        roles = await kept.roles()
        assert roles is not None
        checks = await _role("model", settings.model, roles.smart, settings)
        if roles.fast is not roles.smart:
            checks += await _role("fast model", settings.fast_model, roles.fast, settings)
        return checks
    except LeadlineError as error:
        return [Check("model", "fail", str(error), QUOTES)]
    finally:
        await kept.close()


async def _role(role: str, model: str, chat: Chat, settings: Settings) -> list[Check]:
    checks: list[Check] = []
    told: int | None = None
    if is_hosted(model):
        options = hosted_options(settings, model)
        key = f"from {options.key_from}" if options.key else "none is sent"
        checks.append(Check(f"{role} key", "ok", key))
        if options.url and PROVIDERS[options.provider].own:
            found, told = await _server(role, options)
            checks += found
    if any(check.state == "fail" for check in checks):
        return checks
    return [*checks, *await _call(role, chat), _context(role, chat, settings, told, is_hosted(model))]


async def _server(role: str, options: ModelOptions) -> tuple[list[Check], int | None]:
    """What the address says, and the context it tells of the model."""
    name = f"{role} address"
    try:
        found = await serving(options)
    except LeadlineError as error:
        remedy = "Start the server, or correct `base_url`."
        return [Check(name, "fail", f"{shown(options.url)}: {error}", remedy)], None
    if found.status in (401, 403):
        remedy = f"Set {options.key_from or 'LEADLINE_API_KEY'} to a valid key."
        return [Check(name, "fail", f"{shown(options.url)} refuses the key ({found.status})", remedy)], None
    if not found.models:
        said = f"{shown(options.url)} answers, and lists no models ({found.status})"
        return [
            Check(name, "note", said, "If the call below fails, check that `base_url` ends in `/v1`.")
        ], None
    return [
        Check(name, "ok", f"{shown(options.url)} answers"),
        _named(role, options, found),
    ], found.models.get(options.name)


def _named(role: str, options: ModelOptions, found: Serving) -> Check:
    if options.name in found.models:
        return Check(f"{role} name", "ok", options.name)
    others = ", ".join(sorted(found.models)[:5])
    return Check(f"{role} name", "fail", f"the server has no `{options.name}`", f"It has: {others}.")


async def _call(role: str, chat: Chat) -> list[Check]:
    started = time.perf_counter()
    try:
        reply = await chat.ask(_PROBE, Run())
    except LeadlineError as error:
        return [Check(role, "fail", str(error), QUOTES)]
    took = time.perf_counter() - started
    price = f", ${reply.usd:.5f}" if reply.usd else ""
    found = f"{chat.name}: {reply.input_tokens} + {reply.output_tokens} tokens in {took:.1f} s{price}"
    if not _usable(reply):
        remedy = "Steps whose reply cannot be read are done without the model. A larger model may help."
        return [Check(role, "note", f"{found}; its reply was not the JSON that was asked for", remedy)]
    return [Check(role, "ok", found)]


def _usable(reply: Reply) -> bool:
    try:
        return json_in(reply.text) == {"ok": True}
    except Unreadable:
        return False


def _context(role: str, chat: Chat, settings: Settings, told: int | None, hosted: bool) -> Check:
    name, size = f"{role} context", chat.context
    if told is not None and told != size:
        remedy = f"Set `llm.context = {told}`."
        return Check(name, "note", f"{size} tokens are assumed, the server says {told}", remedy)
    if told is None and settings.llm.context is None and hosted and size == ASSUMED_CONTEXT:
        return Check(name, "note", f"{size} tokens are assumed", "Set `llm.context` to what the model has.")
    return Check(name, "ok", f"{size} tokens")
