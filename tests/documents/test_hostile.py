"""Files made to do harm end in a DocumentError or in bounded text: nothing is run, fetched or unpacked without end."""

import io
import random
import time
from pathlib import Path
from typing import Any

import pytest
from msoffcrypto.format.ooxml import OOXMLFile

from leadline.documents import archives
from leadline.documents.reading import read
from leadline.errors import DocumentError
from tests.documents import samples
from tests.documents.samples import words


def opened(folder: Path, name: str, data: bytes | str, passwords: tuple[str, ...] = ()) -> str:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    began = time.process_time()
    try:
        return read(path, passwords=passwords).text
    finally:
        assert time.process_time() - began < 10


def test_a_sheet_that_claims_a_million_rows_costs_what_it_holds(tmp_path: Path) -> None:
    cells = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
    sheet = f'<dimension ref="A1:XFD1048576"/><sheetData>{cells}</sheetData>'
    assert opened(tmp_path, "a.xlsx", samples.xlsx(sheet)) == "Figures\n\n| 1 |  |\n| --- | --- |\n|  | 2 |"


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LARGEST_PART", 1_000_000)
    with pytest.raises(DocumentError, match="unpacks to more"):
        opened(tmp_path, "a.docx", samples.zipped({"word/document.xml": b"\0" * 3_000_000}))


def test_a_zip_that_lies_about_sizes_is_damaged(tmp_path: Path) -> None:
    data = bytearray(samples.docx(words("hello") * 500))
    middle = data.index(b"PK\x01\x02")
    data[middle + 24 : middle + 28] = (10).to_bytes(4, "little")
    with pytest.raises(DocumentError):
        opened(tmp_path, "a.docx", bytes(data))


def test_an_archive_of_endless_parts_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_PARTS", 5)
    with pytest.raises(DocumentError, match="unpacks to more"):
        opened(tmp_path, "a.odt", samples.zipped({f"p{i}": "" for i in range(9)} | {"content.xml": "<a/>"}))


def test_entities_are_neither_fetched_nor_multiplied(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("SECRET", encoding="utf-8")
    outside = f'<!DOCTYPE a [<!ENTITY x SYSTEM "file://{tmp_path}/secret">]><a>seen &x; here</a>'
    assert "SECRET" not in opened(tmp_path, "a.xml", outside)
    levels = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    laughs = f'<!DOCTYPE a [<!ENTITY l0 "ha">{levels}]><a>&l9;</a>'
    assert len(opened(tmp_path, "b.xml", laughs)) < 10_000
    part = samples.zipped(
        {
            "word/document.xml": laughs.replace(
                "<a>", '<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>'
            ).replace("</a>", "</w:t></w:r></w:p></w:body></w:document>")
        }
    )
    assert len(opened(tmp_path, "c.docx", part)) < 10_000


@pytest.mark.parametrize(
    "more",
    [
        {
            90: samples.stream(
                "/X Do",
                "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 90 0 R >> >>",
            )
        },
        {2: "<< /Type /Pages /Count 9 /Kids [2 0 R 5 0 R] >>"},
        {2: "<< /Type /Pages /Count 2000000000 /Kids [5 0 R] >>"},
        {6: "6 0 R"},
    ],
)
def test_pdf_objects_that_contain_themselves_end(tmp_path: Path, more: dict[int, str]) -> None:
    data = samples.pdf("/X Do " + samples.lines("Some words"), more=more)
    try:
        assert len(opened(tmp_path, "a.pdf", data)) < 100
    except DocumentError as error:
        assert error.remedy


@pytest.mark.parametrize("cut", [20, 200, 400])
@pytest.mark.parametrize("name", ["a.pdf", "a.docx", "a.xlsx"])
def test_a_file_cut_short_is_an_error_or_less_text(tmp_path: Path, name: str, cut: int) -> None:
    made = {
        "a.pdf": samples.pdf(samples.lines("words")),
        "a.docx": samples.docx(words("words")),
        "a.xlsx": samples.xlsx(""),
    }
    try:
        opened(tmp_path, name, made[name][:cut])
    except DocumentError as error:
        assert error.remedy


@pytest.mark.parametrize("name", ["a.html", "a.xml", "a.rtf", "a.tex", "a.md", "a.rst", "a.json", "a.eml"])
def test_deep_nesting_ends(tmp_path: Path, name: str) -> None:
    opening = {
        "a.html": "<div>",
        "a.xml": "<a>",
        "a.rtf": "{\\b ",
        "a.tex": "\\emph{",
        "a.json": '{"a":',
        "a.eml": ">",
    }
    start = "{\\rtf1 " if name == "a.rtf" else ""
    try:
        assert len(opened(tmp_path, name, start + opening.get(name, "> ") * 20_000 + "words")) < 500_000
    except DocumentError as error:
        assert "deep" in error.reason


def test_a_locked_word_file_opens_with_its_password_only(tmp_path: Path) -> None:
    # The library only writes files right that are larger than the smallest unit of their container.
    noise = random.Random(1).randbytes(20_000).hex()
    plain: Any = OOXMLFile(io.BytesIO(samples.docx(words("Hidden words") + words(noise))))
    locked = io.BytesIO()
    plain.encrypt("sesame", locked)
    assert "Hidden words" in opened(tmp_path, "a.docx", locked.getvalue(), ("wrong", "sesame"))
    for passwords in ((), ("wrong",)):
        with pytest.raises(DocumentError, match="password-protected") as caught:
            opened(tmp_path, "a.docx", locked.getvalue(), passwords)
        assert "--password-file" in caught.value.remedy


def test_encrypted_zip_parts_are_refused(tmp_path: Path) -> None:
    data = bytearray(samples.docx(words("x")))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    with pytest.raises(DocumentError, match="encrypted"):
        opened(tmp_path, "a.docx", bytes(data))
