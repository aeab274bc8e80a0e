"""The results of web search in rows."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from leadline.config import Settings
from leadline.errors import RowFailed, UsageError
from leadline.flow.base import Row, Scope
from leadline.flow.running.running import collected
from leadline.flow.steps.searching_web import SearchWeb
from leadline.testing.running import go
from leadline.testing.search_server import Fault, SearchServer
from leadline.web.base import WebResult
from leadline.workspace import Workspace

MILL = WebResult("https://mills.example/tide", "Tide mills", "Built in 1784.", "2024-05-15")


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with SearchServer(lambda query, limit: [MILL] if "mill" in query else []) as started:
        yield started


def rows_of(server: SearchServer, tmp_path: Path, step: SearchWeb, *questions: str) -> list[Row]:
    web = {"searches": ("searxng",), "searxng_url": server.url("searxng"), "searches_per_second": 100}
    settings = Settings.model_validate({"data": tmp_path, "web": web})

    async def work() -> list[Row]:
        async with await Workspace.open(settings) as workspace:
            given = [{"question": each} for each in questions]
            return await collected(step, given, Scope(workspace=workspace))

    return go(work())


def test_what_is_found_becomes_a_list(server: SearchServer, tmp_path: Path) -> None:
    step = SearchWeb(notices="said", sites=("mills.example",), since="2024-01-01")
    found, none = rows_of(server, tmp_path, step, "tide mill", "lamp")
    assert found["results"] == [
        {
            "url": MILL.url,
            "title": "Tide mills",
            "snippet": "Built in 1784.",
            "published": "2024-05-15",
            "provider": "searxng",
        }
    ]
    assert found["said"] == [
        "The search provider searxng cannot be told the days; its results are sorted out here, so that few may be left."
    ]
    assert none["results"] == []
    assert "The web has nothing for `lamp`." in none["said"]
    assert server.asked[0].wanted.sites == ("mills.example",)


def test_a_row_fails_where_no_provider_answers(server: SearchServer, tmp_path: Path) -> None:
    server.fail(Fault(status=403), times=None)
    with pytest.raises(RowFailed, match=r"refuses the search \(403\)"):
        rows_of(server, tmp_path, SearchWeb(), "tide mill")


def test_what_cannot_be_meant_is_refused_before_the_first_row() -> None:
    with pytest.raises(ValueError, match="from 1 to 20"):
        SearchWeb(limit=0)
    with pytest.raises(UsageError, match="must be a day"):
        SearchWeb(since="last week")
