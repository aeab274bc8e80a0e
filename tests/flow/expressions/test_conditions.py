"""Expressions: what they say of rows, and what they cannot be made to do."""

import pickle
from typing import Any

import pytest

from leadline.errors import FlowError
from leadline.flow.expressions.conditions import Expression

ROW: dict[str, Any] = {
    "name": "Hello World",
    "n": 3,
    "share": 0.5,
    "open": True,
    "none": None,
    "empty": [],
    "tags": ["new", {"id": 7}],
    "deep": {"er": {"est": "x"}},
    "my field": 5,
    "and": 1,
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("name", "Hello World"),
        ("missing", None),
        ("deep.er.est", "x"),
        ("tags.1.id", 7),
        ("tags.-1.id", 7),
        ("tags.9", None),
        ("name.upper", None),
        ("`my field` == 5", True),
        ("`and`", 1),
        ("n == 3.0", True),
        ("open == 1", False),
        ("open == true", True),
        ("none == null", True),
        ("missing == null", True),
        ("n != '3'", True),
        ("n < 4 and n <= 3 and n > 2 and n >= 3", True),
        ("name < 'I'", True),
        ("name < 4 or name > 4 or name >= 4", False),
        ("open < 2", False),
        ("none < 1", False),
        ("n in [1, 2, 3]", True),
        ("n not in [1, 2, 3]", False),
        ("true in [1]", False),
        ("'World' in name", True),
        ("'er' in deep", True),
        ("3 in n", False),
        ("len(name)", 11),
        ("len(missing) == 0", True),
        ("len(n)", None),
        ("len(tags) > 1", True),
        ("lower(name)", "hello world"),
        ("exists(none)", True),
        ("exists(missing)", False),
        ("exists(deep.er.none)", False),
        ("name matches 'w.r'", False),
        ("name matches '(?i)w.r'", True),
        (r"name matches '^\w+\s\w+$'", True),
        ("n matches '3'", False),
        ("not empty", True),
        ("not not empty", False),
        ("empty or n", 3),
        ("empty and n", []),
        ("open and not (n == 4 or empty)", True),
        ("[n, 'a', null, true]", [3, "a", None, True]),
        ("tags.1 == deep", False),
        (r"'it\'s' == 'it\'s'", True),
        ("-1.5e1 == -15", True),
    ],
)
def test_an_expression_says_this_of_a_row(text: str, value: object) -> None:
    found = Expression.parse(text)(ROW)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("n =", "no operator here"),
        ("n == ", "expected a field"),
        ("(n", "not closed"),
        ("[n", "expected `,` or `]`"),
        ("n m", "expected `and`, `or` or the end"),
        ("1 < n < 3", "cannot be chained"),
        ("n + 1", "`+` is no operator: nothing is computed here"),
        ("'open", "no closing quote"),
        ("and", "a word of the language"),
        ("name matches n", "needs a pattern in quotes"),
        ("name matches '(a'", "missing )"),
        ("name matches '(?=a)'", "invalid perl operator"),
        ("exists('n')", "needs a field"),
        ("$limit", "no argument or constant `limit`"),
        ("(" * 60 + "n" + ")" * 60, "nests deeper"),
        ("[" * 60, "nests deeper"),
        ("n" * 5_000, "4000 characters"),
        ("9e999", "too large"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(text: str, said: str) -> None:
    with pytest.raises(FlowError, match="character") as caught:
        Expression.parse(text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "trick",
    [
        "__class__",
        "name.__class__.__mro__",
        "deep.__init__.__globals__",
        "`__class__`",
        "__import__('os').system('true')",
        "eval('1')",
        "().__class__",
        "lambda: 0",
        "name.format(name)",
        "name % n",
        "f'{name}'",
        "[x for x in tags]",
        "n if n else n",
        "open('/etc/passwd')",
        "deep['er']",
        "n := 3",
    ],
)
def test_nothing_but_the_language_is_read(trick: str) -> None:
    with pytest.raises(FlowError):
        Expression.parse(trick)


def test_an_expression_knows_the_fields_it_reads() -> None:
    read = Expression.parse("tags.1.id == `my field` and exists(deep.er) and n > 1")
    assert read.fields == ("tags.1.id", "my field", "deep.er", "n")
    assert read.names == ("tags", "my field", "n")
    assert Expression.parse("1 == 1").fields == ()


def test_names_stand_for_values_whatever_these_hold() -> None:
    read = Expression.parse("name == $who or n > $(least)", {"who": "' or true or '", "least": 2, "other": 1})
    assert read(ROW) is True
    assert not read({"name": "Hello", "n": 1})
    assert read.shared == {"who": "' or true or '", "least": 2}


def test_an_expression_travels() -> None:
    read = Expression.parse("n > $least and name matches 'o+'", {"least": 2})
    copy = pickle.loads(pickle.dumps(read))
    assert copy == read
    assert copy(ROW) is True
