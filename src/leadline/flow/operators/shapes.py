"""What is known of rows: what a step reads of them, gives them and takes away."""

from collections.abc import Mapping

from leadline.flow.base import FieldKind, Shape


def either(one: Shape, other: Shape) -> Shape:
    """Of rows that are of one shape or of the other.

    >>> dict(either(Shape({"a": "text"}, open=False), Shape({"a": "list", "b": "bool"}, open=False)).fields)
    {'a': 'any', 'b': 'bool'}
    """
    fields: dict[str, FieldKind] = {**one.fields, **other.fields}
    both = one.fields.keys() & other.fields.keys()
    differing: dict[str, FieldKind] = {name: "any" for name in both if one.fields[name] != other.fields[name]}
    return Shape({**fields, **differing}, one.open or other.open)


def reading(*paths: str, kind: FieldKind = "any") -> dict[str, FieldKind]:
    """The fields that are read at these paths, as `Operator.reads` tells them; only what is a field itself is of `kind`.

    >>> reading("title", "chunk.text", kind="text")
    {'title': 'text', 'chunk': 'any'}
    """
    return {path.partition(".")[0]: "any" if "." in path else kind for path in paths}


def having(before: Shape, fields: Mapping[str, FieldKind]) -> Shape:
    """Of rows that get these fields."""
    return Shape({**before.fields, **fields}, before.open)


def lacking(before: Shape, *fields: str) -> Shape:
    """Of rows that lose these fields."""
    return Shape({name: kind for name, kind in before.fields.items() if name not in fields}, before.open)
