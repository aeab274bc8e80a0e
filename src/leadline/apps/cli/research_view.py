"""What research looks like while it goes on: rounds, pages, facts, what is still open."""

from rich.status import Status

from leadline.apps.cli.ask_view import AskView
from leadline.apps.cli.output import many, plain_line
from leadline.citing.render.plain import line
from leadline.events import Event, FactsFound, GapsFound, PageRead, RoundStarted, Searched

SHOWN_GAP = 60


class ResearchView(AskView):
    """Follows a run of the fact loop; everything else is as for `leadline ask`."""

    _round: int = 0
    _queries: int = 0
    _done: int = 0
    _read: int = 0
    _unread: int = 0
    _facts: int = 0
    _gap: str = ""

    def _move(self, status: Status, event: Event) -> None:
        if self.follow(event):
            status.update(plain_line(self.line))
        else:
            super()._move(status, event)

    def follow(self, event: Event) -> bool:
        """Count `event`; whether it is one of those that the line tells of."""
        if isinstance(event, RoundStarted):
            self._round, self._queries = event.number, len(event.queries)
        elif isinstance(event, Searched):
            self._done += 1
        elif isinstance(event, PageRead):
            self._read += event.status in {"read", "kept"}
            self._unread += event.status in {"snippet", "failed"}
        elif isinstance(event, FactsFound):
            self._facts = event.total
        elif isinstance(event, GapsFound):
            self._gap = line(event.gaps[0], SHOWN_GAP) if event.gaps else ""
        else:
            return False
        return True

    @property
    def line(self) -> str:
        """Where the run is now."""
        parts = [many(self._queries, "query", "queries"), many(self._done, "search", "searches")]
        if self._read or self._unread:
            unread = f" ({self._unread} could not be)" if self._unread else ""
            parts.append(f"{many(self._read, 'page')} read{unread}")
        parts.append(many(self._facts, "fact"))
        gap = f"; open: {self._gap}" if self._gap else ""
        return f"round {self._round}: {', '.join(parts)}{gap}"
