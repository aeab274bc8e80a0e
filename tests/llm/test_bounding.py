"""Schemas with an end to everything."""

from leadline.llm.bounding import ITEMS, LONGEST, STRING, bounded


def test_every_string_and_list_gets_an_end_however_deep() -> None:
    schema = {
        "type": "object",
        "properties": {
            "queries": {
                "type": "array",
                "items": {"type": "object", "properties": {"text": {"type": "string"}}},
            },
            "missing": {"type": ["string", "null"]},
        },
    }
    found = bounded(schema)
    queries = found["properties"]["queries"]
    assert queries["maxItems"] == ITEMS
    assert queries["items"]["properties"]["text"]["maxLength"] == STRING
    assert queries["items"]["additionalProperties"] is False
    assert found["properties"]["missing"]["maxLength"] == STRING


def test_what_a_schema_bounds_itself_stays_unless_it_is_slow_to_follow() -> None:
    assert bounded({"type": "string", "maxLength": 60})["maxLength"] == 60
    assert bounded({"type": "string", "maxLength": 50_000})["maxLength"] == LONGEST
    assert bounded({"type": "array", "items": {}, "maxItems": 3})["maxItems"] == 3
    assert bounded({"type": "object", "additionalProperties": {"type": "string"}})[
        "additionalProperties"
    ] == {
        "type": "string",
        "maxLength": STRING,
    }


def test_a_choice_of_words_and_a_property_called_type_are_left_alone() -> None:
    assert bounded({"type": "string", "enum": ["yes", "no"]}) == {"type": "string", "enum": ["yes", "no"]}
    schema = {"type": "object", "properties": {"type": {"type": "integer"}}}
    assert bounded(schema)["properties"] == {"type": {"type": "integer"}}


def test_the_schema_given_is_not_changed() -> None:
    schema = {"type": "array", "items": {"type": "string"}}
    bounded(schema)
    assert schema == {"type": "array", "items": {"type": "string"}}
