"""Other words are measured on top of the best choices, and kept only where they gain more than chance."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from leadline.config import Settings
from leadline.evaluation.setup import Progress, Setup
from leadline.evaluation.tuning import Tuning, tune
from leadline.reasoning.base import Reasoner
from leadline.reasoning.offline import OfflineReasoner
from leadline.retrieval.base import TermWeights
from leadline.retrieval.tuned import Choice
from leadline.run import Run
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.running import go
from leadline.types import Query
from leadline.workspace import Workspace

COUNT = 20
SYLLABLES = "ba ke li no ru".split()


def word(number: int, ending: str) -> str:
    """A word that no encoder knows."""
    return SYLLABLES[number % 5] + SYLLABLES[number // 5] + ending


class Translator(ScriptedReasoner):
    """Knows for every word of the questions that of the documents."""

    async def rewrite(
        self, question: str, weights: TermWeights, run: Run, *, simple: bool = False
    ) -> tuple[Query, ...]:
        return (Query(question.replace("zzup", "zzom"), "expanded"),)


class Misled(ScriptedReasoner):
    """Gives every question the words of another document."""

    async def rewrite(
        self, question: str, weights: TermWeights, run: Run, *, simple: bool = False
    ) -> tuple[Query, ...]:
        return (Query(f"{question} made up in 1999", "expanded"),)


def measured(path: Path, reasoner: Reasoner, seen: list[Progress] | None = None) -> Tuning:
    (path / "notes").mkdir()
    lines: list[str] = []
    for number in range(COUNT):
        text = f"The keeper of the quay has a {word(number, 'zzom')} for days of fog. " * 3
        (path / "notes" / f"{number}.txt").write_text(text, encoding="utf-8")
        question = f"what is the {word(number, 'zzup')} for"
        lines.append(json.dumps({"id": str(number), "question": question, "sources": [f"{number}.txt"]}))
    (path / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")

    async def work() -> Tuning:
        async with await Workspace.open(Settings(data=path / "data", embedding="none")) as workspace:
            await workspace.load([path / "notes"])
            known = await workspace.collection("default")
            setup = replace(await Setup.of(workspace, await workspace.reading(), known), reasoner=reasoner)
            progress = (seen if seen is not None else []).append
            return await tune(path, "default", setup, progress, Run())

    return go(work())


def test_other_words_that_find_what_the_questions_words_do_not_are_kept(tmp_path: Path) -> None:
    seen: list[Progress] = []
    tuning = measured(tmp_path, Translator(), seen)
    assert tuning.usual.recall_at_5 < 0.5
    assert tuning.best.choice == Choice(expand=True)
    assert tuning.best.recall_at_5 == pytest.approx(1)
    assert tuning.pays
    assert tuning.best.choice.words().endswith("in other words too")
    assert sum(one.stage == "rewrite" for one in seen) == COUNT


@pytest.mark.parametrize("reasoner", [OfflineReasoner(), Misled()], ids=["no model", "all discarded"])
def test_where_there_are_no_other_words_there_is_nothing_to_choose(
    tmp_path: Path, reasoner: Reasoner
) -> None:
    tuning = measured(tmp_path, reasoner)
    assert not [one for one in tuning.tried if one.choice.expand]
