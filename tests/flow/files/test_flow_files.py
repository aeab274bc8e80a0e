"""Flow files: what they may say, what they inherit, and how what is wrong is told."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import FlowError
from leadline.flow.base import Chain, Retry
from leadline.flow.files.reading import read_flow
from leadline.flow.files.yaml_lines import read_yaml
from leadline.flow.operators.control import Each, Fork, If
from leadline.flow.operators.looping import While
from leadline.flow.operators.mapping import Filter, Flat
from leadline.flow.operators.ordering import Limit
from leadline.flow.sinks.jsonl import Jsonl
from leadline.flow.sources.inline import InlineRows
from leadline.run import Budget

Write = Callable[..., Path]
SOURCE = "source: {rows: {items: [{n: 1}]}}\n"


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str, name: str = "flow.yaml") -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    return written


def steps(text: str, write: Write, **values: object) -> Any:
    """The steps of a flow that has only them."""
    return read_flow(write(f"{SOURCE}{text}"), values).steps


def test_a_whole_flow_is_read(write: Write) -> None:
    file = write(
        """
name: whole
description: Everything at once.
version: "2"
arguments:
  file: {type: path, help: Where rows go.}
  least: {type: float, default: 0.5, min: 0, max: 1}
consts:
  words: [a, b]
source:
  rows: {items: [{score: 1, tags: [x]}]}
steps:
  - filter: score > $least
    name: good ones
    on_error: skip
  - flat: {field: tags, as: tag}
    retry: {times: 2, wait: 0.1}
  - each:
      field: tags
      steps:
        - set: {fields: {item: {value: $words}}}
sink:
  jsonl: {path: $file}
on_error: {policy: stop, most: 5, retry: {times: 1}}
concurrency: 8
ordered: false
limits:
  row: {calls: 3}
  total: {usd: 2.5}
  memory_rows: 1000
"""
    )
    flow = read_flow(file, {"file": "out.jsonl"})
    assert (flow.name, flow.description, flow.version) == ("whole", "Everything at once.", "2")
    assert flow.shared == {"file": "out.jsonl", "least": 0.5, "words": ["a", "b"]}
    assert isinstance(flow.steps, Chain)
    first, second, third = flow.steps.steps
    assert isinstance(first, Filter)
    assert (first.label, first.on_error, first.retry) == ("steps[0] good ones", "skip", Retry(1))
    assert isinstance(second, Flat)
    assert (second.field, second.as_, second.retry) == ("tags", "tag", Retry(2, 0.1))
    assert isinstance(third, Each)
    assert third.steps.label == "steps[2].each.steps[0] set"
    assert flow.sinks == (Jsonl(Path("out.jsonl"), label="sink jsonl"),)
    assert (flow.failures.policy, flow.failures.most) == ("stop", 5)
    assert (flow.concurrency, flow.ordered, flow.memory.rows) == (8, False, 1000)
    assert flow.limits.row == Budget(searches=None, calls=3)
    assert flow.limits.total == Budget(searches=None, usd=2.5)


def test_an_argument_that_is_no_mapping_is_that_of_the_first_field(write: Write) -> None:
    made = steps("steps: [{limit: 3}, {flat: tags}, {fork: [[], [{limit: 1}, {flat: x}]]}]", write).steps
    assert made[0] == Limit(3, label="steps[0] limit")
    assert made[1] == Flat("tags", label="steps[1] flat")
    assert isinstance(made[2], Fork)
    assert [len(branch.steps) for branch in made[2].branches if isinstance(branch, Chain)] == [0, 2]


def test_steps_stand_inside_steps(write: Write) -> None:
    text = """
steps:
  - while:
      condition: len(todo) > 0
      max_rounds: 3
      body:
        - if: {condition: hard, then: [{limit: 1}], else: [{limit: 2}]}
"""
    loop = steps(text, write)
    assert isinstance(loop, While)
    assert isinstance(loop.body, If)
    assert loop.body.else_ == Limit(2, label="steps[0].while.body[0].if.else[0] limit")


def test_names_keep_the_type_of_their_value(write: Write) -> None:
    text = """
arguments: {n: {type: int, default: 2}, tags: {type: list, default: [a, $x]}}
steps:
  - limit: $n
  - set:
      fields:
        whole: {value: $tags}
        part: {value: "$(n) of $(tags), $$5"}
        same: n == $n
"""
    limit, values = steps(text, write).steps
    assert limit.n == 2
    assert values.fields["whole"] == {"value": ["a", "$x"]}
    assert values.fields["part"] == {"value": '2 of ["a", "$x"], $5'}
    assert values.fields["same"]({"n": 2}) is True


def test_what_a_name_stands_for_is_not_looked_at_again(write: Write) -> None:
    text = "arguments: {a: {}, b: {default: secret}}\nsteps: [{set: {fields: {x: {value: $a}, y: {value: '-$(a)'}}}}]"
    made = steps(text, write, a="$b $(b) $$").fields
    assert made == {"x": {"value": "$b $(b) $$"}, "y": {"value": "-$b $(b) $$"}}


def test_only_true_and_false_are_that_and_keys_are_texts(write: Write) -> None:
    read = read_yaml(
        "{on: no, yes: off, t: true, d: 2020-01-01, o: 010, x: 0x1f, i: .inf, 1: ~, e: 1e3}", "f"
    )
    assert read.plain() == {
        "on": "no",
        "yes": "off",
        "t": True,
        "d": "2020-01-01",
        "o": 10,
        "x": "0x1f",
        "i": ".inf",
        "1": None,
        "e": 1000.0,
    }


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ({"kind": "int", "given": "7"}, 7),
        ({"kind": "int", "given": 7.0}, 7),
        ({"kind": "float", "given": "1e-1"}, 0.1),
        ({"kind": "bool", "given": "Yes"}, True),
        ({"kind": "list", "given": "a, b"}, ["a", "b"]),
        ({"kind": "list", "given": '["a", 1]'}, ["a", 1]),
        ({"kind": "path", "given": Path("a/b")}, "a/b"),
        ({"kind": "text", "given": 5}, "5"),
    ],
)
def test_a_value_given_as_text_gets_its_type(write: Write, given: dict[str, Any], value: object) -> None:
    flow = read_flow(write(f"{SOURCE}arguments: {{a: {{type: {given['kind']}}}}}"), {"a": given["given"]})
    assert flow.shared == {"a": value}


@pytest.mark.parametrize(
    ("declared", "given", "said"),
    [
        ("type: int", "many", "must be a whole number"),
        ("type: int, min: 2", 1, "at least 2"),
        ("type: float, max: 1", "nan", "must be a number"),
        ("type: list, max: 1", "a,b", "at most 1"),
        ("type: bool", "maybe", "true or false"),
        ("choices: [a, b]", "c", "one of a, b"),
        ("type: list", "[", "must be a list"),
        ("type: text", None, "must be text"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(write: Write, declared: str, given: object, said: str) -> None:
    with pytest.raises(FlowError, match=f"`a`.*{said}"):
        read_flow(write(f"{SOURCE}arguments: {{a: {{{declared}}}}}"), {"a": given})


def test_an_argument_without_a_value_is_asked_for(write: Write) -> None:
    with pytest.raises(
        FlowError, match=r"flow\.yaml:2: arguments\.q: has no value \(the questions\).*--set q="
    ):
        read_flow(write(f"{SOURCE}arguments: {{q: {{help: the questions}}}}"))
    with pytest.raises(FlowError, match="no argument `quest`. Did you mean `question`"):
        read_flow(write(f"{SOURCE}arguments: {{question: {{}}}}"), {"quest": 1})


def test_a_file_is_made_from_others(write: Write) -> None:
    write(
        "name: base\nconsts: {a: 1, b: {c: 1, d: 2}}\nsteps: [{limit: 1}]\nconcurrency: 2", "below/base.yaml"
    )
    write("consts: {a: 2}\nfrom: below/base.yaml", "middle.yaml")
    file = write(f"{SOURCE}from: [middle.yaml]\nconsts: {{b: {{d: 3}}}}\nsteps: [{{limit: 9}}]\nname: top")
    flow = read_flow(file)
    assert (flow.name, flow.concurrency) == ("top", 2)
    assert flow.shared == {"a": 2, "b": {"c": 1, "d": 3}}
    assert flow.steps == Limit(9, label="steps[0] limit")


def test_a_sink_of_another_kind_takes_the_place_of_the_one_below(write: Write) -> None:
    write("sink: {jsonl: {path: a.jsonl}}\nsource: {jsonl: {path: b.jsonl}}", "base.yaml")
    flow = read_flow(
        write("name: x\nfrom: base.yaml\nsink: {csv: {path: a.csv}}\nsource: {jsonl: {path: c.jsonl}}")
    )
    assert [type(sink).__name__ for sink in flow.sinks] == ["Csv"]
    assert str(getattr(flow.source, "path", "")) == "c.jsonl"


def test_what_is_wrong_in_a_base_is_told_with_its_file(write: Write) -> None:
    write("steps:\n  - limt: 1", "base.yaml")
    with pytest.raises(
        FlowError, match=r"base\.yaml:2: steps\[0\]: there is no step `limt`. Did you mean `limit`"
    ):
        read_flow(write(f"{SOURCE}from: base.yaml"))


@pytest.mark.parametrize(
    ("base", "said"),
    [
        ("flow.yaml", "made from itself"),
        ("missing.yaml", "is not there"),
        ("/etc/passwd", "by its way from this file's folder"),
        ("~/x.yaml", "by its way from this file's folder"),
        ("file:x.yaml", "by its way from this file's folder"),
        ("a\\b.yaml", "by its way from this file's folder"),
        ("../../../../etc/passwd", r"a file `\*\.yaml`"),
        ("link.yaml", "no YAML|a flow is a mapping|stands here twice|cannot"),
        ("folder.yaml", "no file"),
        ("bytes.yaml", "no UTF-8"),
        ("large.yaml", "more than 256 KiB"),
        ("{a: b}", "must be the name of a file"),
        ("[[a]]", "must be the name of a file"),
    ],
)
def test_a_base_that_cannot_be_taken_is_told_and_nothing_of_it_shown(
    write: Write, tmp_path: Path, base: str, said: str
) -> None:
    secret = write("root:topsecret:0:0\nsshd: topsecret\nsshd: again", "secret.txt")
    (tmp_path / "link.yaml").symlink_to(secret)
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "bytes.yaml").write_bytes(b"name: \xff\xfe")
    (tmp_path / "large.yaml").write_bytes(b"#" * 300_000)
    with pytest.raises(FlowError, match=said) as caught:
        read_flow(write(f"{SOURCE}from: {base}"))
    assert "topsecret" not in str(caught.value)


def test_bases_end(write: Write) -> None:
    for number in range(12):
        write(f"from: f{number + 1}.yaml", f"f{number}.yaml")
    with pytest.raises(FlowError, match="more than 10 files behind each other"):
        read_flow(write(f"{SOURCE}from: f0.yaml"))
    write("{}", "leaf.yaml")
    write("from: [leaf.yaml, leaf.yaml, leaf.yaml, leaf.yaml]", "b1.yaml")
    write("from: [b1.yaml, b1.yaml, b1.yaml, b1.yaml]", "b2.yaml")
    with pytest.raises(FlowError, match="50 in all"):
        read_flow(write(f"{SOURCE}from: [b2.yaml, b2.yaml, b2.yaml, b2.yaml]"))


def test_the_environment_is_read_where_it_may_be(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_PLACE", "here")
    monkeypatch.setenv("EMPTY", "")
    text = "consts: {a: '${MY_PLACE}/x', b: ['${EMPTY:-none}', '${UNSET:-a:b}', $$5]}\narguments: {c: {default: '${MY_PLACE}'}}"
    assert read_flow(write(SOURCE + text)).shared == {"a": "here/x", "b": ["none", "a:b", "$5"], "c": "here"}
    for wrong in (
        "consts: {a: '${UNSET}'}",
        "consts: {a: '${MY-PLACE}'}",
        "steps: [{set: {fields: {a: {value: '${MY_PLACE}'}}}}]",
    ):
        with pytest.raises(FlowError, match=r"flow\.yaml:2: (consts\.a|steps\[0\])"):
            read_flow(write(SOURCE + wrong))


@pytest.mark.parametrize(
    "name",
    [
        "OPENAI_API_KEY",
        "LEADLINE_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
        "GITHUB_TOKEN",
        "DB_PASSWORD",
        "PGPASSWORD",
    ]
    + [
        "CLIENT_SECRET",
        "AWS_BEARER_TOKEN_BEDROCK",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "my_api_key",
        "LEADLINE_STORE_TOKEN",
    ],
)
def test_no_secret_is_read_from_the_environment(
    write: Write, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "topsecret")
    for place in (f"consts: {{a: 'x${{{name}:-y}}'}}", f"arguments: {{a: {{default: '${{{name}}}'}}}}"):
        with pytest.raises(FlowError, match="may hold a secret") as caught:
            read_flow(write(SOURCE + place))
        assert "topsecret" not in str(caught.value)


def test_the_digest_is_that_of_what_decides_which_rows_come_out(write: Write) -> None:
    def digest(text: str, **values: object) -> str:
        return read_flow(write(SOURCE + text), values).digest

    plain = digest("arguments: {n: {type: int, default: 1}}\nsteps: [{limit: $n}]")
    same = digest(
        "arguments: {n: {type: int, default: 1}}\nsteps:\n  - limit: $n\nsink: stdout\nconcurrency: 9\nname: x\n"
        "limits: {total: {calls: 1}, memory_rows: 200}"
    )
    assert plain == same
    assert plain != digest("arguments: {n: {type: int, default: 1}}\nsteps: [{limit: $n}]", n=2)
    assert plain != digest("arguments: {n: {type: int, default: 1}}\nsteps: [{skip: $n}]")
    assert plain != digest(
        "arguments: {n: {type: int, default: 1}}\nsteps: [{limit: $n}]\nlimits: {row: {calls: 1}}"
    )


def test_where_rows_go_is_no_part_of_the_digest(write: Write) -> None:
    text = "arguments: {out: {}, n: {type: int}}\nsteps: [{limit: $n}]\nsink: {jsonl: $out}"
    digests = [
        read_flow(write(SOURCE + text), {"out": out, "n": n}).digest
        for out, n in (("a", 1), ("b", 1), ("b", 2))
    ]
    assert digests[0] == digests[1] != digests[2]


def test_a_flow_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FlowError, match="neither a flow file"):
        read_flow("no-such-flow")
    with pytest.raises(FlowError, match=r"none\.yaml: this flow is not there"):
        read_flow(tmp_path / "none.yaml")


def test_rows_of_a_source_are_what_the_file_says(write: Write) -> None:
    source = read_flow(write("source: {rows: {items: [{a: on}, {b: [1, null]}]}}")).source
    assert isinstance(source, InlineRows)
    assert source.items == ({"a": "on"}, {"b": [1, None]})
