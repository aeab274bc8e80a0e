"""The example corpus is whole, its made files are what the script makes, and the scripts run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
CORPUS = EXAMPLES / "corpus"
QUESTIONS = [
    json.loads(line) for line in (EXAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_the_pdf_and_office_files_are_what_the_script_makes(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, EXAMPLES / "make_office_files.py", tmp_path], check=True, capture_output=True
    )
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert len(made) == 6
    assert [path for path in made if (tmp_path / path).read_bytes() != (CORPUS / path).read_bytes()] == []


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_every_question_names_files_that_exist(question: dict[str, list[str]]) -> None:
    assert set(question) == {"id", "question", "answer", "aliases", "supporting_ids", "type"}
    assert all((CORPUS / name).is_file() for name in question["supporting_ids"])
    assert bool(question["supporting_ids"]) == (question["type"] != "unanswerable")


def test_no_document_holds_the_whole_demo_answer() -> None:
    demo = QUESTIONS[0]
    assert len(demo["supporting_ids"]) == 3
    texts = {path.name: path.read_bytes() for path in CORPUS.rglob("*") if path.is_file()}
    links = (b"Mirren Star", b"Ansel Dunmarrow")
    assert [name for name, text in texts.items() if all(link in text for link in links)] == []


def run_script(name: str, cwd: Path) -> str:
    done = subprocess.run([sys.executable, EXAMPLES / name], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_plain_script_names_the_founder_and_her_file(tmp_path: Path) -> None:
    shown = run_script("ask_documents.py", tmp_path)
    assert "Beatrix Orrin" in shown
    assert "orrin-and-daughters.txt" in shown
    assert list(tmp_path.iterdir()) == []


def test_the_watching_script_shows_rounds_before_the_answer(tmp_path: Path) -> None:
    shown = run_script("watch_search.py", tmp_path)
    assert shown.index("round 1") < shown.index("stopped: ") < shown.rindex("Ingrid Solvane")
