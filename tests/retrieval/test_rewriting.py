"""A rewrite's recall: a path of its own with its own name, which the question's order takes in."""

from pathlib import Path

from leadline.embeddings.static import build
from leadline.ingest import add
from leadline.retrieval.base import Results, TermWeights
from leadline.retrieval.hybrid import HybridRetriever, RetrievalOptions
from leadline.retrieval.pooling import REWRITTEN, SUBORDINATE, Pool, base_scores
from leadline.run import Run
from leadline.store.lance import open_store
from leadline.testing.builders import document
from leadline.testing.running import go
from leadline.types import Collection, Query

STATIC = build()
REFUND = document("Customers get their money back within a month.", "refund.md", "Returns")
FERRY = document("The ferry crosses the bay twice a day.", "ferry.md", "Timetable")
USUAL = RetrievalOptions()
QUESTION = Query("reimbursement conditions")
WORDS = Query("money back", "expanded")
PASSAGE = Query("A customer who is not content gets his money back.", "hyde")


def searched(path: Path, *queries: Query, options: RetrievalOptions = USUAL) -> list[Results]:
    async def work() -> list[Results]:
        store = await open_store(path)
        await store.create(Collection("main", embedding=STATIC.name, dimension=STATIC.dimension))
        await add([REFUND, FERRY], "main", store, STATIC, Run())
        retriever = HybridRetriever(store, ("main",), STATIC, options)
        found = [await retriever.search(query, 10, Run()) for query in queries]
        await store.close()
        return found

    return go(work())


def test_other_words_find_by_all_paths_but_links_and_filters_under_their_own_name(tmp_path: Path) -> None:
    (found,) = searched(tmp_path, WORDS)
    assert found.hits[0].chunk.source == "refund.md"
    assert {one.path for one in found.hits[0].found} == {"expanded keyword", "expanded dense"}
    assert [path for path, _ in found.paths] == ["expanded dense", "expanded keyword"]


def test_a_passage_is_only_compared_by_its_vector(tmp_path: Path) -> None:
    (found,) = searched(tmp_path, PASSAGE)
    assert found.hits[0].chunk.source == "refund.md"
    assert found.hits[0].score == 1.0
    assert [one.path for one in found.hits[0].found] == ["hyde dense"]
    assert found.paths == (("hyde dense", 2),)
    assert found.hits[0].found[0].query == PASSAGE.text


def test_a_passage_finds_nothing_where_the_dense_path_is_off(tmp_path: Path) -> None:
    (found,) = searched(tmp_path, PASSAGE, options=RetrievalOptions(paths=frozenset({"keyword"})))
    assert found.hits == ()


def test_the_question_takes_in_what_other_words_found_below_its_own(tmp_path: Path) -> None:
    original, words = searched(
        tmp_path, QUESTION, WORDS, options=RetrievalOptions(paths=frozenset({"keyword"}))
    )
    assert original.hits == ()
    pool = Pool()
    pool.add(QUESTION, original.hits)
    (key,) = pool.add(WORDS, words.hits, scores=words.scores)
    assert pool.subs == {key: REWRITTEN * words.scores[key]}
    assert SUBORDINATE > REWRITTEN
    assert base_scores(QUESTION.text, pool, TermWeights())[key] == 1.0
