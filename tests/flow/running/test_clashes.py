"""No file of a flow is read and written, or written twice: it is refused before anything is touched."""

from collections.abc import Callable
from pathlib import Path

import pytest

from leadline.errors import FlowError
from leadline.flow import Choices, Flow, run_flow
from leadline.flow.ends import Failures
from leadline.flow.files.checking import check
from leadline.flow.files.reading import read_flow
from leadline.flow.sinks.jsonl import Jsonl
from leadline.flow.sources.jsonl import Jsonl as JsonlSource
from leadline.testing.running import go

ROW = '{"n": 1}\n'
READS = "is what source jsonl reads; it would be replaced"


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """A flow file in a folder of its own, beside the files `a` and `link`, which leads to it."""
    monkeypatch.chdir(tmp_path)
    for name in ("a", "t", "out.part"):
        (tmp_path / name).write_text(ROW)
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "one.jsonl").write_text(ROW)

    def write(text: str) -> Path:
        file = tmp_path / "flow.yaml"
        file.write_text(text, encoding="utf-8")
        return file

    return write


CLASHES = [
    ("source: {jsonl: a}\nsink: {jsonl: a}", READS),
    ("source: {jsonl: link}\nsink: {csv: ./a}", READS),
    ("source: {jsonl: a}\nsink: {jsonl: link}", READS),
    ("source: {jsonl: a}\non_error: {file: a}", READS),
    ("source: {jsonl: out.part}\nsink: {jsonl: out}", f"`out` while it is written {READS}"),
    ("source: {jsonl: data/*.jsonl}\nsink: {jsonl: data/one.jsonl}", READS),
    ("source: {jsonl: 'data/*'}\nsink: {csv: data/new.csv}", READS),
    ("source: {jsonl: a}\nsteps: [{join: {table: {jsonl: t}, on: n}}]\nsink: {jsonl: t}", "jsonl reads"),
    ("source: {jsonl: a}\nsink: [{jsonl: b}, {csv: b}]", "`b` is written by"),
    ("source: {jsonl: a}\nsink: [{jsonl: b}, {csv: b.part}]", "`b.part` is written by"),
    ("source: {jsonl: a}\nsink: {jsonl: b}\non_error: {file: b}", "`b` is written by"),
    ("source: {jsonl: a}\nsink: {jsonl: b}\non_error: {file: b.part}", "`b.part` is written by"),
]


@pytest.mark.parametrize(("text", "said"), CLASHES)
def test_a_file_that_is_used_twice_is_refused(
    tmp_path: Path, written: Callable[[str], Path], text: str, said: str
) -> None:
    file = written(text)
    before = {each: each.read_bytes() for each in tmp_path.rglob("*") if each.is_file()}
    assert [said in problem.message for problem in check(file).errors] == [True]
    with pytest.raises(FlowError) as raised:
        go(run_flow(read_flow(file)))
    assert said in str(raised.value)
    assert {each: each.read_bytes() for each in tmp_path.rglob("*") if each.is_file()} == before


@pytest.mark.parametrize(
    "text",
    [
        "source: {jsonl: a}\nsink: [{jsonl: b}, {csv: c}]\non_error: {file: d}",
        "source: {jsonl: data/*.jsonl}\nsink: {csv: data/new.csv}",
        "source: {jsonl: a}\nsink: [{jsonl: /dev/null}, {jsonl: /dev/null}]",
        "arguments: {in: {type: path}, out: {type: path}}\nsource: {jsonl: '{{in}}'}\nsink: {jsonl: '{{out}}'}",
    ],
)
def test_files_of_their_own_are_not(written: Callable[[str], Path], text: str) -> None:
    assert list(check(written(text)).errors) == []


def test_the_dead_letters_of_an_earlier_run_are_no_source_where_they_go_again(tmp_path: Path) -> None:
    (tmp_path / "failed.jsonl").write_text(ROW)
    flow = Flow("again", JsonlSource(tmp_path / "failed.jsonl"), sinks=(Jsonl(tmp_path / "out"),))
    with pytest.raises(FlowError, match=r"failed\.jsonl` is what the source reads"):
        go(run_flow(flow, choices=Choices(folder=tmp_path)))
    assert (tmp_path / "failed.jsonl").read_text() == ROW


def test_what_is_made_in_python_is_looked_at_too(tmp_path: Path) -> None:
    source = tmp_path / "a"
    source.write_text(ROW)
    flow = Flow("same", JsonlSource(source), failures=Failures(file=source))
    with pytest.raises(FlowError, match="on_error.file: "):
        go(run_flow(flow))
    assert source.read_text() == ROW
