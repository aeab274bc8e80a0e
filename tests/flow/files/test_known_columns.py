"""The columns of a table are known as soon as its file is there: what they cannot be is told before the first row."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from leadline.flow.files.checking import check

HAS = "There are: id, town, amount."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "orders.csv").write_text("id,town,amount\n1,Oslo,5\n2,Bergen,7\n", encoding="utf-8")
    towns: Any = [{"town": "Oslo", "people": 700_000, "tags": ["port"]}]
    pq.write_table(pa.Table.from_pylist(towns), tmp_path / "towns.parquet")  # type: ignore[reportUnknownMemberType]
    return tmp_path


def told(folder: Path, steps: str, source: str = "") -> list[str]:
    source = source or f"csv: {folder}/orders.csv"
    file = folder / "flow.yaml"
    file.write_text(f"source: {{{source}}}\nsteps:\n{steps}\nsink: stdout\n", encoding="utf-8")
    return [f"{each.severity} {each.key}: {each.message}" for each in check(file).in_order]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("filter: amout == town", f"`amout` here. {HAS} Did you mean `amount`?"),
        ("select: [id, twn]", f"`twn` here. {HAS} Did you mean `town`?"),
        ("group: {by: town, aggregates: {n: {sum: amont}}}", f"`amont` here. {HAS} Did you mean `amount`?"),
        ("group: {aggregates: {n: {count: {where: zzz}}}}", f"`zzz` here. {HAS}"),
        ("ask: question", f"`question` here. {HAS}"),
        ("join: {table: {rows: {items: []}}, on: twon}", f"`twon` here. {HAS} Did you mean `town`?"),
    ],
)
def test_a_field_that_is_no_column_is_told_with_those_there_are(
    folder: Path, step: str, message: str
) -> None:
    (found,) = told(folder, f"  - {step}")
    assert found == f"error steps[0]: no row has a field {message}"


def test_a_join_asks_its_table_for_what_it_has(folder: Path) -> None:
    table = f"{{parquet: {folder}/towns.parquet}}"
    assert told(folder, f"  - join: {{table: {table}, on: town}}\n  - filter: people > 5 and tags") == []
    assert told(folder, f"  - join: {{table: {table}, on: town, key: city, fields: [peple]}}") == [
        "error steps[0]: no row of the table has a field `city`. There are: town, people, tags.",
        "error steps[0]: no row of the table has a field `peple`. There are: town, people, tags. Did you mean `people`?",
    ]
    assert told(folder, f"  - join: {{table: {table}, on: town}}\n  - filter: peopl") == [
        "error steps[1]: no row has a field `peopl` here. There are: id, town, amount, people, tags. "
        "Did you mean `people`?"
    ]


def test_text_that_is_taken_for_a_number_is_told(folder: Path) -> None:
    hint = " `types: {amount: float}` of the source makes it a number."
    compared = f"`amount` holds text here, and is compared with a number.{hint}"
    assert told(folder, "  - filter: town and amount > 5") == [f"error steps[0]: {compared}"]
    assert told(folder, "  - if: {condition: 5 == amount, then: []}") == [f"error steps[0]: {compared}"]
    summed = "  - group: {by: town, aggregates: {total: {sum: amount}, rows: {count: amount}}}"
    assert told(folder, summed) == [
        f"error steps[0]: `amount` holds text here, and a number is needed.{hint}"
    ]
    typed = f"csv: {{path: {folder}/orders.csv, types: {{amount: float}}}}"
    assert told(folder, f"  - filter: amount > 5\n{summed}", typed) == []
    assert told(folder, '  - filter: amount == "5"', typed) == [
        "error steps[0]: `amount` holds a number here, and is compared with text."
    ]


def test_types_and_columns_of_no_column_are_told(folder: Path) -> None:
    csv, parquet = f"{folder}/orders.csv", f"{folder}/towns.parquet"
    assert told(folder, "  - limit: 1", f"csv: {{path: {csv}, types: {{amont: int}}}}") == [
        f"error source: `types.amont` is of no column of `{csv}`. It has: id, town, amount."
    ]
    assert told(folder, "  - limit: 1", f"parquet: {{path: {parquet}, columns: [size]}}") == [
        f"error source: `{parquet}` has no column `size`. It has: people, tags, town."
    ]


def test_of_files_that_are_not_there_yet_nothing_is_known(folder: Path) -> None:
    assert told(folder, "  - filter: anything > 5", f"csv: {folder}/later.csv") == []
    (folder / "late.csv").write_text("", encoding="utf-8")
    assert told(folder, "  - filter: anything > 5", f"csv: {folder}/late.csv") == []


def test_a_pattern_has_the_columns_of_all_its_files(folder: Path) -> None:
    (folder / "more.csv").write_text("id,year\n3,1990\n", encoding="utf-8")
    source = f'csv: "{folder}/*.csv"'
    assert told(folder, "  - filter: year or town", source) == []
    assert told(folder, "  - filter: size", source) == [
        "error steps[0]: no row has a field `size` here. There are: id, year, town, amount."
    ]
