"""Evaluation sets are read whole or refused with the place of the mistake."""

import json
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import UsageError
from leadline.evaluation.cases import Case, CorpusPassage, find_sets, read_set

PASSAGES: list[dict[str, Any]] = [
    {"id": "p1", "title": "Corin Lighthouse", "text": "The Corin lighthouse was lit in 1871."},
    {"id": "p2", "title": "Ada Merrow", "text": "Ada Merrow designed the Corin lighthouse."},
    {"id": "p3", "title": "Quay", "text": "The quay is made of granite.", "doc_id": "d1"},
]
QUESTIONS: list[dict[str, Any]] = [
    {"id": "q1", "question": "Who designed it?", "answer": "Ada Merrow", "aliases": ["A. Merrow"],
     "supporting_ids": ["p1", "p2", "p1"], "type": "bridge", "level": "easy"},
    {"id": "q2", "question": "Anything else?", "answer": "no"},
]  # fmt: skip


def write(folder: Path, passages: list[Any] = PASSAGES, questions: list[Any] = QUESTIONS) -> Path:
    folder.mkdir(exist_ok=True)
    for name, rows in (("corpus", passages), ("questions", questions)):
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_a_set_is_read_with_its_gold_and_unknown_keys_are_ignored(tmp_path: Path) -> None:
    read = read_set(write(tmp_path / "harbour"))
    assert read.name == "harbour"
    assert read.passages[1] == CorpusPassage("p2", "Ada Merrow", "Ada Merrow designed the Corin lighthouse.")
    assert read.cases[0] == Case(
        "q1", "Who designed it?", "Ada Merrow", ("A. Merrow",), ("p1", "p2"), "bridge"
    )


def test_questions_without_supporting_passages_do_not_count_for_retrieval(tmp_path: Path) -> None:
    read = read_set(write(tmp_path / "harbour"))
    assert [case.id for case in read.supported] == ["q1"]


def test_the_digest_follows_the_corpus_and_nothing_else(tmp_path: Path) -> None:
    one = read_set(write(tmp_path / "one"))
    other_questions = read_set(write(tmp_path / "two", questions=QUESTIONS[:1]))
    other_corpus = read_set(write(tmp_path / "three", passages=[*PASSAGES, {"id": "p4", "text": "More."}]))
    assert one.digest == other_questions.digest
    assert one.digest != other_corpus.digest


def test_a_sample_is_the_same_for_the_same_seed_and_keeps_file_order(tmp_path: Path) -> None:
    many = [{"id": f"q{number:02}", "question": "?"} for number in range(30)]
    read = read_set(write(tmp_path / "set", questions=many))
    drawn = [case.id for case in read.pick(10, 7).cases]
    assert drawn == [case.id for case in read.pick(10, 7).cases] == sorted(drawn)
    assert drawn != [case.id for case in read.pick(10, 8).cases]
    assert [case.id for case in read.pick(3, None).cases] == ["q00", "q01", "q02"]
    assert read.pick(99, 7) is read


def test_gold_passages_can_be_taken_out_of_the_corpus(tmp_path: Path) -> None:
    left = read_set(write(tmp_path / "set")).without_gold(5)
    assert [passage.id for passage in left.passages] == ["p3"]
    assert [case.id for case in left.cases] == ["q1"]


def test_a_folder_of_sets_stands_for_each_of_them(tmp_path: Path) -> None:
    write(tmp_path / "b")
    write(tmp_path / "a")
    (tmp_path / "notes").mkdir()
    assert find_sets([tmp_path]) == [tmp_path / "a", tmp_path / "b"]
    assert find_sets([tmp_path / "a"]) == [tmp_path / "a"]


@pytest.mark.parametrize(
    ("passages", "questions", "message"),
    [
        ([*PASSAGES, "{oops"], QUESTIONS, "corpus.jsonl:4: not JSON"),
        ([*PASSAGES, "[1]"], QUESTIONS, "corpus.jsonl:4: expected a JSON object, found list"),
        ([{"id": "p1"}], QUESTIONS, 'corpus.jsonl:1: "text" is missing'),
        ([{"id": 3, "text": "x"}], QUESTIONS, 'corpus.jsonl:1: "id" must be a string, found int'),
        ([*PASSAGES, PASSAGES[0]], QUESTIONS, "the id 'p1' occurs twice"),
        (PASSAGES, [*QUESTIONS, QUESTIONS[0]], "the id 'q1' occurs twice"),
        (PASSAGES, [{"id": "q1"}], 'questions.jsonl:1: "question" is missing'),
        (PASSAGES, [{"id": "q1", "question": " "}], 'questions.jsonl:1: "question" is blank'),
        (PASSAGES, [{"id": "q", "question": "?", "aliases": "x"}], '"aliases" must be a list of strings'),
        (PASSAGES, [{"id": "q", "question": "?", "supporting_ids": ["p1", 2]}], "must be a list of strings"),
        (
            PASSAGES,
            [{"id": "q", "question": "?", "supporting_ids": ["p9"]}],
            "supported by 'p9', not in corpus",
        ),
        ([""], QUESTIONS, "corpus.jsonl is empty"),
    ],
)
def test_a_mistake_is_named_with_its_file_and_line(
    tmp_path: Path, passages: list[Any], questions: list[Any], message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        read_set(write(tmp_path / "set", passages, questions))
    assert message in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_missing_files_and_folders_say_what_a_set_is(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"corpus\.jsonl is missing\. A set is a folder with"):
        read_set(tmp_path)
    with pytest.raises(UsageError, match="nowhere is not a folder"):
        find_sets([tmp_path / "nowhere"])


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "set")
    (folder / "corpus.jsonl").write_bytes('{"id": "p", "text": "naïve"}'.encode("latin-1"))
    with pytest.raises(UsageError, match=r"is not UTF-8 \(byte 23\)"):
        read_set(folder)
