"""One error tree. Every message says what happened, where, and what to do.

LeadlineError                exit 1
├── UsageError               exit 2   what the caller gave cannot be used
│   ├── ConfigError                   a key or value of the configuration
│   │   └── BadKey                    a key for a service that cannot be one
│   ├── FilterError                   a filter expression; points at the character
│   ├── FlowError                     a flow file; names file, line and key
│   └── UnknownCollection
├── StoreError               exit 2
│   ├── StoreLocked                   another process is writing
│   ├── StoreUnwritable               read-only or full disk; nothing was changed
│   ├── StoreUnreachable              a store's server does not answer or refuses the token
│   └── EmbeddingMismatch             the collection was indexed with another model
├── EmbeddingFailed          exit 1   an embedding server gave nothing that can be used
├── RerankingFailed          exit 1   a reranker gave no score; never ends a run
├── ModelFailed              exit 1   a language model gave no reply; a step's safe default stands in
│   └── ModelUnusable        exit 2   it never will: key, address or name of the model
├── ProviderFailed           exit 1   a search provider gave no results; the next one is asked, and never ends a run
├── NotRecorded              exit 1   a call that is not in the cache a run is replayed from
├── DocumentError            exit 1   one file could not be read; never ends a load
├── RowFailed                exit 1   a step of a flow failed on a row; never ends the flow unless that says so
├── WorkerFailed             exit 1   a cluster's workers cannot do what they were given
├── BudgetSpent              exit 1   inside a run only: ends gathering, not the run
└── Cancelled                exit 130 inside a run only: answer with what is there
"""

import unicodedata
from typing import Any, ClassVar


class LeadlineError(Exception):
    """The root. `exit_code` is for the command line, `http_status` for the server."""

    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False


class UsageError(LeadlineError):
    """What the caller gave cannot be used."""

    exit_code = 2
    http_status = 400


class ConfigError(UsageError):
    """A key or value of the configuration is wrong; the message names its path."""


class BadKey(ConfigError):
    """The key for a service is missing or cannot be one; another service may do."""


class FilterError(UsageError):
    """A filter cannot be parsed. `text` is the filter, `position` the offending character (from 0)."""

    def __init__(self, message: str, text: str, position: int) -> None:
        self.text = text
        self.position = position
        super().__init__(f"{message}\n{_pointed(text, position)}")


def _pointed(text: str, position: int) -> str:
    """The filter around `position` on one line, and below it a mark under that character."""
    start, end = max(position - 80, 0), position + 60
    shown = "".join(character if character.isprintable() else " " for character in text[start:end])
    before, after = "…" if start else "", "…" if end < len(text) else ""
    wide = (unicodedata.east_asian_width(character) in "WF" for character in shown[: position - start])
    gap = " " * len(before) + "".join("\u3000" if each else " " for each in wide)
    return f"  {before}{shown}{after}\n  {gap}^"


class FlowError(UsageError):
    """A flow cannot be built or run as it is written; the message names its file, line and key."""


class UnknownCollection(UsageError):
    """No collection of that name."""

    http_status = 404


class StoreError(LeadlineError):
    """The store cannot do what was asked; what it held before is unchanged."""

    exit_code = 2


class StoreLocked(StoreError):
    """Another process is writing to this store."""

    http_status = 409
    retryable = True


class StoreUnwritable(StoreError):
    """The disk is read-only or full."""


class StoreUnreachable(StoreError):
    """The server of a store does not answer, or refuses the token."""

    http_status = 502
    retryable = True


class EmbeddingMismatch(StoreError):
    """The collection was indexed with another embedding model."""

    http_status = 409


class EmbeddingFailed(LeadlineError):
    """An embedding server cannot be reached, refuses, or sends what is no vector."""

    http_status = 502
    retryable = True


class RerankingFailed(LeadlineError):
    """A reranker gave no usable score; passages keep the order they had."""

    http_status = 502
    retryable = True


class ModelFailed(LeadlineError):
    """A language model gave no usable reply: `reason` is safe to show, never the text of an exception."""

    http_status = 502
    retryable = True


class ModelUnusable(ModelFailed):
    """The model will not answer until somebody corrects the key, the address or the model's name."""

    exit_code = 2
    retryable = False


class ProviderFailed(LeadlineError):
    """A search provider gave no results it can be held to: `reason` is safe to show. `again`: the same search may go
    through later, after `wait` seconds where the provider says so; else the key, the address or the query is wrong.
    `lasting`: so will every other search, until somebody corrects that. `late`: it gave no reply in its time."""

    http_status = 502

    def __init__(
        self,
        provider: str,
        reason: str,
        *,
        again: bool = True,
        wait: float = 0.0,
        lasting: bool = False,
        late: bool = False,
    ) -> None:
        self.provider = provider
        self.reason = reason
        self.again = again
        self.wait = wait
        self.lasting = lasting
        self.late = late
        super().__init__(f"{provider}: {reason}")


class NotRecorded(LeadlineError):
    """A run is replayed from a cache that does not hold this call."""


class DocumentError(LeadlineError):
    """One document could not be read: `reason` says why, `remedy` what to do."""

    http_status = 422

    def __init__(self, reason: str, remedy: str = "") -> None:
        self.reason = reason
        self.remedy = remedy
        super().__init__(f"{reason} {remedy}".strip())


class RowFailed(LeadlineError):
    """A step of a flow failed on a row: `step` says where, `reason` why, `row` is what it was given."""

    def __init__(self, step: str, reason: str, row: dict[str, Any]) -> None:
        self.step = step
        self.reason = reason
        self.row = row
        super().__init__(f"{step}: {reason}")


class WorkerFailed(LeadlineError):
    """No worker of a cluster can do the work it was given; the message is what one of them said."""


class BudgetSpent(LeadlineError):
    """A limit of the run is reached: `limit` is its name (`searches`, `calls`, `tokens`, `usd`, `deadline`)."""

    def __init__(self, message: str, limit: str) -> None:
        self.limit = limit
        super().__init__(message)


class Cancelled(LeadlineError):
    """The run was asked to stop and answer with what it has."""

    exit_code = 130
