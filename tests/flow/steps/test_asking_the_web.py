"""The step `ask` with the web: each question reads pages of its own."""

from pathlib import Path
from typing import Any, cast

import pytest

from leadline.flow.base import Row, Scope
from leadline.flow.running.running import collected
from leadline.flow.steps.asking import Ask
from leadline.testing.running import go
from tests.scenarios.web_product import mixed


def test_each_row_is_answered_from_pages_and_the_collections_named(tmp_path: Path) -> None:
    questions = ("In which winter was the Tarn 40 drawn?", "How many cars does the ferry Sable Heron carry?")

    async def work() -> list[Row]:
        async with mixed(tmp_path, model=False) as there:
            step = Ask(web=True, collections=("default",), trace="told")
            return await collected(
                step, [{"question": each} for each in questions], Scope(workspace=there.workspace)
            )

    rows = go(work())
    assert len(rows) == 2
    for row in rows:
        assert any(event["event"] == "PageRead" for event in cast(list[dict[str, Any]], row["told"]))
    sources = [{each["source"] for each in row["answer"]["sources"]} for row in rows]
    assert any(source.startswith("http") for source in sources[0])


def test_web_is_true_or_false() -> None:
    with pytest.raises(ValueError, match="`web` is true or false"):
        Ask(web=cast(bool, "sometimes"))
