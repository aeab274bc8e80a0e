"""`check`: what can be known to be wrong with a flow before it runs, with file, line and key."""

from collections.abc import Callable
from pathlib import Path

import pytest

from leadline.flow.files.checking import check

Told = Callable[[str], list[str]]
HEAD = "source: {rows: {items: [{n: 1}]}}\nsteps:\n"


@pytest.fixture
def told(tmp_path: Path) -> Told:
    """What is said of a flow, each with its severity, line and key."""

    def checked(text: str) -> list[str]:
        file = tmp_path / "flow.yaml"
        file.write_text(text if "sink:" in text else f"{text}\nsink: stdout\n", encoding="utf-8")
        found = check(file).in_order
        assert {problem.file for problem in found} <= {str(file)}
        return [f"{each.severity} {each.line} {each.key}: {each.message}" for each in found]

    return checked


def test_all_that_cannot_be_built_is_told_at_once(told: Told) -> None:
    found = told(
        """\
nam: x
source: {jsnl: rows.jsonl}
arguments: {n: {type: number}, m: {typ: int}}
steps:
  - filtr: {condition: a}
  - filter: {conditon: a}
  - filter: a > = 2
  - flat: {field: tags, of: lists}
  - limit: ten
  - group: {by: a, aggregates: {s: {sums: a}}}
  - select: {fields: [a]}
    retries: 2
  - limit: 1
    on_error: skip
  - while: {condition: a, body: [{set: {fields: {b: a b}}}]}
  - [limit]
  - limit: 1
    skip: 2
  - filter: {}
sink: {jsonl: {}}
on_error: {policy: stpo}
limits: {row: {calls: 0}, all: {}}
concurrency: 0
ordered: maybe
"""
    )
    assert found == [
        "error 1 nam: there is no such key. Did you mean `name`?",
        "error 2 source: there is no source `jsnl`. Did you mean `jsonl`?",
        "error 3 arguments.n.type: must be one of text, int, float, bool, path, list.",
        "error 3 arguments.m.typ: there is no such key. Did you mean `type`?",
        "error 5 steps[0]: there is no step `filtr`. Did you mean `filter`?",
        "error 6 steps[1].filter.conditon: there is no such argument. Did you mean `condition`?",
        "error 7 steps[2].filter.condition: `=` is no operator here (use `==`, `and`, `or`), at character 5, near `a > = 2`.",
        "error 8 steps[3].flat.of: must be `list` or `keys` or `values` or `items`. Did you mean `list`?",
        "error 9 steps[4].limit.n: must be a whole number, not 'ten'.",
        "error 10 steps[5].group.aggregates.s: there is no aggregate `sums`. Did you mean `sum`?",
        "error 12 steps[6].retries: beside `select` only name, retry, on_error may stand. Did you mean `retry`? "
        "Arguments go below it, and each step has its own `-` in a list.",
        "error 14 steps[7].on_error: `limit` has no `on_error`: it looks at no row by itself.",
        "error 15 steps[8].while.body[0].set.fields.b: expected `and`, `or` or the end, at character 3, near `a b`.",
        "error 16 steps[9]: must be a step: its name and its arguments.",
        "error 18 steps[10].skip: beside `limit` only name, retry, on_error may stand. Arguments go below it, and each step "
        "has its own `-` in a list.",
        "error 19 steps[11].filter: `condition` is missing.",
        "error 20 sink.jsonl: `path` is missing.",
        "error 21 on_error.policy: must be `dead_letter` or `stop`. Did you mean `stop`?",
        "error 22 limits.all: there is no such key. Known: row, total, memory_rows.",
        "error 23 concurrency: must be from 1 to 1000.",
        "error 24 ordered: must be true or false, not 'maybe'.",
    ]


def test_a_field_that_no_row_can_have_is_told(told: Told) -> None:
    found = told(
        HEAD
        + """\
  - select: {fields: [title, tags]}
  - filter: titel == "a" or exists(year)
  - flat: {field: tags, as: tag}
  - group: {by: tag, aggregates: {all: {collect: title}}}
  - sort: {by: [-many]}
"""
    )
    assert found == [
        "error 4 steps[1]: no row has a field `titel` here. There are: title, tags. Did you mean `title`?",
        "error 7 steps[4]: no row has a field `many` here. There are: tag, all.",
    ]


def test_fields_that_come_in_the_loop_or_in_a_branch_are_there(told: Told) -> None:
    found = told(
        HEAD
        + """\
  - select: {fields: [todo]}
  - while:
      condition: todo and not later
      body:
        - set: {fields: {later: {value: 1}, todo: later}}
  - if: {condition: todo, then: [{set: {fields: {a: todo}}}], else: [{set: {fields: {b: todo}}}]}
  - filter: a or b or loop.rounds > 1
  - each: {field: todo, as: one, steps: [{filter: one}]}
  - filter: one
"""
    )
    assert found == ["error 11 steps[5]: no row has a field `one` here. There are: todo, later, loop, a, b."]


def test_a_field_that_holds_something_else_is_told(told: Told) -> None:
    found = told(
        HEAD
        + "  - set: {fields: {tags: {value: a text}}}\n  - flat: tags\n  - each: {field: tags, steps: []}\n"
    )
    assert found == [
        "error 4 steps[1]: `tags` holds text here, and a list is needed.",
    ]


def test_steps_that_no_row_reaches_are_told(told: Told) -> None:
    limit = told(HEAD + "  - limit: 0\n  - filter: a\n  - filter: b\n")
    assert limit == ["warning 4 steps[1]: no row ever comes here: `limit` lets no row through above."]
    condition = told(HEAD + "  - filter: 1 > 2\n  - filter: a\n")
    assert condition == [
        "warning 3 steps[0]: this condition is always false: it reads no field.",
        "warning 4 steps[1]: no row ever comes here: the condition is always false above.",
    ]
    branches = told(HEAD + "  - fork: [[{limit: 0}], [{sample: {fraction: 0}}]]\n  - filter: a\n")
    assert branches == ["warning 4 steps[1]: no row ever comes here: `limit` lets no row through above."]
    assert told(HEAD + "  - fork: [[{limit: 0}], []]\n  - filter: a\n") == []
    loop = told(HEAD + "  - while: {condition: true, max_rounds: 0, body: []}\n")
    assert loop == [
        "warning 3 steps[0]: this condition is always true: it reads no field.",
        "warning 3 steps[0]: with `max_rounds: 0` its body never runs.",
    ]


def test_names_that_nothing_asks_for_are_told(told: Told) -> None:
    text = "arguments: {a: {default: 1}, b: {}}\nconsts: {c: 1, d: 2}\n"
    assert told(f"{text}{HEAD}  - filter: n == $b or n == $(d)\n") == [
        "warning 1 arguments.a: nothing asks for it.",
        "warning 2 consts.c: nothing asks for it.",
    ]


def test_a_sink_that_needs_a_field_that_is_not_there_is_told(told: Told) -> None:
    found = told(HEAD + "  - select: {fields: [text]}\nsink: {collection: {name: x}}\n")
    assert found == ["error 4 sink: no row has a field `source` here. There are: text."]


def test_a_sound_flow_has_no_problems_and_needs_no_values(told: Told) -> None:
    text = "arguments: {n: {type: int}, f: {type: float, min: 2}, p: {type: path}, c: {choices: [a, b]}, l: {type: list}}\n"
    step = "  - set: {fields: {x: {value: $l}, y: n == $f or n == $c}}\n  - limit: $n\nsink: {jsonl: $p}\n"
    assert told(text + HEAD + step) == []


def test_an_argument_without_a_value_may_be_any_of_the_choices_of_a_step(told: Told) -> None:
    assert told("arguments: {of: {}}\n" + HEAD + "  - flat: {field: n, of: $of}\n") == []
    assert (
        "must be `list`"
        in told("arguments: {of: {default: x}}\n" + HEAD + "  - flat: {field: n, of: $of}\n")[0]
    )


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("most: -1", "`most` must not be less than 0."),
        ("retry: {times: -1}", "`times` must be from 0 to 100."),
        ("retry: {times: 1, wait: -3}", "`wait` must be from 0 to 3600 seconds."),
        ("retry: {times: 1, wait: 1.0e300}", "`wait` must be from 0 to 3600 seconds."),
    ],
)
def test_numbers_that_no_run_could_keep_to_are_told(told: Told, part: str, said: str) -> None:
    found = told(f"source: {{rows: {{items: [{{n: 1}}]}}}}\non_error: {{{part}}}\nsink: stdout")
    assert [line.endswith(said) for line in found] == [True]
