"""The command line: one file per group of commands, each loaded when it is called."""

from leadline.apps.cli.entry import main

__all__ = ["main"]
