"""Reading what is committed: the catalogue beside the rows, looked at anew when anyone has committed."""

from pathlib import Path

from leadline.store.catalogue import FILE, Catalogue, unknown
from leadline.store.phrases import PhraseIndex


class CommittedReader:
    """Opened by the first read; a store that is only read makes no files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._catalogue: Catalogue | None = None
        self._phrases: dict[str, PhraseIndex] = {}
        self._changes = -1

    def close(self) -> None:
        if self._catalogue is not None:
            self._catalogue.close()
        self._catalogue = None
        self.forget()

    def forget(self) -> None:
        """Let go of what belongs to an earlier commit."""
        self._phrases.clear()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever written."""
        return self._catalogue is None and not (self.folder / FILE).exists()

    def catalogue(self, name: str = "") -> Catalogue:
        """The catalogue, `UnknownCollection` for `name` when there is none yet."""
        if self._catalogue is None:
            if self.is_empty:
                raise unknown(name, ())
            self._catalogue = Catalogue(self.folder)
        return self._catalogue

    def renewed(self, name: str) -> Catalogue:
        """The catalogue, with nothing remembered from before its last commit."""
        catalogue = self.catalogue(name)
        changes = catalogue.changes
        if changes != self._changes:
            self._changes = changes
            self.forget()
        return catalogue

    def phrases(self, name: str) -> PhraseIndex:
        """The collection's phrase index as it is now."""
        catalogue = self.renewed(name)
        if name not in self._phrases:
            self._phrases[name] = catalogue.phrases(name)
        return self._phrases[name]
