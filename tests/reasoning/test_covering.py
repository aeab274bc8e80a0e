"""What evidence covers of a question: by terms, by names, along a chain."""

import math

import pytest

from leadline.reasoning.covering import chain_coverage, missing, names_found, sought
from leadline.retrieval.base import TermWeights
from leadline.testing.builders import chunk, evidence
from leadline.types import Chunk, Evidence, Hit, Verdict

EVEN = TermWeights(
    dict.fromkeys("ferri osprey toll velden brandt ada hale ivo born older".split(), 1.0), chunks=99
)
TOLL = chunk("The toll is high.", "toll.md", title="Velden")
OSPREY = chunk("A boat.", "osprey.md", title="Osprey")


def led(child: Chunk, parent: Chunk) -> Evidence:
    return Evidence(Hit(child, 1.0, parent=parent.id, name="x"), Verdict(True, 1.0, ""))


def test_terms_of_one_chunk_count_by_their_share() -> None:
    seen = sought("ferry toll", TermWeights({"ferri": 3.0, "toll": 1.0}, chunks=9))
    assert seen.shares == {"ferri": 0.75, "toll": 0.25}
    assert chain_coverage(seen, [evidence(TOLL)]) == 0.25
    assert chain_coverage(seen, []) == 0.0


def test_one_han_character_is_held_by_every_text_with_a_pair_that_has_it() -> None:
    weights = TermWeights({"灯塔": 1.0}, chunks=9)
    tower = [evidence(chunk("灯塔建于一八八九年。", "tower.md", title="海港"))]
    assert chain_coverage(sought("塔？", weights), tower) == 1.0
    assert chain_coverage(sought("鱼", weights), tower) == 0.0
    assert chain_coverage(sought("谁在塔？", weights), tower) == 0.0


def test_terms_scattered_over_unconnected_chunks_do_not_add_up() -> None:
    seen = sought("toll boat", TermWeights({"toll": 1.0, "boat": 1.0}, chunks=9))
    assert chain_coverage(seen, [evidence(TOLL), evidence(OSPREY)]) == 0.5
    assert chain_coverage(seen, [led(TOLL, OSPREY), evidence(OSPREY)]) == 1.0


def test_a_question_about_two_names_needs_a_piece_for_each() -> None:
    seen = sought("Who is older, Ada Brandt or Ivo Hale?", EVEN)
    assert set(seen.names.values()) == {"Ada Brandt", "Ivo Hale"}
    ada = evidence(chunk("Ada Brandt is older.", "ada.md", title="T"))
    ivo = evidence(chunk("Ivo Hale sailed.", "ivo.md", title="T"))
    assert chain_coverage(seen, [ada]) == pytest.approx(3 / 5)
    assert chain_coverage(seen, [ada, ivo]) == pytest.approx(1.0)


def test_a_related_word_answers_to_the_questions_word() -> None:
    seen = sought("place of birth", TermWeights({"place": 1.0, "birth": 1.0}, chunks=9))
    assert seen.held(["born"]) == {"birth"}
    assert seen.held(["village"]) == set()


def test_names_found_weighs_names_by_rarity_and_absent_ones_fully() -> None:
    weights = TermWeights({"osprey": math.log(100) / 2, "velden": math.log(100)}, chunks=99)
    seen = sought("Did the Osprey and the Velden meet the Zanzibar?", weights)
    assert names_found(seen, [OSPREY, TOLL], weights) == pytest.approx((0.7 + 1.2) / (0.7 + 1.2 + 1.0))
    assert names_found(seen, [], weights) == 0.0
    assert names_found(sought("the ferry toll", weights), [], weights) == 1.0


def test_what_is_missing_is_written_as_in_the_question() -> None:
    seen = sought("What toll did Ada Brandt pay in 1953 for the Osprey as Cargo?", EVEN)
    assert missing(seen, [TOLL, OSPREY]) == ("Ada Brandt", "Cargo", "pay", "1953")
    assert missing(sought("ferry toll", EVEN), [chunk("ferry tolls")]) == ()
