"""Answers are shown whole in every form, and hostile text stays text."""

import io
import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import fields, replace
from html import unescape
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt
from rich.console import Console, RenderableType

from leadline.citing.render.html import render_html
from leadline.citing.render.json import event_to_json, hits_to_json, to_json
from leadline.citing.render.markdown import render_markdown
from leadline.citing.render.outline import footer
from leadline.citing.render.terminal import render_terminal
from leadline.events import Planned
from leadline.types import (
    Answer,
    Chunk,
    Citation,
    Claim,
    Evidence,
    Found,
    Hit,
    Lead,
    Query,
    StopReason,
    Support,
    Usage,
    Verdict,
)

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=y> [bold red]mark[/] [click](javascript:alert(1)) "
    "![i](http://example.com/i.png) **b** _e_ `c` | t | &lt; # h \x1b[31mred\x1b[0m \x1b]8;;http://example.com\x07"
    "link\x1b]8;;\x07 \x9b2J \x07\x00 \u202egnp.exe \ud800 [^1] $x$ ~~s~~ \"'>quote"
)


def chunk(text: str, name: str = "light.md", title: str = "Marlow Light") -> Chunk:
    return Chunk(
        f"{name}:0",
        name,
        f"{name}:s",
        0,
        0,
        len(text),
        text,
        f"docs/{name}",
        title,
        ("History",),
        2,
        terms="t",
    )


def evidence(text: str, name: str = "light.md", title: str = "Marlow Light") -> Evidence:
    found = (Found("dense", 2, 0.41, "who lit it"), Found("keyword", 1, 7.25, "who lit it"))
    return Evidence(Hit(chunk(text, name, title), 0.93, found), Verdict(True, 0.8, "covers both terms"))


def citation(
    quote: str, start: int, *, name: str = "light.md", title: str = "Marlow Light", via: str = ""
) -> Citation:
    return Citation(
        name, f"{name}:0", f"docs/{name}", title, quote, start, start + len(quote), 2, ("History",), via
    )


LIT = citation("first lit in 1889 by Ada Brandt", 10)
BOUGHT = citation("bought by Ivo Hale", 40, name="yard.md", title="The Mirren Yard", via="Ada Brandt")

ANSWER = Answer(
    "Who lit it, and who bought the yard?",
    (
        Claim("Ada Brandt lit it in 1889.", (LIT,), support=Support.SUPPORTED, topic="The light"),
        Claim("Hale bought it in 1921.", (BOUGHT, LIT), support=Support.PARTLY, note="not there: 1921"),
        Claim("It is famous.", support=Support.UNSUPPORTED, note="it cites nothing"),
    ),
    (evidence("Marlow Light was first lit in 1889 by Ada Brandt."),),
    StopReason.MAX_ROUNDS,
    found=True,
    rounds=3,
    queries=(Query("who lit it"), Query("Ada Brandt", "gap", 2, (Lead("Ada Brandt", "light.md:0"),))),
    missing=("the price of the yard",),
    notices=("This answer only quotes.",),
    usage=Usage(4, 0, 0, 1.25),
    confidence=0.75,
    agent="deep",
)
NOT_FOUND = Answer(
    "Who painted it?",
    (),
    tuple(evidence(f"Passage {number}.") for number in range(5)),
    StopReason.NO_NEW_EVIDENCE,
    found=False,
    rounds=2,
)
ATTACK = Answer(
    HOSTILE,
    (
        Claim(
            HOSTILE,
            (citation(HOSTILE, 0, name=HOSTILE, title=HOSTILE, via=HOSTILE),),
            support=Support.PARTLY,
            note=HOSTILE,
            topic=HOSTILE,
        ),
    ),
    (replace(evidence(HOSTILE, HOSTILE, HOSTILE), also_in=(HOSTILE,)),),
    StopReason.ANSWERED,
    found=True,
    missing=(HOSTILE,),
    notices=(HOSTILE,),
)
NEAREST_ATTACK = Answer(HOSTILE, (), ATTACK.evidence, StopReason.NOTHING_FOUND, found=False)


def shown(renderable: RenderableType, width: int = 160) -> str:
    out = io.StringIO()
    Console(file=out, width=width, force_terminal=True, color_system=None, legacy_windows=False).print(
        renderable
    )
    return out.getvalue()


def flat(text: str) -> str:
    return " ".join(text.split())


class Tags(HTMLParser):
    """Collects what a browser would make of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


FORMS: dict[str, Callable[[Answer], str]] = {
    "terminal": lambda answer: flat(shown(render_terminal(answer))),
    "markdown": render_markdown,
    "html": render_html,
}


@pytest.mark.parametrize("form", FORMS)
def test_everything_a_reader_must_know_is_shown(form: str) -> None:
    text = unescape(FORMS[form](ANSWER))
    for part in (
        "Who lit it, and who bought the yard?",
        "The light",
        "Ada Brandt lit it in 1889.",
        "partly supported: not there: 1921",
        "not supported: it cites nothing",
        "light.md · Marlow Light · p. 2 · History",
        "first lit in 1889 by Ada Brandt",
        "the price of the yard",
        "This answer only quotes.",
        "Stopped because all rounds are used",
        "3 rounds · 4 searches",
    ):
        assert part in text, part
    assert "found through ‘Ada Brandt’" in text.replace("<bdi>", "").replace("</bdi>", "")
    assert "No answer" not in text


@pytest.mark.parametrize("form", FORMS)
def test_an_answer_that_was_not_found_says_so_and_shows_the_nearest_passages(form: str) -> None:
    text = FORMS[form](NOT_FOUND)
    assert "No answer to this was found. The nearest passages:" in text
    assert [f"Passage {number}." in text for number in range(5)] == [True, True, True, False, False]
    nothing = Answer("Why?", (), (), StopReason.NOTHING_FOUND, found=False)
    assert "no passage comes near it" in FORMS[form](nothing)
    cut = replace(nothing, stop=StopReason.CANCELLED, usage=Usage(searches=0))
    assert "ended before anything was searched for" in FORMS[form](cut)
    assert "no passage comes near it" in FORMS[form](replace(cut, usage=Usage(searches=1)))


@pytest.mark.parametrize("form", FORMS)
def test_a_run_cut_short_shows_what_was_found_so_far(form: str) -> None:
    answer = replace(NOT_FOUND, found=True, stop=StopReason.CANCELLED)
    assert "What was found so far" in FORMS[form](answer)
    assert "it was cancelled" in FORMS[form](answer)


def test_one_place_has_one_number() -> None:
    text = render_markdown(ANSWER)
    assert "Ada Brandt lit it in 1889.[^1]\n" in text
    assert "Hale bought it in 1921.[^2][^1] " in text
    assert text.count("[^1]:") == text.count("[^2]:") == 1
    assert "[^3]" not in text


@pytest.mark.parametrize("stop", StopReason)
def test_every_stop_reason_has_words(stop: StopReason) -> None:
    assert f"({stop})" in footer(replace(ANSWER, stop=stop))


def test_an_answer_that_was_not_found_does_not_end_as_answered() -> None:
    told = footer(Answer("Why?", (), (), StopReason.NOTHING_FOUND, found=False))
    assert told == "Stopped because no answer was found in what was searched (nothing_found) · 0.0 s"


@pytest.mark.parametrize("width", [40, 160])
def test_sources_are_set_in_and_not_filled_up_to_the_width(width: int) -> None:
    text = shown(render_terminal(ANSWER), width).split("Sources\n")[1].split("\n\n")[0]
    rows = text.split("\n")
    assert rows == [f"  {row.strip()}" for row in rows]
    assert max(map(len, rows)) <= width


@pytest.mark.parametrize("answer", [ATTACK, NEAREST_ATTACK], ids=["claims", "nearest"])
def test_documents_cannot_reach_the_terminal(answer: Answer) -> None:
    text = shown(render_terminal(answer), 5000)
    assert {c for c in text if unicodedata.category(c) in {"Cc", "Cf", "Cs"}} <= {"\n"}
    assert "[bold red]mark[/]" in text


@pytest.mark.parametrize("answer", [ATTACK, NEAREST_ATTACK], ids=["claims", "nearest"])
def test_documents_cannot_put_anything_into_a_page(answer: Answer) -> None:
    page = render_html(answer)
    page.encode("utf-8")
    tags = Tags(page).tags
    assert not {tag for tag, _ in tags} & {"script", "img", "iframe", "link", "form", "b", "base"}
    assert not [name for _, attributes in tags for name in attributes if name.startswith("on")]
    assert all(a["href"] and a["href"].startswith("#source-") for t, a in tags if t == "a")
    assert {
        a.get("dir") for t, a in tags if t in {"p", "blockquote", "h1"} and a.get("class") != "headline"
    } == {"auto"}
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", page)


@pytest.mark.parametrize("answer", [ATTACK, NEAREST_ATTACK], ids=["claims", "nearest"])
def test_documents_cannot_write_markdown(answer: Answer) -> None:
    text = render_markdown(answer)
    text.encode("utf-8")
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text)
    kinds = [token.type for token in tokens]
    kinds += [child.type for token in tokens for child in token.children or []]
    assert not [
        k for k in kinds if k in {"html_block", "html_inline", "image", "link_open", "code_inline", "s_open"}
    ]
    assert "table_open" not in kinds
    assert kinds.count("heading_open") == (1 if answer.claims else 0)
    assert "http://" not in text
    marks = re.findall(r"(?<!\\)\[\^(\d+)\]", text)
    assert marks == (["1", "1"] if answer.claims else [])


def test_json_holds_everything_but_the_analysed_terms() -> None:
    data = json.loads(json.dumps(to_json(ANSWER)))
    assert data["format"] == 1
    assert data["text"] == ANSWER.text
    assert data["stop"] == "max_rounds"
    assert data["claims"][1]["support"] == "partly"
    assert [claim["sources"] for claim in data["claims"]] == [[1], [2, 1], []]
    assert data["claims"][0]["citations"][0] == {
        "document_id": "light.md",
        "chunk_id": "light.md:0",
        "source": "docs/light.md",
        "title": "Marlow Light",
        "quote": "first lit in 1889 by Ada Brandt",
        "start": 10,
        "end": 41,
        "page": 2,
        "heading_path": ["History"],
        "via": "",
        "kind": "paragraph",
        "context": "",
        "published": "",
        "accessed": "",
        "snippet": False,
    }
    assert [source["number"] for source in data["sources"]] == [1, 2]
    assert data["evidence"][0]["hit"]["found"][1]["path"] == "keyword"
    assert data["queries"][1]["leads"] == [{"name": "Ada Brandt", "parent": "light.md:0"}]
    assert data["usage"] == {"searches": 4, "calls": 0, "tokens": 0, "seconds": 1.25, "usd": 0.0}
    assert "terms" not in data["evidence"][0]["hit"]["chunk"]
    assert set(data) >= {field.name for field in fields(Answer)}


def test_json_of_hostile_text_is_exact_and_valid() -> None:
    data = json.loads(json.dumps(to_json(ATTACK)))
    assert data["claims"][0]["citations"][0]["quote"] == HOSTILE
    odd = replace(ATTACK.evidence[0].hit, score=float("nan"))
    assert json.dumps(hits_to_json([odd]), allow_nan=False)


def test_an_event_carries_its_name() -> None:
    assert event_to_json(Planned("Why?", (Query("why"),)))["event"] == "Planned"


ROW = Citation(
    "costs.csv",
    "costs.csv:0",
    "costs.csv",
    "",
    "| Marlow | 4200 |",
    0,
    17,
    kind="table",
    context="| Port | Cost |",
)
PLAN = Citation("plan.pdf", "plan.pdf:0", "plan.pdf", "", "The yard in 1921", 5, 21, page=3, kind="figure")


@pytest.mark.parametrize("form", FORMS)
def test_a_quoted_row_stands_under_its_tables_header(form: str) -> None:
    claim = Claim(ROW.quote, (ROW,), "quoted", Support.SUPPORTED)
    text = FORMS[form](replace(ANSWER, claims=(claim,))).replace("\\", "")
    assert text.count("| Port | Cost |") == 2
    assert text.index("| Port | Cost |") < text.index("| Marlow | 4200 |")
    told = Claim("It cost 4200 in Marlow.", (ROW,), "stated", Support.SUPPORTED)
    assert FORMS[form](replace(ANSWER, claims=(told,))).replace("\\", "").count("| Port | Cost |") == 1


@pytest.mark.parametrize("form", FORMS)
def test_a_figure_is_cited_as_one_with_its_page(form: str) -> None:
    claim = Claim(PLAN.quote, (PLAN,), "quoted", Support.SUPPORTED)
    assert "plan.pdf · figure, p. 3" in FORMS[form](replace(ANSWER, claims=(claim,)))
    assert "plan.pdf · figure" in FORMS[form](
        replace(ANSWER, claims=(replace(claim, citations=(replace(PLAN, page=None),)),))
    )


@pytest.mark.parametrize("form", FORMS)
def test_rows_shown_for_want_of_an_answer_have_their_header_too(form: str) -> None:
    first = NOT_FOUND.evidence[0]
    rows = replace(first.hit.chunk, kind="table", context="| Port | Cost |")
    shown_rows = replace(first, hit=replace(first.hit, chunk=rows))
    assert "| Port | Cost |" in FORMS[form](replace(NOT_FOUND, evidence=(shown_rows,))).replace("\\", "")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (Claim("It was lit in 1889.", (LIT,), documents=1), "(1 document)"),
        (Claim("It was lit in 1889.", (LIT, BOUGHT), documents=2), "(2 documents)"),
        (
            Claim("One says 1889, one 1921.", (LIT, BOUGHT), documents=2, disputed=True),
            "(2 documents disagree)",
        ),
        (Claim("One says 1889, one 1921.", (LIT,), documents=1, disputed=True), "(1 document)"),
        (
            Claim(
                "It was lit in 1889.",
                (LIT,),
                support=Support.SUPPORTED,
                note="against it: “It was lit in 1921.” (Log, 2020-01-02)",
                documents=1,
                disputed=True,
            ),
            "against it: “It was lit in 1921.” (Log, 2020-01-02)",
        ),
    ],
)
def test_a_claim_says_on_how_many_documents_it_rests_and_whether_they_disagree(
    form: str, claim: Claim, words: str
) -> None:
    assert words in FORMS[form](replace(ANSWER, claims=(claim,))).replace("\\", "")


@pytest.mark.parametrize("form", FORMS)
def test_a_quote_of_one_document_does_not_count_it(form: str) -> None:
    quoted = Claim(LIT.quote, (LIT,), "quoted", Support.SUPPORTED, documents=1)
    assert "1 document" not in FORMS[form](replace(ANSWER, claims=(quoted,)))


@pytest.mark.parametrize("form", FORMS)
def test_other_places_of_a_text_are_named_with_its_source(form: str) -> None:
    copied = replace(ANSWER.evidence[0], also_in=("notes/copy.md", "http://example.com/light"))
    text = FORMS[form](replace(ANSWER, evidence=(copied,))).replace("\\", "")
    assert re.search(r"also in (<bdi>)?copy\.md, http://example\.com/light", text)
