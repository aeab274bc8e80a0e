"""`leadline migrate` and the settings that choose a store, as a person uses them."""

import json
import sqlite3
from pathlib import Path

import pytest

from leadline.testing.commands import Command

pytest.importorskip("leadline.store.qdrant", reason="needs the extra `qdrant`", exc_type=ImportError)

QDRANT = '\nstore = "qdrant"\n'


def test_a_collection_goes_into_another_store_and_is_searched_there(here: Path, loaded: Command) -> None:
    shown = loaded("migrate", "lance", "qdrant")
    assert (shown.code, "3 documents copied" in shown.out) == (0, True), shown.err
    assert json.loads(loaded("migrate", "lance", "qdrant", "--json").out)[0]["there"] == 3
    (here / "leadline.toml").write_text(QDRANT, encoding="utf-8")
    assert "tide.md" in loaded("search", "Who built the tide mill?").out
    assert "3 unchanged" in loaded("load", "harbour").out
    checks = loaded("doctor")
    assert checks.code == 0, checks.out
    assert "Qdrant at" in checks.out
    assert loaded("remove", "harbour/quill.md", "--purge").code == 0
    shown = loaded("migrate", "qdrant", "lance=copy")
    assert "2 documents copied" in shown.out, shown.err
    with sqlite3.connect(here / "copy" / "catalogue.sqlite") as catalogue:
        assert catalogue.execute("SELECT count(*) FROM documents").fetchone() == (2,)


def test_a_purge_names_the_store_that_still_has_a_copy(here: Path, loaded: Command) -> None:
    assert loaded("migrate", "lance", "qdrant").code == 0
    shown = loaded("remove", "harbour/quill.md", "--purge")
    assert (shown.code, shown.out) == (0, "removed harbour/quill.md\n")
    said = "`qdrant` in the same data folder may still hold a copy: purge there too, with LEADLINE_STORE=qdrant.\n"
    assert shown.err == said
    (here / "leadline.toml").write_text(QDRANT, encoding="utf-8")
    assert loaded("remove", "harbour/quill.md", "--purge").err == ""
    assert "`lance` in the same data folder" in loaded("remove", "harbour/tide.md", "--purge").err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("lance", "lance"), "the same store"),
        (("lance", "http://localhost:19530"), "milvus=http://localhost:19530"),
        (("nowhere", "qdrant"), "is no store"),
        (("lance", "qdrant", "-c", "other"), "there are: default"),
    ],
)
def test_what_cannot_be_copied_is_one_line(loaded: Command, arguments: tuple[str, ...], reason: str) -> None:
    shown = loaded("migrate", *arguments)
    assert shown.code == 2
    assert reason in shown.err
    assert shown.err.count("\n") == 1


def test_a_store_that_is_misspelt_or_given_an_address_it_cannot_use_is_said(
    here: Path, loaded: Command
) -> None:
    (here / "leadline.toml").write_text('store = "lnce"\n', encoding="utf-8")
    assert "Did you mean `lance`?" in loaded("search", "mill").err
    (here / "leadline.toml").write_text('store_uri = "http://localhost:1"\n', encoding="utf-8")
    assert "`store_uri` is for a server" in loaded("search", "mill").err


def test_a_server_that_does_not_answer_is_said_by_every_command(here: Path, loaded: Command) -> None:
    (here / "leadline.toml").write_text(QDRANT + 'store_uri = "http://127.0.0.1:1"\n', encoding="utf-8")
    for command in (("load", "harbour"), ("doctor",)):
        shown = loaded(*command)
        assert shown.code != 0
        assert "does not answer" in " ".join((shown.out + shown.err).split())
