"""A passage of a long document is found when the chunks so far hold most of it."""

import math
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from leadline.errors import UsageError
from leadline.evaluation.cases import Case, CorpusPassage, QuestionSet
from leadline.evaluation.experiment import EvalOptions, evaluate_retrieval
from leadline.evaluation.figures import Figures
from leadline.evaluation.judging import Judge
from leadline.evaluation.setup import Setup
from leadline.evaluation.variants import Variation
from leadline.evaluation.whole import as_whole_document, gold_of
from leadline.testing.running import go
from tests.evaluation.test_variants import passage, question, write

Opening = Callable[[], AbstractAsyncContextManager[Setup]]

TEXT = """# Tides

Before noon the water  falls.

| port | height |
| --- | --- |
| Corin | 4,10 |
| Sarn | 3,80 |

After noon the water rises.
"""
DOCUMENT = CorpusPassage("d", "Tides", TEXT)


def gold(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The located text, and its span."""
    document = as_whole_document(DOCUMENT)
    found = gold_of(CorpusPassage("p", "", text, "d"), document)
    located = "".join(document.text[offset] for offset in found.offsets)
    return located, [(int(found.offsets[0]), int(found.offsets[-1]) + 1)]


def test_white_space_and_width_do_not_matter() -> None:
    located, _ = gold("Before noon\u00a0the water falls.\nAfter noon the water ｒises.")
    assert located == "Beforenoonthewaterfalls.Afternoonthewaterrises."


def test_a_line_that_occurs_twice_is_the_one_beside_the_rest() -> None:
    document = as_whole_document(
        CorpusPassage("d", "", "Yes.\n\nThe first part.\n\nYes.\n\nThe second, longer part.")
    )
    found = gold_of(CorpusPassage("p", "", "Yes.\nThe second, longer part.", "d"), document)
    assert int(found.offsets[0]) == document.text.rindex("Yes.")


def test_a_passage_that_is_not_there_is_an_error() -> None:
    with pytest.raises(UsageError, match="passage 'p' does not stand in 'd'"):
        gold("Something else altogether.")


def test_chunks_cover_a_passage_together() -> None:
    found = gold_of(
        CorpusPassage("p", "", "0123456789", "d"), as_whole_document(CorpusPassage("d", "", "x 0123456789 y"))
    )
    assert found.place([("d", 2, 8)]) == 1
    assert found.place([("d", 2, 7), ("other", 0, 99), ("d", 6, 9)]) == 3
    assert found.place([("d", 2, 7), ("other", 0, 99)]) == math.inf


def test_one_chunk_may_find_two_passages() -> None:
    first, second = "Before noon the water falls.", "After noon the water rises."
    passages = (CorpusPassage("1", "", first, "d"), CorpusPassage("2", "", second, "d"))
    questions = QuestionSet("tides", passages, (Case("q", "?", supporting=("1", "2")),), whole=(DOCUMENT,))
    row = {"spans": [["other", 0, 9], ["d", 0, len(TEXT)]]}
    assert list(Judge.of(questions).places(questions.cases[0], row)) == [2, 2]


def test_long_documents_are_split_as_a_load_splits_them(opening: Opening, tmp_path: Path) -> None:
    filler = "\n\n".join(
        f"Paragraph {number} speaks of ropes, barrels and the price of tar." * 6 for number in range(12)
    )
    long = f"# Log of Corin\n\n{filler}\n\n## Lamp\n\nThe lamp was made by Ada Merrow.\n\n## End\n\n{filler}"
    folder = write(
        tmp_path / "logs",
        docs=[
            passage("log", "Log of Corin", long),
            passage("ada", "Ada Merrow", "Ada Merrow was born in Velden."),
        ],
        corpus=[
            passage("p1", "", "The lamp was made by Ada Merrow.", doc_id="log"),
            passage("p2", "", "Ada Merrow was born in Velden.", doc_id="ada"),
        ],
        questions=[question("q", "Where was the maker of the lamp of Corin born?", "p1", "p2")],
    )
    how = EvalOptions(tmp_path / "data" / "evaluation", variation=Variation(whole=True))

    async def work() -> list[Figures]:
        async with opening() as setup:
            found = await evaluate_retrieval([folder], ["linked"], how, setup)
            (collection,) = await setup.store.collections()
            assert collection.documents == 2
            assert collection.chunks > 10
            return found

    (found,) = go(work())
    assert (found.set_name, found.recall[5]) == ("logs whole", 1)
