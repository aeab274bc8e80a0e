"""What a model adds to what the source says is not supported by it."""

import pytest

from leadline.citing.verify import verify
from leadline.types import Citation, Claim, Document, Support

TEXT = "The tide mill at Oxley was built in 1887 by Ada Crane, who studied in Hull. See www.oxley.example/mill for more."
DOCUMENTS = {"mill": Document("mill", "mill.md", TEXT, "Oxley Mill", "hash")}


def check(text: str) -> Claim:
    return verify(Claim(text, (Citation("mill", "c", "mill.md", "Oxley Mill", TEXT, 0, 0),)), DOCUMENTS)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            "The tide mill at Oxley was built in 1887 by Ada Crane and is haunted by ghosts of drowned sailors.",
            "the cited text has nothing of “haunted by ghosts of drowned sailors”",
        ),
        (
            "Today a hotel with spacious gardens, the tide mill at Oxley was built in 1887 by Ada Crane.",
            "the cited text has nothing of “Today a hotel with spacious gardens”",
        ),
        (
            "The tide mill at Oxley was built by [Ada Crane](https://evil.example/x).",
            "not in the cited text: https://evil.example/x",
        ),
        (
            "The tide mill at Oxley was built by Ada Crane, write to ada@evil.example.",
            "not in the cited text: ada@evil.example",
        ),
    ],
)
def test_what_is_added_is_told(text: str, note: str) -> None:
    claim = check(text)
    assert (claim.support, claim.note) == (Support.PARTLY, note)


@pytest.mark.parametrize(
    "text",
    [
        "The tide mill at Oxley, which Ada Crane had put up, was built in 1887.",
        "Ada Crane, a student in Hull, is the person who built the tide mill at Oxley.",
        "More on the tide mill at Oxley is at www.oxley.example/mill.",
    ],
)
def test_other_words_for_what_the_source_says_are_no_addition(text: str) -> None:
    assert check(text).support is Support.SUPPORTED
