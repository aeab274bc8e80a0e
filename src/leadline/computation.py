"""How a value of an answer was worked out from what is cited, so that it can be worked out again."""

from dataclasses import dataclass
from typing import Literal

Relation = Literal["least", "most", "same", "below", "above", "difference", "sum", "length"]
Quantity = Literal["date", "span", "number", "country"]


@dataclass(frozen=True, slots=True)
class Operand:
    """One value: whose it is, in which document it is cited, and what it is.

    A date is `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; a span two of these with "/" between; a number has its `unit`; a
    country is one name, or several with "|" between.
    """

    label: str
    value: str
    document_id: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Computation:
    """`relation` of the operands gives `result`: a label, "yes", "no" or a number of `unit`."""

    quantity: Quantity
    relation: Relation
    operands: tuple[Operand, ...]
    result: str
    unit: str = ""
