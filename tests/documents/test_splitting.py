"""Splitting: exact spans, nothing lost, nothing twice, whatever the text."""

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.documents.splitting import SplitOptions, split
from leadline.errors import UsageError
from leadline.testing.builders import document
from leadline.types import Block, BlockKind, Chunk, Document, Heading, Page, Section

KINDS: tuple[BlockKind, ...] = ("paragraph", "table", "code", "list")
SMALL = SplitOptions(chunk_size=60, section_size=200, least=10)
WORDS = st.sampled_from(
    [
        "depth",
        "line. ",
        "Line!",
        "\n",
        "\n\n",
        " ",
        "\t",
        "| a | b |\n",
        "它建于1980年。",
        "報告",
        "تقرير، ",
        "é",
        "\u200d",
        "🤠",
    ]
)


def blocks_of(text: str, cuts: list[int], kinds: list[BlockKind]) -> tuple[Block, ...]:
    edges = sorted({cut % (len(text) + 1) for cut in cuts})
    return tuple(Block(kind, a, b) for kind, a, b in zip(kinds, edges, edges[1:], strict=False) if a < b)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(st.lists(WORDS | st.text(max_size=30), max_size=60).map("".join))
    numbers = st.lists(st.integers(0, 2_000), max_size=8)
    blocks = blocks_of(text, draw(numbers), draw(st.lists(st.sampled_from(KINDS), max_size=8)))
    starts = sorted({at % (len(text) + 1) for at in draw(numbers)})
    headings = tuple(
        Heading(draw(st.integers(1, 4)), text[at : at + 5], at, at + len(text[at : at + 5])) for at in starts
    )
    return replace(document(text), blocks=blocks, headings=headings)


def check(
    of: Document, sections: tuple[Section, ...], chunks: tuple[Chunk, ...], options: SplitOptions
) -> None:
    at = 0
    for chunk in chunks:
        assert of.text[chunk.start : chunk.end] == chunk.text
        assert chunk.text.strip()
        assert chunk.start >= at
        assert not of.text[at : chunk.start].strip()
        assert len(chunk.text) <= options.chunk_size + options.tiny
        at = chunk.end
    assert not of.text[at:].strip()
    inside = {
        section.id: [chunk for chunk in chunks if chunk.section_id == section.id] for section in sections
    }
    for section in sections:
        assert (section.start, section.end) == (inside[section.id][0].start, inside[section.id][-1].end)
        assert section.end - section.start <= options.section_size
        assert all(chunk.heading_path == section.heading_path for chunk in inside[section.id])
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert [section.ordinal for section in sections] == list(range(len(sections)))
    assert len({chunk.id for chunk in chunks}) == len(chunks)


def test_ordinals_count_on_through_a_section_of_several_chunks() -> None:
    of = replace(document("depth " * 40), blocks=(Block("table", 0, 120),))
    _, chunks = split(of, SMALL)
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert len(chunks) > 3


@given(documents())
def test_chunks_are_slices_that_cover_all_text_and_never_overlap(of: Document) -> None:
    check(of, *split(of, SMALL), SMALL)


@given(documents())
def test_splitting_the_same_document_again_gives_the_same_ids(of: Document) -> None:
    assert split(of, SMALL) == split(of, SMALL)


def marked(text: str) -> Document:
    """A document whose Markdown headings are marked."""
    headings: list[Heading] = []
    at = 0
    for line in text.splitlines(keepends=True):
        if line.startswith("#"):
            marks = len(line) - len(line.lstrip("#"))
            headings.append(Heading(marks, line[marks:].strip(), at + marks + 1, at + len(line.rstrip())))
        at += len(line)
    return replace(document(text), headings=tuple(headings))


def test_every_heading_opens_a_section_with_its_path() -> None:
    sections, chunks = split(
        marked("Before.\n\n# Ship\n\nA ship.\n\n## Engine\n\nAn engine.\n\n# Crew\n\nFive.\n")
    )
    assert [section.heading_path for section in sections] == [(), ("Ship",), ("Ship", "Engine"), ("Crew",)]
    assert [chunk.text for chunk in chunks][1:3] == ["# Ship\n\nA ship.", "## Engine\n\nAn engine."]


def test_a_heading_with_nothing_under_it_goes_with_the_next_one() -> None:
    sections, chunks = split(marked("# Ship\n\n## Engine\n\nAn engine.\n"))
    assert [section.heading_path for section in sections] == [("Ship", "Engine")]
    assert [chunk.text for chunk in chunks] == ["# Ship\n\n## Engine\n\nAn engine."]


def test_headings_and_title_weigh_in_the_terms_but_not_in_the_text() -> None:
    _, chunks = split(replace(marked("# Ship\n\nFast.\n"), title="Fleet"))
    assert chunks[0].terms.split().count("fleet") == 3
    assert chunks[0].terms.split().count("ship") == 3


def test_a_long_table_is_cut_at_rows_and_later_parts_carry_its_header() -> None:
    rows = [f"| port {i} | {i * 10} |" for i in range(40)]
    text = "\n".join(["| name | depth |", "| --- | --- |", *rows])
    of = replace(document(text), blocks=(Block("table", 0, len(text)),))
    _, chunks = split(of, SplitOptions(200, 1_000, 40))
    assert len(chunks) > 3
    assert chunks[0].context == "" and chunks[0].text.startswith("| name | depth |")
    assert all(chunk.context == "| name | depth |" and chunk.kind == "table" for chunk in chunks[1:])
    assert all(line in text.splitlines() for chunk in chunks for line in chunk.text.splitlines())
    assert all("depth" in chunk.terms.split() for chunk in chunks)


def test_code_is_cut_at_blank_lines_and_keeps_its_indent() -> None:
    text = "\n\n".join(f"def f{i}():\n    return {i}\n    # {'x' * 20}" for i in range(20))
    of = replace(document(text), blocks=(Block("code", 0, len(text)),))
    _, chunks = split(of, SplitOptions(150, 600, 20))
    assert len(chunks) > 5
    assert all(chunk.text.startswith("def ") for chunk in chunks)
    indented = replace(document("    a = 1\n    b = 2"), blocks=(Block("code", 0, 19),))
    assert split(indented)[1][0].text == "    a = 1\n    b = 2"


@pytest.mark.parametrize(
    ("sentence", "ends"),
    [
        ("The harbour was dredged in 1980. ", "."),
        ("港口于1980年疏浚完毕，深度为十二米。", "。"),
        ("港は一九八〇年に浚渫された。", "。"),
        ("هل تم تعميق الميناء في عام 1980؟ ", "؟"),
    ],
)
def test_long_prose_is_cut_between_sentences(sentence: str, ends: str) -> None:
    of = document(sentence * 100)
    _, chunks = split(of, SplitOptions(300, 1_200, 60))
    assert len(chunks) > 4
    assert all(chunk.text.endswith(ends) for chunk in chunks)
    assert max(len(c.text) for c in chunks) < 2 * min(len(c.text) for c in chunks)


def test_a_chunk_knows_the_page_it_starts_on() -> None:
    text = "First page. " * 50 + "\n\n" + "Second page. " * 50
    pages = (Page(1, 0, 602), Page(2, 602, len(text)))
    _, chunks = split(replace(document(text), pages=pages), SplitOptions(300, 1_200, 60))
    assert {chunk.page for chunk in chunks if chunk.text.startswith("First")} == {1}
    assert {chunk.page for chunk in chunks if chunk.text.startswith("Second")} == {2}
    assert split(document(text))[1][0].page is None


def test_a_small_table_stays_whole_and_apart_from_prose() -> None:
    prose = "The depths were sounded twice. " * 10
    table = "\n".join(["| name | depth |", *(f"| port {i} | {i} |" for i in range(15))])
    text = f"{prose}\n\n{table}\n\n{prose}"
    start = text.index("| name")
    of = replace(document(text), blocks=(Block("table", start, start + len(table)),))
    _, chunks = split(of)
    assert [(chunk.kind, chunk.text) for chunk in chunks][1] == ("table", table)


def test_sizes_that_cannot_work_are_refused() -> None:
    with pytest.raises(UsageError, match="at least 1200"):
        SplitOptions(chunk_size=1_000, section_size=1_000)


HEADINGS = "# a\n\nb\n\n" * 50_000
PATHOLOGICAL = {
    "one line": document("a" * 1_000_000),
    "full stops": document("." * 300_000 + "x"),
    "blanks": document(" " * 1_000_000 + "x" + "\n" * 1_000_000),
    "accents": document("e\u0301" * 200_000),
    "tiny paragraphs": document("hi there.\n\n" * 100_000),
    "headings": replace(
        document(HEADINGS), headings=tuple(Heading(i % 9, "a", i * 8 + 2, i * 8 + 3) for i in range(50_000))
    ),
    "rows": replace(document("| 1 | 2 |\n" * 100_000), blocks=(Block("table", 0, 1_000_000),)),
    "code": replace(document("f()\n\n" * 100_000), blocks=(Block("code", 0, 500_000),)),
}


@pytest.mark.parametrize("name", PATHOLOGICAL)
def test_a_pathological_text_is_split_in_little_time_into_few_chunks(name: str) -> None:
    of = PATHOLOGICAL[name]
    begun = time.process_time()
    sections, chunks = split(of)
    spent = time.process_time() - begun
    assert spent < 8
    assert len(chunks) <= max(1, len(of.text) // 150)
    assert max(len(chunk.text) for chunk in chunks) <= 1_200
    assert len(sections) <= len(chunks)
