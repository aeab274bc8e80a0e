"""Rewriting with a model: both steps at once, what a reply may look like, and who shares a kept one."""

from pathlib import Path

import pytest

from leadline.config import Settings
from leadline.events import Called, Defaulted, Event
from leadline.models import Models
from leadline.reasoning.base import Reasoner
from leadline.retrieval.base import TermWeights
from leadline.run import Budget, Run
from leadline.testing.model_server import MODEL, ModelServer
from leadline.testing.running import go
from leadline.testing.said import Asked
from leadline.types import Query
from tests.reasoning.modelled import modelled

QUESTION = "Who founded the Mirren Yard, and when?"
PASSAGE = "The Mirren Yard was founded by two brothers in 1871."
WEIGHTS = TermWeights()


async def rewrite(reasoner: Reasoner, run: Run) -> tuple[Query, ...]:
    return await reasoner.rewrite(QUESTION, WEIGHTS, run)


async def simply(reasoner: Reasoner, run: Run) -> tuple[Query, ...]:
    return await reasoner.rewrite(QUESTION, WEIGHTS, run, simple=True)


def says(*, expand: str = '{"queries": []}', hyde: str = PASSAGE) -> dict[str, str]:
    return {"expand": expand, "hyde": hyde}


def test_other_words_and_a_passage_are_asked_for_at_once() -> None:
    replies = says(expand='{"queries": ["founder of the Mirren Yard", "establishment of the Mirren Yard"]}')
    done = modelled(lambda asked: replies[asked.step], rewrite, latency=0.1)
    assert done.value == (
        Query("founder of the Mirren Yard", "expanded"),
        Query("establishment of the Mirren Yard", "expanded"),
        Query(PASSAGE, "hyde"),
    )
    assert done.at_once == 2
    assert all(QUESTION in asked.prompt for asked in done.asked)


def test_a_simple_question_gets_other_words_only() -> None:
    done = modelled(lambda _: '["founder of the Mirren Yard"]', simply)
    assert [query.kind for query in done.value] == ["expanded"]
    assert [asked.step for asked in done.asked] == ["expand"]


@pytest.mark.parametrize(
    "reply",
    [
        f'"{PASSAGE}"',
        f"<think>Let me guess.</think>\n{PASSAGE}",
        f"Sure! Here is a passage:\n\n{PASSAGE}",
        f"**Passage:** {PASSAGE}",
        f'{{"passage": "{PASSAGE}"}}',
        f"```\n{PASSAGE}\n```",
    ],
)
def test_a_passage_is_read_however_it_comes(reply: str) -> None:
    done = modelled(lambda asked: says(hyde=reply)[asked.step], rewrite)
    assert done.value == (Query(PASSAGE, "hyde"),)


@pytest.mark.parametrize("reply", ["", "I'm sorry, I can't help with that.", "?!", "{}"])
def test_without_a_usable_reply_the_question_has_its_own_words(reply: str) -> None:
    done = modelled(lambda asked: says(expand="no", hyde=reply)[asked.step], rewrite)
    assert done.value == ()
    assert {event.step for event in done.of(Defaulted)} >= {"hyde"}


@pytest.mark.parametrize(
    "reply", ["no", "{}", '{"queries": []}', f'["{QUESTION.upper()}"]', '["When was [ANSWER1] founded?"]']
)
def test_a_reply_without_other_words_is_told_as_one(reply: str) -> None:
    done = modelled(lambda _: reply, simply)
    assert done.value == ()
    assert done.of(Defaulted) == [
        Defaulted(
            "expand", "the reply has no other words for it", "the question is searched for in its own words"
        )
    ]
    assert len(done.asked) == 1


def test_at_most_three_other_ways_are_taken() -> None:
    ways = [f"way {word} of the Mirren Yard" for word in "a b c d e".split()]
    done = modelled(lambda asked: says(expand=str(ways))[asked.step], rewrite)
    assert [query.text for query in done.value if query.kind == "expanded"] == ways[:3]


def test_a_budget_that_ends_takes_the_rewrites_and_not_the_run() -> None:
    done = modelled(lambda asked: says()[asked.step], rewrite, budget=Budget(calls=1_000))
    assert done.value == (Query(PASSAGE, "hyde"),)


def test_questions_that_differ_in_case_filler_and_punctuation_share_what_was_paid_for(tmp_path: Path) -> None:
    def script(asked: Asked) -> str:
        return says(expand='["founder of the Mirren Yard"]')[asked.step]

    with ModelServer(script) as server:
        chosen = Settings.model_validate(
            {
                "data": tmp_path,
                "model": f"openai:{MODEL}",
                "base_url": server.url,
                "api_key": "key",
            }
        )

        async def work() -> None:
            models = Models(chosen)
            events: list[Event] = []
            run = Run(emit=events.append)
            for question in (
                "Who founded the Mirren Yard in 1871?",
                "Hi, could you tell me who founded the mirren yard in 1871? Thanks!",
                "Who founded the Mirren Yard in 1872?",
            ):
                await (await models.reasoner()).rewrite(question, WEIGHTS, run, simple=True)
            await models.close()
            assert [event.cached for event in events if isinstance(event, Called)] == [False, True, False]

        go(work())
    assert len(server.asked) == 2
