"""Everything a run found, in one final order."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.retrieval.base import TermWeights
from leadline.retrieval.pooling import Pool, base_scores, rank, worths
from leadline.testing.builders import chunk, hit
from leadline.types import Lead, Query

PLAIN = TermWeights(chunks=1)
"""With one chunk every name is as rare as can be."""

QUESTION = "Who owns the Osprey?"
OSPREY = chunk("The Osprey was built by the Mirren Yard.", "osprey.md", title="Ferries")
YARD = chunk("It belongs to Ivo Hale.", "yard.md", title="Mirren Yard")
OTHER = chunk("Nothing of note.", "other.md", title="Quay")


def gap(*leads: Lead, text: str = "") -> Query:
    return Query(text or "; ".join(lead.name for lead in leads), "gap", 2, leads)


def ids(pool: Pool, question: str = QUESTION, weights: TermWeights = PLAIN, cover: bool = False) -> list[str]:
    return [found.chunk.id for found in rank(question, pool, weights, cover=cover)]


def scores(pool: Pool, question: str = QUESTION, weights: TermWeights = PLAIN) -> dict[str, float]:
    return {found.chunk.id: found.score for found in rank(question, pool, weights, cover=False)}


def test_a_chunk_found_twice_is_one_entry_with_both_findings() -> None:
    pool = Pool()
    assert pool.add(Query("a"), [hit(OSPREY, query="a"), hit(YARD, 0.5, query="a")]) == [OSPREY.id, YARD.id]
    assert pool.add(Query("b", "sub"), [hit(YARD, 0.9, query="b"), hit(OTHER, query="b")]) == [OTHER.id]
    assert [found.query for found in pool.hits[YARD.id].found] == ["a", "b"]
    assert pool.add(Query("a"), [hit(YARD, 0.5, query="a")]) == []
    assert len(pool.hits[YARD.id].found) == 2


def test_the_original_query_keeps_its_scores_and_the_best_is_1() -> None:
    pool = Pool()
    pool.add(Query(QUESTION), [hit(YARD, 0.8), hit(OTHER, 0.2)])
    assert base_scores(QUESTION, pool, PLAIN) == {YARD.id: 1.0, OTHER.id: 0.25}


def test_a_sub_query_counts_nearly_as_much_and_about_a_name_only_for_its_own_page() -> None:
    pool = Pool()
    pool.add(Query(QUESTION), [hit(OTHER, 1.0)])
    pool.add(Query("owner", "sub"), [hit(OSPREY, 0.8)])
    pool.add(
        Query("Mirren Yard owner", "sub", leads=(Lead("Mirren Yard"),)), [hit(OSPREY, 1.0), hit(YARD, 1.0)]
    )
    found = base_scores(QUESTION, pool, PLAIN)
    assert found == {OTHER.id: 1.0, OSPREY.id: pytest.approx(0.95 * 0.8), YARD.id: 0.95}


def test_a_clause_that_asks_little_counts_less_than_the_part_that_asks() -> None:
    asked = "According to the report, when did Ivo Hale buy the Osprey?"
    clause, part = Query("According to the report", "sub"), Query("when did Ivo Hale buy the Osprey?", "sub")
    rare = dict.fromkeys(("ivo", "hale", "buy", "osprey"), 2.0)
    weights = TermWeights({**rare, "accord": 1.0, "report": 1.0}, chunks=9)
    counted = worths(asked, (Query(asked), clause, part), weights)
    assert counted == {clause.text: pytest.approx((1 + 1) / (8 / 2)), part.text: 1.0}
    even = TermWeights(dict.fromkeys((*rare, "accord", "report"), 1.0), chunks=9)
    assert worths(asked, (clause, part), even)[clause.text] == 1.0
    pool = Pool()
    pool.add(part, [hit(OSPREY, 0.8)], worth=counted[part.text])
    pool.add(clause, [hit(OTHER, 1.0)], worth=counted[clause.text])
    assert pool.subs == {OSPREY.id: 0.8, OTHER.id: 0.5}


def test_what_is_about_a_name_or_has_words_of_its_own_is_no_mere_clause() -> None:
    asked = "Are the Osprey and the Petrel both ferries of Velden that were built at the Mirren Yard?"
    named = Query("Petrel", "sub", leads=(Lead("Petrel"),))
    free = Query("ferry builder", "sub")
    large = Query("ferries of Velden that were built at the Mirren Yard", "sub")
    assert worths(asked, (named, free, large, Query("Petrel", "follow")), PLAIN) == {large.text: 1.0}
    assert worths(asked, (named,), PLAIN) == {}
    assert worths("", (Query("", "sub"),), PLAIN) == {"": 0.0}


def test_a_document_in_which_the_question_finds_much_comes_first_where_that_is_asked_for() -> None:
    page = [chunk(f"Of the ferry, {n}.", "page.md", ordinal=n) for n in range(4)]
    pool = Pool()
    pool.add(Query(QUESTION), [hit(OTHER, 1.0), *(hit(piece, 0.8) for piece in page)])
    pool.add(Query("the quay", "sub"), [hit(YARD, 1.0)])
    assert ids(pool)[:2] == [OTHER.id, YARD.id]
    ordered = rank(QUESTION, pool, PLAIN, cover=False, by_document=True)
    assert [found.chunk.source for found in ordered] == [*["page.md"] * 4, "other.md", "yard.md"]
    assert ordered[0].score == 1.0
    assert ordered[-1].score == pytest.approx(0.95 / (0.8 + 0.3))
    assert rank(QUESTION, Pool(), PLAIN, by_document=True) == []


def test_a_title_that_stands_in_the_question_gets_a_bonus_where_the_search_gave_none() -> None:
    asked = "Who owns the Mirren Yard?"
    weights = TermWeights({"mirren": 0.5, "yard": 0.5}, chunks=99)
    scored = Pool()
    scored.add(Query(asked), [hit(OTHER, 1.0), hit(YARD, 0.9)])
    assert base_scores(asked, scored, weights) == {OTHER.id: 1.0, YARD.id: 0.9}
    unscored = Pool()
    unscored.add(Query(asked), [hit(OTHER, 1.0)])
    unscored.add(gap(Lead("Mirren Yard")), [hit(YARD, 0.9)])
    share = 0.5 / math.log(100)
    total = base_scores(asked, unscored, weights)
    assert total[YARD.id] / total[OTHER.id] == pytest.approx(1.0 + 0.15 * share**2)


def test_a_linked_chunk_rises_to_just_below_the_one_that_names_it() -> None:
    pool = Pool()
    pool.add(Query(QUESTION), [hit(OSPREY, 1.0), hit(OTHER, 0.5)])
    pool.add(gap(Lead("Mirren Yard", OSPREY.id)), [hit(YARD, 0.1)])
    ranked = rank(QUESTION, pool, PLAIN, cover=False)
    assert [(found.chunk.id, found.score) for found in ranked] == [
        (OSPREY.id, 1.0),
        (YARD.id, pytest.approx(0.95)),
        (OTHER.id, 0.5),
    ]
    assert (ranked[1].parent, ranked[1].name) == (OSPREY.id, "Mirren Yard")
    assert (ranked[0].parent, ranked[2].name) == ("", "")


def test_a_name_that_hardly_raised_a_chunk_is_not_said_to_have_led_to_it() -> None:
    pool = Pool()
    pool.add(Query(QUESTION), [hit(OSPREY, 1.0), hit(YARD, 0.9)])
    pool.add(gap(Lead("Mirren Yard", OSPREY.id)), [hit(YARD, 0.1)])
    second = rank(QUESTION, pool, PLAIN, cover=False)[1]
    assert (second.chunk.id, second.score, second.name) == (YARD.id, pytest.approx(0.95), "")


def test_each_further_linked_chunk_gets_a_lower_ceiling() -> None:
    pool = Pool()
    names = ["Alder Hall", "Birch Hall", "Cedar Hall"]
    pages = [chunk("A house.", f"{name}.md", title=name) for name in names]
    parent = chunk("See Alder Hall, Birch Hall, Cedar Hall.", "list.md", title="Houses")
    pool.add(Query(QUESTION), [hit(parent, 1.0)])
    pool.add(gap(*(Lead(name, parent.id) for name in names)), [hit(page, 0.1) for page in pages])
    assert sorted(scores(pool).values()) == pytest.approx([0.85, 0.90, 0.95, 1.0])


def test_a_link_needs_its_parent_in_the_pool_and_a_chunk_that_holds_the_name() -> None:
    pool = Pool()
    pool.add(Query(QUESTION), [hit(OSPREY, 1.0)])
    pool.add(gap(Lead("Mirren Yard", "gone")), [hit(YARD, 0.1)])
    pool.add(gap(Lead("Mirren Yard", OSPREY.id)), [hit(OTHER, 0.9)])
    assert scores(pool) == {OSPREY.id: 1.0, YARD.id: 0.0, OTHER.id: 0.0}


def test_a_chunk_does_not_lead_to_itself() -> None:
    pool = Pool()
    pool.add(Query(QUESTION), [hit(OSPREY, 0.5), hit(OTHER, 1.0)])
    pool.add(gap(Lead("Mirren Yard", OSPREY.id)), [hit(OSPREY, 1.0)])
    assert pool.led == []
    assert scores(pool)[OSPREY.id] == 0.5


def test_the_rarer_name_leads_further() -> None:
    weights = TermWeights({"rare": math.log(100), "common": math.log(100) / 2, "hall": 0.01}, chunks=99)
    parent = chunk("x", "list.md", title="Houses")
    rare, common = (chunk("y", f"{name}.md", title=f"{name} Hall") for name in ("Rare", "Common"))
    pool = Pool()
    pool.add(Query(QUESTION), [hit(parent, 1.0)])
    leads = (Lead("Common Hall", parent.id), Lead("Rare Hall", parent.id))
    pool.add(gap(*leads), [hit(common, 0.1), hit(rare, 0.1)])
    assert scores(pool, weights=weights) == {
        parent.id: 1.0,
        rare.id: pytest.approx(0.95),
        common.id: pytest.approx(0.25),
    }


def test_the_first_ten_are_chosen_for_what_they_add() -> None:
    question = "osprey petrel"
    same = [chunk("An osprey.", f"{n}.md", title="Ferry") for n in range(2)]
    petrel = chunk("A petrel.", "petrel.md", title="Ferry")
    pool = Pool()
    pool.add(Query(question), [hit(same[0], 1.0), hit(same[1], 0.8), hit(petrel, 0.6)])
    weights = TermWeights({"osprey": 1.0, "petrel": 1.0}, length=4.0, chunks=3)
    plain = [same[0].id, same[1].id, petrel.id]
    assert ids(pool, question, weights, cover=False) == plain
    assert ids(pool, question, weights, cover=True) == [same[0].id, petrel.id, same[1].id]


def test_an_empty_pool_ranks_to_nothing() -> None:
    assert rank(QUESTION, Pool(), PLAIN) == []


def test_equal_scores_are_ordered_by_id() -> None:
    pieces = [chunk("x", f"{n}.md", title="T") for n in range(6)]
    pool = Pool()
    pool.add(Query(QUESTION), [hit(piece, 1.0) for piece in pieces])
    assert ids(pool) == sorted(piece.id for piece in pieces)


PIECES = [
    chunk(f"Here stands {a} Hall near {b} Hall.", f"{a}.md", title=f"{a} Hall")
    for a, b in zip("ABCDEF", "BCDEFA", strict=True)
]


@st.composite
def pools(draw: st.DrawFn) -> Pool:
    pool = Pool()
    pool.add(Query(QUESTION), [hit(piece, draw(st.floats(0, 1))) for piece in PIECES[:3]])
    for _ in range(draw(st.integers(0, 4))):
        parent, child = draw(st.sampled_from(PIECES)), draw(st.sampled_from(PIECES))
        pool.add(gap(Lead(child.title, parent.id)), [hit(child, draw(st.floats(0, 1)))])
    return pool


@given(pools())
def test_no_chunk_passes_the_one_that_led_to_it(pool: Pool) -> None:
    base = base_scores(QUESTION, pool, PLAIN)
    ranked = {found.chunk.id: found for found in rank(QUESTION, pool, PLAIN)}
    assert ranked.keys() == pool.hits.keys()
    for found in ranked.values():
        assert found.score >= base[found.chunk.id]
        if found.parent:
            assert found.score <= 0.95 * base[found.parent] + 1e-9
