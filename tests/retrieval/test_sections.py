"""The section around a hit: whole when it is short, else a bounded part around the hit, and always exact."""

from hypothesis import given
from hypothesis import strategies as st

from leadline.retrieval.base import Context
from leadline.retrieval.sections import section_texts, window
from leadline.testing.builders import chunk, document, hit
from leadline.types import Section

TEXT = " ".join(f"Sentence number {n} speaks of the harbour." for n in range(200))


def context(start: int, end: int) -> Context:
    of = document(TEXT)
    section = Section(f"{of.id}-s0", of.id, 0, start, end, ("Harbour", "Depth"))
    return Context({of.id: of}, {section.id: section})


def test_a_short_section_comes_whole() -> None:
    piece = chunk(TEXT[80:120], start=80)
    [found] = section_texts([hit(piece)], context(40, 400))
    assert (found.start, found.end, found.whole) == (40, 400, True)
    assert found.text == TEXT[40:400] and found.heading_path == ("Harbour", "Depth")
    assert found.chunk_id == piece.id


def test_a_long_section_is_cut_between_sentences_around_the_hit() -> None:
    at = TEXT.index("Sentence number 100 ")
    piece = chunk(TEXT[at : at + 40], start=at)
    [found] = section_texts([hit(piece)], context(0, len(TEXT)), 500)
    assert piece.text in found.text and len(found.text) <= 500 and not found.whole
    assert found.text.startswith("Sentence number ") and found.text.endswith("harbour.")
    assert TEXT[found.start : found.end] == found.text
    assert len(found.text) > 350


def test_at_the_edge_of_a_section_the_room_goes_to_the_other_side() -> None:
    piece = chunk(TEXT[:40], start=0)
    [found] = section_texts([hit(piece)], context(0, len(TEXT)), 500)
    assert found.start == 0 and len(found.text) > 420


def test_a_hit_longer_than_the_bound_comes_alone() -> None:
    piece = chunk(TEXT[40:1_000], start=40)
    [found] = section_texts([hit(piece)], context(0, len(TEXT)), 300)
    assert found.text == piece.text


def test_a_hit_whose_document_has_vanished_is_left_out() -> None:
    assert section_texts([hit(chunk("gone"))], Context()) == ()
    alone = chunk(TEXT[40:80], start=40)
    [found] = section_texts([hit(alone)], Context({alone.document_id: document(TEXT)}))
    assert found.text == alone.text


@given(st.text("ab. \n。", min_size=4, max_size=200), st.data())
def test_a_window_keeps_the_hit_stays_inside_and_within_its_bound(text: str, data: st.DataObject) -> None:
    low, start, end, high = sorted(data.draw(st.integers(0, len(text))) for _ in range(4))
    longest = data.draw(st.integers(1, 250))
    first, last = window(text, (low, high), (start, end), longest)
    assert low <= first <= start and end <= last <= high
    assert last - first <= max(longest, end - start)
