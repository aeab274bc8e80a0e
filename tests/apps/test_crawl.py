"""`leadline load ADDRESS`: what it says of pages, and how it ends."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from leadline.testing.commands import Command
from leadline.testing.web_site import Served, WebSite
from tests.site.town import served


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebSite]:
    with WebSite(served()) as served_here:
        monkeypatch.setenv("LEADLINE_WEB_ALLOW_HOSTS", served_here.host)
        monkeypatch.setenv("LEADLINE_EMBEDDING", "none")
        yield served_here


def test_links_are_followed_as_far_as_was_said(here: Path, leadline: Command, site: WebSite) -> None:
    shown = leadline("load", f"{site.url}/", "--depth", "1", "--json")
    report = json.loads(shown.out)
    assert shown.code == 0
    assert (report["loaded"], report["failed"]) == (7, 2)
    failed = {file["source"]: file["reason"] for file in report["files"] if file["status"] == "failed"}
    dead = f"answered 404; `{site.url}/` leads there"
    assert failed == {f"{site.url}/imprint": dead, f"{site.url}/privacy": dead}
    assert json.loads(leadline("load", f"{site.url}/", "--depth", "1", "--json").out)["unchanged"] == 7


def test_a_loaded_page_is_shown_searched_and_removed_by_its_address(
    here: Path, leadline: Command, site: WebSite
) -> None:
    address = f"{site.url}/lighthouse/facts"
    assert leadline("load", address).code == 0
    assert address in leadline("collections", "show", "default").out
    told = leadline("ask", "How high is the tower of the Gannet Point lighthouse?").out
    assert address in told
    assert "accessed" in told
    assert f"removed {address}" in leadline("remove", address).out


def test_a_sitemap_and_the_most_pages(here: Path, leadline: Command, site: WebSite) -> None:
    shown = leadline("load", f"{site.url}/", "--sitemap", "--max-pages", "5")
    assert "5 loaded" in shown.out
    assert "pages/s" in shown.out
    assert "The crawl ended at 5 pages; at least 35 addresses were not gone to." in shown.err


def test_what_is_gone_is_told_and_removed_with_prune_only(
    here: Path, leadline: Command, site: WebSite
) -> None:
    address = f"{site.url}/ferry/timetable"
    leadline("load", address)
    del site.pages["/ferry/timetable"]
    shown = leadline("load", address)
    assert shown.code == 1
    assert "answered 404" in shown.out
    assert "--prune" in shown.out
    assert "1 removed" in leadline("load", address, "--prune").out


def test_choices_about_addresses_need_one(here: Path, leadline: Command) -> None:
    for choice in (("--depth", "2"), ("--max-pages", "5"), ("--any-site",), ("--sitemap",)):
        shown = leadline("load", ".", *choice)
        assert shown.code == 2
        assert "is about addresses of the web" in shown.err


def test_the_secret_of_an_address_is_not_repeated(here: Path, leadline: Command) -> None:
    shown = leadline("load", "https:" + "//ada:opensesame@harbour.example/")
    assert shown.code == 2
    assert "opensesame" not in shown.out + shown.err


def test_ctrl_c_ends_a_crawl_with_what_it_read(here: Path, site: WebSite) -> None:
    for number in range(200):
        links = "".join(f'<a href="/n/{each}">on</a>' for each in (number + 1, number + 2))
        body = f"<h1>Page {number}</h1><p>Here page {number} of the long book of the harbour is written. {links}</p>"
        site.put(Served(f"/n/{number}", body.encode()))
    site.put(Served("/robots.txt", b"User-agent: *\nCrawl-delay: 0.2\n", "text/plain"))
    command = [sys.executable, "-m", "leadline", "load", f"{site.url}/n/0", "--depth", "150", "--json"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    child = subprocess.Popen(
        command, cwd=here, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    while len(site.visits) < 12 and child.poll() is None:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=600)
    assert child.returncode == 130
    assert b"Stopping after this batch" in err
    report = json.loads(out)
    assert report["cancelled"]
    assert 0 < report["loaded"] < 100
