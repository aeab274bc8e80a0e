"""The same questions over another corpus, without titles, by halves, and over whole documents."""

import json
from pathlib import Path

import pytest

from leadline.errors import UsageError
from leadline.evaluation.cases import QuestionSet, read_set
from leadline.evaluation.variants import Variation, read_sets


def write(folder: Path, **files: list[dict[str, object]]) -> Path:
    folder.mkdir()
    for name, rows in files.items():
        lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return folder


def passage(key: str, title: str, text: str, **more: str) -> dict[str, object]:
    return {"id": key, "title": title, "text": text, **more}


def question(key: str, text: str, *supporting: str) -> dict[str, object]:
    return {"id": key, "question": text, "supporting_ids": list(supporting)}


@pytest.fixture
def english(tmp_path: Path) -> Path:
    return write(
        tmp_path / "english",
        corpus=[passage("1", "Quay", "The quay is long."), passage("2", "Mill", "The mill is old.")],
        questions=[question("q1", "How long is the quay?", "1"), question("q2", "How old is the mill?", "2")],
    )


@pytest.fixture
def german(tmp_path: Path) -> Path:
    return write(
        tmp_path / "german",
        corpus=[passage("1", "Mühle", "Die Mühle ist alt."), passage("3", "Mill", "The mill is old.")],
        questions=[question("q2", "Wie alt ist die Mühle?", "1"), question("q9", "Which mill?", "3", "1")],
    )


def texts(of: QuestionSet, case: int) -> list[str]:
    by_id = {one.id: one.text for one in of.passages}
    return [by_id[name] for name in of.cases[case].supporting]


def test_a_union_keeps_equal_passages_once_and_different_ones_of_one_id_apart(
    english: Path, german: Path
) -> None:
    first, second = read_sets([english, german], Variation(union=True))
    assert first.passages == second.passages
    assert [one.id for one in first.passages] == ["1", "2", "german/1"]
    assert (first.digest, first.corpus) == (second.digest, second.corpus)
    assert texts(first, 0) == ["The quay is long."]
    assert texts(second, 0) == ["Die Mühle ist alt."]
    assert texts(second, 1) == ["The mill is old.", "Die Mühle ist alt."]


def test_a_passage_written_a_little_differently_is_the_same_one_in_a_union(
    tmp_path: Path, english: Path
) -> None:
    twin = write(
        tmp_path / "twin",
        corpus=[passage("9", "old_mill", "The  mill is old."), passage("8", "The quay", "The quay is long.")],
        questions=[question("q3", "Old?", "9")],
    )
    named = write(
        tmp_path / "named",
        corpus=[passage("7", "Old mill", "The mill is old.")],
        questions=[question("q4", "Which?", "7")],
    )
    first, _, last = read_sets([twin, english, named], Variation(union=True))
    assert [one.id for one in first.passages] == ["9", "8", "1", "2"]
    assert last.cases[0].supporting == ("9",)


def test_near_duplicates_of_one_title_are_one_in_a_union_and_differing_numbers_are_not(
    tmp_path: Path,
) -> None:
    said = "The mill at Orle was built by the miller Anna Brandt and her two sons for the people of the valley in {}."
    one = write(
        tmp_path / "one",
        corpus=[passage("1", "Mill", said.format(1850))],
        questions=[question("q1", "Who built it?", "1")],
    )
    other = write(
        tmp_path / "other",
        corpus=[passage("8", "Mill", said.format(1850) + " (mill)"), passage("9", "Mill", said.format(1950))],
        questions=[question("q2", "Who built it?", "8"), question("q3", "When?", "9")],
    )
    first, last = read_sets([one, other], Variation(union=True))
    assert [each.id for each in first.passages] == ["1", "9"]
    assert [case.supporting for case in last.cases] == [("1",), ("9",)]


def test_untitled_blanks_the_titles_and_is_another_corpus(english: Path) -> None:
    (plain,) = read_sets([english], Variation())
    (blank,) = read_sets([english], Variation(untitled=True))
    assert [one.title for one in blank.passages] == ["", ""]
    assert blank.digest != plain.digest
    assert blank.name != plain.name


def test_the_halves_share_a_corpus_and_no_question(english: Path) -> None:
    (even,) = read_sets([english], Variation(half="even"))
    (odd,) = read_sets([english], Variation(half="odd"))
    assert [case.id for case in even.cases] == ["q1"]
    assert [case.id for case in odd.cases] == ["q2"]
    assert (even.corpus, even.digest) == (odd.corpus, odd.digest)


def test_questions_are_asked_of_another_languages_corpus(english: Path, german: Path, tmp_path: Path) -> None:
    (asked,) = read_sets([english], Variation(corpus=english))
    assert texts(asked, 1) == ["The mill is old."]
    only = write(
        tmp_path / "only",
        corpus=[passage("x", "", "Die Mühle ist alt.")],
        questions=[question("q2", "Wie alt ist die Mühle?", "x")],
    )
    (across,) = read_sets([only], Variation(corpus=english))
    assert across.cases[0].question == "Wie alt ist die Mühle?"
    assert texts(across, 0) == ["The mill is old."]
    with pytest.raises(UsageError, match="english has no question 'q9'"):
        read_sets([german], Variation(corpus=english))


def test_changes_that_exclude_each_other_are_refused(english: Path) -> None:
    for how in (Variation(union=True, corpus=english), Variation(union=True, whole=True)):
        with pytest.raises(UsageError, match=r"--union"):
            read_sets([english], how)


def test_a_passage_over_whole_documents_must_name_its_document(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "lost",
        corpus=[passage("p", "", "Text.")],
        docs=[passage("d", "", "# D\n\nText.")],
        questions=[question("q", "What?", "p")],
    )
    with pytest.raises(UsageError, match="passage 'p' names no document"):
        read_sets([folder], Variation(whole=True))


def test_the_tiny_set_reads_as_it_did(harbour: Path) -> None:
    assert read_sets([harbour], Variation()) == [read_set(harbour)]
