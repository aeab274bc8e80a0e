"""What happened in a run, for `--explain`, and the table of `leadline search`.

Feed an `Explainer` the events of one run in order; each gives something to print, or nothing.
"""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from leadline.citing.explain_model import model_story
from leadline.citing.explain_web import web_story
from leadline.citing.render.outline import SNIPPET, STOPPED, where
from leadline.citing.render.plain import line
from leadline.documents.figures import generated_in
from leadline.events import (
    Event,
    Judged,
    Notice,
    Planned,
    Reflected,
    Reranked,
    RoundStarted,
    Searched,
    SearchFailed,
    Stopped,
    Verified,
)
from leadline.reasoning.placing import is_snippet
from leadline.types import Chunk, Found, Hit, Query

SHOWN_HITS = 5
SHOWN_DROPPED = 8
_SNIPPET = 100
_WHY = {
    "original": "the question",
    "sub": "sub-query",
    "gap": "gap query",
    "widened": "widened",
    "follow": "follow-up",
    "expanded": "in other words",
    "hyde": "a passage that might answer",
}


class Explainer:
    """Renders the events of one run. Remembers hits, since a verdict names only a chunk's id."""

    def __init__(self, shown_hits: int = SHOWN_HITS) -> None:
        self._hits: dict[str, Hit] = {}
        self._shown = shown_hits

    def __call__(self, event: Event) -> RenderableType | None:
        """What to print for `event`; None when it isn't part of a run's story."""
        match event:
            case Planned():
                return Group(
                    Text(f"Question: {line(event.question)}", style="bold"), *map(_query, event.queries)
                )
            case RoundStarted():
                head = Text(f"Round {event.number}", style="bold cyan")
                return Group(Text(), head, *(map(_query, event.queries) if event.number > 1 else ()))
            case Searched():
                return self._searched(event)
            case SearchFailed():
                return _styled(f"  failed: {line(event.query.text)}: {line(event.reason)}", "red")
            case Reranked():
                return self._reranked(event)
            case Judged():
                return self._judged(event)
            case _:
                return _after_judging(event)

    def _searched(self, event: Searched) -> RenderableType:
        for hit in event.hits:
            self._hits.setdefault(hit.chunk.id, hit)
        paths = ", ".join(f"{line(path)} {count}" for path, count in event.paths) or "no path"
        head = Text("  search ", style="bold")
        head.append(f"“{_words(event.query)}”", style="default")
        head.append(f"  {paths} -> {len(event.hits)} hits, {event.milliseconds:.0f} ms", style="dim")
        asked = [Text(f"    where {line(part)}", style="magenta") for part in event.asked]
        shown = [self._hit(rank, hit) for rank, hit in enumerate(event.hits[: self._shown], start=1)]
        return Group(head, *asked, *shown, *_more(len(event.hits) - len(shown)))

    def _hit(self, rank: int, hit: Hit) -> Text:
        text = Text(f"    {rank}. {hit.score:.3f} ", style="default")
        text.append(line(where(hit.chunk)), style="bold")
        found = ", ".join(f"{line(f.path)} #{f.rank} ({f.score:.3f})" for f in _best(hit.found))
        text.append(f"  {found}" if found else "", style="dim")
        return text

    def _reranked(self, event: Reranked) -> RenderableType:
        head = Text("  rerank ", style="bold")
        head.append(f"“{line(event.question)}”", style="default")
        counts = f"{len(event.before)} -> {event.kept}, {event.milliseconds:.0f} ms"
        head.append(f"  {line(event.reranker)}: {counts}", style="dim")
        was = {chunk_id: place for place, chunk_id in enumerate(event.before, start=1)}
        rows = [
            self._moved(rank, was[chunk_id], chunk_id, score)
            for rank, (chunk_id, score) in enumerate(event.after[: min(self._shown, event.kept)], start=1)
        ]
        return Group(head, *rows, *_more(event.kept - len(rows)))

    def _moved(self, rank: int, was: int, chunk_id: str, score: float) -> Text:
        hit = self._hits.get(chunk_id)
        text = Text(f"    {rank}. {score:.3f} ", style="default")
        text.append(line(where(hit.chunk) if hit else chunk_id), style="bold")
        return text.append("  as before" if was == rank else f"  was {was}", style="dim")

    def _judged(self, event: Judged) -> RenderableType:
        kept = [verdict for verdict in event.verdicts if verdict[1]]
        dropped = [verdict for verdict in event.verdicts if not verdict[1]]
        lines = [Text(f"  judged: {len(kept)} kept, {len(dropped)} dropped", style="bold")]
        lines += [self._verdict(*verdict) for verdict in [*kept, *dropped[:SHOWN_DROPPED]]]
        return Group(*lines, *_more(len(dropped) - SHOWN_DROPPED))

    def _verdict(self, chunk_id: str, kept: bool, score: float, reason: str) -> Text:
        hit = self._hits.get(chunk_id)
        text = Text("    + " if kept else "    - ", style="green" if kept else "red")
        text.append(f"{score:.2f} ", style="default")
        text.append(line(where(hit.chunk) if hit else chunk_id), style="bold" if kept else "default")
        text.append(f"  {line(reason)}" if reason else "", style="dim")
        if hit and kept:
            text.append(f"\n      “{line(hit.chunk.text, _SNIPPET)}”", style="default")
        return text


def _after_judging(event: Event) -> RenderableType | None:
    match event:
        case Reflected():
            return _reflected(event)
        case Stopped():
            why = f"Stopped after round {event.round}: {STOPPED[event.reason]} ({event.reason})"
            return _styled(f"{why}. {line(event.detail)}" if event.detail else why, "bold")
        case Verified():
            counts = f"{event.supported} supported, {event.partly} partly, {event.unsupported} not"
            return _styled(f"Claims checked: {counts}; {event.repaired} repaired", "bold")
        case Notice():
            return _styled(f"Note: {line(event.text)}", "cyan")
        case _:
            return model_story(event) or web_story(event)


def _reflected(event: Reflected) -> RenderableType:
    lines = [Text(f"  reflected: {event.coverage:.0%} of the question is covered", style="bold")]
    if event.missing:
        lines.append(Text(f"    missing: {', '.join(map(line, event.missing))}"))
    lines += [_query(query) for query in event.queries]
    lines += [_styled(f"    not asked: {line(text)} ({line(why)})", "dim") for text, why in event.dropped]
    return Group(*lines)


def _styled(text: str, style: str) -> Text:
    return Text(text, style=style)


def _query(query: Query) -> Text:
    text = Text(f"    {_WHY[query.kind]}: ", style="dim")
    text.append(_words(query), style="default")
    if query.kind in ("gap", "follow") and query.leads:
        names = ", ".join(f"‘{line(lead.name)}’" for lead in query.leads)
        text.append(f"  (through {names})", style="magenta")
    return text


def _words(query: Query) -> str:
    """What is searched for; of a made-up passage only how it begins."""
    return line(query.text, _SNIPPET if query.kind == "hyde" else 0)


def _more(count: int) -> list[Text]:
    return [Text(f"    ... and {count} more", style="dim")] if count > 0 else []


def _best(found: Iterable[Found]) -> list[Found]:
    """The best rank per recall path, in order of path."""
    best: dict[str, Found] = {}
    for one in found:
        if one.path not in best or one.rank < best[one.path].rank:
            best[one.path] = one
    return [best[path] for path in sorted(best)]


def shown(chunk: Chunk, snippet: int = _SNIPPET) -> str:
    """How a chunk begins; of a figure also how a model described it, and that one did; that it is only a snippet."""
    seen = line(generated_in(chunk.context), snippet) or (SNIPPET if is_snippet(chunk) else "")
    text = line(chunk.text, snippet)
    return f"{text} ({seen})" if seen else text


def search_table(hits: Sequence[Hit], snippet: int = 160) -> Table:
    """One row per hit: fused score, rank and score on each recall path, where it stands, how it begins."""
    paths = sorted({found.path for hit in hits for found in hit.found})
    table = Table(header_style="bold", show_lines=False, pad_edge=False)
    table.add_column(Text("#"), justify="right")
    table.add_column(Text("score"), justify="right", no_wrap=True)
    for path in paths:
        table.add_column(Text(line(path)), no_wrap=True)
    table.add_column(Text("where"), ratio=2, overflow="fold")
    table.add_column(Text("text"), ratio=3)
    for rank, hit in enumerate(hits, start=1):
        best = {found.path: f"#{found.rank} {found.score:.3f}" for found in _best(hit.found)}
        cells = [str(rank), f"{hit.score:.3f}", *(best.get(path, "") for path in paths)]
        place = [line(where(hit.chunk)), shown(hit.chunk, snippet)]
        table.add_row(*(Text(cell) for cell in [*cells, *place]))
    return table
