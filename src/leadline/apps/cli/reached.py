"""Whether there was anything to search: a web whose providers all fail is no web in which nothing stands."""

from collections.abc import Callable

from leadline.events import Event
from leadline.web_events import WebSearched, WebSearchFailed


class Reached:
    """Passes events on to `show`, and keeps count of the search providers that answered and of those that failed."""

    def __init__(self, show: Callable[[Event], None] | None = None) -> None:
        self._show = show
        self._answered = self._failed = 0

    def __call__(self, event: Event) -> None:
        self._answered += isinstance(event, WebSearched)
        self._failed += isinstance(event, WebSearchFailed)
        if self._show is not None:
            self._show(event)

    @property
    def nothing(self) -> bool:
        """Whether every search of the web failed."""
        return self._failed > 0 and not self._answered
