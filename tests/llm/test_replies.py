"""The file of kept replies: shared, bounded, emptied on request, and never in the way."""

import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from leadline.llm.base import Reply
from leadline.llm.replies import Replies

TEXT = "The lighthouse was lit in 1889."


def test_a_reply_comes_back_as_it_was_but_for_its_price(tmp_path: Path) -> None:
    replies = Replies(tmp_path / "deep" / "r.sqlite")
    replies.keep(b"k", Reply(TEXT, 12, 7, 0.02, whole=False))
    replies.close()
    again = Replies(tmp_path / "deep" / "r.sqlite")
    assert again.find(b"k") == Reply(TEXT, 12, 7, None, whole=False)
    assert again.find(b"other") is None
    again.close()


def test_a_file_that_is_closed_is_one_file(tmp_path: Path) -> None:
    replies = Replies(tmp_path / "r.sqlite")
    replies.keep(b"k", Reply(TEXT))
    replies.close()
    assert [path.name for path in tmp_path.iterdir()] == ["r.sqlite"]


def test_looking_makes_no_file(tmp_path: Path) -> None:
    replies = Replies(tmp_path / "r.sqlite")
    assert replies.find(b"k") is None
    replies.clear()
    replies.close()
    assert list(tmp_path.iterdir()) == []


def test_what_is_cleared_is_gone_from_the_disk(tmp_path: Path) -> None:
    replies = Replies(tmp_path / "r.sqlite")
    for number in range(200):
        replies.keep(str(number).encode(), Reply(f"{TEXT} {number}"))
    replies.clear()
    assert replies.find(b"7") is None
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"lighthouse" not in held
    replies.close()


def test_the_oldest_make_room(tmp_path: Path) -> None:
    replies = Replies(tmp_path / "r.sqlite", limit=200_000)
    for number in range(400):
        replies.keep(str(number).encode(), Reply("x" * 1_000))
    assert replies.find(b"0") is None
    assert replies.find(b"399") is not None
    replies.close()
    assert replies.size < 400_000


def test_many_threads_and_two_owners_use_one_file(tmp_path: Path) -> None:
    owners = [Replies(tmp_path / "r.sqlite") for _ in range(2)]

    def keep(number: int) -> None:
        owners[number % 2].keep(str(number).encode(), Reply(str(number)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(keep, range(100)))
    found = [owners[1].find(str(number).encode()) for number in range(100)]
    assert [reply.text for reply in found if reply] == [str(number) for number in range(100)]
    for owner in owners:
        owner.close()


def test_half_a_character_is_no_reason_to_lose_a_reply(tmp_path: Path) -> None:
    replies = Replies(tmp_path / "r.sqlite")
    replies.keep(b"k", Reply("a\ud800b"))
    found = replies.find(b"k")
    assert found is not None
    assert found.text == "a?b"
    replies.close()


def test_a_damaged_file_is_put_aside_and_starts_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    damaged = b"SQLite format 3\x00" + b"and no database at all" * 100
    (tmp_path / "r.sqlite").write_bytes(damaged)
    replies = Replies(tmp_path / "r.sqlite")
    assert replies.find(b"k") is None
    assert "damaged" in caplog.text
    replies.keep(b"k", Reply(TEXT))
    assert replies.find(b"k") is not None
    assert (tmp_path / "r.sqlite.damaged").read_bytes() == damaged
    replies.close()


def test_a_file_of_something_else_is_never_touched(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    diary, shop = tmp_path / "diary.txt", tmp_path / "shop.sqlite"
    diary.write_text("Dear diary", encoding="utf-8")
    other = sqlite3.connect(shop)
    other.execute("CREATE TABLE orders (id INTEGER)")
    other.commit()
    other.close()
    before = {path: path.read_bytes() for path in (diary, shop)}
    for path in before:
        replies = Replies(path)
        replies.keep(b"k", Reply(TEXT))
        assert replies.find(b"k") is None
        replies.close()
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert "something else" in caplog.text


def test_a_place_that_cannot_be_written_is_told_and_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    replies = Replies(tmp_path / "taken" / "r.sqlite")
    replies.keep(b"k", Reply(TEXT))
    assert replies.find(b"k") is None
    assert "not used" in caplog.text
    replies.close()


def test_a_file_that_another_holds_locked_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leadline.kept_file.PATIENCE", 0.05)
    first = Replies(tmp_path / "r.sqlite")
    first.keep(b"k", Reply(TEXT))
    other = sqlite3.connect(tmp_path / "r.sqlite", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    second = Replies(tmp_path / "r.sqlite")
    second.keep(b"l", Reply(TEXT))
    other.execute("COMMIT")
    assert second.find(b"l") is None
    assert second.find(b"k") is not None
    for each in (other, first, second):
        each.close()


def test_a_row_that_is_no_reply_is_not_found(tmp_path: Path) -> None:
    replies = Replies(tmp_path / "r.sqlite")
    for key in (b"k", b"l"):
        replies.keep(key, Reply(TEXT))
    replies.close()
    other = sqlite3.connect(tmp_path / "r.sqlite")
    other.execute("UPDATE replies SET text = x'ff00' WHERE key = ?", (b"k",))
    other.execute("UPDATE replies SET input_tokens = 'many' WHERE key = ?", (b"l",))
    other.commit()
    other.close()
    assert [replies.find(key) for key in (b"k", b"l")] == [None, None]
    replies.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to the superuser")
def test_replies_that_were_recorded_are_found_where_nothing_can_be_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    recorded = Replies(tmp_path / "r.sqlite")
    recorded.keep(b"k", Reply(TEXT))
    recorded.close()
    tmp_path.chmod(0o555)
    try:
        replies = Replies(tmp_path / "r.sqlite")
        assert replies.find(b"k") == Reply(TEXT)
        replies.keep(b"l", Reply(TEXT))
        assert replies.find(b"l") is None
        replies.close()
    finally:
        tmp_path.chmod(0o755)
    assert [record.message.rpartition(" are ")[2] for record in caplog.records] == [
        "read-only: new ones are not kept."
    ]
