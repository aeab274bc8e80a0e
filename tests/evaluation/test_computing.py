"""Comparisons over real passages: most are worked out, few wrongly, given the passages that state the values."""

from pathlib import Path

from leadline.evaluation.answer_metrics import exact_match
from leadline.evaluation.cases import Case, CorpusPassage, read_set
from leadline.evaluation.indexing import as_document
from leadline.reasoning.base import Passage
from leadline.reasoning.computing import computed
from leadline.testing.builders import chunk, evidence


def given(case: Case, known: dict[str, CorpusPassage], others: list[CorpusPassage]) -> list[Passage]:
    pieces = [as_document(one) for one in [*(known[name] for name in case.supporting), *others]]
    found = [evidence(chunk(one.text, one.source, title=one.title)) for one in pieces]
    return [Passage(one.chunk.document_id, 0, one.chunk.text, (one,), 1.0) for one in found]


def test_most_comparisons_are_worked_out_where_the_values_are_there(large_sets: Path) -> None:
    questions = read_set(large_sets / "2wikimultihopqa")
    known = {one.id: one for one in questions.passages}
    others = list(questions.passages[100:3000:500])
    cases = [case for case in questions.cases[1::2] if "comparison" in case.type]
    claims = [(case, computed(case.question, given(case, known, others))) for case in cases]
    results = [(case, claim.computation.result) for case, claim in claims if claim and claim.computation]
    right = sum(exact_match(result, [case.answer]) for case, result in results)
    assert right >= 0.85 * len(cases)
    assert len(results) - right <= 0.05 * len(cases)
