"""What benchmarks/oracle_planner.py prints: a plan that knows how questions fall apart finds what one search does not."""

import asyncio
import json
from pathlib import Path

from benchmarks.oracle_planner import compared, decompositions, table
from leadline.evaluation.cases import read_set

PLACES = ["Mirren", "Calder", "Osterby", "Velden", "Harrow", "Quillon", "Brant", "Sorrel", "Tamsin", "Ulver"]
QUESTION = "Which river runs through the birthplace of the founder of the yard that built the Heron?"
STEPS = [
    {"q": "Heron ship >> built by", "a": "Mirren Yard"},
    {"q": "Who founded the #1?", "a": "Ivo Hale"},
    {"q": "Where was #2 born?", "a": "Osterby"},
    {"q": "Which river runs through #3?", "a": "the Lune"},
]


def question_set(folder: Path) -> Path:
    """Four passages lead to the answer; for each of many other places there are passages that read like them."""
    passages = [
        ("heron", "Heron", "The Heron is a ship that was built by the Mirren Yard."),
        ("yard", "Mirren Yard", "It was founded in 1880 by Ivo Hale."),
        ("hale", "Ivo Hale", "Ivo Hale was born in Osterby, the son of a cooper."),
        ("osterby", "Osterby", "A town through which the Lune runs down to the sea."),
    ]
    for place in PLACES:
        passages.append((f"river {place}", f"{place} river", f"The river that runs through {place} is wide."))
        passages.append((f"born {place}", f"{place} people", f"The founder of the yard was born in {place}."))
    folder.mkdir()
    lines = [json.dumps({"id": key, "title": title, "text": text}) for key, title, text in passages]
    (folder / "corpus.jsonl").write_text("\n".join(lines), encoding="utf-8")
    gold = ["heron", "yard", "hale", "osterby"]
    asked = {
        "id": "q",
        "question": QUESTION,
        "supporting_ids": gold,
        "type": "4hop",
        "decomposition": STEPS,
        "answer": "the Lune",
    }
    (folder / "questions.jsonl").write_text(json.dumps(asked), encoding="utf-8")
    return folder


def test_a_plan_that_puts_answers_in_finds_every_passage_and_one_search_does_not(tmp_path: Path) -> None:
    folder = question_set(tmp_path / "rivers")
    chosen = ("hybrid", "deep oracle", "chain oracle")
    found = asyncio.run(compared(read_set(folder), decompositions(folder), tmp_path / "data", chosen))
    once, deep, chain = found
    assert once.recall_5 < 100
    assert deep.recall_5 == chain.recall_5 == 100
    assert once.searches == 1
    assert deep.searches == chain.searches == 5
    assert "| chain oracle | 100.0 |" in table(found)
