"""What goes to writing: one passage for a section, several bounded ones for a very long section."""

from leadline.agents.answering import around
from leadline.retrieval.base import Context
from leadline.testing.builders import chunk, document, evidence
from leadline.types import Evidence, Section

TEXT = " ".join(f"Sentence number {n} speaks of the harbour." for n in range(200))
OF = document(TEXT)
CONTEXT = Context({OF.id: OF}, {f"{OF.id}-s0": Section(f"{OF.id}-s0", OF.id, 0, 0, len(TEXT))})


def about(number: int) -> Evidence:
    at = TEXT.index(f"Sentence number {number} ")
    return evidence(chunk(TEXT[at : at + 42], start=at), score=1 / number)


def test_one_section_is_one_passage() -> None:
    [passage] = around([about(150), about(20)], CONTEXT, len(TEXT))
    assert passage.text == TEXT and len(passage.evidence) == 2
    assert [item.chunk.start for item in passage.evidence] == sorted(
        item.chunk.start for item in passage.evidence
    )


def test_a_long_section_gives_what_stands_around_its_evidence() -> None:
    passages = around([about(150), about(20), about(22)], CONTEXT, 600)
    assert [len(passage.evidence) for passage in passages] == [2, 1]
    for passage in passages:
        assert len(passage.text) <= 600
        assert TEXT[passage.start : passage.start + len(passage.text)] == passage.text
        assert all(item.chunk.text in passage.text for item in passage.evidence)
    assert passages[0].start + len(passages[0].text) <= passages[1].start
    assert (passages[0].score, passages[1].score) == (1 / 20, 1 / 150)


def test_pieces_side_by_side_share_what_lies_between_them() -> None:
    passages = around([about(number) for number in range(20, 60)], CONTEXT, 300)
    assert len(passages) > 1
    ends = [(passage.start, passage.start + len(passage.text)) for passage in passages]
    assert all(one[1] <= other[0] for one, other in zip(ends, ends[1:], strict=False))
    assert sum(len(passage.evidence) for passage in passages) == 40
