"""What a document is called and what is known of it."""

from pathlib import Path

import pytest

from leadline.documents.base import Extracted
from leadline.documents.describing import describe
from leadline.documents.walking import FoundFile
from leadline.types import Heading, MetaValue

MOMENT = 1_600_000_000_000_000_000


def found(name: str = "port_plan-b.md") -> FoundFile:
    return FoundFile(Path("/notes") / name, f"/notes/{name}", 10, MOMENT)


def with_heading(text: str, kind: str = "markdown") -> Extracted:
    return Extracted(f"{text}\n\nBody of the note.", kind=kind, headings=(Heading(1, text, 0, len(text)),))


@pytest.mark.parametrize(
    ("extracted", "given", "title"),
    [
        (Extracted("Body."), {}, "port plan b"),
        (with_heading("The  plan"), {}, "The plan"),
        (Extracted("Body.", title="Stated"), {}, "Stated"),
        (Extracted("Body.", title="Stated", metadata={"title": "In front"}), {}, "In front"),
        (Extracted("Body.", metadata={"title": "In front"}), {"title": "Given"}, "Given"),
        (with_heading("Slide 1", "pptx"), {}, "port plan b"),
        (with_heading("Prices", "xlsx"), {}, "port plan b"),
    ],
)
def test_a_title_comes_from_the_nearest_to_a_person(
    extracted: Extracted, given: dict[str, MetaValue], title: str
) -> None:
    made = describe(found(), extracted, "hash", given)
    assert (made.title, made.metadata["title"]) == (title, title)


@pytest.mark.parametrize(
    ("stated", "year"),
    [
        ({"modified": "2019-02-03"}, 2019),
        ({"created": "2012-01-01", "modified": "2019-02-03"}, 2012),
        ({"date": "3 May 2015", "created": "2012-01-01"}, 2015),
        ({"year": 1999, "date": "2015-05-03"}, 1999),
        ({"year": "1999"}, 1999),
        ({"date": "20150503", "created": "2012-01-01"}, 2015),
    ],
)
def test_the_year_is_that_of_the_best_date_stated(stated: dict[str, MetaValue], year: int) -> None:
    assert describe(found(), Extracted("Body.", metadata=stated), "hash", {}).metadata["year"] == year


def test_when_a_file_was_changed_gives_no_year() -> None:
    metadata = describe(found(), Extracted("Body."), "hash", {}).metadata
    assert metadata["modified"] == "2020-09-13"
    assert not {"year", "date"} & set(metadata)


@pytest.mark.parametrize(
    ("name", "date"),
    [
        ("2024-03-05-standup.md", "2024-03-05"),
        ("minutes_20240305.md", "2024-03-05"),
        ("storm-of-1953.md", None),
    ],
)
def test_a_day_in_the_name_of_the_file_dates_it(name: str, date: str | None) -> None:
    metadata = describe(found(name), Extracted("Body."), "hash", {}).metadata
    assert metadata.get("date") == date
    assert metadata.get("year") == (date and int(date[:4]))
    stated = Extracted("Body.", metadata={"date": "1 May 2020"})
    assert describe(found(name), stated, "hash", {}).metadata["date"] == "2020-05-01"


def test_a_stated_language_is_cut_to_its_two_letters() -> None:
    stated = Extracted("Body.", metadata={"language": "en-US"})
    assert describe(found(), stated, "hash", {}).metadata["language"] == "en"
    assert "language" not in describe(found(), Extracted("12 34"), "hash", {}).metadata


def test_what_the_caller_gives_wins_and_empty_values_are_left_out() -> None:
    stated = Extracted("Body.", metadata={"author": "", "team": "sea", "status": "draft"})
    metadata = describe(found(), stated, "hash", {"status": "final"}).metadata
    assert metadata["status"] == "final"
    assert metadata["team"] == "sea"
    assert "author" not in metadata
    assert metadata["modified"] == "2020-09-13"
    assert (metadata["source"], metadata["type"]) == ("/notes/port_plan-b.md", "text")
