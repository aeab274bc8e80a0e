"""A call that must be usable: read, repaired once, or told as unread; the run's own errors pass."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from leadline.errors import BudgetSpent, Cancelled, LeadlineError, ModelFailed, ModelUnusable, NotRecorded
from leadline.events import CutShort, Event, Repaired
from leadline.llm.base import Message, Reply, Request, Told
from leadline.llm.json_text import Unreadable
from leadline.llm.prompting import Prompts
from leadline.llm.reading import number_in, texts
from leadline.llm.structured import SHOWN, Unread, asked
from leadline.run import Run

REQUEST = Request((Message("system", "Task: plan"), Message("user", "Question: why?")), "plan")


@dataclass(slots=True)
class Scripted:
    """A model that says the next of its lines, or fails with it."""

    lines: list[str | Reply | LeadlineError]
    requests: list[Request] = field(default_factory=list[Request])
    name: str = "scripted:model"
    context: int = 4_096

    async def ask(self, request: Request, run: Run, told: Told | None = None) -> Reply:
        self.requests.append(request)
        line = self.lines.pop(0)
        if isinstance(line, LeadlineError):
            raise line
        run.call_spent(1)
        reply = line if isinstance(line, Reply) else Reply(line)
        if told is not None:
            told(reply.text)
        return reply

    async def close(self) -> None: ...


def read(reply: str) -> tuple[str, ...]:
    return texts(reply, 4)


def call(
    *lines: str | Reply | LeadlineError, read: Callable[[str], object] = read, told: Told | None = None
) -> tuple[object, Scripted, list[Event]]:
    chat, events = Scripted(list(lines)), list[Event]()
    value = asyncio.run(asked(chat, REQUEST, read, Run(emit=events.append), told, prompts=Prompts()))
    assert chat.lines == []
    return value, chat, events


def test_a_usable_reply_needs_one_call() -> None:
    value, chat, events = call('["a"]')
    assert (value, len(chat.requests), events) == (("a",), 1, [])


def test_a_repair_shows_the_model_its_reply_and_the_reason() -> None:
    value, chat, events = call("I picked seven.", "2", read=lambda reply: number_in(reply, 3))
    repair = chat.requests[1]
    assert value == 2
    assert repair.messages[:2] == REQUEST.messages
    assert [message.role for message in repair.messages[2:]] == ["assistant", "user"]
    assert repair.messages[2].text == "I picked seven."
    assert "the reply picks 7, which is not one of 1 to 3" in repair.messages[3].text
    assert events == [Repaired("plan", "the reply picks 7, which is not one of 1 to 3", usable=True)]


def test_what_stays_unusable_is_unread_after_one_repair() -> None:
    value, chat, events = call("", "I'm sorry, I can't.")
    assert value == Unread("the reply declines to answer")
    assert chat.requests[1].messages[2].text == "(nothing)"
    assert events == [Repaired("plan", "the reply is empty", usable=False)]


def test_a_repair_that_fails_is_unread() -> None:
    value, _, events = call("", ModelFailed("the server does not answer"))
    assert value == Unread("the server does not answer")
    assert events == [Repaired("plan", "the reply is empty", usable=False)]


def test_no_reply_at_all_is_unread_without_a_repair() -> None:
    value, chat, events = call(ModelFailed("the server does not answer"))
    assert (value, len(chat.requests), events) == (Unread("the server does not answer"), 1, [])


def test_a_model_that_never_will_answer_ends_the_run_only_while_nothing_is_paid() -> None:
    with pytest.raises(ModelUnusable):
        call(ModelUnusable("the key is refused"))
    value, _, _ = call("", ModelUnusable("the key is refused"))
    assert value == Unread("the key is refused")


@pytest.mark.parametrize(
    "error", [BudgetSpent("calls: 1 of 1 used", "calls"), Cancelled("x"), NotRecorded("x")]
)
def test_errors_of_the_run_pass(error: LeadlineError) -> None:
    with pytest.raises(type(error)):
        call(error)


def test_an_error_of_the_reader_itself_is_not_hidden() -> None:
    def broken(_: str) -> str:
        raise KeyError("a bug")

    with pytest.raises(KeyError):
        call("a", read=broken)


def test_only_the_first_reply_is_streamed() -> None:
    heard: list[str] = []
    call("", '["a"]', told=heard.append)
    assert heard == [""]


def test_a_reply_that_was_cut_off_is_asked_for_shorter() -> None:
    _, chat, _ = call(Reply("so it is.", whole=False), "['a']")
    assert "cut off at 1024 tokens, so be shorter" in chat.requests[1].messages[3].text


@pytest.mark.parametrize(
    ("broken", "why"),
    [(False, "it met its limit of 1024 tokens"), (True, "its time or its connection was over")],
)
def test_a_reply_that_was_cut_off_and_can_be_used_is_told(broken: bool, why: str) -> None:
    value, chat, events = call(Reply("['a', 'b", whole=False, broken=broken))
    assert (value, len(chat.requests), events) == (("a", "b"), 1, [CutShort("plan", why)])


def test_a_reply_that_was_cut_off_has_a_reader_of_its_own_where_one_is_given() -> None:
    for line, read_by in ((Reply("a", whole=False), "cut"), (Reply("a"), "read")):
        work = asked(
            Scripted([line]), REQUEST, lambda _: "read", Run(), prompts=Prompts(), cut=lambda _: "cut"
        )
        assert asyncio.run(work) == read_by


def test_a_repair_of_a_long_reply_shows_its_ends() -> None:
    _, chat, _ = call("<think>t</think>" + "a" * 1_000_000 + " ends here.", "['a']")
    shown = chat.requests[1].messages[2].text
    assert len(shown) < SHOWN + 10
    assert shown.endswith("ends here.")


def test_a_repair_uses_the_prompt_of_the_users_folder(tmp_path: Path) -> None:
    file = tmp_path / "repair.md"
    file.write_text("---\npurpose: P.\nslots: [reason]\n---\n## user\nNo: {{reason}}\n", encoding="utf-8")

    def never(_: str) -> str:
        raise Unreadable("bad")

    chat = Scripted(["a", "b"])
    value = asyncio.run(asked(chat, REQUEST, never, Run(), prompts=Prompts(tmp_path)))
    assert value == Unread("bad")
    assert chat.requests[1].messages[3].text == "No: bad"
