"""Watch a search as it happens, from a coroutine: events first, the answer last.

python examples/watch_search.py
"""

import asyncio
from contextlib import aclosing
from pathlib import Path
from tempfile import TemporaryDirectory

from leadline import Answer, Leadline
from leadline.events import Judged, Reflected, RoundStarted, Searched, Stopped

CORPUS = Path(__file__).parent / "corpus"
QUESTION = (
    "Where was the naval architect born who designed the hull of the ferry that replaced the Mirren Star?"
)


def line(event: object) -> str:
    """One event in one line; those that say nothing to a spectator are left out."""
    match event:
        case RoundStarted(number=number):
            return f"round {number}"
        case Searched(query=query, hits=hits):
            return f"  searched {query.text!r}: {len(hits)} hits"
        case Judged(verdicts=verdicts):
            return f"  kept {sum(verdict[1] for verdict in verdicts)} of {len(verdicts)}"
        case Reflected(missing=missing) if missing:
            return f"  still missing: {', '.join(missing)}"
        case Stopped(reason=reason, detail=detail):
            return f"stopped: {reason} ({detail})"
        case _:
            return ""


async def main() -> None:
    """Print every step, then the answer."""
    with TemporaryDirectory() as folder:
        async with Leadline(folder) as leadline:
            await leadline.aload(CORPUS)
            async with aclosing(leadline.watch(QUESTION, agent="deep")) as steps:
                async for step in steps:
                    if isinstance(step, Answer):
                        print(f"\n{step.text}")
                    elif text := line(step):
                        print(text)


if __name__ == "__main__":
    asyncio.run(main())
