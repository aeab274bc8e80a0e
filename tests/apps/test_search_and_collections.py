"""`search`, `collections`, `status`, `remove`, `doctor`: what they show and what they give to programs."""

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from leadline.apps import doctor
from leadline.apps.cli.collections import field_table
from leadline.apps.doctor import covered, data_folder, disk, plugins, python, same_embedding, tesseract
from leadline.config import Settings
from leadline.embeddings.static import StaticEmbedder
from leadline.encoders import Encoders
from leadline.store.base import FieldSummary
from leadline.store.lance import open_store
from leadline.testing.commands import Command
from leadline.testing.running import go
from leadline.types import Collection


def test_search_shows_where_a_passage_stands_and_how_it_was_found(loaded: Command) -> None:
    shown = loaded("search", "Who built the tide mill?")
    assert shown.code == 0
    assert "tide.md" in shown.out
    assert "keyword" in shown.out
    assert "#1" in shown.out
    assert "\x1b" not in shown.out


def test_search_gives_programs_everything(loaded: Command) -> None:
    found = json.loads(loaded("search", "Who built the tide mill?", "-k", "2", "--json").out)
    first = found["hits"][0]
    assert len(found["hits"]) == 2
    assert first["chunk"]["text"].startswith("# Tide mill") or "tide mill" in first["chunk"]["text"]
    assert {"path", "rank", "score", "query", "round"} <= set(first["found"][0])


def test_search_for_nothing_that_is_there_says_so_on_stderr(here: Path, loaded: Command) -> None:
    (here / "leadline.toml").write_text('embedding = "none"\n', encoding="utf-8")
    loaded("load", "harbour", "-c", "words")
    shown = loaded("search", "zeppelin", "-c", "words")
    assert (shown.code, shown.out) == (0, "")
    assert "nothing found" in shown.err


@pytest.mark.parametrize("columns", ["0", "1"])
def test_a_terminal_without_a_width_still_gets_the_text(
    columns: str, loaded: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert "Quill" in "".join(loaded("search", "Who built the tide mill?").out.split())


def test_a_name_with_a_line_break_takes_one_line(here: Path, loaded: Command) -> None:
    (here / "harbour" / "tide\nmill\x1b[31m.md").write_text("# Mill\n\nGrain.\n", encoding="utf-8")
    loaded("load", "harbour")
    shown = loaded("collections", "show", "default").out
    assert "harbour/tide mill.md\n" in shown
    assert loaded("remove", "harbour").out.count("\n") == 4


def test_several_collections_are_searched_together(here: Path, loaded: Command) -> None:
    (here / "other.md").write_text("# Lamp\n\nThe lamp of the tide mill is red.\n", encoding="utf-8")
    loaded("load", "other.md", "-c", "lamps")
    found = json.loads(loaded("search", "tide mill lamp", "-c", "lamps", "-c", "default", "--json").out)
    assert {Path(hit["chunk"]["source"]).name for hit in found["hits"]} >= {"other.md", "tide.md"}


def test_a_collection_is_described_shown_and_dropped(here: Path, loaded: Command) -> None:
    assert loaded("collections", "describe", "default", "About the harbour").code == 0
    (listed,) = json.loads(loaded("collections", "list", "--json").out)
    assert (listed["name"], listed["documents"], listed["description"]) == ("default", 3, "About the harbour")
    shown = json.loads(loaded("collections", "show", "default", "--json").out)
    assert [Path(source).name for source in shown["sources"]] == ["quill.md", "refunds.txt", "tide.md"]
    assert "harbour/tide.md" in loaded("collections", "show", "default").out
    assert "dropped `default`: 3 documents" in loaded("collections", "drop", "default", "-y").err
    assert loaded("collections", "list").err.startswith("no collections yet")


def test_removing_a_folder_removes_what_is_below_it(loaded: Command) -> None:
    assert json.loads(loaded("status", "--json").out)["documents"] == 3
    assert loaded("remove", "harbour/tide.md").out == "removed harbour/tide.md\n"
    gone = json.loads(loaded("remove", "harbour", "--purge", "--json").out)["removed"]
    assert [Path(source).name for source in gone] == ["quill.md", "refunds.txt"]
    assert json.loads(loaded("status", "--json").out)["documents"] == 0


def test_status_tells_size_and_last_change(here: Path, loaded: Command) -> None:
    status = json.loads(loaded("status", "--json").out)
    assert (status["exists"], status["documents"], status["writer"]) == (True, 3, "")
    assert status["bytes"] > 1_000
    assert status["changed"].startswith("20")
    shown = loaded("status", "--data", "elsewhere")
    assert "elsewhere (not there yet)" in shown.out
    assert "last change   never" in shown.out
    assert not (here / "elsewhere").exists()


def test_the_last_change_is_the_last_write_and_not_the_moment_of_asking(here: Path, loaded: Command) -> None:
    for file in (here / ".leadline").rglob("*"):
        os.utime(file, (1_000_000_000, 1_000_000_000))
    for _ in range(2):
        assert "last change   2001-09-09T01:46:40+00:00" in loaded("status").out
    loaded("remove", "harbour/tide.md")
    assert json.loads(loaded("status", "--json").out)["changed"] > "2001-09-10"


def test_global_keeps_collections_in_the_users_folder(
    here: Path, leadline: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(here / "mine"))
    (here / "a.md").write_text("# A\n\nSomething to keep.\n", encoding="utf-8")
    assert leadline("load", "a.md", "--global").code == 0
    assert (here / "mine" / "leadline").is_dir()
    assert not (here / ".leadline").exists()


def test_the_doctor_finds_a_sound_installation_sound(loaded: Command) -> None:
    shown = loaded("doctor", "--json")
    checks = {check["name"]: check for check in json.loads(shown.out)}
    assert shown.code == 0, shown.out
    assert [name for name, check in checks.items() if check["state"] == "fail"] == []
    assert checks["collection default"]["found"].startswith("3 documents")
    assert checks["scripts of default"]["found"] == "latin"


def test_the_doctor_names_the_collection_of_another_embedding(here: Path, loaded: Command) -> None:
    async def made_elsewhere() -> None:
        store = await open_store(here / ".leadline")
        await store.create(Collection("other", embedding="onnx-gone-1", dimension=8))
        await store.close()

    go(made_elsewhere())
    shown = loaded("doctor")
    assert shown.code == 1
    assert "FAIL" in shown.out
    assert "leadline reindex --embedding NAME --collection other" in shown.out


def test_the_doctor_reads_past_a_bad_configuration(here: Path, leadline: Command) -> None:
    (here / "leadline.toml").write_text("rounds = 3\n", encoding="utf-8")
    shown = leadline("doctor")
    assert shown.code == 1
    assert "Did you mean `ask.rounds`" in shown.out


def test_the_doctor_names_a_damaged_store(here: Path, loaded: Command) -> None:
    (here / ".leadline" / "catalogue.sqlite").write_bytes(b"no database at all" * 1_000)
    shown = loaded("doctor")
    assert shown.code == 1
    assert "load the files again" in shown.out


def test_the_doctor_names_a_collection_whose_table_is_gone_and_its_remedy_works(
    here: Path, loaded: Command
) -> None:
    shutil.rmtree(next((here / ".leadline" / "tables").iterdir()))
    shown = loaded("doctor")
    assert shown.code == 1
    assert "leadline collections drop default" in shown.out
    assert loaded("collections", "drop", "default", "--yes").code == 0
    assert loaded("load", "harbour").code == 0
    assert loaded("doctor").code == 0


def test_single_checks_say_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    checks = [
        python((3, 9, 1)),
        data_folder(tmp_path / "file" / "data"),
        disk(tmp_path, low=1 << 60),
        go(same_embedding(Collection("a", embedding="other"), Encoders(Settings())))[1],
        covered("a", ["han"], StaticEmbedder()),
    ]
    assert [check.state for check in checks] == ["fail", "fail", "note", "fail", "note"]
    assert all(check.remedy for check in checks)
    assert covered("a", ["han"], None).state == "ok"


def test_a_plugin_that_cannot_be_imported_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "odd-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[leadline.embedding]\nodd = no_such_module:build\n", encoding="utf-8"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    (found,) = plugins()
    assert (found.name, found.state) == ("plugin odd", "fail")
    assert "no_such_module" in found.found


def test_without_tesseract_the_doctor_says_what_it_is_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert (tesseract().state, doctor.tesseract().remedy[:7]) == ("note", "Install")


TWICE = """
import sys
from leadline.apps.cli import main

for arguments in (["search", sys.argv[1]], ["search", "mill", "--json"]):
    try:
        main(arguments)
    except SystemExit as ended:
        if ended.code:
            raise
    sys.stdout.write("\\0" if "--json" not in arguments else "")
"""
"""Two searches in one process, with a zero byte between what they print."""


@pytest.mark.parametrize(
    "settings",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "C.UTF-8"},
        {"COLUMNS": "20"},
    ],
    ids=str,
)
def test_any_locale_and_width_will_do(settings: dict[str, str], here: Path, leadline: Command) -> None:
    (here / "潮汐.md").write_text("# 潮汐磨坊\n\n潮汐磨坊建于1887年。 The mill — “old”.\n", encoding="utf-8")
    leadline("load", ".")
    done = subprocess.run(
        [sys.executable, "-c", TWICE, "潮汐磨坊"],
        capture_output=True,
        env={**os.environ, **settings},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"\x1b" not in done.stdout
    words, found = done.stdout.split(b"\0")
    assert words.strip()
    assert json.loads(found)["hits"][0]["chunk"]["text"].startswith("# 潮汐磨坊")


def test_search_shows_the_section_around_each_passage_once(here: Path, loaded: Command) -> None:
    text = "# Locks\n\n" + " ".join(f"Lock {n} opens at noon and at dusk." for n in range(60))
    text += " Lock 77 opens at dawn.\n"
    (here / "harbour" / "locks.md").write_text(text, encoding="utf-8")
    loaded("load", "harbour")
    shown = loaded("search", "When does lock 77 open?", "--section")
    assert shown.code == 0
    assert shown.out.count("Lock 31 opens at noon") == 1
    found = json.loads(loaded("search", "When does lock 77 open?", "--section", "--json").out)
    first = found["sections"][0]
    assert first["chunk_id"] == found["hits"][0]["chunk"]["id"]
    assert (first["whole"], first["heading_path"]) == (True, ["Locks"])
    (here / "leadline.toml").write_text("[search]\nsection_size = 300\n", encoding="utf-8")
    cut = json.loads(loaded("search", "When does lock 77 open?", "--section", "--json").out)["sections"][0]
    assert (cut["whole"], cut["text"] in text) == (False, True)
    assert "sections" not in json.loads(loaded("search", "lock", "--json").out)


def test_collections_alone_lists_them(loaded: Command) -> None:
    assert loaded("collections").out == loaded("collections", "list").out != ""
    assert json.loads(loaded("collections", "--json").out)[0]["name"] == "default"
    assert loaded("collections", "shw", "default").code == 2


def test_one_of_a_thing_is_not_several(here: Path, leadline: Command) -> None:
    (here / "a.md").write_text("# A\n\nThe tide mill.\n", encoding="utf-8")
    leadline("load", "a.md")
    assert "1 document, " in leadline("doctor").out
    assert "with 1 document?" in leadline("collections", "drop", "default").err
    assert "dropped `default`: 1 document, 1 chunk." in leadline("collections", "drop", "default", "-y").err


def test_the_package_itself_is_the_command() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "leadline", "--version"], capture_output=True, text=True, check=True
    )
    assert run.stdout.startswith("leadline ")


@pytest.mark.parametrize("columns", [80, 100, 160])
def test_names_of_fields_are_shown_beside_long_values(columns: int) -> None:
    address = "https://docs.example.org/guide/some/very/long/path"
    values = tuple((f"{address}/{place}", 2) for place in range(6))
    names = ("source", "published", "name_of_whoever_wrote")
    fields = [FieldSummary(name, "text", 40, 40, address, f"{address}/z", values) for name in names]
    console = Console(width=columns, file=io.StringIO(), record=True)
    console.print(field_table(fields, columns))
    rows = console.export_text().splitlines()
    assert [row.split()[:2] for row in rows] == [["field", "holds"], *([name, "text"] for name in names)]
    assert max(map(len, rows)) <= columns
