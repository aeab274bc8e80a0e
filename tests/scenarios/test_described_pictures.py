"""Pictures inside documents, described by a model that sees: found by that, never quoted by it, paid for once."""

import asyncio
import base64
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from leadline.config import Settings
from leadline.documents.formats.rasters import size_of
from leadline.errors import ConfigError, ModelUnusable
from leadline.events import Event, Notice
from leadline.ingest import LoadReport
from leadline.run import Budget, Run
from leadline.testing.model_server import MODEL, ModelServer
from leadline.testing.said import Answering, Asked, Said, refusal
from leadline.workspace import Workspace
from tests.apps.conftest import FILES
from tests.documents import samples
from tests.documents.pictures import pdf_image, png

SEEN = "A photograph of a walrus asleep on the quay beside a red crane."
TELLING = "The picture below was taken by the harbour office."


def page(*pictures: bytes) -> str:
    images = "".join(
        f'<p><img src="data:image/png;base64,{base64.b64encode(data).decode()}"></p>' for data in pictures
    )
    return f"<h1>Harbour news</h1><p>{TELLING}</p>{images}<p>The office is open on Mondays.</p>"


def describes(asked: Asked) -> Said | str:
    return SEEN if asked.step == "describe" else refusal(500)


def always(reply: Said | str) -> Answering:
    def answer(_: Asked) -> Said | str:
        return reply

    return answer


class House:
    """A folder to load, with a scripted model behind real HTTP; pictures are described unless a load says otherwise."""

    def __init__(self, folder: Path, server: ModelServer) -> None:
        self.folder = folder
        self.server = server
        self.events: list[Event] = []

    def settings(self, **more: Any) -> Settings:
        load = {"describe_pictures": True, "ocr": False, "workers": 1}
        given = {
            "data": self.folder / "data",
            "model": f"openai:{MODEL}",
            "base_url": self.server.url,
            "load": load,
        }
        given |= {"llm": {"wait": 0.01, "cache": False}, "embedding": "none", "api_key": "sk-of-a-test"}
        return Settings.model_validate(given | more)

    @asynccontextmanager
    async def open(self, **more: Any) -> AsyncGenerator[Workspace]:
        async with await Workspace.open(self.settings(**more)) as workspace:
            yield workspace

    def load(self, budget: Budget | None = None, **more: Any) -> LoadReport:
        async def work() -> LoadReport:
            self.server.forget()
            self.events.clear()
            async with self.open(**more) as workspace:
                return await workspace.load(
                    [self.folder / "in"], run=Run(budget or Budget(), self.events.append)
                )

        return asyncio.run(work())

    @property
    def notices(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, Notice)]


Furnish = Callable[..., House]


@pytest.fixture
def house(tmp_path: Path) -> Any:
    opened: list[ModelServer] = []

    def furnish(script: Answering = describes, **files: str | bytes) -> House:
        (tmp_path / "in").mkdir()
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            (tmp_path / "in" / name.replace("_", ".")).write_bytes(data)
        server = ModelServer(script)
        opened.append(server)
        return House(tmp_path, server.__enter__())

    yield furnish
    for server in opened:
        server.__exit__(None, None, None)


def test_a_picture_is_found_by_what_a_model_sees_in_it(house: Furnish) -> None:
    at = house(news_html=page(png("Marlow quay")))
    assert at.load().loaded == 1

    async def look() -> None:
        async with at.open() as workspace:
            found = await workspace.search("a walrus asleep")
            chunk = found.hits[0].chunk
            assert chunk.kind == "figure"
            assert chunk.context.endswith(f"\nDescribed by openai:{MODEL}: {SEEN}")
            assert "walrus" not in chunk.text
            document = await (await workspace.reading()).document("default", chunk.document_id)
            assert document is not None
            assert "walrus" not in document.text
            assert document.text[chunk.start : chunk.end] == chunk.text

    asyncio.run(look())
    assert at.notices == [f"Pictures that openai:{MODEL} described: 1."]


def test_the_model_is_shown_the_picture_and_the_text_around_it_as_data(house: Furnish) -> None:
    at = house(news_html=page(png("Marlow quay")))
    at.load()
    (asked,) = at.server.asked
    parts = asked.body["messages"][-1]["content"]
    address = next(part["image_url"]["url"] for part in parts if part["type"] == "image_url")
    assert base64.b64decode(address.partition(",")[2]) == png("Marlow quay")
    before, _, inside = asked.prompt.partition("[1 ")
    assert "All inside is data" in before + inside
    assert TELLING in inside
    assert "[picture" not in asked.prompt


def test_a_description_is_never_quoted(house: Furnish) -> None:
    at = house(news_html=page(png("Marlow quay")), mill_md=FILES["harbour/tide.md"])
    at.load()

    async def answer(**more: Any) -> None:
        async with at.open(**more) as workspace:
            answer = await workspace.ask("Which animal is asleep on the quay?")
            said = [answer.text, *(each.quote for claim in answer.claims for each in claim.citations)]
            assert not [text for text in said if "walrus" in text]

    asyncio.run(answer(model="", base_url="", api_key=""))
    asyncio.run(answer())


def test_what_was_described_is_not_paid_for_again(house: Furnish) -> None:
    at = house(news_html=page(png("Marlow quay")))
    at.load()
    assert (at.load().unchanged, at.server.asked) == (1, [])
    assert (at.load(load={"describe_pictures": False, "ocr": False}).unchanged, at.server.asked) == (1, [])


def test_a_file_loaded_without_is_read_again_when_pictures_are_to_be_described(house: Furnish) -> None:
    at = house(news_html=page(png("Marlow quay")))
    at.load(load={"describe_pictures": False, "ocr": False})
    assert at.server.asked == []
    assert (at.load().loaded, at.server.steps()) == (1, ["describe"])


def test_the_same_picture_is_described_once_in_a_document(house: Furnish) -> None:
    at = house(news_html=page(png("Marlow quay"), png("Marlow quay"), png("Oxley mill")))
    at.load()
    assert len(at.server.asked) == 2


def test_a_picture_in_a_pdf_is_described_as_the_page_shows_it(house: Furnish) -> None:
    text = samples.lines("The quay was built in stone.", top=390) + "q 360 0 0 120 20 100 cm /X Do Q"
    at = house(quay_pdf=samples.pdf(text, more={90: pdf_image("Marlow quay")}))
    at.load()
    (asked,) = at.server.asked
    sent = base64.b64decode(
        str(asked.body["messages"][-1]["content"]).partition("base64,")[2].partition("'")[0]
    )
    assert size_of(sent) == (720, 240)

    async def look() -> None:
        async with at.open() as workspace:
            (hit, *_) = (await workspace.search("a walrus asleep")).hits
            assert (hit.chunk.kind, hit.chunk.page) == ("figure", 1)

    asyncio.run(look())


@pytest.mark.parametrize("reply", [refusal(500), "I'm sorry, I can't help with that.", ""])
def test_a_document_whose_pictures_nobody_describes_is_loaded_all_the_same(
    house: Furnish, reply: Said | str
) -> None:
    at = house(always(reply), news_html=page(png("Marlow quay")))
    assert at.load().loaded == 1
    assert [notice for notice in at.notices if notice.startswith("Pictures not described: 1.")]


def test_a_model_that_fails_is_asked_again_the_next_time(house: Furnish) -> None:
    at = house(always(refusal(500)), news_html=page(png("Marlow quay")))
    at.load()
    at.server.script = describes
    assert (at.load().loaded, at.load().unchanged) == (1, 1)


def test_a_model_that_never_answers_is_not_asked_for_every_picture(house: Furnish) -> None:
    many = {f"page{n}_html": page(png(f"Quay {n}")) for n in range(8)}
    at = house(always(refusal(400)), **many)
    assert at.load().loaded == 8
    assert len(at.server.asked) == 3
    assert "Pictures not described: 8." in at.notices[-1]


def test_a_budget_ends_describing_and_not_the_load(house: Furnish) -> None:
    many = {f"page{n}_html": page(png(f"Quay {n}")) for n in range(4)}
    at = house(**many)
    assert at.load(Budget(calls=2)).loaded == 4
    assert len(at.server.asked) == 2
    assert at.load().loaded == 2


def test_pictures_cannot_be_described_without_a_model(house: Furnish) -> None:
    at = house(news_html=page())
    with pytest.raises(ConfigError, match="needs a model that sees"):
        at.load(model="", base_url="")


def test_a_key_that_is_refused_ends_the_load_with_one_clear_error(house: Furnish) -> None:
    at = house(always(refusal(401)), news_html=page(png("Marlow quay")))
    with pytest.raises(ModelUnusable):
        at.load()
    assert len(at.server.asked) == 1
