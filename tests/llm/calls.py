"""A model at the scripted server, alone or in its wrappers, and what a run saw of its calls."""

from dataclasses import dataclass, field

from leadline.errors import LeadlineError
from leadline.events import Event
from leadline.llm.base import Chat, Message, Reply, Request, Schema, Told
from leadline.llm.options import ModelOptions
from leadline.llm.provider import ProviderChat, build
from leadline.run import Run
from leadline.testing.model_server import ModelServer
from leadline.testing.running import go

SHAPE = Schema(
    "verdict",
    {
        "type": "object",
        "properties": {"ok": {"type": "boolean"}},
        "required": ["ok"],
        "additionalProperties": False,
    },
)
REQUEST = Request((Message("system", "Task: judge"), Message("user", "Is it?")), "judge", SHAPE)
SECONDS = 60.0


@dataclass(slots=True)
class Outcome:
    """A reply or the error instead of it, with the run and what was told."""

    reply: Reply
    error: LeadlineError | None
    run: Run
    events: list[Event]
    told: list[str] = field(default_factory=list[str])


def provider(server: ModelServer, **changes: object) -> ProviderChat:
    """The bare model."""
    given: dict[str, object] = {"url": server.url, "seconds": SECONDS, **changes}
    return build(ModelOptions("openai", "scripted", **given))  # type: ignore[arg-type]


def called(
    chat: Chat, request: Request = REQUEST, run: Run | None = None, *, stream: bool = False
) -> Outcome:
    """One call."""
    run = run or Run()
    outcome = Outcome(Reply(""), None, run, [])
    run.emit = outcome.events.append
    told: Told | None = outcome.told.append if stream else None

    async def work() -> None:
        try:
            outcome.reply = await chat.ask(request, run, told)
        except LeadlineError as error:
            outcome.error = error
        await chat.close()

    go(work())
    return outcome
