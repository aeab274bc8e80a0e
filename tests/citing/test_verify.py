"""A claim is shown as supported only when the stored text says so."""

from collections.abc import Mapping

import pytest

from leadline.citing.verify import verify, verify_all
from leadline.types import Block, Citation, Claim, ClaimKind, Document, Heading, Page, Support

LIGHT = (
    "Marlow Light\n\nHistory\n\n"
    "Marlow Light was first lit on 12 March 1889 by Ada Brandt. It stands 41 metres tall and cost £3.5 million. "
    "The lamp XR-2000 is not visible in fog.\n\n"
    "Later years\n\n"
    "After the storm of 1953 the gallery was rebuilt in cast iron. Seven keepers lived there."
)
YARD = "The Mirren Yard built five ferries. Ivo Hale bought the yard in 1921."
CHINESE = "灯塔由李明于1889年3月12日建成，高41米。后来王强把它改建成了博物馆。"
ARABIC = "بُني الفنار في 12 مارس 1889 على يد مهندس من الميناء، وارتفاعه 41 متر."


def document(name: str, text: str, title: str = "") -> Document:
    headings = tuple(
        Heading(level, words, text.index(words, 5), text.index(words, 5) + len(words))
        for level, words in ((1, "History"), (1, "Later years"))
        if words in text
    )
    half = len(text) // 2
    pages = (Page(1, 0, half), Page(2, half, len(text)))
    return Document(name, f"{name}.md", text, title or name, "hash", headings=headings, pages=pages)


DOCUMENTS: Mapping[str, Document] = {
    "light": document("light", LIGHT, "Marlow Light"),
    "yard": document("yard", YARD, "The Mirren Yard"),
    "zh": document("zh", CHINESE, "灯塔"),
    "ar": document("ar", ARABIC, "الفنار"),
}


def cite(name: str, quote: str, start: int = 0, end: int = 0) -> Citation:
    return Citation(name, f"{name}:0", f"{name}.md", name, quote, start, end)


def check(text: str, *citations: Citation, kind: ClaimKind = "stated") -> Claim:
    claim = verify(Claim(text, citations, kind), DOCUMENTS)
    for citation in claim.citations:
        stored = DOCUMENTS[citation.document_id].text
        assert stored[citation.start : citation.end] == citation.quote
    return claim


LIT = cite("light", "Marlow Light was first lit on 12 March 1889 by Ada Brandt.")
TALL = cite("light", "It stands 41 metres tall and cost £3.5 million.")
FOG = cite("light", "The lamp XR-2000 is not visible in fog.")
STORM = cite("light", "After the storm of 1953 the gallery was rebuilt in cast iron.")


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("Ada Brandt lit Marlow Light first on 12 March 1889.", LIT),
        ("Marlow Light was first lit on 1889-03-12.", LIT),
        ("Marlow Light was first lit in March 1889.", LIT),
        ("Marlow Light was first lit in 1889.", LIT),
        ("Marlow Light was first lit on March 12.", LIT),
        ("Brandt's light was first lit in 1889.", LIT),
        ("Marlow Light is 41 m tall.", TALL),
        ("Marlow Light cost £3,500,000 and stands 41 metres tall.", TALL),
        ("The XR-2000 lamp isn't visible in fog.", FOG),
        ("The gallery was rebuilt in cast iron after 1953.", STORM),
        ("In 1953 a storm came, and the gallery was rebuilt.", STORM),
        ("7 keepers lived there in the later years.", cite("light", "Seven keepers lived there.")),
        ("Five ferries were built by the Mirren Yard.", cite("yard", "built five ferries")),
        ("灯塔于1889年建成，高41米。", cite("zh", "灯塔由李明于1889年3月12日建成，高41米。")),
        ("ارتفاع الفنار 41 متر.", cite("ar", "وارتفاعه 41 متر")),
    ],
)
def test_a_claim_its_source_bears_out_is_supported(text: str, citation: Citation) -> None:
    claim = check(text, citation)
    assert (claim.support, claim.note) == (Support.SUPPORTED, "")


@pytest.mark.parametrize(
    ("text", "citation", "named"),
    [
        ("Marlow Light was first lit on 12 March 1888.", LIT, "1888-03-12"),
        ("Marlow Light was first lit on 21 March 1889 by Ada Brandt.", LIT, "1889-03-21"),
        ("Marlow Light was first lit on 12 May.", LIT, "05-12"),
        ("Ada Brandt lit Marlow Light on 21 March.", LIT, "03-21"),
        ("Marlow Light stands 42 metres tall.", TALL, "42"),
        ("Marlow Light stands 41 feet tall.", TALL, "41 ft (the source has m)"),
        ("Marlow Light cost $3.5 million.", TALL, "3500000 USD (the source has GBP)"),
        ("Marlow Light cost £3.5 billion.", TALL, "3500000000"),
        ("Marlow Light was first lit by Ada Brant in 1889.", LIT, "Ada Brant"),
        ("Ivo Hale lit Marlow Light in 1889.", LIT, "Ivo Hale"),
        ("The XR-2100 lamp of Marlow Light is not visible in fog.", FOG, "xr-2100"),
        ("The Mirren Yard built six ferries.", cite("yard", "The Mirren Yard built five ferries."), "6"),
        ("Ada Вrandt lit Marlow Light in 1889.", LIT, "Вrandt"),
        ("王强于1889年建成灯塔，高41米。", cite("zh", "灯塔由李明于1889年3月12日建成，高41米。"), "王强"),
        ("بني الفنار في 21 مارس 1889.", cite("ar", "بُني الفنار في 12 مارس 1889"), "1889-03-21"),
    ],
)
def test_a_changed_fact_is_named(text: str, citation: Citation, named: str) -> None:
    claim = check(text, citation)
    assert claim.support is not Support.SUPPORTED
    assert named in claim.note


def test_a_claim_whose_only_fact_is_wrong_is_unsupported() -> None:
    assert check("It was rebuilt in 1954.", STORM).support is Support.UNSUPPORTED


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("The lamp XR-2000 is visible in fog.", FOG),
        ("After the storm of 1953 the gallery was never rebuilt in cast iron.", STORM),
        ("Marlow Light was not lit by Ada Brandt on 12 March 1889.", LIT),
        ("灯塔不是由李明于1889年建成。", cite("zh", "灯塔由李明于1889年3月12日建成")),
        ("لم يبن الفنار في 12 مارس 1889.", cite("ar", "بُني الفنار في 12 مارس 1889")),
    ],
)
def test_a_negation_on_one_side_only_is_at_most_partly(text: str, citation: Citation) -> None:
    claim = check(text, citation)
    assert claim.support is Support.PARTLY
    assert "not" in claim.note


def test_a_wrong_span_is_put_right_with_its_page_and_heading() -> None:
    given = cite("light", "after the storm of 1953, the gallery was rebuilt in cast iron", 3, 40)
    (citation,) = check("The gallery was rebuilt in cast iron.", given).citations
    assert citation.quote == "After the storm of 1953 the gallery was rebuilt in cast iron."
    assert (citation.page, citation.heading_path) == (2, ("Later years",))
    assert (citation.source, citation.title) == ("light.md", "Marlow Light")


@pytest.mark.parametrize(
    "citation",
    [
        cite("light", ""),
        cite("light", " \n\t"),
        cite("light", "Ivo Hale bought the yard in 1921."),
        cite("nowhere", "Marlow Light"),
        cite("light", "Marlow Light was first lit and then the gallery was rebuilt in cast iron", 0, 30),
        cite("light", "…"),
    ],
)
def test_a_quote_that_is_not_in_its_document_goes(citation: Citation) -> None:
    claim = check("Marlow Light was first lit in 1889.", citation)
    assert (claim.support, claim.citations) == (Support.UNSUPPORTED, ())
    assert claim.note == "its quotes are not in the sources"


def test_a_claim_that_cites_nothing_is_unsupported() -> None:
    claim = check("Marlow Light was first lit in 1889.")
    assert (claim.support, claim.note) == (Support.UNSUPPORTED, "it cites nothing")


def test_what_one_quote_lacks_another_may_hold() -> None:
    lost = cite("yard", "Ada Brandt bought the yard together with its ferries")
    bought = cite("yard", "Ivo Hale bought the yard in 1921.")
    claim = check("Ada Brandt lit it in 1889, and Ivo Hale bought the yard in 1921.", LIT, lost, bought)
    assert claim.support is Support.SUPPORTED
    assert [citation.document_id for citation in claim.citations] == ["light", "yard"]


def test_the_same_quote_twice_is_one_citation() -> None:
    claim = check("Marlow Light was first lit in 1889.", LIT, LIT)
    assert len(claim.citations) == 1


def test_a_quote_cut_out_of_a_number_grows_to_the_number() -> None:
    claim = check("It happened in 89.", cite("light", "89", LIGHT.index("89"), LIGHT.index("89") + 2))
    assert claim.citations[0].quote == "1889"
    assert claim.support is Support.UNSUPPORTED


def test_words_the_source_does_not_share_are_not_supported() -> None:
    told = check("The gallery delighted painters, poets and every passing tourist.", STORM)
    other = check("Delighted painters, poets and tourists came.", STORM)
    assert (told.support, other.support) == (Support.UNSUPPORTED, Support.UNSUPPORTED)
    half = check("The gallery was rebuilt with care by local craftsmen.", STORM)
    assert half.support is Support.PARTLY


@pytest.mark.parametrize(
    ("text", "support"),
    [
        (LIT.quote, Support.SUPPORTED),
        ("“marlow light was first lit on 12 March 1889 by Ada Brandt”", Support.SUPPORTED),
        ("Marlow Light was first lit on 13 March 1889 by Ada Brandt.", Support.PARTLY),
        ("Marlow Light was first lit by Ada Brandt.", Support.PARTLY),
    ],
)
def test_a_quoted_claim_must_be_the_quote(text: str, support: Support) -> None:
    assert check(text, LIT, kind="quoted").support is support


def test_a_quoted_claim_may_be_its_quotes_one_after_the_other() -> None:
    text = f"{STORM.quote} Seven keepers lived there."
    claim = check(text, STORM, cite("light", "Seven keepers lived there."), kind="quoted")
    assert claim.support is Support.SUPPORTED


@pytest.mark.parametrize(
    "quotes",
    [
        ("visible in fog",),
        ("The lamp XR-2000 is", "visible in fog"),
        ("The lamp XR-2000 is … visible in fog",),
    ],
)
def test_a_quote_cut_around_a_negation_is_not_supported(quotes: tuple[str, ...]) -> None:
    citations = [cite("light", quote) for quote in quotes]
    for kind in ("quoted", "stated"):
        claim = check(" ".join(quotes).replace(" …", ""), *citations, kind=kind)
        assert claim.support is Support.PARTLY


def test_a_quote_with_a_negation_is_still_that_quote() -> None:
    assert check(FOG.quote, FOG, kind="quoted").support is Support.SUPPORTED


def test_a_computed_number_must_come_of_the_cited_ones() -> None:
    assert (
        check("It stood for 64 years before the storm.", LIT, STORM, kind="computed").support
        is Support.SUPPORTED
    )
    wrong = check("It stood for 65 years before the storm.", LIT, STORM, kind="computed")
    assert (wrong.support, wrong.note) == (Support.PARTLY, "the cited figures do not give 65")
    assert check("64 years.", kind="computed").support is Support.UNSUPPORTED


def test_a_computed_claim_that_names_somebody_else_is_not_supported() -> None:
    claim = check("Otto Lenz kept it for 64 years.", LIT, STORM, kind="computed")
    assert claim.support is not Support.SUPPORTED
    assert "Otto Lenz" in claim.note


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        (
            "The lighthouse was finished in 1889 and is 41 metres tall.",
            cite("zh", "1889年3月12日建成，高41米"),
        ),
        ("Li Ming built the lighthouse in 1889.", cite("zh", "灯塔由李明于1889年3月12日建成")),
        ("灯塔于1889年3月12日点亮。", LIT),
    ],
)
def test_across_languages_the_check_says_at_most_partly(text: str, citation: Citation) -> None:
    claim = check(text, citation)
    assert claim.support is Support.PARTLY
    assert "another language" in claim.note


def test_a_wrong_number_shows_across_languages_too() -> None:
    claim = check("The lighthouse is 43 metres tall.", cite("zh", "高41米"))
    assert claim.support is Support.UNSUPPORTED
    assert "43" in claim.note


def test_a_foreign_title_does_not_make_the_text_foreign() -> None:
    text = "灯塔建于1889年。"
    titled = Document("t", "t.md", text, "The lighthouse of Marlow and its keepers", "hash")
    claim = verify(Claim("灯塔建于1889年", (cite("t", text),)), {"t": titled})
    assert claim.support is Support.SUPPORTED
    wrong = verify(Claim("灯塔建于约1898年", (cite("t", text),)), {"t": titled})
    assert wrong.support is not Support.SUPPORTED


def test_the_header_row_of_a_table_counts() -> None:
    text = "| Light | Height (m) | Built 1889 |\n|---|---|---|\n| Marlow | 41 | yes |\n"
    table = Document("t", "t.md", text, "Lights", "hash", blocks=(Block("table", 0, len(text)),))
    claim = verify(
        Claim("Marlow, height 41, was built in 1889.", (cite("t", "| Marlow | 41 | yes |"),)), {"t": table}
    )
    assert claim.support is Support.SUPPORTED


def test_checking_all_counts_what_it_found() -> None:
    given = (
        Claim("Marlow Light was first lit in 1889.", (LIT,)),
        Claim("Marlow Light stands 42 metres tall.", (TALL,)),
        Claim("Nobody knows."),
    )
    checked, counts = verify_all(given, DOCUMENTS)
    assert [claim.support for claim in checked] == [Support.SUPPORTED, Support.PARTLY, Support.UNSUPPORTED]
    assert (counts.supported, counts.partly, counts.unsupported, counts.repaired) == (1, 1, 1, 2)


def test_checking_twice_changes_nothing() -> None:
    once = check("Marlow Light was first lit on 21 March 1889 by Ada Brandt.", LIT)
    assert verify(once, DOCUMENTS) == once
