"""Writing with a model: claims with places in the sources, shown while they come, and quotes where it writes nothing."""

import json
import re
from collections.abc import Awaitable, Callable

import pytest

from leadline.events import CutShort, Defaulted, Drafted, Packed
from leadline.llm.json_text import Unreadable
from leadline.reasoning.base import Draft, Known, Reasoner
from leadline.reasoning.model_claims import Cited, Written, Wrote, read, read_cut
from leadline.reasoning.model_writing import COMPLETE, CUT, PARTIAL
from leadline.retrieval.base import TermWeights
from leadline.run import Budget, Run
from leadline.testing.builders import chunk
from leadline.testing.said import Asked, Said, cut, refusal, reset
from leadline.types import Chunk, Claim, Query
from tests.reasoning.modelled import modelled, passages

QUESTION = "Where was the founder of the Mirren Yard born?"
YARD = chunk("The Mirren Yard was founded by Ada Brandt. It closed in 1980.", "yard.md", title="Mirren Yard")
BRANDT = chunk("Ada Brandt was born in Velden.", "brandt.md", title="Ada Brandt")
OTHER = chunk("Some say that Ada Brandt was born in Oxley.", "other.md", title="Sayings")
WEIGHTS = TermWeights(idf={"founder": 2.0, "mirren": 2.0, "yard": 1.0, "born": 2.0}, chunks=3)


def write(
    *chunks: Chunk, known: tuple[Known, ...] = (), question: str = QUESTION
) -> Callable[[Reasoner, Run], Awaitable[Draft]]:
    return lambda reasoner, run: reasoner.write(
        question, (Query(question),), passages(*chunks), WEIGHTS, run, known
    )


def said(*claims: object, found: bool = True) -> str:
    return json.dumps({"found": found, "claims": claims})


def claim(text: str, *cites: tuple[int, str], disagree: bool = False) -> dict[str, object]:
    return {"text": text, "cites": [{"n": n, "quote": quote} for n, quote in cites], "disagree": disagree}


def test_a_claim_cites_the_place_of_its_quote_in_the_passage_it_names() -> None:
    reply = said(claim("The yard closed in 1980.", (1, "It closed in 1980.")))
    draft = modelled(lambda _: reply, write(YARD, BRANDT)).value
    ((citation,),) = (one.citations for one in draft.claims)
    assert (citation.source, citation.quote) == ("yard.md", "It closed in 1980.")
    assert YARD.text[citation.start : citation.end] == citation.quote
    assert (draft.found, draft.missing) == (True, None)


def test_a_quote_that_stands_in_another_passage_is_found_there() -> None:
    reply = said(claim("Ada Brandt was born in Velden.", (1, "ada  BRANDT was born in Velden")))
    (only,) = modelled(lambda _: reply, write(YARD, BRANDT)).value.claims
    assert [(c.source, c.quote) for c in only.citations] == [("brandt.md", "Ada Brandt was born in Velden")]


def test_a_claim_without_a_quote_cites_the_sentence_that_says_it() -> None:
    reply = "The Mirren Yard was founded by Ada Brandt [1]. She was born in Velden. [2]"
    draft = modelled(lambda _: reply, write(YARD, BRANDT)).value
    assert [one.text for one in draft.claims] == [
        "The Mirren Yard was founded by Ada Brandt.",
        "She was born in Velden.",
    ]
    quotes = [[citation.quote for citation in one.citations] for one in draft.claims]
    assert quotes == [["The Mirren Yard was founded by Ada Brandt."], ["Ada Brandt was born in Velden."]]


def test_an_invented_claim_has_no_place() -> None:
    draft = modelled(lambda _: said(claim("The moon is a lantern of paper.")), write(YARD, BRANDT)).value
    assert [one.citations for one in draft.claims] == [()]


def test_sources_that_disagree_are_both_cited() -> None:
    text = "One source says that she was born in Velden, another in Oxley."
    reply = said(claim(text, (1, "born in Velden"), (2, "born in Oxley"), disagree=True))
    (only,) = modelled(lambda _: reply, write(BRANDT, OTHER)).value.claims
    assert only.disputed
    assert [citation.source for citation in only.citations] == ["brandt.md", "other.md"]


def test_not_found_is_an_answer() -> None:
    done = modelled(lambda _: said(found=False), write(YARD))
    assert (done.value.found, done.value.claims, done.value.confidence) == (False, (), 0.0)
    assert not done.of(Defaulted)
    assert done.value.notices == ()


def test_the_answer_is_shown_while_it_is_written() -> None:
    done = modelled(lambda _: said(claim("It “closed”.\n", (1, "closed")), claim("Velden é.")), write(YARD))
    assert "".join(event.text for event in done.of(Drafted)) == "It “closed”.\n Velden é."
    assert done.asked[0].streams


@pytest.mark.parametrize(
    "reply", [Said(None), Said("I cannot help with that."), Said('{"claims": 3}'), refusal(500)]
)
def test_where_the_model_writes_nothing_the_sources_are_quoted_and_the_reader_is_told(reply: Said) -> None:
    done = modelled(lambda _: reply, write(YARD, BRANDT))
    assert [one.kind for one in done.value.claims] == ["quoted"] * len(done.value.claims) != []
    assert "every sentence is quoted" in done.value.notices[0]
    assert [event.step for event in done.of(Defaulted)] == ["write"]
    assert "Traceback" not in done.value.notices[0]


def test_a_budget_that_does_not_cover_writing_gives_quotes() -> None:
    async def spent(reasoner: Reasoner, run: Run) -> Draft:
        run.calls = 1
        return await write(YARD, BRANDT)(reasoner, run)

    done = modelled(lambda _: said(), spent, budget=Budget(calls=1))
    assert done.asked == []
    assert done.value.found
    assert "calls: 1 of 1 used" in done.value.notices[0]


def test_a_stream_that_breaks_is_tried_again() -> None:
    first = [reset(said(claim("It closed in 1980.", (1, "closed"))), after=30)]

    def script(_: Asked) -> Said | str:
        return first.pop() if first else said(claim("It closed in 1980.", (1, "It closed in 1980.")))

    done = modelled(script, write(YARD))
    assert [one.text for one in done.value.claims] == ["It closed in 1980."]
    assert len(done.asked) == 2


BOTH = said(
    claim("The Mirren Yard was founded by Ada Brandt.", (1, "founded by Ada Brandt")),
    claim("She was born in Velden, not in Oxley.", (2, "born in Velden"), (2, "Ada Brandt was born")),
)


@pytest.mark.parametrize("broken", [reset(BOTH, BOTH.index("Oxley")), cut(BOTH[: BOTH.index("not in")])])
def test_of_a_reply_that_breaks_off_the_claims_that_ended_are_kept_and_the_reader_is_told(
    broken: Said,
) -> None:
    whole = modelled(lambda _: BOTH, write(YARD, BRANDT)).value
    done = modelled(lambda _: broken, write(YARD, BRANDT))
    assert done.value.claims == whole.claims[:1]
    assert (whole.notices, done.value.notices) == ((), (CUT,))
    assert (whole.confidence, done.value.confidence) == (COMPLETE, PARTIAL)
    assert [event.step for event in done.of(CutShort)] == ["write"]
    assert not done.of(Defaulted)


def test_wherever_a_reply_breaks_off_no_claim_is_half_a_sentence_or_has_half_a_quote() -> None:
    full = read(BOTH, 2).claims
    for end in range(len(BOTH)):
        try:
            found = read_cut(BOTH[:end], 2)
        except Unreadable:
            assert end <= BOTH.index("founded by Ada Brandt", 60) + len('founded by Ada Brandt"')
            continue
        assert not found.whole
        for one, other in zip(found.claims, full, strict=False):
            assert one.text == other.text
            assert one.cites == other.cites[: len(one.cites)] != ()
    assert read_cut(BOTH, 2).whole


@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        ("It was built in 1901 [1]. It was fou", ["It was built in 1901."]),
        ("It was built in 1901. [1] It cost 1.", ["It was built in 1901."]),
        ('{"answer": "It was built in 1901 [1]. It was fou', ["It was built in 1901."]),
        (
            '```json\n{"claims": ["It sank.", {"text": "It \\"}{\\" burned."}, {"te',
            ["It sank.", 'It "}{" burned.'],
        ),
    ],
)
def test_prose_that_breaks_off_loses_its_last_sentence(reply: str, kept: list[str]) -> None:
    found = read_cut(reply, 2)
    assert ([one.text for one in found.claims], found.whole) == (kept, False)


@pytest.mark.parametrize(
    "reply", ["", "It was fou", '{"found": true, "claims": [{"text": "It was', "<think>It"]
)
def test_a_reply_that_breaks_off_in_its_first_claim_cannot_be_used(reply: str) -> None:
    with pytest.raises(Unreadable):
        read_cut(reply, 2)


def test_more_evidence_than_fits_is_left_out_and_counted() -> None:
    long = [chunk(f"Page {n}. " + "The yard built ferries of oak. " * 60, f"{n}.md") for n in range(8)]
    done = modelled(lambda _: said(found=False), write(*long), context=4_096)
    (packed,) = done.of(Packed)
    assert packed.shown + packed.left_out == 8
    assert packed.left_out > 0
    assert len(done.asked[0].prompt) < 4_096 / 0.27


def test_what_a_chain_knows_is_shown_as_unverified() -> None:
    known = (Known("Who founded it?", "Ada Brandt", ("1",)), Known("When?", ""))
    prompt = modelled(lambda _: said(found=False), write(BRANDT, known=known)).asked[0].prompt
    assert "Unverified notes of a machine" in prompt
    assert "The last document holds unverified notes of a machine: check them" in prompt
    assert re.search(
        r"\[2 (\w{8})\] Unverified notes of a machine\n- Who founded it\? Ada Brandt\n\[/2 \1\]", prompt
    )
    assert not re.search(r"Ada Brandt", re.sub(r"\[(\d) (\w{8})\].*?\[/\1 \2\]", "", prompt, flags=re.DOTALL))
    assert "Who founded it? Ada Brandt" in prompt
    assert "When?" not in prompt


def test_claims_that_failed_are_mended_by_number() -> None:
    failed = (Claim("She was born in Oxley.", note="not in the cited text: Oxley"), Claim("It sank."))
    reply = json.dumps({"claims": [{"id": 1, **claim("She was born in Velden.", (1, "born in Velden"))}]})
    done = modelled(
        lambda _: reply, lambda reasoner, run: reasoner.mend(QUESTION, failed, passages(BRANDT), WEIGHTS, run)
    )
    first, second = done.value
    assert first is not None and first.citations[0].quote == "born in Velden"
    assert second is None
    assert "not in the cited text: Oxley" in done.asked[0].prompt


IT = Cited(1, "it")


@pytest.mark.parametrize(
    ("reply", "written"),
    [
        (
            '{"found": true, "claims": [{"text": "A b.", "cites": {"n": "1", "quote": "it"}}]}',
            [Wrote("A b.", (IT,))],
        ),
        ('{"claims": [{"claim": "A b.", "n": 1, "quote": "it"}]}', [Wrote("A b.", (IT,))]),
        (
            '{"claims": [{"text": "A b.", "citations": [1, "document 2", 9]}]}',
            [Wrote("A b.", (Cited(1), Cited(2), Cited(0)))],
        ),
        ('{"claims": ["A b [1].", "C d."]}', [Wrote("A b.", (Cited(1),)), Wrote("C d.")]),
        ('{"answer": "A b [2].", "sources": [2]}', [Wrote("A b.", (Cited(2),))]),
        ('[{"text": "**A b.**", "cites": [{"n": 1, "quote": "it"}]}]', [Wrote("A b.", (IT,))]),
        ("- A b [1][2]\n- C d [document 2]", [Wrote("A b", (Cited(1), Cited(2))), Wrote("C d", (Cited(2),))]),
        (
            '{"found": true, "claims": [{"text": "A b.", "cites": [{"n": 1, "quote": "it',
            [Wrote("A b.", (IT,))],
        ),
        ("<think>[1]</think>A b【1】。", [Wrote("A b。", (Cited(1),))]),
    ],
)
def test_claims_are_read_however_they_are_written(reply: str, written: list[Wrote]) -> None:
    assert list(read(reply, 2).claims) == written
    assert read(reply, 2).found


@pytest.mark.parametrize(
    "reply", ["The documents do not contain the answer.", '{"found": false}', "文档中未提及。"]
)
def test_not_found_is_read_from_prose_too(reply: str) -> None:
    assert read(reply, 2) == Written((), False)


def test_what_the_writer_misses_is_read() -> None:
    assert read('{"found": true, "claims": ["A b."], "missing": ["the year"]}', 1).missing == ("the year",)
