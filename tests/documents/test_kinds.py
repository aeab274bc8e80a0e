"""A file's kind follows from its name, else from its first bytes."""

from pathlib import Path

import pytest

from leadline.documents.kinds import kind_of, kind_of_name
from leadline.documents.reading import READERS, read, settle_kind
from leadline.errors import DocumentError
from tests.documents import samples


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Report.PDF", "pdf"),
        ("a.docm", "docx"),
        ("notes.md", "markdown"),
        ("README", "text"),
        ("Makefile", "code"),
        ("main.rs", "code"),
        ("x.ndjson", "jsonl"),
        ("a.tar.gz", ""),
        ("strange", ""),
    ],
)
def test_a_name_tells_the_kind(name: str, kind: str) -> None:
    assert kind_of_name(name) == kind


def test_bytes_tell_the_kind_when_the_name_does_not(tmp_path: Path) -> None:
    for content, kind in (
        (b"%PDF-1.4", "pdf"),
        (b"just words", "text"),
        (b"\x7fELF\x00\x01\x02\x00", ""),
        (b"{\\rtf1 x}", "rtf"),
    ):
        path = tmp_path / "file"
        path.write_bytes(content)
        assert kind_of(path) == kind


def test_a_picture_is_no_document_and_a_missing_file_no_error(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"words")
    assert kind_of(tmp_path / "a.png") == kind_of(tmp_path / "none") == ""


def test_a_bin_file_is_what_it_holds(tmp_path: Path) -> None:
    for content, kind in ((samples.pdf(""), "pdf"), (b"\x7fELF\x00\x01\x02\x00", ""), (b"words", "text")):
        (tmp_path / "a.bin").write_bytes(content)
        assert kind_of(tmp_path / "a.bin") == kind


def test_what_a_file_shows_wins_over_its_name() -> None:
    assert settle_kind("a.txt", samples.pdf("")) == "pdf"
    assert settle_kind("a.xlsx", samples.docx("")) == "docx"
    assert settle_kind("a.doc", b"{\\rtf1 words}") == "rtf"
    assert settle_kind("a.xls", b"<html><table></table></html>") == "html"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.pdf", b"not one"),
        ("a.docx", b"PK\x03\x04broken"),
        ("a.txt", b"\x00\x01\x02\x03\x7f\x00\x99" * 20),
        ("a.zip", samples.zipped({"x": "y"})),
    ],
)
def test_a_file_that_is_not_what_it_says_is_refused_with_a_remedy(
    name: str, data: bytes, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DocumentError) as caught:
        read(tmp_path / name)
    assert caught.value.reason and caught.value.remedy


@pytest.mark.parametrize(
    "name",
    ["a.pdf", "a.fodt", "a.mdx", "a.ts", "a.tsv", "a.epub", "a.msg", "a.mbx", "a.srt", "a.tex", "a.rest"],
)
def test_what_a_name_gives_has_a_reader(name: str) -> None:
    assert kind_of_name(name) in READERS
