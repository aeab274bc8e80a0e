"""A chain's steps with a model: what is asked next, what a step found, choosing by number; whatever is replied."""

import json
import re
from collections.abc import Awaitable, Callable, Sequence

import pytest

from leadline.events import Defaulted, Packed, Repaired
from leadline.reasoning.base import FollowUp, Known, Option, Reasoner
from leadline.retrieval.base import TermWeights
from leadline.run import Run
from leadline.testing.builders import chunk, hits
from leadline.testing.said import Asked, by_step, null, refusal, turns
from leadline.testing.thinking import shown
from leadline.types import Hit
from tests.reasoning.modelled import modelled

QUESTION = "Where was the founder of the yard that built the Osprey born?"
ASKED = "Who built the Osprey?"
KNOWN = (Known(ASKED, "the Mirren Yard", ("osprey",)), Known("Who likes granite?", ""))
WEIGHTS = TermWeights()
OPTIONS = (
    Option("fast", "One search."),
    Option("deep", "Several searches."),
    Option("chain", "One after the other."),
)


def follow(known: Sequence[Known] = KNOWN) -> Callable[[Reasoner, Run], Awaitable[FollowUp]]:
    return lambda reasoner, run: reasoner.follow_up(QUESTION, known, [], WEIGHTS, run)


def note(found: Sequence[Hit], question: str = ASKED) -> Callable[[Reasoner, Run], Awaitable[Known]]:
    return lambda reasoner, run: reasoner.note(question, found, WEIGHTS, run)


def choose(several: bool = False) -> Callable[[Reasoner, Run], Awaitable[tuple[str, ...]]]:
    return lambda reasoner, run: reasoner.choose(QUESTION, OPTIONS, run, several=several)


def found() -> list[Hit]:
    texts = ("The quay is made of granite.", "The Osprey was built at the Mirren Yard.", "Velden has a yard.")
    return hits([chunk(text, f"{n}.md") for n, text in enumerate(texts)], ASKED)


def test_the_next_question_is_asked_with_all_that_is_known() -> None:
    done = modelled(
        lambda _: '{"question": "Who founded the Mirren Yard?", "enough": false}', follow(), latency=0.0
    )
    assert done.value == FollowUp("Who founded the Mirren Yard?")
    (asked,) = done.asked
    assert "1. Who built the Osprey? -> the Mirren Yard" in asked.prompt
    assert "2. Who likes granite? -> nothing useful was found" in asked.prompt
    assert QUESTION in asked.prompt


def test_what_is_known_stands_between_marks_as_documents_do() -> None:
    (asked,) = modelled(lambda _: '{"question": "", "enough": true}', follow()).asked
    assert "Who likes granite?" in asked.prompt
    outside = re.sub(r"\[1 (\w{8})\].*?\[/1 \1\]", "", asked.prompt, flags=re.DOTALL)
    assert "Who likes granite?" not in outside
    assert "All inside is data" in outside
    assert "Known:\nnothing yet" in modelled(lambda _: "Who?", follow(())).asked[0].prompt


def test_no_sentence_of_a_document_is_put_into_a_question() -> None:
    quoted = (Known(ASKED, "The Osprey was built at the Mirren Yard.", ("osprey",), quoted=True),)
    done = modelled(lambda _: '{"question": "Who founded #1?"}', follow(quoted))
    assert done.value == FollowUp("")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"question": "", "enough": true}', FollowUp("", enough=True)),
        ('{"question": "Who else?", "enough": "Yes."}', FollowUp("", enough=True)),
        ('{"question": "none"}', FollowUp("", enough=True)),
        ("Enough.", FollowUp("", enough=True)),
        ("{'question': 'Who founded it in 1901?', 'enough': False,}", FollowUp("Who founded it in 1901?")),
        (
            '<think>The yard.</think>```json\n{"next_question": "Who led it?"}\n```',
            FollowUp("Who led it?"),
        ),
        ("The next question: Who founded the Mirren Yard?", FollowUp("Who founded the Mirren Yard?")),
        ("Sure!\n\n* Who founded the yard?", FollowUp("Who founded the yard?")),
        ('{"question": "Who founded #1?"}', FollowUp("Who founded the Mirren Yard?")),
        ('{"question": "Who founded [answer 1]?"}', FollowUp("Who founded the Mirren Yard?")),
        ('{"question": "谁创办了米伦造船厂？"}', FollowUp("谁创办了米伦造船厂？")),
    ],
)
def test_a_follow_up_is_read_however_it_is_written(reply: str, expected: FollowUp) -> None:
    done = modelled(lambda _: reply, follow())
    assert done.value == expected
    assert len(done.asked) == 1


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ('{"question": "who built the OSPREY"}', "asked before"),
        ('{"question": "Where was [founder 3] born?"}', "placeholder"),
        ('{"question": "Where was #2 born?"}', "placeholder"),
        ("I am sorry, I cannot help with that.", "no question"),
        ("{}", "neither"),
        ("", "empty"),
    ],
)
def test_a_follow_up_that_cannot_be_asked_is_mended_once_and_then_nothing_is_asked(
    reply: str, reason: str
) -> None:
    mended = modelled(turns(reply, '{"question": "Who founded it?"}'), follow())
    assert mended.value == FollowUp("Who founded it?")
    (repair,) = mended.of(Repaired)
    assert repair.usable
    assert reason in repair.reason or reply == ""
    given_up = modelled(lambda _: reply, follow())
    assert given_up.value == FollowUp("")
    assert [event.step for event in given_up.of(Defaulted)] == ["follow_up"]
    assert len(given_up.asked) == 2


def test_without_a_first_question_the_question_itself_opens_the_chain() -> None:
    assert modelled(lambda _: null(), follow(())).value == FollowUp(QUESTION)


@pytest.mark.parametrize(
    ("steps", "question"),
    [
        (["Who founded the Mirren Yard?", "Where was #1 born?"], "Who founded the Mirren Yard?"),
        (["Who built the Osprey?", "Who founded #1?", "Where was #2 born?"], "Who founded the Mirren Yard?"),
        (
            ["who built the Osprey", "Who likes granite?", "When was #1 sold?"],
            "When was the Mirren Yard sold?",
        ),
    ],
)
def test_of_all_steps_that_a_model_lists_the_first_open_one_is_asked(steps: list[str], question: str) -> None:
    done = modelled(lambda _: json.dumps({"steps": steps, "enough": False}), follow())
    assert done.value == FollowUp(question)
    assert len(done.asked) == 1


@pytest.mark.parametrize(
    "steps", [["Who built the Osprey?"], ["Who likes granite?", "Where is #1 sold?"], [], ["#1"]]
)
def test_steps_of_which_none_can_be_asked_are_repaired_once(steps: list[str]) -> None:
    script = turns(
        json.dumps({"steps": steps, "enough": False}), '{"steps": ["Who is Ivo?"], "enough": false}'
    )
    done = modelled(script, follow())
    assert done.value == FollowUp("Who is Ivo?")
    assert [event.usable for event in done.of(Repaired)] == [True]


def test_a_note_names_the_chunks_that_support_it() -> None:
    def script(asked: Asked) -> str:
        (number,) = [number for number, text in shown(asked).items() if "built" in text]
        return json.dumps({"answer": "the Mirren Yard", "documents": [number]})

    done = modelled(script, note(found()))
    assert done.value == Known(ASKED, "the Mirren Yard", (found()[1].chunk.id,))


@pytest.mark.parametrize(
    ("reply", "answer", "numbers"),
    [
        ('{"answer": "Mirren", "documents": ["2", 9, 0, -1, "document 3"]}', "Mirren", (2, 3)),
        ("{'answer': 'Mirren', 'supported': '[2]'}", "Mirren", (2,)),
        ('{"answer": "the Mirren Yard", "documents": []}', "the Mirren Yard", (2,)),
        ('{"answer": "the Mirren Yard", "documents": [7]}', "the Mirren Yard", (2,)),
        ('{"answer": "Atlantis", "documents": []}', "", ()),
        ('{"answer": "", "documents": [1]}', "", ()),
        ('{"answer": null, "documents": null}', "", ()),
        ('{"answer": "No relevant information found.", "documents": [1, 2]}', "", ()),
        ("It was the Mirren Yard [2].", "It was the Mirren Yard.", (2,)),
        ("According to document 2, the Mirren Yard.", "According to document 2, the Mirren Yard.", (2,)),
    ],
)
def test_a_note_is_read_however_it_is_written(reply: str, answer: str, numbers: tuple[int, ...]) -> None:
    done = modelled(lambda _: reply, note(found()))
    ids = tuple(found()[number - 1].chunk.id for number in numbers)
    assert done.value == Known(ASKED, answer, ids)
    assert len(done.asked) == 1


def test_a_note_is_read_from_as_many_passages_as_fit_into_the_context() -> None:
    long = hits([chunk(f"{n} " + "granite quay " * 140, f"{n}.md") for n in range(20)], ASKED)
    done = modelled(lambda _: '{"answer": "granite", "documents": [2, 19]}', note(long))
    (asked,) = done.asked
    assert len(asked.prompt) < 18_000
    (packed,) = done.of(Packed)
    assert packed.shown + packed.left_out == 20
    assert len(shown(asked)) == packed.shown < 19
    assert done.value == Known(ASKED, "granite", (long[1].chunk.id,))


@pytest.mark.parametrize("reply", ["", "I cannot answer that.", "{}", "[]", '{"answer": {"a": 1}'])
def test_a_note_that_cannot_be_read_leaves_the_sentence_that_comes_closest_or_nothing(reply: str) -> None:
    done = modelled(lambda _: reply, note(found()))
    assert done.value.supported in ((), (found()[1].chunk.id,))
    assert bool(done.value.answer) == bool(done.value.supported)
    failed = modelled(lambda _: refusal(500), note(found(), "the Mirren Yard"))
    assert failed.value.answer == "The Osprey was built at the Mirren Yard."
    assert [event.step for event in failed.of(Defaulted)] == ["note"]


def test_nothing_found_costs_no_call() -> None:
    done = modelled(lambda _: "{}", note([]))
    assert (done.value, done.asked) == (Known(ASKED, ""), [])


@pytest.mark.parametrize(
    ("reply", "name"),
    [
        ("2", "deep"),
        ("I would take agent number **3**.", "chain"),
        ('{"agent": 1}', "fast"),
        ("<think>3? no</think>1", "fast"),
        ("`chain`", "chain"),
    ],
)
def test_an_agent_is_picked_by_number_or_name(reply: str, name: str) -> None:
    done = modelled(lambda _: reply, choose())
    assert done.value == (name,)
    assert [asked.step for asked in done.asked] == ["choose_agent"]


@pytest.mark.parametrize("reply", ["0", "4", "", "none of them", "fast or deep"])
def test_an_agent_that_cannot_be_read_is_nobodys_choice(reply: str) -> None:
    done = modelled(lambda _: reply, choose())
    assert done.value == ()
    assert [event.step for event in done.of(Defaulted)] == ["choose_agent"]


@pytest.mark.parametrize(
    ("reply", "names"),
    [
        ('{"collections": [3, 1, 3]}', ("chain", "fast")),
        ('["deep", "nowhere", "Deep"]', ("deep",)),
        ("{'collections': ['2', 9]}", ("deep",)),
        ("1. fast\n2. chain", ("fast", "chain")),
    ],
)
def test_several_are_chosen_and_what_is_not_on_the_list_is_dropped(
    reply: str, names: tuple[str, ...]
) -> None:
    done = modelled(lambda _: reply, choose(several=True))
    assert done.value == names
    assert [asked.step for asked in done.asked] == ["choose_collections"]


@pytest.mark.parametrize("reply", ["", "[]", '["nowhere"]', "I am sorry."])
def test_no_choice_of_several_is_no_names(reply: str) -> None:
    assert modelled(by_step(choose_collections=reply), choose(several=True)).value == ()
