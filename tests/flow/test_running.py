"""A flow built in Python runs to its end, or says what stopped it."""

from collections.abc import Iterable

from leadline.flow import Flow, Row, run_flow
from leadline.testing.running import go
from tests.flow.made import Asked, Backwards, Kept, Quick, counted


def twice(row: Row) -> Iterable[Row]:
    return ({**row, "copy": copy} for copy in range(2))


def plus(row: Row) -> Iterable[Row]:
    return ({**row, "n": row["n"] + 1},)


def refusing(number: int) -> Asked:
    def ask(row: Row) -> Iterable[Row]:
        if row["n"] == number:
            raise ValueError(f"no answer to {number}")
        return plus(row)

    return Asked(ask)


def test_rows_pass_through_quick_costly_and_whole_stream_steps_in_order() -> None:
    sink = Kept()
    flow = Flow("f", counted(5), Quick(twice) >> Backwards() >> Asked(plus, lambda row: row["n"]), (sink,))
    report = go(run_flow(flow))
    assert sink.rows == [{"n": n + 1, "copy": copy} for n in (4, 3, 2, 1, 0) for copy in (1, 0)]
    assert (report.rows_in, report.rows_out, report.failed, report.exit_code) == (5, 10, 0, 0)
    assert [(s.label, s.rows_in, s.rows_out) for s in report.steps] == [
        ("steps[0] quick", 5, 10),
        ("steps[1] backwards", 10, 10),
        ("steps[2] asked", 10, 10),
    ]
