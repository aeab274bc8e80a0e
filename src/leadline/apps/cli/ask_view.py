"""What asking looks like: every event with --explain, else one moving line; then the answer."""

from types import TracebackType
from typing import Literal, Self

from rich.status import Status

from leadline.apps.cli.output import err, many, out, plain, plain_line, write_json
from leadline.citing.explain import Explainer
from leadline.citing.render.html import render_html
from leadline.citing.render.json import to_json
from leadline.citing.render.markdown import render_markdown
from leadline.citing.render.terminal import render_terminal
from leadline.events import Called, Drafted, Event, Notice, PageRead, RoundStarted, Searched, Stopped
from leadline.types import Answer

Style = Literal["terminal", "json", "markdown", "html"]
TAIL = 50
"""Characters of an answer being written that the moving line shows."""


class AskView:
    """Follows a run. What it explains goes where the answer goes, unless the answer is for a program."""

    def __init__(self, explaining: bool, style: Style) -> None:
        self._explain = Explainer() if explaining else None
        self._console = out() if explaining and style == "terminal" else err()
        moving = self._console.is_terminal and not explaining
        self._status: Status | None = self._console.status("reading the question") if moving else None
        self._searches = self._calls = self._pages = 0
        self._drafted = ""

    def __enter__(self) -> Self:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def show(self, event: Event) -> None:
        """Follow one event of the run."""
        if self._explain is not None:
            shown = self._explain(event)
            if shown is not None:
                self._console.print(shown)
        elif isinstance(event, Notice):
            err().print(plain(event.text))
        elif self._status is not None:
            self._move(self._status, event)

    def _move(self, status: Status, event: Event) -> None:
        if isinstance(event, Searched):
            self._searches += 1
        elif isinstance(event, PageRead):
            self._pages += event.status in ("read", "kept")
            pages, address = many(self._pages, "page"), event.url
            status.update(plain_line(f"{pages} read: {address}"[: TAIL * 2]))
        elif isinstance(event, Called):
            self._calls += 1
        elif isinstance(event, RoundStarted):
            calls = f" and {many(self._calls, 'model call')}" if self._calls else ""
            queries, searches = many(len(event.queries), "query", "queries"), f"{self._searches} searches"
            status.update(f"round {event.number}: {queries}, {searches}{calls} so far")
        elif isinstance(event, Drafted):
            # Nothing of it is checked yet, so it passes by and is not kept on the screen.
            self._drafted = f"{self._drafted}{event.text}"[-TAIL:]
            status.update(plain_line(f"writing, not checked yet: …{self._drafted}"))
        elif isinstance(event, Stopped):
            status.update("writing the answer")


def show_answer(answer: Answer, style: Style) -> None:
    """The answer on stdout."""
    if style == "json":
        write_json(to_json(answer))
    elif style == "markdown":
        print(render_markdown(answer))
    elif style == "html":
        print(render_html(answer))
    else:
        out().print(render_terminal(answer))
