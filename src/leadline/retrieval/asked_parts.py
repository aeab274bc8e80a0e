"""One part of a question that filters."""

from dataclasses import dataclass

from leadline.store.filters import Filter, filter_text


@dataclass(frozen=True, slots=True)
class AskedFilter:
    """A filter, and the `words` of the question that it was read from."""

    where: Filter
    words: str

    def __str__(self) -> str:
        return f"{filter_text(self.where)} (“{self.words}”)"
