"""A name in a filter that no document has: misspelt ones are refused, missing ones are said."""

import pytest

from leadline.errors import FilterError
from leadline.store.base import FieldSummary
from leadline.store.filter_names import missing_fields
from leadline.store.filters import parse_filter

FIELDS = [
    FieldSummary("source", "text", 2, 2, "a", "b"),
    FieldSummary("language", "text", 2, 1, "en", "en"),
    FieldSummary("modified", "date", 2, 1, "2024-01-01", "2024-01-01"),
    FieldSummary("Team name", "text", 2, 1, "sea", "sea"),
]


def said(where: str) -> tuple[str, ...]:
    return missing_fields(parse_filter(where), where, ["default"], FIELDS)


def test_fields_that_are_there_need_no_word() -> None:
    assert said('source ~ "a" and lang == "en" and kind == "table" and not `Team name` in ["x"]') == ()


@pytest.mark.parametrize(
    ("where", "hint", "mark"),
    [
        ("yeer >= 2023", "`yeer`; did you mean `year`?", "  ^"),
        ('source == "a" or langage == "en"', "`langage`; did you mean `language`?", "                   ^"),
        ("not `Team nam` == 1", "`Team nam`; did you mean `Team name`?", "      ^"),
    ],
)
def test_a_misspelt_field_is_refused_with_the_name_meant(where: str, hint: str, mark: str) -> None:
    with pytest.raises(FilterError) as raised:
        said(where)
    first, _, last = str(raised.value).split("\n")
    assert hint in first
    assert last == mark
    with pytest.raises(FilterError, match="did you mean"):
        missing_fields(parse_filter(where), "", ["default"], FIELDS)


def test_a_field_that_no_document_has_is_said_and_that_modified_is_something_else() -> None:
    (year,) = said("year >= 2023")
    assert "No document in `default` has a field `year`" in year
    assert "`modified`" in year and "collections show default" in year
    (project,) = said('project == "x" and project != "y"')
    assert "`project`" in project and "modified" not in project


def test_where_nothing_is_loaded_nothing_is_said() -> None:
    where = 'yeer == 1 and project == "x"'
    assert missing_fields(parse_filter(where), where, ["default"], []) == ()
