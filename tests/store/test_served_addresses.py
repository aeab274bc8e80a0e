"""Addresses of servers are shown without their secrets, and said where they cannot be used."""

from pathlib import Path

import pytest

from leadline.errors import StoreError
from leadline.store.served_rows import Address
from leadline.testing.running import go


@pytest.mark.parametrize(
    ("uri", "place"),
    [
        ("https://hidden@example.org:1/a", "https://example.org:1/a"),
        ("https://example.org/a?api_key=hidden#b", "https://example.org/a"),
        ("https://example.org/a?key=hid@den", "https" + "://..."),
        ("rows.db", "rows.db"),
    ],
)
def test_no_secret_of_an_address_is_in_its_place(uri: str, place: str) -> None:
    assert Address(uri).place == place


def test_a_key_without_encryption_is_said_where_it_leaves_the_machine(tmp_path: Path) -> None:
    module = pytest.importorskip(
        "leadline.store.qdrant", reason="needs the extra `qdrant`", exc_type=ImportError
    )

    async def steps(uri: str) -> tuple[str, ...]:
        store = await module.open_store(tmp_path, address=Address(uri, "hidden"))
        notices = await store.rows.notices()
        await store.close()
        return notices

    (said,) = go(steps("http://far.example.org:6333"))
    assert "http://far.example.org:6333 unencrypted" in said
    assert "hidden" not in said
    assert go(steps("https://far.example.org")) == go(steps("http://localhost:6333")) == ()


def test_a_port_that_is_no_number_is_said_by_milvus(tmp_path: Path) -> None:
    module = pytest.importorskip(
        "leadline.store.milvus", reason="needs the extra `milvus`", exc_type=ImportError
    )

    async def steps() -> None:
        store = await module.open_store(tmp_path, address=Address("http://hidden@localhost:port"))
        with pytest.raises(StoreError, match="`store_uri` cannot be http://localhost:port") as said:
            await store.reach()
        assert "hidden" not in str(said.value)
        await store.close()

    go(steps())
