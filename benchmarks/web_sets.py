"""A question set whose documents are pages of a web site, found through a plain search server: the offline fact loop against
the server's own ranking.

    python -m benchmarks.web_sets DIR [--limit N] [--agent research] [--json]

DIR holds `docs.jsonl` (whole documents), `corpus.jsonl` (their passages) and `questions.jsonl`. The server ranks whole pages by
BM25; the fact loop sees nothing but what the server lists and what it reads itself. Counted over the questions:

* pages@5, pages@10: share of the gold documents among the first so many pages, of the server's ranking and of the loop's evidence;
* passages@10: share of the gold passages that the first ten pieces of the loop's evidence reach into; for the server, of
  passages that it would rank so high if it ranked passages;
* passages: the same over all of the loop's evidence, beside all of the gold passages on the server's first five pages;
* facts: share of the gold passages that a fact quotes from.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Any

from leadline.agents.asking import AgentChoice
from leadline.config import Settings
from leadline.testing.page_search import Listed, PageSearch
from leadline.testing.search_server import SearchServer
from leadline.testing.web_site import Served, WebSite
from leadline.types import Answer
from leadline.workspace import Workspace

FIRST = (5, 10)
ALIKE = 24
"""So many characters in common, in one piece, are the same passage."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question and where its answer stands: documents, and the texts of passages."""

    id: str
    text: str
    documents: tuple[str, ...]
    passages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One question: shares found (0..1) by name, and how the run went."""

    id: str
    server: Mapping[str, float]
    loop: Mapping[str, float]
    rounds: int
    searches: int
    seconds: float
    stop: str


@dataclass(frozen=True, slots=True)
class Set:
    """A question set: pages by id, passages by id with the page each is of."""

    pages: Mapping[str, tuple[str, str]]
    passages: Mapping[str, tuple[str, str]]
    questions: tuple[Question, ...]


def read(folder: Path, limit: int | None = None) -> Set:
    """The set in a folder."""
    pages = {row["id"]: (row["title"], row["text"]) for row in _rows(folder / "docs.jsonl")}
    passages = {row["id"]: (row["doc_id"], row["text"]) for row in _rows(folder / "corpus.jsonl")}
    questions = tuple(
        Question(
            row["id"],
            row["question"],
            tuple(row["supporting_doc_ids"]),
            tuple(passages[each][1] for each in row["supporting_ids"]),
        )
        for row in _rows(folder / "questions.jsonl")
    )
    return Set(pages, passages, questions[:limit])


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def page(name: str, title: str, text: str) -> Served:
    """A document as a web page, its Markdown headings as headings."""
    blocks = [block.strip() for block in text.split("\n") if block.strip()]
    shown = "".join(
        f"<h2>{escape(block.lstrip('# '))}</h2>\n" if block.startswith("#") else f"<p>{escape(block)}</p>\n"
        for block in blocks
    )
    told = f'<!doctype html><html><head><meta charset="utf-8"><title>{escape(title)}</title></head>'
    return Served(f"/{name}.html", f"{told}<body><article>{shown}</article></body></html>".encode())


async def measured(questions: Set, agent: AgentChoice = "research") -> list[Row]:
    """Ask every question of the loop and of the server."""
    served = [page(name, title, text) for name, (title, text) in questions.pages.items()]
    with WebSite(served) as site:
        listed = [Listed(f"{site.url}/{n}.html", title, text) for n, (title, text) in questions.pages.items()]
        ranked = PageSearch(listed)
        finer = PageSearch(Listed(key, "", text) for key, (_, text) in questions.passages.items())
        with SearchServer(ranked) as server, tempfile.TemporaryDirectory() as folder:
            web = {
                "searches": ["searxng"],
                "searxng_url": server.url("searxng"),
                "allow_hosts": [site.host],
                "searches_per_second": 100,
                "per_host": 8,
            }
            chosen = Settings.model_validate({"data": Path(folder), "web": web})
            async with await Workspace.open(chosen) as workspace:
                rows: list[Row] = []
                for each in questions.questions:
                    answer = await workspace.ask(each.text, agent=agent, web=True)
                    rows.append(_row(each, answer, ranked, finer, questions))
                return rows


def _row(question: Question, answer: Answer, ranked: PageSearch, finer: PageSearch, whole: Set) -> Row:
    theirs = [_name(result.url) for result in ranked(question.text, max(FIRST))]
    ours = list(dict.fromkeys(_name(each.chunk.source) for each in answer.evidence))
    pieces = [each.chunk.text for each in answer.evidence]
    quotes = [citation.quote for fact in answer.facts for citation in fact.citations]
    listed = [whole.passages[result.url][1] for result in finer(question.text, 10)]
    server = {f"pages@{k}": share(question.documents, theirs[:k]) for k in FIRST}
    loop = {f"pages@{k}": share(question.documents, ours[:k]) for k in FIRST}
    first = [whole.pages[name][1] for name in theirs[: FIRST[0]]]
    server |= {
        "passages@10": reached(question.passages, listed),
        "passages": reached(question.passages, first),
    }
    loop |= {
        "passages@10": reached(question.passages, pieces[:10]),
        "passages": reached(question.passages, pieces),
    }
    loop["facts"] = reached(question.passages, quotes)
    spent = answer.usage
    return Row(question.id, server, loop, answer.rounds, spent.searches, round(spent.seconds, 2), answer.stop)


def _name(url: str) -> str:
    return url.rpartition("/")[2].removesuffix(".html")


def share(wanted: Sequence[str], found: Iterable[str]) -> float:
    """How much of what is wanted was found."""
    return len(set(wanted) & set(found)) / len(set(wanted))


def reached(passages: Sequence[str], pieces: Sequence[str]) -> float:
    """The share of passages that have a stretch of text in common with one of the pieces."""
    texts = [_packed(piece) for piece in pieces]
    return sum(any(_alike(_packed(passage), text) for text in texts) for passage in passages) / len(passages)


def _packed(text: str) -> str:
    return "".join(text.split()).replace("#", "")


def _alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    length = min(ALIKE, len(short))
    return any(
        short[at : at + length] in long for at in range(0, len(short) - length + 1, max(1, length // 2))
    )


def means(rows: Sequence[Row]) -> tuple[dict[str, float], dict[str, float]]:
    """The mean of each share, of the server and of the loop."""
    server = {name: sum(row.server[name] for row in rows) / len(rows) for name in rows[0].server}
    return server, {name: sum(row.loop[name] for row in rows) / len(rows) for name in rows[0].loop}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web_sets")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, help="first so many questions")
    parser.add_argument("--agent", choices=("research", "deep", "chain", "fast"), default="research")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(arguments)
    rows = asyncio.run(measured(read(chosen.folder, chosen.limit), chosen.agent))
    if chosen.json:
        print(json.dumps([asdict(row) for row in rows]))
        return
    server, loop = means(rows)
    print(f"{chosen.folder.name}: {len(rows)} questions, {chosen.agent}, offline")
    for name, value in loop.items():
        beside = f"{server[name]:.1%}" if name in server else "-"
        print(f"  {name:<12} loop {value:.1%}  server {beside}")
    for name in ("rounds", "searches", "seconds"):
        print(f"  {name:<12} {sum(getattr(row, name) for row in rows) / len(rows):.1f} a question")
    print(f"  stopped      {', '.join(sorted({row.stop for row in rows}))}")


if __name__ == "__main__":
    main()
