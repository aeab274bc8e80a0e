"""`leadline research`: facts in rounds, a report in the form that its file's suffix says."""

import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import docx
import pypdfium2
import pytest

from leadline.apps.cli.research_view import ResearchView
from leadline.events import FactsFound, GapsFound, PageRead, RoundStarted, Searched
from leadline.testing.commands import Command
from leadline.testing.search_server import SearchServer
from leadline.testing.web_site import WebSite
from leadline.types import Query
from tests.site.town import search, served

TOPIC = "Where was Mara Quill born, and what did she build?"


@pytest.mark.parametrize("name", ["report.md", "report.html", "report.docx", "report.pdf"])
def test_a_report_cites_the_files_it_rests_on(name: str, here: Path, loaded: Command) -> None:
    shown = loaded("research", TOPIC, "-o", name)
    assert (shown.code, shown.out.strip()) == (0, f"Written: {name}")
    content = (here / name).read_bytes()
    text = content.decode("utf-8", "replace").replace("\\", "")
    if name.endswith("docx"):
        text = "\n".join(each.text for each in docx.Document(io.BytesIO(content)).paragraphs)
    elif name.endswith("pdf"):
        text = cast(Any, pypdfium2.PdfDocument(content))[0].get_textpage().get_text_range()
    for part in (TOPIC, "born in Skerrow in 1851", "quill.md", "How it was searched", "References"):
        assert part in text


def test_without_a_file_the_answer_is_shown_as_ask_shows_it(loaded: Command) -> None:
    shown = loaded("research", TOPIC)
    assert "Skerrow" in shown.out and "[1]" in shown.out and "agent research" in shown.out


def test_json_holds_the_facts_and_the_file_is_written_all_the_same(here: Path, loaded: Command) -> None:
    shown = loaded("research", TOPIC, "--json", "-o", "report.md", "--rounds", "1")
    answer = json.loads(shown.out)
    assert (answer["agent"], answer["rounds"]) == ("research", 1)
    assert answer["facts"]
    assert "Written: report.md" in shown.err
    assert (here / "report.md").is_file()


def test_explain_tells_the_rounds(loaded: Command) -> None:
    assert "Round 1" in loaded("research", TOPIC, "--explain").out


@pytest.mark.parametrize(
    ("name", "said"), [("report.txt", "the suffix says which"), ("no/report.md", "is no folder")]
)
def test_a_file_that_cannot_be_is_refused_before_anything_is_searched(
    name: str, said: str, leadline: Command
) -> None:
    shown = leadline("research", TOPIC, "-o", name)
    assert shown.code == 2
    assert said in shown.err


def test_a_count_that_no_research_has_is_refused_by_the_name_of_its_option(loaded: Command) -> None:
    shown = loaded("research", TOPIC, "--rounds", "0")
    assert shown.code == 2
    assert "--rounds" in shown.err


def test_the_moving_line_tells_rounds_pages_facts_and_what_is_open() -> None:
    view = ResearchView(explaining=False, style="terminal")
    for event in (
        RoundStarted(2, (Query("a"), Query("b"))),
        Searched(Query("a"), (), (), 1.0),
        PageRead("https://harbour.example/a", "read"),
        PageRead("https://harbour.example/b", "kept"),
        PageRead("https://harbour.example/c", "failed"),
        FactsFound(2, 9, 1, 2, 6, 12),
        GapsFound(2, ("who built the \x1b[31mmole",), ()),
    ):
        view.follow(event)
    assert view.line == (
        "round 2: 2 queries, 1 search, 2 pages read (1 could not be), 12 facts; open: who built the mole"
    )


def test_research_on_the_web_cites_pages_with_the_day_they_were_read(here: Path, leadline: Command) -> None:
    with WebSite(served()) as site, SearchServer(search(site)) as server:
        lines = [
            "[web]",
            'searches = ["searxng"]',
            f'searxng_url = "{server.url("searxng")}"',
            f'allow_hosts = ["{site.host}"]',
            "searches_per_second = 100",
            "page_seconds = 2",
            "page_mb = 1",
        ]
        (here / "town.toml").write_text("\n".join(lines), encoding="utf-8")
        shown = leadline(
            *("--config", "town.toml", "research", "When was the harbour's lighthouse built?", "--web"),
            *("--rounds", "1", "-o", "report.md"),
        )
        assert shown.code == 0, shown.err
        text = (here / "report.md").read_text(encoding="utf-8")
        assert site.host in text.replace("\\", "")
        assert f"accessed {datetime.now(UTC):%Y-%m}" in text.replace("\\", "")
        assert site.paths()
