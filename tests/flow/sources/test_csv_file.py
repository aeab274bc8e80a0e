"""Tables of text: quoting, types, and every line that does not fit told by its number."""

from pathlib import Path

import pytest

from leadline.errors import FlowError
from leadline.flow.sources.csv_file import Csv
from tests.flow.ends import read


def test_quotes_line_ends_and_a_byte_order_mark_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes('\ufeffname,says\r\nZoë,"a ""word"", and\nanother"\r\n\r\nBo,\r\n'.encode())
    rows, lost = read(Csv(path))
    assert rows == [{"name": "Zoë", "says": 'a "word", and\nanother'}, {"name": "Bo", "says": ""}]
    assert lost == []


def test_the_separator_is_what_is_given_or_what_the_name_says(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("a\tb\n1,5\t2\n")
    (tmp_path / "b.csv").write_text("a;b\n1,5;2\n")
    assert read(Csv(tmp_path / "a.tsv"))[0] == [{"a": "1,5", "b": "2"}]
    assert read(Csv(tmp_path / "b.csv", delimiter=";"))[0] == [{"a": "1,5", "b": "2"}]
    with pytest.raises(FlowError, match="one character"):
        read(Csv(tmp_path / "b.csv", delimiter=";;"))


def test_lines_that_do_not_fit_are_told_by_their_first_line(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b'a,b\n1\n"x\ny",2\n1,2,3\n"q"q,1\n\xff,1\n3,4\n')
    rows, lost = read(Csv(path))
    assert rows == [{"a": "x\ny", "b": "2"}, {"a": "3", "b": "4"}]
    assert [letter.row["line"] for letter in lost] == [2, 5, 6, 7]
    assert "1 values for 2 columns" in lost[0].error
    assert "encoding" in lost[3].error


def test_types_are_kept_and_what_is_none_of_them_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("year,price,on\n1999,1.5,yes\n,,\nsoon,1,no\n1_9,1,no\n1,nan,no\n1,1,maybe\n")
    source = Csv(path, types={"year": "int", "price": "float", "on": "bool"})
    rows, lost = read(source)
    assert rows == [{"year": 1999, "price": 1.5, "on": True}, {"year": None, "price": None, "on": None}]
    assert [letter.error.split("`")[1] for letter in lost] == ["year", "year", "price", "on"]
    assert "`year` must be a whole number, not 'soon'" in lost[0].error
    with pytest.raises(FlowError, match="`types.yaer` is of no column of .* It has: year, price, on"):
        read(Csv(path, types={"yaer": "int"}))
    with pytest.raises(FlowError, match="types.year"):
        read(Csv(path, types={"year": "date"}))  # type: ignore[reportArgumentType]


def test_a_file_without_names_takes_those_given(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("1,2\n")
    source = Csv(path, columns=["a", "b"])
    assert read(source)[0] == [{"a": "1", "b": "2"}]
    assert source.shape().fields == {"a": "text", "b": "text"}


def test_columns_without_a_name_get_one_and_two_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(",a\n1,2\n")
    assert read(Csv(path))[0] == [{"column1": "1", "a": "2"}]
    path.write_text("a,a\n1,2\n")
    with pytest.raises(FlowError, match="two columns"):
        read(Csv(path))


def test_another_encoding_is_read_when_it_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("name\nZoë\n".encode("cp1252"))
    assert read(Csv(path, encoding="cp1252"))[0] == [{"name": "Zoë"}]
    with pytest.raises(FlowError, match="no encoding"):
        read(Csv(path, encoding="klingon"))


def test_an_empty_file_has_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("")
    assert read(Csv(path)) == ([], [])


@pytest.mark.parametrize("encoding", ["idna", "undefined", "punycode", "base64", "no-such"])
def test_an_encoding_that_is_none_of_text_is_said(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"a\n1\n")
    with pytest.raises(FlowError, match=f"there is no encoding `{encoding}`"):
        read(Csv(path, encoding=encoding))


@pytest.mark.parametrize("written", ["utf-16", "cp1252"])
def test_columns_of_another_encoding_are_said(tmp_path: Path, written: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("größe,b\n1,2\n".encode(written))
    with pytest.raises(FlowError, match=r"a\.csv:1: the line of columns holds bytes .*; set `encoding`"):
        read(Csv(path))
    assert read(Csv(path, encoding=written)) == ([{"größe": "1", "b": "2"}], [])


@pytest.mark.parametrize("content", ["a\n1\n".encode("utf-16") + b"x", b"a\n1\n"])
def test_what_its_encoding_cannot_read_ends_the_rows(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    for columns in ((), ("a",)):
        with pytest.raises(FlowError, match=r"a\.csv:.*: cannot be read: .*(truncated data|BOM)"):
            read(Csv(path, columns, encoding="utf-16"))
