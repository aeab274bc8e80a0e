"""What can be computed heads an answer, whoever writes it, and is computed again before it is shown."""

from dataclasses import replace

from leadline.agents.options import AskOptions
from leadline.citing.render.markdown import render_markdown
from leadline.citing.verify import verify
from leadline.computation import Computation
from leadline.reasoning.base import Draft
from leadline.reasoning.offline import OfflineReasoner
from leadline.testing.builders import chunks, document
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.retriever import ListRetriever
from leadline.types import Claim, Support
from tests.agents.harbour import ask

ADA = document("Ada Brandt (28 May 1850 – 3 March 1921) was a Scottish engineer.", "ada.md", "Ada Brandt")
IVO = document("Ivo Hale was born on 11 November 1856 in Marlow.", "ivo.md", "Ivo Hale")
QUAY = document("The quay is older than the mole.", "quay.md", "Quay")
TEXTS = (ADA, IVO, QUAY)
QUESTION = "Who is older, Ada Brandt or Ivo Hale?"


def retriever() -> ListRetriever:
    return ListRetriever(chunks(*TEXTS), TEXTS)


def test_without_a_model_the_comparison_is_worked_out_and_cited() -> None:
    answer = ask(OfflineReasoner(), retriever(), question=QUESTION, options=AskOptions()).answer
    first = answer.claims[0]
    assert answer.found
    assert (first.kind, first.support) == ("computed", Support.SUPPORTED)
    assert first.text == "Ada Brandt is older: Ada Brandt, born 28 May 1850; Ivo Hale, born 11 November 1856."
    assert {citation.source for citation in first.citations} == {"ada.md", "ivo.md"}
    assert all(claim.kind == "quoted" for claim in answer.claims[1:])
    assert "computed" in render_markdown(answer)


def test_what_a_model_says_of_the_comparison_gives_way_to_what_the_sources_give() -> None:
    wrong = Draft((Claim("Ivo Hale is older than Ada Brandt.", (), "stated"),), True, 0.9)
    answer = ask(
        ScriptedReasoner(drafts=lambda _: wrong), retriever(), question=QUESTION, options=AskOptions()
    ).answer
    assert [claim.kind for claim in answer.claims] == ["computed"]
    assert answer.text.startswith("Ada Brandt is older")


def test_a_calculation_that_its_quotes_do_not_bear_out_is_not_supported() -> None:
    answer = ask(OfflineReasoner(), retriever(), question=QUESTION, options=AskOptions()).answer
    claim, by_id = answer.claims[0], {one.id: one for one in TEXTS}
    done = claim.computation
    assert done is not None
    other = replace(claim, computation=Computation(done.quantity, done.relation, done.operands, "Ivo Hale"))
    assert verify(other, by_id).support is Support.UNSUPPORTED
    moved = (replace(done.operands[0], value="1900-01-01"), done.operands[1])
    later = replace(claim, computation=Computation(done.quantity, "most", moved, "Ada Brandt"))
    assert "1900-01-01 is not in the cited text" in verify(later, by_id).note
    named = (replace(done.operands[0], label="Otto Lenz"), done.operands[1])
    stranger = replace(claim, computation=Computation(done.quantity, "least", named, "Otto Lenz"))
    assert verify(stranger, by_id).support is Support.PARTLY
