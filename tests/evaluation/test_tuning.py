"""A choice is kept when it gains on questions it was not chosen on, and not for chance."""

import json
import random
from pathlib import Path

import pytest

from leadline.config import Settings
from leadline.errors import UsageError
from leadline.evaluation.cases import Case
from leadline.evaluation.setup import Setup
from leadline.evaluation.tuning import (
    Tried,
    Tuning,
    as_record,
    choices,
    read_own,
    resolved,
    settled,
    tune,
    tuning_table,
)
from leadline.retrieval.hybrid import RetrievalOptions
from leadline.retrieval.tuned import UNTUNED, Choice, choice_of, tuned
from leadline.testing.running import go
from leadline.types import Collection
from leadline.workspace import Workspace

COUNT = 40


def tried(*scores: list[float]) -> list[Tried]:
    return [
        Tried(choice, 0, 0, tuple(each)) for choice, each in zip(choices(dense=True), scores, strict=False)
    ]


def test_the_usual_choice_comes_first_and_every_other_is_different() -> None:
    every = choices(dense=True)
    assert every[0] == Choice()
    assert len(set(every)) == len(every) == 56
    assert {choice.fusion for choice in choices(dense=False)} == {"score"}


def test_a_steady_gain_pays() -> None:
    tuning = settled(tried([0.5] * COUNT, [0.6] * COUNT))
    assert (tuning.best, tuning.pays) == (tuning.tried[1], True)
    assert tuning.gain.mean == pytest.approx(10)


def test_the_best_of_many_equal_choices_does_not_pay() -> None:
    draws = random.Random(5)
    tuning = settled(tried(*([float(draws.random() < 0.5) for _ in range(COUNT)] for _ in range(30))))
    assert tuning.best is not tuning.usual
    assert tuning.best.score(range(COUNT)) > tuning.usual.score(range(COUNT))
    assert not tuning.pays


def test_a_few_questions_that_fare_better_do_not_pay() -> None:
    few = settled(tried([0.5] * COUNT, [0.9] * 5 + [0.5] * (COUNT - 5)))
    assert few.gain.is_gain
    assert (few.moved, few.pays) == (5, False)
    assert settled(tried([0.5] * COUNT, [0.9] * 6 + [0.5] * (COUNT - 6))).pays


def test_where_nothing_is_better_the_usual_choice_stays() -> None:
    tuning = settled(tried([0.5] * COUNT, [0.5] * COUNT))
    assert tuning.best is tuning.usual
    assert not tuning.pays


def test_a_source_may_be_named_by_the_end_of_its_path() -> None:
    stored = ["/a/notes/one.md", "/a/old/one.md", "/a/two.md"]
    (case,) = resolved([Case("q", "?", supporting=("notes/one.md", "two.md"))], stored, "mine")
    assert case.supporting == ("/a/notes/one.md", "/a/two.md")
    for name, said in (("one.md", "holds 2 sources `one.md`"), ("ne.md", "holds no source `ne.md`")):
        with pytest.raises(UsageError, match=said):
            resolved([Case("q", "?", supporting=(name,))], stored, "mine")


def test_too_few_questions_are_refused(tmp_path: Path) -> None:
    (tmp_path / "questions.jsonl").write_text(
        '{"id": "1", "question": "?", "sources": ["a.md"]}\n', encoding="utf-8"
    )
    with pytest.raises(UsageError, match="at least 20"):
        read_own(tmp_path)


def test_a_collection_is_tuned_on_its_own_questions(tmp_path: Path) -> None:
    places = ["Velden", "Corin", "Brannoch", "Osk", "Sarn"]
    (tmp_path / "notes").mkdir()
    lines: list[str] = []
    for number in range(20):
        text = f"# Bell {number}\n\nBell number {number} was cast in {places[number % 5]} in {1700 + number}."
        (tmp_path / "notes" / f"bell{number}.md").write_text(text, encoding="utf-8")
        question = {
            "id": str(number),
            "question": f"Where was bell {number} cast?",
            "sources": [f"bell{number}.md"],
        }
        lines.append(json.dumps(question))
    (tmp_path / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")

    async def work() -> Tuning:
        async with await Workspace.open(Settings(data=tmp_path / "data")) as workspace:
            await workspace.load([tmp_path / "notes"])
            setup = await Setup.of(
                workspace, await workspace.reading(), await workspace.collection("default")
            )
            return await tune(tmp_path, "default", setup)

    tuning = go(work())
    assert len(tuning.tried) == 56
    assert tuning.usual.recall_at_5 == 1
    assert not tuning.pays
    record = as_record(tuning)
    assert (record["questions"], record["pays"], json.loads(json.dumps(record))) == (20, False, record)
    assert tuning_table(tuning)[0][0] == "by score, dense as the encoder says, linked, coverage"


CHOSEN = Choice("rrf", 0.35, linked=False, coverage=False)


def collection(choice: Choice | None, embedding: str = "static", tuned_for: str = "static") -> Collection:
    kept = choice.metadata(tuned_for) if choice else {}
    metadata = {name: value for name, value in kept.items() if value is not None}
    return Collection("mine", embedding=embedding, metadata={"owner": "me", **metadata})


@pytest.mark.parametrize("choice", [Choice(), CHOSEN, Choice(dense_weight=0.0)])
def test_a_choice_is_read_back_as_it_was_written(choice: Choice) -> None:
    assert choice_of(collection(choice)) == choice


def test_a_search_follows_the_choice_where_all_collections_agree() -> None:
    usual = RetrievalOptions()
    followed = tuned(usual, [collection(CHOSEN), collection(CHOSEN)])
    assert (followed.fusion, followed.tuned_weight, followed.coverage) == ("rrf", 0.35, False)
    assert usual.paths - followed.paths == {"linked"}
    assert tuned(usual, [collection(CHOSEN), collection(None)]) == usual
    assert tuned(usual, [collection(CHOSEN), collection(Choice())]) == usual
    assert tuned(usual, [collection(CHOSEN)], said={"fusion"}).fusion == "score"


def test_a_choice_made_for_other_vectors_is_not_followed() -> None:
    assert choice_of(collection(CHOSEN, embedding="other")) is None


def test_a_workspace_searches_as_tuned_until_that_is_forgotten(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Corin\n\nThe light on Corin.", encoding="utf-8")

    async def work() -> list[list[str]]:
        paths: list[list[str]] = []
        async with await Workspace.open(Settings(data=tmp_path / "data")) as workspace:
            await workspace.load([tmp_path / "a.md"])
            embedding = (await workspace.collection("default")).embedding
            for change in ({}, CHOSEN.metadata(embedding), UNTUNED):
                await workspace.configure("default", change)
                results = await workspace.search("Where is Corin?")
                paths.append([name for name, _ in results.paths])
        return paths

    first, chosen, forgotten = go(work())
    assert first == forgotten
    assert set(first) - set(chosen) == {"linked"}
