"""What a question asks to be worked out is read from its words, and who is compared from all the ways to part it."""

import time

import pytest

from leadline.computation import Quantity, Relation
from leadline.reasoning.comparing import comparison


@pytest.mark.parametrize(
    ("question", "quantity", "relation", "event", "subjects"),
    [
        ("Who is older, Ada Brandt or Ivo Hale?", "date", "least", "age", ("Ada Brandt", "Ivo Hale")),
        ("Who was born later: Ada Brandt or Ivo Hale?", "date", "most", "born", ("Ada Brandt", "Ivo Hale")),
        ("Who was born first out of Ada Brandt and Ivo Hale?", "date", "least", "born", ("Ada Brandt", "Ivo Hale")),
        ("Was Ada Brandt or Ivo Hale born first?", "date", "least", "born", ("Ada Brandt", "Ivo Hale")),
        ("Which of Marlow Light and Skerry Light was lit first?", "date", "least", "founded", ("Marlow Light", "Skerry Light")),
        ("Which film came out more recently, The Lamp or Fog?", "date", "most", "released", ("The Lamp", "Fog")),
        ("Which band was formed first The Keepers or Fog ?", "date", "least", "founded", ("The Keepers", "Fog")),
        ("Who lived longer, Ada Brandt or Ivo Hale?", "span", "most", "life", ("Ada Brandt", "Ivo Hale")),
        ("Was Marlow Light built before the Mirren Yard?", "date", "below", "founded", ("Marlow Light", "Mirren Yard")),
        ("Is Ada Brandt younger than Ivo Hale?", "date", "above", "age", ("Ada Brandt", "Ivo Hale")),
        ("Which ferry carries more passengers, the Sable Heron or the Grey Tern?", "number", "most", "", ("Sable Heron", "Grey Tern")),
        ("Which lighthouse is taller, Marlow Light or Skerry Light?", "number", "most", "", ("Marlow Light", "Skerry Light")),
        ("Which cost less, the Sable Heron or the Grey Tern?", "number", "least", "", ("Sable Heron", "Grey Tern")),
        ("How much taller is Marlow Light than Skerry Light?", "number", "difference", "", ("Marlow Light", "Skerry Light")),
        ("How many years older is Ada Brandt than Ivo Hale?", "date", "difference", "age", ("Ada Brandt", "Ivo Hale")),
        ("How many years after the Mirren Yard was Marlow Light built?", "date", "difference", "founded", ("Marlow Light", "Mirren Yard")),
        ("How many passengers do the Sable Heron and the Grey Tern carry together?", "number", "sum", "", ("Sable Heron", "Grey Tern")),
        ("How old was Ada Brandt when she died?", "span", "length", "life", ("Ada Brandt",)),
        ("Are both Marlow Light and Skerry Light located in the same country?", "country", "same", "", ("Marlow Light", "Skerry Light")),
        ("Were Marlow Light and the Mirren Yard built in the same year?", "date", "same", "founded", ("Marlow Light", "Mirren Yard")),
        ("哪座灯塔建成更早，红山灯塔还是白沙灯塔？", "date", "least", "founded", ("红山灯塔", "白沙灯塔")),
        ("红山灯塔比白沙灯塔早多少年建成？", "date", "difference", "founded", ("红山灯塔", "白沙灯塔")),
        ("李明和王强谁年纪更大？", "date", "least", "age", ("李明", "王强")),
        ("أيهما أقدم، فنار مارلو أم فنار سكيري؟", "date", "least", "age", ("فنار مارلو", "فنار سكيري")),
    ],
)  # fmt: skip
def test_a_comparison_is_read(
    question: str, quantity: Quantity, relation: Relation, event: str, subjects: tuple[str, ...]
) -> None:
    found = comparison(question)
    assert found is not None
    assert (found.quantity, found.relation, found.event) == (quantity, relation, event)
    assert subjects in found.readings


@pytest.mark.parametrize(
    "question",
    [
        "Who built Marlow Light?",
        "When was the first ferry launched?",
        "What came after the storm of 1953?",
        "Which film was released before the war?",
        "How many years did it take to build the yard?",
        "What is the difference between Osprey and Petrel in price?",
        "How many miles are there between Marlow and Sable Bay?",
        "当比分提高到24-10时，比赛还剩多少时间？",
        "谁建了灯塔？",
        "",
        "?",
    ],
)
def test_other_questions_ask_for_nothing_to_be_computed(question: str) -> None:
    assert comparison(question) is None


def test_a_name_may_hold_and_or_and_commas() -> None:
    found = comparison("Which film was released earlier, Fog or The Light And The Sea, Again?")
    assert found is not None
    assert ("Fog", "The Light And The Sea, Again") in found.readings


@pytest.mark.parametrize(
    ("question", "role"),
    [
        ("Which film has the director who died later, The Lamp or Fog?", "director"),
        ("Which film whose producer is older, The Lamp or Fog?", "producer"),
        ("Do both directors of films The Lamp and Fog share the same nationality?", "director"),
        ("Who is older, the author of The Lamp or the author of Fog?", "author"),
        ("Is the author of The Lamp older than the author of Fog?", "author"),
        ("Which film came out first, The Captain of Marlow or Fog?", ""),
    ],
)
def test_who_of_a_subject_is_compared(question: str, role: str) -> None:
    found = comparison(question)
    assert found is not None
    assert found.role == role
    assert any("Fog" in reading for reading in found.readings)


def test_each_of_two_may_have_its_own_event() -> None:
    for question in (
        "How many years lay between the birth of Ada Brandt and the opening of Marlow Light?",
        "How old was Ada Brandt when Marlow Light was opened?",
    ):
        found = comparison(question)
        assert found is not None
        assert (found.events, found.readings) == (("born", "founded"), (("Ada Brandt", "Marlow Light"),))


@pytest.mark.parametrize(
    "piece", ["a or ", "which first, ", "and, ", "how many years older is ", "is the same ", "比早多少和谁"]
)
def test_a_question_made_to_be_slow_is_not(piece: str) -> None:
    began = time.process_time()
    comparison(piece * 400)
    comparison("Which is older, " + piece * 400)
    assert time.process_time() - began < 1
