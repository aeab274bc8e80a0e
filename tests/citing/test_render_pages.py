"""Pages of the web in every form of an answer: title, address, days, and that only a snippet was there."""

import io
from collections.abc import Callable
from dataclasses import replace
from html import unescape

import pytest
from rich.console import Console

from leadline.citing.explain import search_table
from leadline.citing.render.html import render_html
from leadline.citing.render.json import to_json
from leadline.citing.render.markdown import render_markdown
from leadline.citing.render.terminal import render_terminal
from leadline.reasoning.placing import citation_of
from leadline.testing.builders import chunk, evidence, hit
from leadline.types import Answer, Claim, StopReason, Support

URL = "https://quay.example/wall?a=1"
PAGE = replace(
    chunk("The wall is of granite.", URL, title="The quay wall"),
    metadata={"url": URL, "published": "2024-05-01", "fetched": "2025-03-02T10:00:00+00:00"},
)
SNIPPET = replace(PAGE, metadata={**PAGE.metadata, "snippet": True})
MARK = "search snippet; the page could not be read"


def answer(*, snippet: bool = False, found: bool = True) -> Answer:
    held = SNIPPET if snippet else PAGE
    cited = citation_of(held, held.text, 0, len(held.text))
    claims = (Claim(held.text, (cited,), "quoted", Support.SUPPORTED),) if found else ()
    return Answer("What is the wall of?", claims, (evidence(held),), StopReason.ANSWERED, found)


def terminal(answer: Answer) -> str:
    out = io.StringIO()
    Console(file=out, width=200, legacy_windows=False).print(render_terminal(answer))
    return out.getvalue()


def markdown(answer: Answer) -> str:
    return render_markdown(answer).replace("\\", "")


def html(answer: Answer) -> str:
    return unescape(render_html(answer))


FORMS = [terminal, markdown, html]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("found", [True, False])
def test_a_page_is_shown_by_title_address_and_days(form: Callable[[Answer], str], found: bool) -> None:
    shown = form(answer(found=found))
    assert f"The quay wall · {URL}" in shown
    assert "published 2024-05-01, accessed 2025-03-02" in shown
    assert MARK not in shown


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("found", [True, False])
def test_a_snippet_is_marked(form: Callable[[Answer], str], found: bool) -> None:
    assert MARK in form(answer(snippet=True, found=found))


def test_programs_get_the_days_and_the_mark() -> None:
    (source,) = to_json(answer(snippet=True))["sources"]
    assert (source["published"], source["accessed"], source["snippet"]) == ("2024-05-01", "2025-03-02", True)
    assert to_json(answer())["sources"][0]["snippet"] is False


def test_a_snippet_is_marked_among_the_hits_of_a_search() -> None:
    out = io.StringIO()
    Console(file=out, width=200, legacy_windows=False).print(search_table([hit(SNIPPET), hit(PAGE)]))
    assert " ".join(out.getvalue().split()).count("search snippet;") == 1


def test_what_a_file_says_of_its_own_publication_is_no_date_of_access() -> None:
    file = replace(chunk("The wall is of granite.", "wall.md"), metadata={"published": "2024-05-01"})
    cited = citation_of(file, file.text, 0, 5)
    assert (cited.published, cited.accessed, cited.snippet) == ("", "", False)
