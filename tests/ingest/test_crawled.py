"""Pages of a site in a collection: the second crawl asks about each and loads none, and whatever stops a crawl loses nothing."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from leadline import Leadline
from leadline.config import settings
from leadline.errors import UsageError
from leadline.events import Event, FileLoaded, LoadStarted, Notice
from leadline.ingest import LoadReport
from leadline.run import Run
from leadline.testing.web_site import SITE, Served, Visit, WebSite
from leadline.web_events import PageRead
from tests.site.town import leaves, served

PAGES = 40
MAP = "/sitemap.xml"
ABOUT = ("/robots.txt", "/sitemap.xml", "/sitemap-1.xml", "/sitemap-2.xml")


@dataclass(frozen=True, slots=True)
class Town:
    """The site, and a data folder that its pages go into."""

    site: WebSite
    lead: Leadline
    data: Path

    def load(self, *starts: str, run: Run | None = None, **choices: object) -> LoadReport:
        addresses = [self.site.url + start for start in starts or (MAP,)]
        self.site.visits.clear()
        return self.lead.load(*addresses, run=run, **choices)  # type: ignore[arg-type]

    def asked(self) -> list[Visit]:
        """The pages that were asked for, without what is about pages."""
        return [visit for visit in self.site.visits if visit.path not in ABOUT]

    def held(self) -> set[str]:
        """The paths of the pages in the collection."""
        hits = self.lead.search("Brennick harbour lighthouse ferry market boat mill", limit=200)
        return {hit.chunk.source.removeprefix(self.site.url) for hit in hits}

    def statuses(self, report: LoadReport) -> dict[str, str]:
        return {file.source.removeprefix(self.site.url): file.status for file in report.files}


def opened(site: WebSite, data: Path, *others: WebSite) -> Leadline:
    flags = {
        "data": data,
        "embedding": "none",
        "web.allow_hosts": tuple(each.host for each in (site, *others)),
    }
    return Leadline(settings=settings(flags=flags))


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    with WebSite(served()) as site, opened(site, tmp_path / "data") as lead:
        yield Town(site, lead, tmp_path / "data")


def changed(site: WebSite, path: str) -> None:
    """Let another sentence stand on a page."""
    old = site.pages[path]
    new = old.body.replace(
        b"</article>", b"<p>Since today the quay is painted yellow, by order of the mayor.</p></article>"
    )
    assert new != old.body
    site.put(Served(path, new, old.kind, old.day))


def test_the_second_crawl_asks_about_each_page_once_and_indexes_none_anew(town: Town) -> None:
    first = town.load()
    assert (first.loaded, first.failed, len(first.files)) == (PAGES, 0, PAGES)
    assert len(town.asked()) == PAGES
    assert not any(visit.conditional for visit in town.asked())
    second = town.load()
    assert (second.unchanged, len(second.files), second.chunks) == (PAGES, PAGES, 0)
    assert len(town.asked()) == PAGES
    assert all(visit.conditional and visit.status == 304 for visit in town.asked())
    assert {visit.path for visit in town.asked()} == {leaf.path for leaf in leaves()}


def test_links_are_followed_where_nothing_was_changed(town: Town) -> None:
    first = town.load("/", depth=2)
    assert first.loaded == 7
    second = town.load("/", depth=2)
    assert second.unchanged == 7
    assert sum(visit.status == 304 for visit in town.asked()) == 7


def test_a_page_that_was_changed_is_indexed_anew_alone(town: Town) -> None:
    town.load()
    changed(town.site, "/lighthouse/facts")
    report = town.load()
    assert (report.loaded, report.unchanged) == (1, PAGES - 1)
    assert town.statuses(report)["/lighthouse/facts"] == "loaded"
    assert len(town.asked()) == PAGES
    (hit, *_) = town.lead.search("Which quay is painted yellow by order of the mayor?", limit=1)
    assert hit.chunk.source == f"{town.site.url}/lighthouse/facts"


def test_a_page_that_is_another_file_of_the_same_words_is_unchanged(town: Town) -> None:
    town.load()
    old = town.site.pages["/ferry/timetable"]
    town.site.put(Served(old.path, old.body + b"<!-- made on another day -->", old.kind, old.day))
    report = town.load()
    assert (report.loaded, report.unchanged) == (0, PAGES)
    assert [visit.path for visit in town.asked() if visit.status == 200] == ["/ferry/timetable"]


def test_a_page_that_is_gone_is_told_and_removed_only_where_that_is_wanted(town: Town) -> None:
    town.load()
    del town.site.pages["/ferry/timetable"]
    kept = town.load()
    (gone,) = [file for file in kept.files if file.status == "failed"]
    assert gone.source.endswith("/ferry/timetable")
    assert "404" in gone.reason
    assert "--prune" in gone.remedy
    assert "/ferry/timetable" in town.held()
    pruned = town.load(prune=True)
    assert (pruned.removed, pruned.unchanged) == (1, PAGES - 1)
    assert "/ferry/timetable" not in town.held()


def test_pages_that_another_site_does_not_have_are_not_removed(town: Town) -> None:
    town.load("/ferry/timetable")
    with WebSite([]) as other:
        town.site.put(Served("/ferry/timetable", behaviour="redirect", to=f"{other.url}/maintenance"))
        with opened(town.site, town.data, other) as lead:
            report = lead.load(f"{town.site.url}/ferry/timetable", prune=True)
        assert other.paths()[-1] == "/maintenance"
    assert (report.failed, report.removed) == (1, 0)
    assert "404" in report.files[0].reason
    assert town.held() == {"/ferry/timetable"}


def test_a_page_that_has_moved_for_good_goes_only_where_that_is_wanted(town: Town) -> None:
    town.load("/ferry/timetable")
    old = town.site.pages["/ferry/timetable"]
    town.site.put(
        Served("/new", b"<main><h1>Market</h1><p>The market of the harbour opens at nine.</p></main>")
    )
    town.site.put(Served(old.path, behaviour="moved", to=SITE + "/new"))
    kept = town.load(old.path)
    assert town.statuses(kept) == {"/ferry/timetable": "skipped", "/new": "loaded"}
    told = next(file for file in kept.files if file.status == "skipped")
    assert "has moved to" in told.reason
    assert "--prune" in told.remedy
    assert town.held() == {"/ferry/timetable", "/new"}
    # Also where its successor was read already when it is asked about.
    pruned = town.load("/new", prune=True)
    assert (pruned.removed, pruned.unchanged) == (1, 1)
    assert town.held() == {"/new"}


def test_a_page_whose_address_is_written_otherwise_now_goes_with_its_old_one(town: Town) -> None:
    town.load("/ferry/timetable")
    old = town.site.pages["/ferry/timetable"]
    town.site.put(
        Served("/ferry/timetable/", b"<main><p>The market of the harbour opens at nine.</p></main>")
    )
    town.site.put(Served(old.path, behaviour="moved", to=SITE + "/ferry/timetable/"))
    report = town.load("/ferry/timetable/", prune=True)
    assert town.statuses(report) == {"/ferry/timetable/": "loaded", "/ferry/timetable": "removed"}
    assert report.removed == 1
    assert town.held() == {"/ferry/timetable/"}


def test_a_page_that_is_elsewhere_for_a_while_stays(town: Town) -> None:
    town.load("/ferry/timetable")
    town.site.put(Served("/ferry/timetable", behaviour="redirect", to=SITE + "/lighthouse/facts"))
    report = town.load("/ferry/timetable", prune=True)
    assert town.statuses(report) == {"/lighthouse/facts": "loaded"}
    assert town.held() == {"/ferry/timetable", "/lighthouse/facts"}


def test_a_dead_link_is_told_with_the_page_it_is_on(town: Town) -> None:
    body = b'<main><p>The harbour office is open.</p><a href="/nowhere">more</a></main>'
    town.site.put(Served("/links", body))
    report = town.load("/links", depth=1)
    (dead,) = [file for file in report.files if file.status == "failed"]
    assert dead.source.endswith("/nowhere")
    assert dead.reason == f"answered 404; `{town.site.url}/links` leads there"


def test_a_page_that_fails_today_is_not_removed(town: Town) -> None:
    town.load()
    town.site.put(Served("/ferry/timetable", behaviour="error"))
    report = town.load(prune=True)
    assert (report.failed, report.removed) == (1, 0)
    assert "/ferry/timetable" in town.held()


def test_pages_that_nothing_leads_to_any_more_are_asked_about_before_they_are_removed(town: Town) -> None:
    town.load()
    del town.site.pages["/shipyard/workers"]
    report = town.load("/", prune=True)
    assert (report.removed, report.unchanged) == (1, PAGES - 1)
    assert "/shipyard/workers" not in town.held()


def test_cleared_pages_are_fetched_whole_and_are_still_unchanged(town: Town) -> None:
    town.load("/", depth=2)
    for file in town.data.glob("pages.sqlite*"):
        file.unlink()
    with opened(town.site, town.data) as lead:
        town.site.visits.clear()
        report = lead.load(f"{town.site.url}/", depth=2)
    assert (report.loaded, report.unchanged) == (0, 7)
    assert not any(visit.conditional for visit in town.asked())


def test_other_metadata_loads_pages_anew_and_is_kept_with_them(town: Town) -> None:
    town.load("/lighthouse/facts")
    report = town.load("/lighthouse/facts", metadata={"place": "Gannet Point"})
    assert report.loaded == 1
    assert [visit.status for visit in town.asked()] == [304]
    (hit, *_) = town.lead.search("lighthouse", limit=1, where='place == "Gannet Point"')
    assert hit.chunk.metadata["url"] == f"{town.site.url}/lighthouse/facts"
    assert hit.chunk.metadata["published"]


def test_a_page_that_asks_not_to_be_kept_is_not(town: Town) -> None:
    head = b'<html><head><meta name="robots" content="noindex"></head>'
    town.site.put(
        Served(
            "/quiet",
            head + b'<body><p>Hush, says this page.</p><a href="/ferry/timetable">on</a></body></html>',
        )
    )
    report = town.load("/quiet", depth=1)
    assert town.statuses(report) == {"/quiet": "skipped", "/ferry/timetable": "loaded"}


def test_a_page_that_asks_not_to_be_kept_any_more_goes_only_where_that_is_wanted(town: Town) -> None:
    town.load("/ferry/timetable")
    old = town.site.pages["/ferry/timetable"]
    quiet = old.body.replace(b"<head>", b'<head><meta name="robots" content="noindex">')
    town.site.put(Served(old.path, quiet, old.kind, old.day))
    kept = town.load("/ferry/timetable")
    assert (kept.skipped, kept.removed, "--prune" in kept.files[0].remedy) == (1, 0, True)
    assert town.held() == {"/ferry/timetable"}
    assert town.load("/ferry/timetable", prune=True).removed == 1
    assert town.held() == set()


def test_paths_and_addresses_are_loaded_together(town: Town, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("# Note\n\nThe tide tables lie in the drawer of the harbour office.\n", encoding="utf-8")
    report = town.lead.load(note, f"{town.site.url}/ferry/timetable")
    assert sorted(file.source.rpartition("/")[2] for file in report.files) == ["note.md", "timetable"]
    assert report.loaded == 2
    again = town.lead.load(note.parent, f"{town.site.url}/ferry/timetable", prune=True, exclude=["data"])
    assert (again.unchanged, again.removed) == (2, 0)


def test_globs_leave_out_paths_of_a_site(town: Town) -> None:
    report = town.load(exclude=["/zh/", "*.pdf"])
    paths = set(town.statuses(report))
    assert paths == {
        leaf.path for leaf in leaves() if not leaf.path.startswith("/zh/") and not leaf.path.endswith(".pdf")
    }


def test_events_say_how_many_there_are_and_what_was_not_gone_to(town: Town) -> None:
    events: list[Event] = []
    report = town.load(max_pages=12, run=Run(emit=events.append))
    assert report.loaded == 12
    assert sum(event.files for event in events if isinstance(event, LoadStarted)) == 12
    assert sum(isinstance(event, FileLoaded) for event in events) == 12
    assert any("--max-pages" in event.text for event in events if isinstance(event, Notice))


@pytest.mark.parametrize(
    ("things", "choices", "says"),
    [
        (["https://"], {}, "no address of a page"),
        (["https:" + "//word:secret@harbour.example/"], {}, "name or a password"),
        (["https://harbour.example/"], {"depth": -1}, "whole number from 0"),
        (["https://harbour.example/"], {"depth": True}, "whole number from 0"),
        (["https://harbour.example/"], {"max_pages": 0}, "whole number from 1"),
        (["https://harbour.example/"], {"engine": "ray"}, "`engine`"),
        (["."], {"depth": 2}, "`depth` is about addresses"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_asked_for(
    town: Town, things: list[str], choices: dict[str, object], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        town.lead.load(*things, **choices)  # type: ignore[arg-type]
    assert town.site.visits == []
    assert not town.data.exists()


def test_an_address_that_may_not_be_read_is_told(town: Town) -> None:
    report = town.lead.load("http://127.0.0.1:9/a")
    assert [file.status for file in report.files] == ["failed"]
    assert "127.0.0.1" in report.files[0].source


def test_a_stopped_crawl_keeps_what_it_read_and_the_next_goes_on(town: Town) -> None:
    def stop(event: Event) -> None:
        read.extend([event] if isinstance(event, PageRead) else [])
        if len(read) == 12:
            run.cancel()

    read: list[Event] = []

    run = Run(emit=stop)
    stopped = town.load(run=run)
    assert stopped.cancelled
    assert 0 < stopped.loaded < PAGES
    rest = town.load()
    assert (rest.loaded, rest.unchanged) == (PAGES - stopped.loaded, stopped.loaded)


CHILD = """
import sys
from pathlib import Path
from leadline import Leadline
from leadline.config import settings
from leadline.ingest import writing

writing.BATCH_DOCUMENTS = 4
flags = {"data": Path(sys.argv[1]), "embedding": "none", "web.allow_hosts": (sys.argv[2],), "load.workers": 1}
with Leadline(settings=settings(flags=flags)) as lead:
    lead.load(sys.argv[3])
"""


def test_a_killed_crawl_keeps_whole_batches_and_the_next_goes_on(town: Town) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    start = f"{town.site.url}{MAP}"
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(town.data), town.site.host, start], env=environment
    )
    while len(town.asked()) < PAGES // 2 and child.poll() is None:
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    report = town.load()
    assert (report.loaded + report.unchanged, report.failed) == (PAGES, 0)
    assert town.load().unchanged == PAGES
    assert [each.documents for each in town.lead.collections()] == [PAGES]
