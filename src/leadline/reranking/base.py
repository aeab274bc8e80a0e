"""What a reranker is to the rest of Leadline: it reads question and passage together, and scores the pair."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from leadline.analysis.scripts import RANGES
from leadline.errors import ConfigError
from leadline.run import Run


@dataclass(frozen=True, slots=True)
class RerankerOptions:
    """What a reranker can be told; each takes what it needs.

    `scripts` says which writing systems the model knows where that cannot be read from the model.
    `threads` of 0 leaves the number to the library; `timeout` is for one reply of a server.
    """

    model: str = ""
    url: str = ""
    key: str = field(default="", repr=False)
    max_tokens: int = 512
    threads: int = 0
    timeout: float = 20.0
    scripts: tuple[str, ...] = ()


class Reranker(Protocol):
    """Scores passages for a question. Costs more than a search, so it sees few of them."""

    @property
    def name(self) -> str: ...

    @property
    def scripts(self) -> frozenset[str] | None:
        """The scripts (of `leadline.analysis.scripts`) it was trained on; None stands for all."""
        ...

    async def rerank(self, question: str, passages: Sequence[str], run: Run) -> list[float]:
        """One finite score for each passage, in their order, 0 to 1, higher is better.

        Ends soon after it is cancelled. `RerankingFailed` when it can give none; whoever calls bounds
        the time and keeps the order that there was before.
        """
        ...


def logistic(score: float) -> float:
    """A logit as a share of 1, for any finite number.

    >>> logistic(0.0), logistic(-1000.0), logistic(1000.0)
    (0.5, 0.0, 1.0)
    """
    if score >= 0:
        return 1 / (1 + math.exp(-min(score, 700.0)))
    raised = math.exp(max(score, -700.0)) if score > -700 else 0.0
    return raised / (1 + raised)


def readable(text: str) -> str:
    """The text without what no tokenizer and no JSON takes: lone surrogates and NUL.

    >>> readable("a\\x00b\\ud800")
    'a b?'
    """
    return text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")


def told_scripts(names: Sequence[str]) -> frozenset[str] | None:
    """The scripts of `reranker_scripts`, each of which must be one that there is; None when none is told."""
    known = [name for name, _ in RANGES]
    strange = [name for name in names if name not in known]
    if strange:
        raise ConfigError(f"`reranker_scripts` cannot be `{strange[0]}`. Known: {', '.join(known)}.")
    return frozenset(names) or None
