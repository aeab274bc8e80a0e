"""Where a report goes: known before anything is asked, written whole, never lost."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from leadline.citing.report.outline import Report
from leadline.citing.report.writing import ReportFile, report_file
from leadline.errors import ConfigError, UsageError
from leadline.types import Claim
from tests.citing.report.answers import research

ENGLISH = research("english")


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.md", b"# What"),
        ("a.markdown", b"# What"),
        ("a.HTML", b"<!DOCTYPE"),
        ("a.htm", b"<!DOCTYPE"),
        ("a.docx", b"PK"),
        ("a.pdf", b"%PDF-"),
    ],  # fmt: skip
)
def test_the_suffix_says_the_form(name: str, start: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    assert report_file(path).write(ENGLISH) == path
    assert path.read_bytes().startswith(start)
    assert [each.name for each in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("report", r"\.docx, \.html, \.md, \.pdf"),
        ("report.txt", "the suffix says which"),
        (".pdf", "the suffix says which"),
        ("nowhere/report.md", "is no folder"),
        ("folder.md", "is a folder"),
    ],
)
def test_a_place_where_no_report_can_be_written_is_refused_at_once(
    name: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(UsageError, match=said):
        report_file(tmp_path / name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_to_is_refused_at_once(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UsageError, match="cannot be written to"):
        report_file(tmp_path / "report.md")


def test_a_report_that_a_form_cannot_show_is_kept_as_markdown(tmp_path: Path) -> None:
    answer = replace(ENGLISH, claims=(Claim("𒀀 is a sign."),))
    with pytest.raises(ConfigError, match=r"cuneiform.*report\.md` instead") as caught:
        report_file(tmp_path / "report.pdf").write(answer)
    assert "report.pdf" in str(caught.value)
    assert "𒀀 is a sign." in (tmp_path / "report.md").read_text(encoding="utf-8")
    assert [each.name for each in tmp_path.iterdir()] == ["report.md"]


def test_a_report_that_fails_leaves_the_old_one_and_nothing_else(tmp_path: Path) -> None:
    old = tmp_path / "report.md"
    old.write_text("old", encoding="utf-8")
    old.chmod(0o640)

    def fails(report: Report) -> bytes:
        raise ValueError(report.title)

    with pytest.raises(ValueError, match="Norvik"):
        ReportFile(old, fails).write(ENGLISH)
    assert old.read_text(encoding="utf-8") == "old"
    report_file(old).write(ENGLISH)
    assert old.read_text(encoding="utf-8").startswith("# What")
    assert old.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["report.md"]


def test_a_report_goes_where_a_link_leads_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "report.md", tmp_path / "report.md"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    assert report_file(link).write(ENGLISH) == link
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8").startswith("# ")
    target.unlink()
    report_file(link).write(ENGLISH)
    assert target.is_file()
