"""A question set served as pages behind a search server: our own small one, and a public one where it is there."""

import json
from pathlib import Path

import pytest

from benchmarks.web_sets import Question, means, measured, reached, read, share
from leadline.testing.running import go

TEXTS = {
    "quay": (
        "The quay of Anstead",
        "The quay of Anstead was paved in 1844. Its stones are numbered from the east.",
    ),
    "crane": (
        "The crane on the quay",
        "The crane on the quay of Anstead lifts nine tonnes. It was cast in Ludmere.",
    ),
    "bell": (
        "The bell of the school",
        "The bell of the school in Ludmere weighs forty pounds and is rung at noon.",
    ),
}
ASKED = (
    ("paved", "When was the quay of Anstead paved?", "quay"),
    ("lifts", "How much does the crane on the quay of Anstead lift?", "crane"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    documents = [{"id": key, "title": title, "text": text} for key, (title, text) in TEXTS.items()]
    passages = [
        {"id": f"{key}-1", "doc_id": key, "title": title, "text": text}
        for key, (title, text) in TEXTS.items()
    ]
    questions = [
        {"id": key, "question": text, "supporting_ids": [f"{page}-1"], "supporting_doc_ids": [page]}
        for key, text, page in ASKED
    ]
    for name, rows in (("docs", documents), ("corpus", passages), ("questions", questions)):
        lines = "\n".join(json.dumps(row) for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def test_a_set_of_our_own_is_found_through_its_search_server(folder: Path) -> None:
    questions = read(folder)
    assert questions.questions[0] == Question("paved", ASKED[0][1], ("quay",), (TEXTS["quay"][1],))
    rows = go(measured(questions))
    server, loop = means(rows)
    assert server["pages@5"] == loop["pages@5"] == loop["passages"] == loop["facts"] == 1.0
    assert all(row.searches >= 1 for row in rows)


def test_what_is_counted_as_found() -> None:
    assert share(["a", "b"], ["b", "c"]) == 0.5
    long = "The quay of Anstead was paved in the year 1844 by its own masons."
    assert (
        reached([long, "Nothing of it was ever found again by anyone there."], [f"Before it. {long[4:50]}"])
        == 0.5
    )
    assert reached([long], []) == 0.0


@pytest.mark.slow
def test_the_fact_loop_recalls_at_least_what_the_server_ranks(large_sets: Path) -> None:
    """By every measure there is, of a public set in Chinese."""
    folder = large_sets / "netoperatorqa_zh"
    if not folder.is_dir():
        pytest.skip(f"no question set at {folder}")
    server, loop = means(go(measured(read(folder))))
    assert set(server) == {"pages@5", "pages@10", "passages@10", "passages"}
    assert {name: loop[name] for name in server if loop[name] < server[name]} == {}
