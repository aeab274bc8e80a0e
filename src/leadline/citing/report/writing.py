"""Where a report goes: the form by the file's suffix, checked before anything is asked; written whole or not at all."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import cast

from leadline.citing.report.outline import Report, report
from leadline.errors import ConfigError, UsageError
from leadline.registry import find, names
from leadline.types import Answer

_ALIASES = {"markdown": "md", "htm": "html"}
FALLBACK = "md"


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A file that a report is to be written to."""

    path: Path
    render: Callable[[Report], bytes]

    def write(self, answer: Answer) -> Path:
        """Write the report on `answer`. Where this form cannot show it, it is kept as Markdown beside, and the error says
        so: what was searched for is not lost."""
        outline = report(answer)
        try:
            shown = self.render(outline)
        except ConfigError as error:
            beside = self.path.with_suffix(f".{FALLBACK}")
            _replace(beside, find("report", FALLBACK)(outline))
            raise ConfigError(
                f"`{self.path}`: {error} The report was written to `{beside}` instead."
            ) from error
        _replace(self.path, shown)
        return self.path


def report_file(path: Path) -> ReportFile:
    """The file `path`, if a report can be written there; else an error that says what to change."""
    known = names("report")
    suffix = path.suffix.lower().removeprefix(".")
    form = _ALIASES.get(suffix, suffix)
    if form not in known:
        forms = ", ".join(f".{name}" for name in known)
        raise UsageError(f"`{path}`: a report is written as {forms}, and the suffix says which.")
    place = _place(path)
    if path.is_dir():
        raise UsageError(f"`{path}` is a folder. Name a file in it.")
    if not place.parent.is_dir():
        raise UsageError(f"`{place.parent}` is no folder. Make it, or name another for the report.")
    if not os.access(place.parent, os.W_OK):
        raise UsageError(f"`{place.parent}` cannot be written to. Name another folder for the report.")
    if path.exists() and not os.access(path, os.W_OK):
        raise UsageError(f"`{path}` is protected against writing. Name another file for the report.")
    return ReportFile(path, cast(Callable[[Report], bytes], find("report", form)))


def _place(path: Path) -> Path:
    """Where a file is that a link leads to."""
    return path.resolve() if path.is_symlink() else path


def _replace(path: Path, content: bytes) -> None:
    """Put `content` there in one step: readers see the old file or the new one. A link stays one."""
    path = _place(path)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name[:40]}.", delete=False) as held:
        part = Path(held.name)
        try:
            held.write(content)
            held.flush()
            os.fsync(held.fileno())
            part.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
            part.replace(path)
        except BaseException:
            with suppress(FileNotFoundError):
                part.unlink()
            raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
