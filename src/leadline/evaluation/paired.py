"""Two runs over the same questions, set against each other: is one better, or is it chance?

rows of A, rows of B -> the questions of both -> difference of each metric -> a paired bootstrap
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from leadline.errors import UsageError
from leadline.evaluation.bootstrap import Interval, interval
from leadline.evaluation.metrics import mean
from leadline.evaluation.report import table

METRICS = {
    "recall": "supporting passages found",
    "kept": "supporting passages kept",
    "hit_at_3": "hit@3",
    "citation_recall": "citation recall",
    "citation_precision": "citation precision",
    "contains": "answer contains the expected one",
    "exact": "exact match",
    "f1": "token F1",
    "answered": "answered",
    "calls": "calls",
    "tokens": "tokens",
    "usd": "USD",
    "ms": "ms",
}
COSTS = frozenset({"calls", "tokens", "usd", "ms"})
"""Here less is better."""

OF_SUPPORT = frozenset({"recall", "kept", "hit_at_3", "citation_recall", "citation_precision"})
"""These say something only of questions that name the passages that support their answer."""

Rows = Mapping[tuple[str, str], Mapping[str, Any]]
"""By set and id."""
Pair = tuple[str, Mapping[str, Any], Mapping[str, Any]]
"""A question's set, and its row in either run."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One metric over the questions of both; `difference` is that of the second less the first."""

    metric: str
    questions: int
    first: float
    second: float
    difference: Interval

    @property
    def verdict(self) -> str:
        """What the interval says: `better`, `worse` or `no difference shown`."""
        low, high = self.difference.low, self.difference.high
        if low <= 0 <= high:
            return "no difference shown"
        return "better" if (low > 0) != (self.metric in COSTS) else "worse"


def compare(first: Path, second: Path) -> list[Compared]:
    """Every metric that both files have, over the questions that both have."""
    ours, theirs = read_rows(first), read_rows(second)
    shared = [name for name in ours if name in theirs]
    if not shared:
        raise UsageError(f"{first} and {second} have no question in common. Compare rows of the same set.")
    pairs = [(name[0], ours[name], theirs[name]) for name in shared]
    compared = (_compared(metric, _telling(metric, pairs)) for metric in METRICS)
    return [one for one in compared if one is not None]


def _telling(metric: str, pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs that have the metric and say something by it."""
    return [
        pair
        for pair in pairs
        if all(metric in row and (metric not in OF_SUPPORT or row.get("supported", True)) for row in pair[1:])
    ]


def _compared(metric: str, pairs: Sequence[Pair]) -> Compared | None:
    if not pairs:
        return None
    groups: dict[str, list[float]] = {}
    for name, one, other in pairs:
        groups.setdefault(name, []).append(float(other[metric]) - float(one[metric]))
    return Compared(
        metric,
        len(pairs),
        mean([float(one[metric]) for _, one, _ in pairs]),
        mean([float(other[metric]) for _, _, other in pairs]),
        interval(list(groups.values())),
    )


def read_rows(file: Path) -> Rows:
    """Rows as `leadline eval answers --rows` writes them, one JSON object a line."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}. Write it with `eval answers --rows`."
        ) from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8. Write it with `eval answers --rows`.") from None
    rows: dict[tuple[str, str], Mapping[str, Any]] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            row = _row(line, f"{file}:{number}")
            rows[str(row.get("set", "")), str(row["id"])] = row
    return rows


def _row(line: str, where: str) -> Mapping[str, Any]:
    try:
        found: object = json.loads(line)
    except ValueError:
        found = None
    row = cast(dict[str, Any], found) if isinstance(found, dict) else {}
    numbers = [row[metric] for metric in METRICS if metric in row]
    if "id" not in row or not numbers or not all(isinstance(number, int | float) for number in numbers):
        raise UsageError(f"{where} is not the row of an answer. Write it with `eval answers --rows`.")
    return row


def compared_table(found: Sequence[Compared]) -> str:
    """A Markdown table; shares in per cent."""
    head = ("figure", "A", "B", "B - A", "95% from", "to", "verdict")
    rows = [
        [METRICS[one.metric], *(_shown(one.metric, value) for value in _values(one)), one.verdict]
        for one in found
    ]
    return "\n".join(table(rows, head))


def _values(one: Compared) -> tuple[float, ...]:
    return one.first, one.second, one.difference.mean, one.difference.low, one.difference.high


def _shown(metric: str, value: float) -> str:
    if metric in COSTS:
        return f"{value:.4f}" if metric == "usd" else f"{value:.1f}"
    return f"{100 * value:.1f}"
