"""SQL tables as sources and sinks, on a real database file."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import pytest

from leadline.errors import FlowError
from leadline.events import Event, Notice
from leadline.flow.base import Row, Scope
from leadline.flow.sinks.sql import Sql as SqlSink
from leadline.flow.sources.sql import Sql
from leadline.run import Run
from leadline.testing.running import go
from tests.flow.ends import fail, read, write


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.sqlite"


def url(file: Path) -> str:
    return f"sqlite:///{file}"


def executed(file: Path, *statements: str) -> list[Any]:
    connection = sqlite3.connect(file)
    try:
        found = [connection.execute(statement).fetchall() for statement in statements][-1]
        connection.commit()
        return found
    finally:
        connection.close()


def test_a_query_gives_rows_with_its_parameters_bound(file: Path) -> None:
    executed(
        file,
        "CREATE TABLE books (id INTEGER, title TEXT, price NUMERIC, cover BLOB)",
        "INSERT INTO books VALUES (1, 'Zoë; DROP TABLE books', 1.5, x'6162'), (2, NULL, 3, NULL)",
    )
    query = "SELECT * FROM books WHERE id >= :least ORDER BY id"
    rows, lost = read(Sql(url(file), query, {"least": "1"}))
    assert rows == [
        {"id": 1, "title": "Zoë; DROP TABLE books", "price": 1.5, "cover": "YWI="},
        {"id": 2, "title": None, "price": 3, "cover": None},
    ]
    assert lost == []
    assert read(Sql(url(file), query, {"least": "1; DROP TABLE books"}))[0] == []


def test_many_rows_come_through_a_few_at_a_time_and_can_be_left_early(file: Path) -> None:
    executed(
        file,
        "CREATE TABLE n AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 5000) SELECT x FROM c",
    )
    source = Sql(url(file), "SELECT x FROM n ORDER BY x")
    assert [row["x"] for row in read(source)[0]] == list(range(1, 5001))

    async def first() -> Row:
        rows = source.rows(Scope())
        async for row in rows:
            await rows.aclose()  # type: ignore[reportAttributeAccessIssue]
            return row
        raise AssertionError

    assert go(first()) == {"x": 1}


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (Sql("nonsense", "SELECT 1"), "names no database"),
        (Sql("klingon://x", "SELECT 1"), "names no database"),
        (Sql("sqlite://", "SELECT x FROM nix"), "no such table: nix"),
        (Sql("sqlite://", "CREATE TABLE t (x)"), "gives no rows"),
        (Sql("sqlite://", "SELECT 1 AS a, 2 AS a"), "two columns `a`"),
        (Sql("sqlite://", "SELECT :a"), "`query` names `:a`, which `parameters` do not hold"),
    ],
)
def test_what_cannot_be_asked_is_said(source: Sql, said: str) -> None:
    with pytest.raises(FlowError, match=said):
        read(source)


def test_no_password_is_ever_shown() -> None:
    for source in (Sql("sqlite://u:hunter2@h/x", "SELECT 1"), Sql("nix+hunter2://hunter2@h", "SELECT 1")):
        assert "hunter2" not in repr(source)
    with pytest.raises(FlowError) as raised:
        read(Sql("sqlite://u:hunter2@h/x", "SELECT 1"))
    assert "hunter2" not in str(raised.value)


def test_a_table_is_made_that_fits_all_rows(file: Path) -> None:
    rows: list[Row] = [{"id": 1, "tags": ["a", {"b": 1}]}, {"id": 2.5, "ok": True, "text": "Zoë"}]
    assert write(SqlSink(url(file), "made"), rows) == []
    assert executed(file, "SELECT id, tags, ok, text FROM made ORDER BY id") == [
        (1.0, '["a", {"b": 1}]', None, None),
        (2.5, None, 1, "Zoë"),
    ]
    assert read(Sql(url(file), "SELECT id FROM made ORDER BY id"))[0] == [{"id": 1}, {"id": 2.5}]


def test_whole_numbers_that_no_database_has_are_text(file: Path) -> None:
    rows: list[Row] = [{"n": 2**63}, {"n": -(2**63)}, {"n": 2**63 - 1}]
    assert write(SqlSink(url(file), "t"), rows) == []
    assert executed(file, "SELECT n FROM t") == [(str(row["n"]),) for row in rows]


def test_append_adds_and_replace_takes_the_place_of_all(file: Path) -> None:
    write(SqlSink(url(file), "t"), [{"a": 1}])
    write(SqlSink(url(file), "t"), [{"a": 2}])
    assert executed(file, "SELECT a FROM t ORDER BY a") == [(1,), (2,)]
    write(SqlSink(url(file), "t", mode="replace"), [{"a": 3}])
    assert executed(file, "SELECT a FROM t") == [(3,)]
    write(SqlSink(url(file), "t"), [])
    assert executed(file, "SELECT a FROM t") == [(3,)]
    write(SqlSink(url(file), "t", mode="replace"), [])
    assert executed(file, "SELECT a FROM t") == []
    write(SqlSink(url(file), "new", mode="replace"), [])


def test_upsert_changes_rows_of_the_same_key_and_keeps_their_other_columns(file: Path) -> None:
    executed(
        file,
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT DEFAULT 'new')",
        "INSERT INTO t VALUES (1, 'x', 'old')",
    )
    rows: list[Row] = [{"id": 1, "a": "y"}, {"id": 2, "a": "z"}, {"id": 2, "a": "later"}, {"a": "no key"}]
    lost = write(SqlSink(url(file), "t", mode="upsert", key=["id"]), rows)
    assert executed(file, "SELECT * FROM t ORDER BY id") == [(1, "y", "old"), (2, "later", "new")]
    assert [letter.row for letter in lost] == [{"a": "no key"}]
    write(SqlSink(url(file), "keys", mode="upsert", key=["id"]), [{"id": "a"}, {"id": "a"}])
    assert executed(file, "SELECT * FROM keys") == [("a",)]


def test_a_run_that_is_resumed_after_it_wrote_does_not_write_again(file: Path) -> None:
    told: list[Event] = []
    sink = SqlSink(url(file), "t")
    write(sink, [{"a": 1}], Scope(job="first"))
    write(sink, [{"a": 1}], Scope(job="first", run=Run(emit=told.append)))
    assert executed(file, "SELECT a FROM t") == [(1,)]
    assert [event for event in told if isinstance(event, Notice)] != []
    write(sink, [{"a": 2}], Scope(job="second"))
    assert executed(file, "SELECT a FROM t ORDER BY a") == [(1,), (2,)]


@pytest.mark.parametrize(("mode", "key"), [("replace", ()), ("upsert", ("a",))])
def test_rows_that_a_resumed_run_has_more_of_are_written(
    file: Path, mode: Literal["replace", "upsert"], key: Sequence[str]
) -> None:
    sink = SqlSink(url(file), "t", mode=mode, key=key)
    write(sink, [{"a": 1}], Scope(job="first"))
    write(sink, [{"a": 1}, {"a": 2}], Scope(job="first"))
    assert executed(file, "SELECT a FROM t ORDER BY a") == [(1,), (2,)]


def test_rows_that_a_resumed_run_has_more_of_are_no_rows_to_append(file: Path) -> None:
    sink = SqlSink(url(file), "t")
    write(sink, [{"a": 1}], Scope(job="first"))
    with pytest.raises(FlowError, match="1 rows of this run are in `t` already, and now there are 2"):
        write(sink, [{"a": 1}, {"a": 2}], Scope(job="first"))
    assert executed(file, "SELECT a FROM t") == [(1,)]
    # Upsert finds the rows that were appended.
    write(SqlSink(url(file), "t", mode="upsert", key=["a"]), [{"a": 1}, {"a": 2}], Scope(job="first"))
    assert executed(file, "SELECT a FROM t ORDER BY a") == [(1,), (2,)]


def test_what_fails_midway_leaves_the_table_and_the_ledger_as_they_were(file: Path) -> None:
    executed(file, "CREATE TABLE t (a INTEGER CHECK (a < 5))", "INSERT INTO t VALUES (1)")
    sink = SqlSink(url(file), "t", mode="replace")
    with pytest.raises(FlowError, match="CHECK constraint failed"):
        write(sink, [{"a": 2}] * 2000 + [{"a": 9}], Scope(job="first"))
    assert executed(file, "SELECT a FROM t") == [(1,)]
    write(sink, [{"a": 3}], Scope(job="first"))
    assert executed(file, "SELECT a FROM t") == [(3,)]
    with pytest.raises(KeyError):
        fail(sink, [{"a": 4}])
    assert executed(file, "SELECT a FROM t") == [(3,)]


def test_fields_that_the_table_does_not_have_are_said_and_columns_choose(file: Path) -> None:
    executed(file, "CREATE TABLE t (a INTEGER)")
    with pytest.raises(FlowError, match="no column `b`"):
        write(SqlSink(url(file), "t"), [{"a": 1, "b": 2}])
    write(SqlSink(url(file), "t", columns=["a"]), [{"a": 1, "b": 2}])
    assert executed(file, "SELECT * FROM t") == [(1,)]


def test_a_table_name_is_a_name_and_nothing_else(file: Path) -> None:
    write(SqlSink(url(file), 't"; DROP TABLE x; --'), [{'a"); --': 1}])
    assert read(Sql(url(file), "SELECT name FROM sqlite_master"))[0] == [{"name": 't"; DROP TABLE x; --'}]


@pytest.mark.parametrize(
    ("sink", "said"),
    [
        (SqlSink("sqlite://", "t", mode="upsert"), "go together"),
        (SqlSink("sqlite://", "t", key=["a"]), "go together"),
        (SqlSink("sqlite://", "t", mode="upsert", key=["a"], columns=["b"]), "not among `columns`"),
    ],
)
def test_a_key_is_needed_where_rows_are_told_apart(sink: SqlSink, said: str) -> None:
    with pytest.raises(FlowError, match=said):
        write(sink, [])
