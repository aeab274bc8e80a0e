"""An experiment loads a set once, ranks each question once, and says what it measured."""

import json
import shutil
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from leadline.config import Settings
from leadline.errors import UsageError
from leadline.evaluation.experiment import EvalOptions, evaluate_retrieval
from leadline.evaluation.figures import Figures
from leadline.evaluation.report import json_line, markdown
from leadline.evaluation.setup import Progress, Setup, opened
from leadline.testing.running import go

Opening = Callable[[], AbstractAsyncContextManager[Setup]]
METHODS = ["dense", "keyword", "hybrid", "linked", "deep"]


class Stopped(Exception):
    """Stands for a kill in the middle."""


def options(
    tmp_path: Path, limit: int | None = None, seed: int | None = None, fresh: bool = False
) -> EvalOptions:
    return EvalOptions(tmp_path / "data" / "evaluation", limit, seed, fresh)


def measure(
    opening: Opening, folder: Path, methods: list[str], how: EvalOptions, stop_after: int | None = None
) -> tuple[list[Figures], list[Progress]]:
    seen: list[Progress] = []

    def watch(progress: Progress) -> None:
        seen.append(progress)
        if stop_after is not None and sum(one.stage != "load" for one in seen) == stop_after:
            raise Stopped

    async def work() -> list[Figures]:
        async with opening() as setup:
            return await evaluate_retrieval([folder], methods, how, setup, watch)

    try:
        return go(work()), seen
    except Stopped:
        return [], seen


def stages(seen: list[Progress]) -> dict[str, int]:
    names = [one.stage for one in seen]
    return {name: names.count(name) for name in names}


def test_every_method_ranks_every_supported_question(opening: Opening, harbour: Path, tmp_path: Path) -> None:
    found, seen = measure(opening, harbour, METHODS, options(tmp_path))
    assert [(one.set_name, one.method) for one in found] == [("harbour", name) for name in METHODS]
    assert {(one.questions, one.left_out) for one in found} == {(7, 1)}
    assert stages(seen) == {"load": 1, "dense": 7, "keyword": 7, "hybrid": 7, "linked": 7, "deep": 7}
    assert (seen[0].done, seen[0].total) == (20, 20)
    by_method = {one.method: one for one in found}
    assert by_method["keyword"].recall[10] >= 0.8
    assert by_method["keyword"].types["single"].recall_at_5 == 1
    assert by_method["deep"].recall[10] >= by_method["hybrid"].recall[10]
    assert by_method["linked"].recall[2] >= by_method["hybrid"].recall[2]
    assert by_method["deep"].searches_per_question > 1 == by_method["hybrid"].searches_per_question


def test_a_second_run_loads_nothing_and_ranks_nothing(
    opening: Opening, harbour: Path, tmp_path: Path
) -> None:
    first, _ = measure(opening, harbour, ["hybrid"], options(tmp_path))
    again, seen = measure(opening, harbour, ["hybrid"], options(tmp_path))
    assert seen == [Progress("harbour", "hybrid", done=7, total=7, kept=7)]
    assert again == first


def test_a_run_stopped_in_the_middle_goes_on_where_it_was(
    opening: Opening, harbour: Path, tmp_path: Path
) -> None:
    measure(opening, harbour, ["keyword"], options(tmp_path), stop_after=3)
    rows = next((tmp_path / "data" / "evaluation" / "rows").glob("harbour-keyword-*.jsonl"))
    with rows.open("a", encoding="utf-8") as torn:
        torn.write('{"id": "q4", "ques')
    before = rows.read_text(encoding="utf-8").splitlines()[:3]
    found, seen = measure(opening, harbour, ["keyword"], options(tmp_path))
    assert [one.done for one in seen] == [4, 5, 6, 7]
    lines = rows.read_text(encoding="utf-8").splitlines()
    assert lines[:3] == before
    assert [json.loads(line)["id"] for line in lines] == [f"q{number}" for number in range(1, 8)]
    whole, _ = measure(opening, harbour, ["keyword"], options(tmp_path, fresh=True))
    assert whole[0].recall == found[0].recall


def test_fresh_loads_and_ranks_again(opening: Opening, harbour: Path, tmp_path: Path) -> None:
    measure(opening, harbour, ["keyword"], options(tmp_path))
    _, seen = measure(opening, harbour, ["keyword"], options(tmp_path, fresh=True))
    assert stages(seen) == {"load": 1, "keyword": 7}


def test_a_changed_corpus_is_a_new_collection_and_changed_questions_are_not(
    opening: Opening, harbour: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(harbour, tmp_path / "set"))
    measure(opening, folder, ["keyword"], options(tmp_path))
    questions = folder / "questions.jsonl"
    questions.write_text(
        questions.read_text(encoding="utf-8").replace("Since when", "From which year on"), encoding="utf-8"
    )
    _, seen = measure(opening, folder, ["keyword"], options(tmp_path))
    assert stages(seen) == {"keyword": 1}
    with (folder / "corpus.jsonl").open("a", encoding="utf-8") as corpus:
        corpus.write('{"id": "h-21", "title": "Teeth", "text": "The Teeth are a reef."}\n')
    _, seen = measure(opening, folder, ["keyword"], options(tmp_path))
    assert stages(seen) == {"load": 1, "keyword": 7}


def test_a_larger_limit_keeps_the_rows_of_a_smaller_one(
    opening: Opening, harbour: Path, tmp_path: Path
) -> None:
    few, _ = measure(opening, harbour, ["keyword"], options(tmp_path, limit=2))
    more, seen = measure(opening, harbour, ["keyword"], options(tmp_path, limit=5))
    assert (few[0].questions, more[0].questions) == (2, 5)
    assert stages(seen) == {"keyword": 3}


def test_mistakes_are_found_before_anything_is_loaded(
    opening: Opening, harbour: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=r"method `hybird` is unknown\. Did you mean `hybrid`\?"):
        measure(opening, harbour, ["keyword", "hybird"], options(tmp_path))
    with pytest.raises(UsageError, match="give --limit N with --sample SEED"):
        measure(opening, harbour, ["keyword"], options(tmp_path, seed=3))
    folder = Path(shutil.copytree(harbour, tmp_path / "bare"))
    (folder / "questions.jsonl").write_text('{"id": "q", "question": "?"}\n', encoding="utf-8")
    with pytest.raises(UsageError, match='no question has "supporting_ids"'):
        measure(opening, folder, ["keyword"], options(tmp_path))
    assert not (tmp_path / "data" / "evaluation" / "rows").exists()


def test_dense_without_an_embedding_says_what_to_set(harbour: Path, tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(Settings(data=tmp_path / "data", embedding="none")) as setup:
            assert (await evaluate_retrieval([harbour], ["keyword"], options(tmp_path), setup))[
                0
            ].questions == 7
            await evaluate_retrieval([harbour], ["dense"], options(tmp_path), setup)

    with pytest.raises(UsageError, match="`dense` needs an embedding"):
        go(work())


def test_the_report_and_the_json_line_say_the_same(opening: Opening, harbour: Path, tmp_path: Path) -> None:
    found, _ = measure(opening, harbour, ["hybrid", "deep"], options(tmp_path))
    hybrid, deep = (json.loads(json_line(one)) for one in found)
    assert list(hybrid) == [
        "set", "method", "questions", "recall@2", "recall@5", "recall@10", "all_gold@10", "hit@3", "mrr@10", "ndcg@10",
        "ms_per_query", "ms_p50", "types",
    ]  # fmt: skip
    assert deep["searches_per_question"] > 1
    report = markdown(found, [("embedding", "static")])
    assert (
        f"| harbour | hybrid | 7 | {100 * hybrid['recall@2']:.1f} | {100 * hybrid['recall@5']:.1f} |"
        in report
    )
    assert "| harbour | bridge | 2 | deep |" in report
    assert "- embedding: static" in report
    assert "name no supporting passage: harbour 1" in report
