"""What sinks hold after a flow was stopped and resumed is what an undisturbed run leaves, and written once."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from leadline.flow import Choices, Flow, FlowReport, Row, Scope, Step, run_flow
from leadline.flow.files.checking import check
from leadline.flow.sinks.csv_file import Csv
from leadline.flow.sinks.jsonl import Jsonl
from leadline.flow.sinks.markdown import Markdown
from leadline.flow.sinks.parquet import Parquet
from leadline.flow.sinks.sql import Sql
from leadline.flow.sources.jsonl import Jsonl as JsonlSource
from leadline.flow.sources.parquet import Parquet as ParquetSource
from leadline.run import Run
from leadline.testing.running import go
from tests.flow.ends import read

ROWS = 60


@dataclass(frozen=True, slots=True)
class Doubled(Step):
    """A costly step, at one of whose rows the run is cancelled."""

    run: Run = field(default_factory=Run)
    stop_at: int = -1

    @property
    def costly(self) -> bool:
        return True

    async def apply(self, row: Row, scope: Scope) -> Iterable[Row]:
        if row["n"] == self.stop_at:
            self.run.cancel()
        later: Row = {"late": [row["n"]]} if row["n"] > ROWS // 2 else {}
        return [{**row, "twice": row["n"] * 2, **later}]


def run(folder: Path, name: str, choices: Choices, stop_at: int = -1) -> FlowReport:
    (folder / "in.jsonl").write_text("".join(json.dumps({"n": n}) + "\n" for n in range(ROWS)))
    out = folder / name
    run = Run()
    sinks = (
        Jsonl(out / "a.jsonl", label="sink[0]"),
        Csv(out / "a.csv", label="sink[1]"),
        Parquet(out / "a.parquet", label="sink[2]"),
        Markdown(out / "a.md", label="sink[3]"),
        Sql(f"sqlite:///{out / 'a.sqlite'}", "rows", label="sink[4]"),
    )
    out.mkdir(exist_ok=True)
    flow = Flow(name, JsonlSource(folder / "in.jsonl"), Doubled(run, stop_at), sinks, digest="d")
    return go(run_flow(flow, run=run, choices=choices))


def table(folder: Path) -> list[Any]:
    connection = sqlite3.connect(folder / "a.sqlite")
    try:
        return connection.execute("SELECT n, twice, late FROM rows ORDER BY rowid").fetchall()
    finally:
        connection.close()


def test_a_stopped_flow_leaves_nothing_and_a_resumed_one_what_an_undisturbed_one_leaves(
    tmp_path: Path,
) -> None:
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    run(tmp_path, "whole", Choices(folder=tmp_path / "journal-1"))
    journal = tmp_path / "journal-2"
    assert run(tmp_path, "stopped", Choices(folder=journal), stop_at=40).interrupted
    assert [each.name for each in stopped.iterdir() if each.suffix != ".part"] == ["a.sqlite"]
    assert (stopped / "a.sqlite").stat().st_size == 0
    report = run(tmp_path, "stopped", Choices(folder=journal, resume=True))
    assert report.resumed >= 40
    for name in ("a.jsonl", "a.csv", "a.md"):
        assert (stopped / name).read_bytes() == (whole / name).read_bytes()
    assert read(ParquetSource(stopped / "a.parquet")) == read(ParquetSource(whole / "a.parquet"))
    assert table(stopped) == table(whole)
    assert len(table(whole)) == ROWS
    assert not list(stopped.glob("*.part"))


def test_rows_are_appended_once_for_a_run_however_often_it_is_resumed(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    run(tmp_path, "out", Choices(folder=journal))
    run(tmp_path, "out", Choices(folder=journal, resume=True))
    assert len(table(tmp_path / "out")) == ROWS
    run(tmp_path, "out", Choices(folder=journal))
    assert len(table(tmp_path / "out")) == 2 * ROWS


def test_a_sink_says_which_fields_it_needs(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    text = """
        name: a
        source: {text: {path: a.txt}}
        sink:
          - markdown: {path: a.md, row: "{{text}} {{tile}}"}
          - stdout: {row: "{{line}}"}
          - sql: {url: "sqlite:///a", table: t, mode: upsert, key: [id]}
          - collection: {name: c}
    """
    file.write_text(text)
    told = [str(problem) for problem in check(file).found]
    assert [message.partition("a field ")[2].partition(" here")[0] for message in told] == [
        "`tile`",
        "`id`",
        "`source`",
    ]
