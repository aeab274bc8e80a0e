"""What a load is told, and what it says at the end."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from leadline.documents.splitting import SplitOptions
from leadline.events import FileLoaded, FileStatus
from leadline.types import IndexOptions, MetaValue


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """`metadata` is given to every document and wins over what the file says; `exclude` is as in .gitignore.

    `index` is for a collection that is not there yet. With `prune`, documents whose files lay in the named folders and have vanished are removed.
    """

    collection: str = "default"
    metadata: Mapping[str, MetaValue] = field(default_factory=dict[str, MetaValue])
    prune: bool = False
    exclude: tuple[str, ...] = ()
    passwords: tuple[str, ...] = ()
    max_file_mb: int = 512
    ocr: bool = True
    split: SplitOptions = SplitOptions()
    index: IndexOptions = IndexOptions()


@dataclass(frozen=True, slots=True)
class LoadReport:
    """One line for each file that was looked at; `ignored` counts what folders held that is no document.

    A `cancelled` load kept everything that it had committed.
    """

    files: tuple[FileLoaded, ...] = ()
    seconds: float = 0.0
    bytes: int = 0
    ignored: int = 0
    cancelled: bool = False

    @property
    def loaded(self) -> int:
        return self._count("loaded")

    @property
    def unchanged(self) -> int:
        return self._count("unchanged")

    @property
    def skipped(self) -> int:
        return self._count("skipped")

    @property
    def failed(self) -> int:
        return self._count("failed")

    @property
    def removed(self) -> int:
        return self._count("removed")

    @property
    def chunks(self) -> int:
        """How many chunks were written."""
        return sum(file.chunks for file in self.files if file.status == "loaded")

    def with_again(self, again: "LoadReport") -> "LoadReport":
        """This report, with the lines of files that a second load looked at taken from that one."""
        later = {file.source: file for file in again.files}
        files = tuple(later.pop(file.source, file) for file in self.files)
        return replace(
            self,
            files=(*files, *later.values()),
            seconds=self.seconds + again.seconds,
            cancelled=self.cancelled or again.cancelled,
        )

    def beside(self, other: "LoadReport") -> "LoadReport":
        """This report and one of other things that were loaded after them."""
        return LoadReport(
            (*self.files, *other.files),
            self.seconds + other.seconds,
            self.bytes + other.bytes,
            self.ignored + other.ignored,
            self.cancelled or other.cancelled,
        )

    def _count(self, status: FileStatus) -> int:
        return Counter(file.status for file in self.files)[status]
