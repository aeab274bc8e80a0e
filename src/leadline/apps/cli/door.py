"""What every command needs: the settings it was called with, and a workspace to run in.

Ctrl-C once asks the run to finish with what it has; twice stops it.
"""

import asyncio
import importlib
import signal
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import typer

from leadline.apps.cli.options import FLAGS
from leadline.run import Run

if TYPE_CHECKING:
    from leadline.config import Settings
    from leadline.events import Event
    from leadline.workspace import Workspace

R = TypeVar("R")

Work = Callable[["Workspace", Run], Coroutine[Any, Any, R]]


def _quiet(event: "Event") -> None: ...


@dataclass(frozen=True, slots=True)
class Door:
    """How the command line was called. Settings and workspace are imported only when a command asks."""

    data: Path | None = None
    config: Path | None = None
    everywhere: bool = False
    flags: Mapping[str, object] = field(default_factory=dict[str, object])

    @staticmethod
    def of(context: typer.Context) -> "Door":
        """The door a command was called through."""
        return cast(Door, context.find_root().obj)

    def with_flags(self, **flags: object) -> "Door":
        """The same door with flags of a command, by dotted path; None means not given."""
        as_text = importlib.import_module("leadline.arguments").as_text
        read = {path: as_text(value) if isinstance(value, str) else value for path, value in flags.items()}
        return Door(self.data, self.config, self.everywhere, {**self.flags, **read})

    def settings(self) -> "Settings":
        """What file, environment and flags say together."""
        read = importlib.import_module("leadline.config").settings
        given = {"data": self.data, **self.flags}
        return cast(
            "Settings", read(config=self.config, everywhere=self.everywhere, flags=given, spelled=FLAGS)
        )

    def run(
        self,
        work: Work[R],
        *,
        emit: Callable[["Event"], None] = _quiet,
        on_cancel: str = "",
    ) -> R:
        """Open the workspace, do `work` in it, close it.

        With `on_cancel` the first Ctrl-C says that text and lets the run end by itself.
        """
        settings = self.settings()
        run = Run(settings.budget.of_run(), emit)
        opened = cast("type[Workspace]", importlib.import_module("leadline.workspace").Workspace)

        async def inside() -> R:
            async with await opened.open(settings) as workspace:
                return await work(workspace, run)

        return until_done(inside, run, on_cancel)


def until_done(work: Callable[[], Coroutine[Any, Any, R]], run: Run, on_cancel: str) -> R:
    """Run `work` in a loop of its own, with Ctrl-C as described above."""

    async def inside() -> R:
        task = asyncio.current_task()
        loop = asyncio.get_running_loop()
        assert task is not None

        def pressed() -> None:
            if run.cancelled or not on_cancel:
                task.cancel()
                signal.signal(signal.SIGINT, signal.SIG_DFL)
                return
            run.cancel()
            typer.echo(f"\n{on_cancel}", err=True)

        with suppress(NotImplementedError, ValueError, RuntimeError):
            loop.add_signal_handler(signal.SIGINT, pressed)
        try:
            return await work()
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None

    return asyncio.run(inside())  # noqa: TID251 - the command line is one of the two rims
