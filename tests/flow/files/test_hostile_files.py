"""Flow files that mean harm, or none at all: only clean errors, with file and key or line, and nothing is ever executed.

Any flow of this page that can be built is thrown away: what it says is not at issue here.
"""

import pickle
import random
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from leadline.errors import FlowError
from leadline.flow.expressions.conditions import Expression
from leadline.flow.files.catalogue import AGGREGATES, SINKS, SOURCES, STEPS
from leadline.flow.files.checking import check
from leadline.flow.files.reading import read_flow
from leadline.flow.operators.mapping import Map

PLACED = re.compile(r"\.yaml(:\d+| is|: this flow)|argument|flow file")

WHOLE = """\
name: harvest
description: Rows of every kind.
arguments:
  rows: {type: path, default: rows.jsonl, help: Where they are.}
  least: {type: float, default: 0.5, min: 0, max: 1}
  tags: {type: list, default: [a, b]}
consts: {place: "${PLACE:-here}", deep: {er: [1, 2]}}
source:
  jsonl: {path: $rows}
steps:
  - filter: {condition: score > $least and name matches "^a.*b$"}
    on_error: skip
  - set: {fields: {n: len(tags), fixed: {value: $deep}, note: {value: "$(least) of $$5"}}}
    retry: {times: 2, wait: 0.5}
  - while:
      condition: len(todo) > 0
      max_rounds: 3
      body:
        - flat: {field: todo, as: one}
        - if: {condition: 'one in ["x", "y"]', then: [{select: {fields: [one]}}], else: []}
        - group: {by: [n], aggregates: {all: {collect: {field: one, where: one != null}}, many: count}}
  - each: {field: tags, as: tag, steps: [{limit: 3}], into: kept}
  - fork: {branches: [[], [{sort: {by: [-score]}}, {distinct: {}}]]}
sink:
  - jsonl: {path: "out-$(least).jsonl"}
  - stdout
on_error: {policy: dead_letter, most: 10, retry: {times: 1}}
concurrency: 4
limits: {row: {calls: 3}, total: {usd: 1.5}}
"""

TREE = pickle.dumps(yaml.safe_load(WHOLE))
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
"""Writing a tree is no part of what is tested: where there is a quick way, it is taken."""

PIECES = (
    *("!!python/object/apply:os.system ['true']", "!!python/name:os.system", "!!binary aGk=", "!!set {a}", "!x y"),
    *("__import__('os')", "=1+1", "eval(1)", "lambda: 0", "{0.__class__}", "{{7*7}}", "%(x)s", "os.system", "__class__"),
    *("${HOME}", "${OPENAI_API_KEY}", "$HOME", "$(least)", "$least", "$$", "$", "$(", "${", "&a [*a]", "*a", "<<"),
    *("../../etc/passwd", "/dev/zero", "~", "null", "true", "-1", "1e999", "9" * 50, ".nan", "''", "[]", "{}", "[[[]]]"),
    *("(a+)+$", "name matches '(a|a)*$'", "a" * 300, "\u202e", "\x00", "\x85", "\ufeff", "\U0001f600", "\\", '"', "'"),
    *("#", ":", "- ", "\t", "\n", "? ", "| ", "> ", "%YAML 9", "---", "...", "@", "`", "!", "&", "*", ",", "[", "{", "}"),
    *STEPS, *SOURCES, *SINKS, *AGGREGATES,
)  # fmt: skip


def mutated(text: str, chance: random.Random) -> str:
    """The text with a few things done to it."""
    for _ in range(chance.randint(1, 4)):
        at, length = chance.randrange(len(text) + 1), chance.choice((0, 0, 1, 1, 2, 5, 20))
        lines = text.split("\n")
        line = chance.randrange(len(lines))
        match chance.randrange(7):
            case 0 | 1:
                text = text[:at] + chance.choice(PIECES) + text[at + length :]
            case 2:
                words = [*re.finditer(r"[\w$.-]+", text)]
                word = chance.choice(words) if words else None
                text = text[: word.start()] + chance.choice(PIECES) + text[word.end() :] if word else text
            case 3:
                text = "\n".join([*lines[:line], *lines[line + 1 :]])
            case 4:
                text = "\n".join([*lines[:line], chance.choice(lines), *lines[line:]])
            case 5:
                lines[line] = " " * chance.randrange(9) + lines[line].lstrip()
                text = "\n".join(lines)
            case _:
                other = chance.randrange(len(text) + 1)
                text = text[:at] + text[min(at, other) : max(at, other)][:200] + text[at:]
    return text


def tree_mutated(chance: random.Random) -> str:
    """The flow with values of its tree exchanged for others."""
    tree: Any = pickle.loads(TREE)
    places = [*_places(tree)]
    for _ in range(chance.randint(1, 4)):
        holder, key = chance.choice(places)
        other = chance.choice(places)[0]
        values: list[Any] = [*PIECES, None, True, 0, -1, 2.5, [], {}, [[]], {"a": {}}, other]
        value: Any = chance.choice(values)
        if isinstance(holder, dict) and chance.random() < 0.3:
            holder[str(chance.choice(PIECES))] = value
        else:
            holder[key] = value
    try:
        return yaml.dump(tree, Dumper=DUMPER, allow_unicode=True)
    except RecursionError:
        return WHOLE


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    entries: Iterable[tuple[Any, Any]] = ()
    if isinstance(tree, dict):
        entries = cast(dict[Any, Any], tree).items()
    elif isinstance(tree, list):
        entries = enumerate(cast(list[Any], tree))
    for key, value in entries:
        yield tree, key
        yield from _places(value)


def assert_harmless(text: str, file: Path) -> None:
    """Reading and checking it either works or says what is wrong, and where."""
    file.write_text(text, encoding="utf-8")
    try:
        problems = check(file)
    except FlowError as error:
        assert PLACED.search(str(error)), str(error)
        assert "Traceback" not in str(error)
        return
    for problem in problems.found:
        assert problem.line >= 1
        assert problem.file.endswith(".yaml")
        assert problem.message
    if problems.errors and len(problems.found) % 4 == 1:
        with pytest.raises(FlowError, match=r"\.yaml"):
            problems.raise_errors()
        try:
            read_flow(
                file
            )  # what no row can have is for the check to tell: such a flow is built all the same
        except FlowError as error:
            assert PLACED.search(str(error)), str(error)


def fuzz(count: int, seed: int, folder: Path) -> None:
    chance = random.Random(seed)
    for number in range(count):
        text = tree_mutated(chance) if number % 3 == 2 else mutated(WHOLE, chance)
        try:
            text.encode()
        except UnicodeEncodeError:
            continue
        try:
            assert_harmless(text, folder / "flow.yaml")
        except Exception as error:
            raise AssertionError(f"mutation {number} of seed {seed}: {error!r}\n{text}") from error


def test_the_flow_that_is_mutated_is_sound(tmp_path: Path) -> None:
    file = tmp_path / "flow.yaml"
    file.write_text(WHOLE)
    assert [str(problem) for problem in check(file).found if problem.severity == "error"] == []


def test_five_hundred_mutated_files_give_only_clean_errors(tmp_path: Path) -> None:
    fuzz(500, 1, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_ten_thousand_mutated_files_give_only_clean_errors(tmp_path: Path, seed: int) -> None:
    fuzz(2_500, seed, tmp_path)


TRICKS = {
    "object": "consts: {a: !!python/object/apply:os.system ['touch touched']}",
    "name": "consts: {a: !!python/name:os.system ''}",
    "module": "source: !!python/module:os ''",
    "new": "steps: [!!python/object/new:pathlib.Path [touched]]",
    "tuple": "consts: {a: !!python/tuple [1]}",
    "evaluated value": "consts: {a: \"=__import__('os').system('touch touched')\"}",
    "evaluated call": "consts: {a: \"eval(__import__('os').system('touch touched'))\"}",
    "class as step": "steps: [{'leadline.flow.operators.mapping:Map': {function: os.system}}]",
    "import as step": "steps: [{os.system: touch touched}]",
    "function of map": "steps: [{map: {function: \"os.system('touch touched')\"}}]",
    "function by name": "steps: [{map: {function: os.system, field: n}}]",
    "dunder": "steps: [{filter: n.__class__.__mro__}]",
    "dunder in backquotes": "steps: [{filter: n.`__class__`}]",
    "format": "steps: [{set: {fields: {x: \"'{0.__class__}'.format(n)\"}}}]",
    "field of another object": "steps: [{flat: {field: n, _made: []}}]",
    "own checks": "steps: [{set: {fields: {x: {value: 1}}, _made: [[x, y]]}}]",
    "label": "steps: [{limit: {n: 1, label: x}}]",
    "secret": "consts: {a: '${OPENAI_API_KEY}'}",
    "secret elsewhere": "source: {rows: {items: [{a: '${OPENAI_API_KEY}'}]}}",
    "file of secrets": "from: ../../../../../etc/passwd",
    "bomb": "consts:\n  a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    + "".join(f"  {chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 10)}]\n" for n in range(9)),
    "endless": "consts: {a: &a [*a]}",
    "deep": "consts: {a: " + "[" * 100_000 + "}",
    "deep expression": f"steps: [{{filter: '{'(' * 3_000}n{')' * 3_000}'}}]",
    "not not": f"steps: [{{filter: '{'not ' * 900}n and +'}}]",
    "pattern": "steps: [{filter: 'n matches \"((a{500}){500}){500}\"'}]",
    "wide": "consts: {a: [" + "x, " * 30_000 + "]}",
    "long": "consts: {a: " + "x" * 300_000 + "}",
    "names of much": "consts: {a: "
    + "x" * 100_000
    + "}\nsteps:\n"
    + "  - set: {fields: {x: {value: '$(a)$(a)'}}}\n" * 300,
    "loops in loops": "steps: [" + "{while: {condition: n, body: " * 24 + "[]" + "}}" * 24 + "]",
    "many digits": "concurrency: " + "9" * 100_000,
    "no such character": 'consts: {a: "\\UFFFFFFFF"}',
    "half a character": 'consts: {a: "\\uD800"}',
    "unreadable": "consts: {a: \x07}",
}


@pytest.mark.parametrize("trick", TRICKS.values(), ids=TRICKS)
def test_no_known_trick_does_anything(trick: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "topsecret")
    file = tmp_path / "flow.yaml"
    source = "" if "source:" in trick else "source: {rows: {items: [{n: 1}]}}\n"
    file.write_text(source + trick, encoding="utf-8")
    started = time.process_time()
    try:
        flow = read_flow(file)
    except FlowError as error:
        assert re.search(r"flow\.yaml:(\d+| this flow has more)", str(error))
        assert "topsecret" not in str(error)
        assert len(str(error)) < 2_000
    else:
        # What looks like code is a text like any other.
        assert all(isinstance(value, str) for value in flow.shared.values())
        assert flow.shared or isinstance(flow.steps, Map)
    assert not (tmp_path / "touched").exists()
    assert time.process_time() - started < 20


def test_a_step_that_is_read_holds_nothing_that_runs(tmp_path: Path) -> None:
    """Of a field that in Python takes a function, a file can say an expression only."""
    file = tmp_path / "flow.yaml"
    file.write_text("source: {rows: {items: [{n: 1}]}}\nsteps: [{map: {function: os.system, into: n}}]")
    step = read_flow(file).steps
    assert isinstance(step, Map)
    assert isinstance(step.function, Expression)
