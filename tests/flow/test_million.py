"""What the benchmark of flows measures is the same job on both sides, in constant memory."""

from pathlib import Path

import pytest

from benchmarks.flows import flow, made, main, measured, plain


def test_the_flow_and_the_generators_write_the_same(tmp_path: Path) -> None:
    source = tmp_path / "rows.jsonl"
    made(source, 2_000)
    plain(source, tmp_path / "plain.jsonl")
    flow(source, tmp_path / "flow.jsonl")
    assert (tmp_path / "flow.jsonl").read_bytes() == (tmp_path / "plain.jsonl").read_bytes()
    assert (tmp_path / "flow.jsonl").read_text().count("\n") > 1_000


@pytest.mark.slow
def test_a_million_rows_need_less_than_300_megabytes(tmp_path: Path) -> None:
    source = tmp_path / "rows.jsonl"
    made(source, 1_000_000)
    _, _, megabytes = measured("flow", source, tmp_path / "flow.jsonl")
    assert megabytes < 300


@pytest.mark.slow
def test_the_figures_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main(500, 1)
    said = capsys.readouterr().out
    assert "the flow takes" in said
    assert "same output: yes" in said
