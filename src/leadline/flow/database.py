"""Tables of SQL databases, read a few rows at a time and written in one transaction. Everything here blocks."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from leadline.errors import FlowError
from leadline.flow.base import Row
from leadline.flow.sinks.columns import LARGEST_INT, ColumnKind, Columns
from leadline.flow.sources.plain_values import plain
from leadline.flow.templates import as_text

BATCH = 1_000
LEDGER = "leadline_flow_writes"
"""The table that says how many rows a run has added, so that a resumed one does not add them again."""

Mode = Literal["append", "replace", "upsert"]


@dataclass(frozen=True, slots=True)
class Writing:
    """How `count` rows go into `table`. `job` and `target` name the run and the sink ("" for a run that nothing resumes)."""

    table: str
    mode: Mode
    key: Sequence[str]
    job: str
    target: str
    count: int

    @property
    def once(self) -> bool:
        """Whether the rows must not be written a second time: in the other modes that changes nothing."""
        return self.mode == "append" and self.job != ""


@contextmanager
def connected(url: str, label: str) -> Generator[sa.Connection]:
    """A connection to a database; what was not committed is undone at the end. Errors never show a password."""
    try:
        engine = sa.create_engine(url)
    except (ArgumentError, NoSuchModuleError, ValueError):
        shown = url.partition(":")[0][:40]
        raise FlowError(
            f"{label}: `url` (`{shown}:...`) names no database. Write it as `sqlite:///FILE` or `postgresql+psycopg://...`."
        ) from None
    except ModuleNotFoundError as error:
        raise FlowError(f"{label}: this kind of database needs `pip install {error.name}`.") from None
    try:
        with engine.connect() as connection:
            yield connection
    except SQLAlchemyError as error:
        place = engine.url.render_as_string(hide_password=True)
        raise FlowError(f"{label}: {place}: {_said(error)}.") from None
    finally:
        engine.dispose()


def _said(error: SQLAlchemyError) -> str:
    """What the database says, without the statement and its values."""
    told = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return " ".join(str(told).split())[:300].rstrip(".")


def records(
    connection: sa.Connection, query: str, parameters: Mapping[str, Any], label: str
) -> Iterator[list[Row]]:
    """The rows of a query, some at a time."""
    streaming = connection.execution_options(stream_results=True, max_row_buffer=BATCH)
    statement = sa.text(query)
    if missing := [name for name in statement.compile().params if name not in parameters]:
        raise FlowError(
            f"{label}: `query` names `:{missing[0]}`, which `parameters` do not hold. Add it; where no parameter is meant,"
            f" write `\\:{missing[0]}`."
        )
    with closing(streaming.execute(statement, dict(parameters))) as result:
        if not result.returns_rows:
            raise FlowError(f"{label}: `query` gives no rows. Write a SELECT.")
        names = list(result.keys())
        if twice := [name for name in names if names.count(name) > 1]:
            raise FlowError(f"{label}: `query` gives two columns `{twice[0]}`. Name them apart with AS.")
        while batch := result.fetchmany(BATCH):
            yield [{name: plain(value) for name, value in zip(names, row, strict=True)} for row in batch]


def write(connection: sa.Connection, how: Writing, columns: Columns, rows: Iterator[Row], label: str) -> bool:
    """All rows into a table, in one transaction. False when an earlier part of the same run has written them.

    Without any columns there are no rows, and there is nothing to make a table of.
    """
    if not columns:
        return _emptied(connection, how)
    _make_missing(connection, how, columns)
    _check_columns(connection, how, columns, label)
    connection.commit()
    with connection.begin():
        if how.once and not _first_time(connection, how, label):
            return False
        table = _table(how.table, columns)
        if how.mode == "replace":
            connection.execute(sa.delete(table))
        while batch := list(islice(rows, BATCH)):
            values = [{name: _value(row.get(name)) for name in columns} for row in batch]
            if how.mode == "upsert":
                for each in values:
                    _upsert(connection, table, how.key, each)
            else:
                connection.execute(sa.insert(table), values)
    return True


def _emptied(connection: sa.Connection, how: Writing) -> bool:
    """No rows in the place of those that are there."""
    name, schema = _named(how.table)
    if how.mode == "replace" and sa.inspect(connection).has_table(name, schema=schema):
        connection.execute(sa.delete(_table(how.table, ())))
        connection.commit()
    return True


def _make_missing(connection: sa.Connection, how: Writing, columns: Columns) -> None:
    """The table and the ledger, where they are not there yet."""
    name, schema = _named(how.table)
    there = sa.inspect(connection)
    metadata = sa.MetaData()
    if not there.has_table(name, schema=schema):
        keyed = how.key if how.mode == "upsert" else ()
        made = [
            sa.Column(each, _type(kind, each in keyed), primary_key=each in keyed)
            for each, kind in columns.items()
        ]
        sa.Table(name, metadata, *made, schema=schema)
    if how.once and not there.has_table(LEDGER):
        sa.Table(
            LEDGER,
            metadata,
            sa.Column("job", sa.String(64), primary_key=True),
            sa.Column("target", sa.String(191), primary_key=True),
            sa.Column("count", sa.BigInteger, nullable=False),
        )
    metadata.create_all(connection)


def _check_columns(connection: sa.Connection, how: Writing, columns: Columns, label: str) -> None:
    name, schema = _named(how.table)
    known = {column["name"] for column in sa.inspect(connection).get_columns(name, schema=schema)}
    if strange := [each for each in columns if each not in known]:
        raise FlowError(
            f"{label}: table `{how.table}` has no column `{strange[0]}`. Add it, or name `columns` that are there:"
            f" {', '.join(sorted(known))}."
        )


def _first_time(connection: sa.Connection, how: Writing, label: str) -> bool:
    """Note that this run writes; False when it wrote as many rows before. It holds only if the whole transaction does."""
    ledger = _table(LEDGER, ("job", "target", "count"))
    this = sa.and_(ledger.c.job == how.job, ledger.c.target == how.target)
    before = connection.execute(sa.select(ledger.c["count"]).where(this)).scalar()
    if before is None:
        connection.execute(sa.insert(ledger).values(job=how.job, target=how.target, count=how.count))
    elif before != how.count:
        raise FlowError(
            f"{label}: {before} rows of this run are in `{how.table}` already, and now there are {how.count}. Write them "
            "with `mode: upsert` (or `replace`) and --resume, or take those out and run without --resume."
        )
    return before is None


def _upsert(connection: sa.Connection, table: sa.TableClause, key: Sequence[str], values: Row) -> None:
    this = sa.and_(*(table.c[name] == values[name] for name in key))
    others = {name: value for name, value in values.items() if name not in key}
    if others:
        there = connection.execute(sa.update(table).where(this).values(others)).rowcount > 0
    else:
        there = (
            connection.execute(sa.select(sa.literal(1)).select_from(table).where(this)).first() is not None
        )
    if not there:
        connection.execute(sa.insert(table).values(values))


def _table(name: str, columns: Sequence[str] | Columns) -> sa.TableClause:
    """A table whose columns have no types, so that its database takes values by its own rules."""
    plain_name, schema = _named(name)
    return sa.table(plain_name, *map(_column, columns), schema=schema)


def _column(name: str) -> "sa.ColumnClause[Any]":
    return sa.column(name)


def _named(table: str) -> tuple[str, str | None]:
    schema, dot, name = table.rpartition(".")
    return (name, schema) if dot else (table, None)


def _type(kind: ColumnKind, keyed: bool) -> "sa.types.TypeEngine[Any]":
    if kind.name == "int":
        return sa.BigInteger()
    if kind.name == "float":
        return sa.Float()
    if kind.name == "bool":
        return sa.Boolean()
    return sa.String(191) if keyed else sa.Text()


def _value(value: Any) -> Any:
    """Text, numbers and truth as they are, lists and mappings as JSON; a whole number that no database has is text."""
    if isinstance(value, int) and not -LARGEST_INT <= value < LARGEST_INT:
        return str(value)
    return as_text(value) if isinstance(value, str | list | dict) else value
