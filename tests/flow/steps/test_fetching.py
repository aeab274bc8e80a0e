"""Pages of the web as documents in rows."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from leadline.config import Settings
from leadline.errors import RowFailed
from leadline.flow.base import Row, Scope
from leadline.flow.running.running import collected
from leadline.flow.steps.fetching import Fetch
from leadline.testing.running import go
from leadline.workspace import Workspace
from tests.web.server import Served, serving


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serving() as served:
        yield served


def fetched(tmp_path: Path, allow: list[str], *urls: object) -> list[Row]:
    settings = Settings.model_validate({"data": tmp_path, "web": {"allow_hosts": allow}})

    async def work() -> list[Row]:
        async with await Workspace.open(settings) as workspace:
            return await collected(Fetch("link"), [{"link": url} for url in urls], Scope(workspace=workspace))

    return go(work())


def test_a_page_becomes_a_document(server: Served, tmp_path: Path) -> None:
    page, text = fetched(tmp_path, ["127.0.0.1"], f"{server.url}/to?/page", f"{server.url}/text")
    assert page["link"] == f"{server.url}/to?/page"
    assert (page["source"], page["title"]) == (f"{server.url}/page", "Tide mills")
    assert "Built in 1784." in page["text"]
    assert "<p>" not in page["text"]
    assert "modified" not in page["metadata"]
    assert text["text"].strip() == "Plain words."


@pytest.mark.parametrize("allow", [[], ["127.0.0.1:1"]])
def test_only_the_settings_open_what_is_closed(server: Served, tmp_path: Path, allow: list[str]) -> None:
    with pytest.raises(RowFailed, match=r"web\.allow_hosts"):
        fetched(tmp_path, allow, f"{server.url}/page")


def test_what_is_no_page_fails_its_row(server: Served, tmp_path: Path) -> None:
    for url in (f"{server.url}/empty", f"{server.url}/nix", "file:///etc/hostname", 5):
        with pytest.raises(RowFailed):
            fetched(tmp_path, ["127.0.0.1"], url)
