"""`leadline`: finds the command, runs it, and turns errors into one line and an exit code.

argv -> options of every command + command word -> that command's module -> Workspace -> render
"""

import errno
import gc
import importlib
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from leadline import __version__
from leadline.apps.cli.door import Door
from leadline.citing.render.plain import line, safe
from leadline.errors import FilterError, LeadlineError

COMMANDS: dict[str, tuple[str, str]] = {
    "load": ("load", "Read files and folders into a collection."),
    "search": ("search", "Find passages and show how each was found."),
    "ask": ("ask", "Answer a question, every sentence cited."),
    "research": ("research", "Gather facts on a topic in rounds, and write a report."),
    "collections": ("collections", "List, show, describe or drop collections."),
    "flow": ("flow", "Run flows: rows from a source, through steps, into sinks."),
    "status": ("status", "Show what is stored and whether it is being written."),
    "migrate": ("migrate", "Copy collections from one store into another."),
    "remove": ("remove", "Remove documents from a collection."),
    "reindex": ("reindex", "Give a collection another embedding without reading its files again."),
    "tune": ("tune", "Find how a collection is searched best, by your own questions."),
    "eval": ("evaluate", "Measure retrieval on a set of questions."),
    "prompt": ("prompt", "List or show what models are told."),
    "doctor": ("doctor", "Check the installation and say what to do."),
    "demo": ("demo", "Load the example documents and answer a question over three of them."),
}
"""Command -> (module beside this one, help). Help is here so that `--help` imports no command."""

_SWITCHES = frozenset({"--debug", "--global"})
_VALUES = frozenset({"--data", "--config"})


def main(argv: Sequence[str] | None = None) -> None:
    """Run one command and exit with its code."""
    # Most of a short command is imports, and what they make stays: looking for garbage in it is for nothing.
    gc.set_threshold(10_000, 10, 10)
    anywhere, rest = hoist(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in anywhere
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    word = next((argument for argument in rest if not argument.startswith("-")), "")
    try:
        build(word)([*anywhere, *rest], prog_name="leadline")
    except LeadlineError as error:
        _fail(_harmless(error), error.exit_code, debug)
    except KeyboardInterrupt:
        _fail("stopped.", 130, debug)
    except OSError as error:
        _fail(*_disk(error, debug), debug)
    except Exception as error:  # noqa: BLE001 - the rim: nothing above could show it
        kind = type(error).__name__
        _fail(f"{kind}: {_one_line(error)}{_see_traceback(debug)}", 1, debug)


def hoist(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """Options that belong to no command may stand anywhere; typer wants them first.

    >>> hoist(["ask", "why?", "--data", "x", "--fast"])
    (['--data', 'x'], ['ask', 'why?', '--fast'])
    """
    first: list[str] = []
    rest: list[str] = []
    arguments = list(argv)
    while arguments:
        argument = arguments.pop(0)
        if argument == "--":
            return first, [*rest, argument, *arguments]
        if argument in _SWITCHES or argument.partition("=")[0] in _VALUES and "=" in argument:
            first.append(argument)
        elif argument in _VALUES and arguments:
            first += [argument, arguments.pop(0)]
        else:
            rest.append(argument)
    return first, rest


def build(word: str) -> typer.Typer:
    """The application, with the command `word` loaded and the others known by name only."""
    app = typer.Typer(
        add_completion=False,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog="--data, --config, --global and --debug may also stand after the command.",
    )
    app.callback(help="Deep search over your own documents: offline, in rounds, every sentence cited.")(
        _options
    )
    for name, (module, help_text) in COMMANDS.items():
        if name == word:
            register: Callable[[typer.Typer], None]
            register = importlib.import_module(f"leadline.apps.cli.{module}").register
            register(app)
        else:
            app.command(name, help=help_text)(_not_loaded)
    return app


def _not_loaded() -> None:
    raise AssertionError("a command is loaded before it is called")


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"leadline {__version__}")
        raise typer.Exit


def _options(
    context: typer.Context,
    data: Annotated[Path | None, typer.Option(help="Folder that holds the collections.")] = None,
    config: Annotated[Path | None, typer.Option(help="Configuration file.")] = None,
    everywhere: Annotated[bool, typer.Option("--global", help="Use your own data folder.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")
    ] = False,
) -> None:
    context.obj = Door(data=data, config=config, everywhere=everywhere)


def _harmless(error: LeadlineError) -> str:
    """The message on one line, but for a filter's, which points at a character."""
    text = str(error).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return safe(text) if isinstance(error, FilterError) else line(text)


def _disk(error: OSError, debug: bool) -> tuple[str, int]:
    place = f"`{error.filename}`" if error.filename else "the data folder"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"{place}: the disk is full. Free some space and run the same command again.", 2
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.ENAMETOOLONG):
        return f"{place}: {error.strerror}. Make it accessible, or name another folder with --data.", 2
    return f"{place}: {_one_line(error)}{_see_traceback(debug)}", 1


def _see_traceback(debug: bool) -> str:
    return "" if debug else ". Run it again with --debug to see the traceback."


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]


def _fail(message: str, code: int, debug: bool) -> None:
    if debug:
        traceback.print_exc()
    print(f"leadline: {message}", file=sys.stderr)
    sys.exit(code)
