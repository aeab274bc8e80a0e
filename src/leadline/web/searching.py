"""One search over all configured providers: in turn until one gives something, or all at once.

query -> providers that may be asked -> each in its time and at its pace -> those asked for -> merged -> results, notices

What each of them answered, refused or throttled is an event. An empty list is never without a reason.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from leadline.errors import BudgetSpent, Cancelled, LeadlineError, ProviderFailed
from leadline.run import Run, settle
from leadline.web.base import Listing, SearchProvider, WebQuery, WebResult, late
from leadline.web.canonical import canonical
from leadline.web.limits import Circuit, Clock, Pace
from leadline.web.merging import merged
from leadline.web.wanted import Bounds
from leadline.web_events import WebSearched, WebSearchFailed

WORTH_WAITING = 20.0
"""Most seconds to wait for the only provider there is."""
LATER = "; its results are sorted out here, so that few may be left"
"""What follows for whoever asked."""
SHORT = 1.0
"""Seconds before it is asked once more, where it does not say when."""

Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class SearchingOptions:
    """`combine` asks the next provider only when one gives nothing, or asks all and merges."""

    combine: Literal["fallback", "all"] = "fallback"
    seconds: float = 15.0
    per_second: float = 2.0


@dataclass(frozen=True, slots=True)
class WebFound:
    """Results best first, and what a person should know."""

    results: tuple[WebResult, ...] = ()
    notices: tuple[str, ...] = ()
    answered: bool = True
    """Whether there was a provider that answered, if only that it found nothing."""
    failed: tuple[str, ...] = ()
    """The providers that did not."""


@dataclass(slots=True)
class _Seat:
    """A provider and what is known of it."""

    provider: SearchProvider
    pace: Pace
    circuit: Circuit


@dataclass(slots=True)
class _Course:
    """One search as it goes."""

    query: WebQuery
    run: Run
    seen: set[str] = field(default_factory=set[str])
    notices: list[str] = field(default_factory=list[str])
    failed: list[str] = field(default_factory=list[str])
    asked: bool = False
    answered: bool = False


Found = tuple[WebResult, ...]


class WebSearch:
    """Searches the web. One is made for as long as the program runs: what it knows of a provider lasts.

    `notices` are what is said with the first search, of providers that are not there.
    """

    def __init__(
        self,
        providers: Sequence[SearchProvider],
        options: SearchingOptions | None = None,
        *,
        notices: Iterable[str] = (),
        clock: Clock = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._options = options or SearchingOptions()
        self._clock = clock
        self._sleep = sleep
        self._seats = [
            _Seat(each, Pace(self._options.per_second, clock), Circuit(clock)) for each in providers
        ]
        self._absent = tuple(notices)
        self._told = False

    @property
    def names(self) -> tuple[str, ...]:
        """The providers in the order in which they are asked."""
        return tuple(seat.provider.name for seat in self._seats)

    async def __call__(self, query: WebQuery, run: Run) -> WebFound:
        """What is found. A provider that fails is a notice; `BudgetSpent` and `Cancelled` are raised where nothing was
        asked at all."""
        course = _Course(query, run)
        if not self._told:
            course.notices += self._absent
            self._told = True
        lists: list[Found] = []
        try:
            seats = await self._ready(course)
            work = self._all if self._options.combine == "all" else self._in_turn
            await work(seats, course, lists)
        except (BudgetSpent, Cancelled) as error:
            if not course.asked:
                raise
            course.notices.append(f"The web was not searched further: {error}")
        results = merged(lists, query.limit)
        if not results:
            course.notices += self._why_nothing(course)
        notices = dict.fromkeys(map(_sentence, course.notices))
        return WebFound(results, tuple(notices), course.answered, tuple(course.failed))

    async def close(self) -> None:
        """Let go of all providers."""
        for seat in self._seats:
            await seat.provider.close()

    async def _ready(self, course: _Course) -> list[_Seat]:
        """Those that may be asked now. The others are told of, those that are out for good only once."""
        passing = course.query.passing
        able = [seat for seat in self._seats if not seat.circuit.out and seat.provider.name not in passing]
        ready = [seat for seat in able if seat.circuit.left() <= 0]
        if not ready and able:
            soonest = min(able, key=lambda seat: seat.circuit.left())
            if soonest.circuit.left() <= self._patience(course):
                await self._sleep(soonest.circuit.left())
                return [soonest]
        for seat in able:
            if seat not in ready:
                self._tell(seat, course, f"is left alone for a while, since it {seat.circuit.why}")
        return ready

    def _patience(self, course: _Course) -> float:
        left = course.run.seconds_left("gather")
        return WORTH_WAITING if left is None else min(WORTH_WAITING, left)

    async def _in_turn(self, seats: Sequence[_Seat], course: _Course, lists: list[Found]) -> None:
        for place, seat in enumerate(seats, 1):
            following = seats[place].provider.name if place < len(seats) else ""
            found = await self._asked(seat, course, following, again=not following)
            if found:
                lists.append(found)
                return

    async def _all(self, seats: Sequence[_Seat], course: _Course, lists: list[Found]) -> None:
        async def one(seat: _Seat) -> Found:
            return await self._asked(seat, course, "", again=len(seats) == 1)

        ended = await settle(one, seats, limit=max(len(seats), 1))
        # In the order of the providers, not in that of their replies.
        lists += [each for each in ended if isinstance(each, tuple)]
        for each in ended:
            if isinstance(each, LeadlineError):
                raise each

    async def _asked(self, seat: _Seat, course: _Course, following: str, *, again: bool) -> Found:
        """What one provider gives; the only one that is left is asked twice."""
        instead = f"{following} is asked" if following else ""
        for attempt in (1, 2):
            try:
                return await self._once(seat, course)
            except ProviderFailed as error:
                wait = max(error.wait, SHORT)
                twice = again and attempt == 1 and error.again and not error.late
                twice = twice and wait <= self._patience(course)
                told = f"it is asked again in {wait:.0f} seconds" if twice else instead
                self._failed(seat, course, error, told)
                if not twice:
                    course.failed.append(seat.provider.name)
                    break
                await self._sleep(wait)
        return ()

    async def _once(self, seat: _Seat, course: _Course) -> Found:
        """One request, at the provider's pace, within the time that is left."""
        run, query, name = course.run, course.query, seat.provider.name
        left = run.seconds_left("gather")
        wait = seat.pace.wait()
        if wait > 0:
            await self._sleep(wait if left is None else min(wait, left))
        run.check("search")
        left = run.seconds_left("gather")
        seconds = self._options.seconds if left is None else min(self._options.seconds, left)
        seat.circuit.enter()
        course.asked = True
        run.search_spent()
        started = self._clock()
        try:
            async with asyncio.timeout(seconds):
                found = await seat.provider.search(query, seconds)
        except TimeoutError:
            raise late(name, seconds) from None
        except LeadlineError:
            raise
        except Exception as error:
            # A library that trips over a reply costs its own search, not the run.
            raise ProviderFailed(name, f"failed ({type(error).__name__})") from error
        seat.circuit.answered()
        return self._answered(name, found, course, (self._clock() - started) * 1_000)

    def _answered(self, name: str, found: Listing, course: _Course, milliseconds: float) -> Found:
        query = course.query
        bounds = Bounds(query.sites, query.without, query.since, query.until)
        kept = tuple(each for each in found.results if bounds.admit(each.url, each.published))
        pages = {canonical(each.url) for each in kept}
        new = len(pages - course.seen)
        course.seen |= pages
        course.answered = True
        course.run.emit(WebSearched(name, query.text, len(kept), milliseconds, new, found.hint))
        if found.ignored:
            course.notices.append(
                f"The search provider {name} cannot be told {' and '.join(found.ignored)}{LATER}"
            )
        return kept

    def _failed(self, seat: _Seat, course: _Course, error: ProviderFailed, instead: str) -> None:
        if error.lasting:
            seat.circuit.out = error.reason
        elif error.again:
            seat.circuit.failed(error.wait, error.reason)
        else:
            # It is well, and does not take this one query.
            seat.circuit.answered()
        self._tell(seat, course, error.reason, instead)

    def _tell(self, seat: _Seat, course: _Course, reason: str, instead: str = "") -> None:
        name = seat.provider.name
        course.run.emit(WebSearchFailed(name, course.query.text, reason, instead))
        course.notices.append(f"The search provider {name} {reason}")

    def _why_nothing(self, course: _Course) -> list[str]:
        """What those say that are out for good, and whether there was anybody to ask."""
        out = [
            f"The search provider {seat.provider.name} {seat.circuit.out}"
            for seat in self._seats
            if seat.circuit.out
        ]
        text = f"`{course.query.text:.200}`"
        if course.answered:
            return [*out, f"The web has nothing for {text}"]
        return [*out, *self._absent, f"The web could not be searched for {text}"]


def _sentence(text: str) -> str:
    return text if text.endswith((".", "…")) else f"{text}."
