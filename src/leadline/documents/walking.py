"""From paths a person names to the files that are loaded: folders walked in order, with what is left out and why.

Hidden files, keys, what ignore files name and what is not a document are left out and only counted. What a
person named directly, or would miss (a link out of the folder, a file too large), is listed with a reason.
"""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from pathspec import GitIgnoreSpec

from leadline.documents.kinds import kind_of
from leadline.errors import UsageError

IGNORE_FILES = (".gitignore", ".leadlineignore")
SECRETS = (
    *(".env", ".env.*", ".netrc", ".pgpass", ".htpasswd", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks"),
    *("*.keystore", "*.kdbx", "*.gpg", "*.ppk", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*"),
)
_LARGEST_IGNORE_FILE = 1 << 20


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to load. `source` is its absolute path as valid text."""

    path: Path
    source: str
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A path that is not loaded although a person may expect it."""

    source: str
    reason: str
    remedy: str
    size: int = 0


@dataclass(slots=True)
class Walked:
    """What a walk found. `folders` are the named folders, `unread` folders that could not be listed."""

    files: list[FoundFile] = field(default_factory=list[FoundFile])
    left_out: list[LeftOut] = field(default_factory=list[LeftOut])
    folders: list[Path] = field(default_factory=list[Path])
    unread: list[Path] = field(default_factory=list[Path])
    ignored: int = 0

    def gone(self, source: str) -> bool:
        """Whether a file that was once loaded lay in a named folder and is not there any more."""
        path = Path(source)
        if not _inside(path, self.folders) or _inside(path, self.unread):
            return False
        try:
            path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return True
        except OSError:
            return False
        return False


BACKEND = "simple"
"""What matches globs; the other engines refuse file names that are no text."""
_Rules = tuple[tuple[str, GitIgnoreSpec], ...]
"""Ignore rules with the folder they count from, nearest last."""


def walk(paths: Sequence[Path], exclude: Sequence[str] = (), largest: int = 1 << 40) -> Walked:
    """Every file under `paths`, each once, in order. Raises UsageError for a path that cannot be read."""
    walked = Walked()
    walk = _Walk(walked, _globs(exclude), largest)
    for path in paths:
        walk.named(path)
    walked.files = list({file.source: file for file in walked.files}.values())
    return walked


def source_of(path: Path) -> str:
    """A path as text that can be stored: bytes that are no UTF-8 are written as escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def excluding(exclude: Sequence[str]) -> Callable[[str], bool]:
    """Whether globs name a path, where there is no folder to walk."""
    globs = _globs(exclude)
    return lambda path: globs.match_file(path.lstrip("/"))


def _globs(exclude: Sequence[str]) -> GitIgnoreSpec:
    try:
        return GitIgnoreSpec.from_lines(exclude, backend=BACKEND)
    except ValueError as error:
        raise UsageError(f"a glob to exclude cannot be used: {error}. Write it as in .gitignore.") from None


class _Walk:
    def __init__(self, walked: Walked, exclude: GitIgnoreSpec, largest: int) -> None:
        self._walked = walked
        self._exclude = exclude
        self._largest = largest

    def named(self, path: Path) -> None:
        """A path that a person gave: links are followed, and every reason not to load it is told."""
        try:
            real = path.resolve(strict=True)
            status = real.stat()
            if stat.S_ISDIR(status.st_mode):
                os.scandir(real).close()
            elif stat.S_ISREG(status.st_mode):
                real.open("rb").close()
        except (OSError, RuntimeError) as error:
            why = getattr(error, "strerror", None) or error
            raise UsageError(f"`{path}` cannot be read: {why}. Check the path and its permissions.") from None
        if stat.S_ISDIR(status.st_mode):
            self._walked.folders.append(real)
            self._folder(real)
        elif not stat.S_ISREG(status.st_mode):
            self._leave_out(real, "is not a regular file", "Write what it gives to a file and load that.")
        elif _secret(real.name) or _secret(path.name):
            self._leave_out(real, "looks like a key or a secret", "Copy it to another name if it is not one.")
        else:
            self._file(real, status)

    def _folder(self, root: Path) -> None:
        pending: list[Iterator[tuple[os.DirEntry[str], _Rules]]] = [self._entries(root, ())]
        while pending:
            step = next(pending[-1], None)
            if step is None:
                pending.pop()
                continue
            entry, rules = step
            if entry.is_dir(follow_symlinks=False):
                pending.append(self._entries(Path(entry.path), rules))
            else:
                self._entry(entry)

    def _entries(self, folder: Path, rules: _Rules) -> Iterator[tuple[os.DirEntry[str], _Rules]]:
        """What a folder holds and is not ignored, in order, with the rules that count below it."""
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            self._walked.unread.append(folder)
            self._leave_out(folder, f"cannot be listed ({error.strerror})", "Check its permissions.")
            return
        rules = (*rules, *_rules(folder, entries))
        for entry in entries:
            if self._ignored(entry, rules):
                self._walked.ignored += 1
            else:
                yield entry, rules

    def _ignored(self, entry: os.DirEntry[str], rules: _Rules) -> bool:
        if entry.name.startswith(".") or _secret(entry.name):
            return True
        path = entry.path + "/" if entry.is_dir(follow_symlinks=False) else entry.path
        for folder in self._walked.folders[-1:]:
            if self._exclude.match_file(os.path.relpath(entry.path, folder) + path[len(entry.path) :]):
                return True
        for base, spec in reversed(rules):
            verdict = spec.check_file(path[len(base) + 1 :]).include
            if verdict is not None:
                return verdict
        return False

    def _entry(self, entry: os.DirEntry[str]) -> None:
        path = Path(entry.path)
        try:
            if entry.is_symlink():
                self._link(path)
            elif entry.is_file(follow_symlinks=False) and kind_of(path):
                self._file(path, entry.stat(follow_symlinks=False))
            else:
                self._walked.ignored += 1
        except OSError as error:
            self._leave_out(path, f"cannot be read ({error.strerror})", "Check its permissions.")

    def _link(self, path: Path) -> None:
        """Links are not followed: inside the folder their target is met anyway, outside it was not asked for."""
        if _inside(Path(os.path.realpath(path)), self._walked.folders):
            self._walked.ignored += 1
        else:
            self._leave_out(
                path, "is a link out of the folder", "Name what it points to in order to load it."
            )

    def _file(self, path: Path, status: os.stat_result) -> None:
        if status.st_size > self._largest:
            size = f"{status.st_size / (1 << 20):,.0f} MB"
            remedy = f"Split it, or raise load.max_file_mb (now {self._largest >> 20})."
            self._leave_out(path, f"is too large ({size})", remedy, status.st_size)
        else:
            self._walked.files.append(FoundFile(path, source_of(path), status.st_size, status.st_mtime_ns))

    def _leave_out(self, path: Path, reason: str, remedy: str, size: int = 0) -> None:
        self._walked.left_out.append(LeftOut(source_of(path), reason, remedy, size))


def _rules(folder: Path, entries: Sequence[os.DirEntry[str]]) -> Iterator[tuple[str, GitIgnoreSpec]]:
    for entry in entries:
        if entry.name in IGNORE_FILES and entry.is_file(follow_symlinks=False):
            try:
                with Path(entry.path).open("rb") as file:
                    text = file.read(_LARGEST_IGNORE_FILE).decode("utf-8", "replace")
                yield str(folder).rstrip("/"), GitIgnoreSpec.from_lines(text.splitlines(), backend=BACKEND)
            except (OSError, ValueError):
                continue


def _secret(name: str) -> bool:
    lower = name.lower()
    return any(fnmatchcase(lower, pattern) for pattern in SECRETS)


def _inside(path: Path, folders: Sequence[Path]) -> bool:
    return any(path == folder or folder in path.parents for folder in folders)
