"""What a deep search of three rounds asks of a language model: calls, tokens, prompt characters, wall time.

    python -m benchmarks.models [--latency 0.2] [--batch 10] [--json]

Twenty invented documents, 4 + 3 + 2 sub-queries, five hits a query, 18 distinct chunks to judge. The model is a server
on loopback that adds `latency` to every call and answers from the prompt alone. The critical path is the number of
calls that had to wait for another one, from the times at which the server saw them.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.model_world import FACTS, QUESTION, ROUNDS, write
from leadline.config import Settings
from leadline.events import Event, Judged
from leadline.testing.model_server import MODEL, ModelServer
from leadline.testing.said import Asked
from leadline.testing.thinking import Thinker
from leadline.types import Answer
from leadline.workspace import Workspace

RECALL = 5
PEER = {"calls": 50, "prompt_characters": 33_098, "wall_seconds": 12.2, "at_once": 1}
"""DeepSearcher 0.0.2 on documents and queries of this shape, at 0.2 s a call."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What one question cost. A chunk is judged again when a later round asks for something else: `distinct` are the chunks."""

    calls: int
    critical_path: int
    at_once: int
    prompt_characters: int
    tokens: int
    wall_seconds: float
    model_seconds: float
    rounds: int
    judged: int
    distinct: int
    claims: int
    steps: str


def settings(data: Path, url: str, **llm: object) -> Settings:
    """A scripted model behind `url`; nothing is kept from call to call."""
    return Settings.model_validate(
        {
            "data": data,
            "model": f"openai:{MODEL}",
            "base_url": url,
            "api_key": "key-of-a-test",
            "llm": {"cache": False, **llm},
            "search": {"recall": RECALL},
        }
    )


def critical_path(asked: Sequence[Asked]) -> int:
    """How many calls stood one after the other: the most that did not overlap."""
    path, free = 0, 0.0
    for call in sorted(asked, key=lambda each: each.ended or each.began):
        if call.began >= free:
            path, free = path + 1, call.ended or call.began
    return path


async def measure(latency: float, batch: int) -> tuple[Figures, Answer]:
    """Load the documents, warm up, ask once."""
    thinker = Thinker(ROUNDS, dict(FACTS))
    with tempfile.TemporaryDirectory() as folder, ModelServer(thinker, latency=latency) as server:
        await asyncio.to_thread(write, Path(folder) / "documents")
        chosen = settings(Path(folder) / "data", server.url)
        chosen = chosen.model_copy(update={"ask": chosen.ask.model_copy(update={"judge_batch": batch})})
        async with await Workspace.open(chosen) as workspace:
            await workspace.load([Path(folder) / "documents"])
            server.latency = 0
            await workspace.ask("Where is salt boiled?", agent="fast")
            server.latency = latency
            server.forget()
            return await _asked(workspace, server)


async def _asked(workspace: Workspace, server: ModelServer) -> tuple[Figures, Answer]:
    run, judged = workspace.run(), list[str]()

    def emit(event: Event) -> None:
        if isinstance(event, Judged):
            judged.extend(chunk for chunk, *_ in event.verdicts)

    run.emit = emit
    began = time.perf_counter()
    answer = await workspace.ask(QUESTION, agent="deep", run=run)
    wall = time.perf_counter() - began
    calls = list(server.asked)
    figures = Figures(
        calls=len(calls),
        critical_path=critical_path(calls),
        at_once=server.most,
        prompt_characters=sum(len(each.prompt) for each in calls),
        tokens=answer.usage.tokens,
        wall_seconds=round(wall, 2),
        model_seconds=round(sum((each.ended or each.began) - each.began for each in calls), 2),
        rounds=answer.rounds,
        judged=len(judged),
        distinct=len(set(judged)),
        claims=len(answer.claims),
        steps=" ".join(each.step for each in calls),
    )
    return figures, answer


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.models")
    parser.add_argument("--latency", type=float, default=0.2, help="seconds that every call takes")
    parser.add_argument("--batch", type=int, default=10, help="chunks judged in one call")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(arguments)
    figures, answer = asyncio.run(measure(chosen.latency, chosen.batch))
    if chosen.json:
        print(json.dumps(asdict(figures)))
        return
    print(f"{QUESTION}\n{answer.text}\n")
    for name, value in asdict(figures).items():
        peer = f"   (DeepSearcher 0.0.2: {PEER[name]})" if name in PEER else ""
        print(f"{name.replace('_', ' '):18}{value}{peer}")


if __name__ == "__main__":
    main()
