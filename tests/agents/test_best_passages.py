"""Which passages a round reads: each document's best, each query in its turn, and what stands beside."""

from leadline.agents.best_passages import PER_DOCUMENT, PER_QUERY, PER_ROUND, TOGETHER, best_passages
from leadline.testing.builders import chunk, hit
from leadline.types import Hit, Query

WHOLE, CLAUSE = Query("when was the crane cast?"), Query("according to the harbour's report", "sub")


def parts(source: str, count: int, length: int = TOGETHER) -> list[Hit]:
    """So many passages of a document, too long to go together, best first."""
    return [hit(chunk("x" * length, source, ordinal=n), 1 - n / 100) for n in range(count)]


def every(*lists: list[Hit]) -> set[str]:
    return {one.chunk.id for each in lists for one in each}


def places(read: list[Hit]) -> list[tuple[str, int]]:
    return [(one.chunk.source, one.chunk.ordinal) for one in read]


def test_the_best_of_each_document_are_read_document_by_document() -> None:
    a, b = parts("a.md", 9), parts("b.md", 9)
    read = best_passages([(WHOLE, a), (Query("y"), b)], every(a, b))
    assert [one.chunk.source for one in read] == ["a.md"] * PER_DOCUMENT + ["b.md"] * PER_DOCUMENT
    assert best_passages([(WHOLE, a)], {a[3].chunk.id}) == [a[3]]


def test_of_more_documents_than_fit_each_has_its_turn_and_no_round_reads_more() -> None:
    pages = [parts(f"{n}.md", 3) for n in range(PER_ROUND - 2)]
    lists = [(Query(str(n)), [one for page in pages[n::9] for one in page][:PER_QUERY]) for n in range(9)]
    read = best_passages(lists, every(*pages))
    assert len(read) == PER_ROUND
    assert {one.chunk.source for one in read} == {one.chunk.source for _, hits in lists for one in hits}
    firsts = [parts(f"{n}.md", 1)[0] for n in range(9 * PER_QUERY)]
    lists = [(Query(str(n)), firsts[n::9]) for n in range(9)]
    assert [one.chunk.source for one in best_passages(lists, every(firsts))] == [
        f"{n}.md" for n in range(PER_ROUND)
    ]


def test_a_clause_does_not_take_the_place_of_what_the_question_finds_in_a_document() -> None:
    page = parts("page.md", 9)
    found = [(WHOLE, page[4:7]), (CLAUSE, page[:4])]
    assert places(best_passages(found, every(page))) == [("page.md", n) for n in (0, 1, 2, 3)]
    read = best_passages(found, every(page), {CLAUSE.text: 0.2})
    assert places(read) == [("page.md", n) for n in (4, 5, 6, 0)]


def test_a_clause_has_a_smaller_share_of_what_is_read() -> None:
    pages = [parts(f"{n}.md", 1)[0] for n in range(PER_QUERY)]
    read = best_passages([(CLAUSE, pages)], every(pages), {CLAUSE.text: 0.25})
    assert read == pages[: PER_QUERY // 4]
    assert best_passages([(CLAUSE, pages)], every(pages), {CLAUSE.text: 0.0}) == []


def test_what_stands_beside_a_short_best_passage_is_read_too() -> None:
    page = [hit(chunk("x" * (TOGETHER // 2), "page.md", ordinal=n), 1 / (1 + abs(n - 9))) for n in range(12)]
    ranked = [page[9], *(page[n] for n in (0, 2, 4, 6, 8, 10, 11))]
    read = places(best_passages([(WHOLE, ranked)], every(page)))
    assert read == [("page.md", n) for n in (9, 0, 2, 4, 8, 10)]
    missing = [one for one in ranked if one.chunk.ordinal != 8]
    assert ("page.md", 8) not in places(best_passages([(WHOLE, missing)], every(page)))


def test_what_stands_beside_a_long_best_passage_is_not_read_for_that() -> None:
    page = parts("page.md", 12, TOGETHER // 2 + 1)
    ranked = [page[9], *(page[n] for n in (0, 2, 4, 6, 8, 10))]
    assert places(best_passages([(WHOLE, ranked)], every(page))) == [("page.md", n) for n in (9, 0, 2, 4)]


def test_nothing_stands_beside_where_the_round_is_full() -> None:
    full = [parts(f"{n}.md", PER_DOCUMENT, TOGETHER // 4) for n in range(PER_ROUND // PER_DOCUMENT)]
    beside = [hit(chunk("y", f"{n}.md", ordinal=PER_DOCUMENT)) for n in range(len(full))]
    lists = [(Query(str(n)), [*hits[::-1], beside[n]]) for n, hits in enumerate(full)]
    read = best_passages(lists, every(*full, beside))
    assert len(read) == PER_ROUND
    assert not [one for one in read if one in beside]
