"""The assembly: settings reach the rooms, and defaults are said once."""

from pathlib import Path

import pytest

from leadline.agents.options import LAYERS, AskOptions
from leadline.arguments import as_text, matching, readable
from leadline.config import Settings
from leadline.documents.splitting import SplitOptions
from leadline.errors import EmbeddingMismatch, UnknownCollection, UsageError
from leadline.retrieval.configured import retrieval_options
from leadline.retrieval.hybrid import RetrievalOptions
from leadline.run import Budget
from leadline.store.lance import open_store
from leadline.testing.running import go
from leadline.types import Collection
from leadline.workspace import Workspace, ask_options


def test_the_rooms_own_defaults_are_those_of_the_settings() -> None:
    settings = Settings()
    assert ask_options(settings) == AskOptions()
    assert retrieval_options(settings) == RetrievalOptions()
    split = SplitOptions(settings.load.chunk_size, settings.load.section_size)
    assert split == SplitOptions()
    assert Workspace(settings).run().budget == Budget()


def test_a_call_changes_rounds_and_layers_for_itself_only() -> None:
    settings = Settings.model_validate({"ask": {"rounds": 2, "judge": False}})
    assert ask_options(settings).layers == LAYERS - {"judge"}
    changed = ask_options(settings, rounds=5, layers={"judge": True, "reflect": False})
    assert (changed.rounds, changed.layers) == (5, LAYERS - {"reflect"})


def test_a_collection_keeps_its_embedding_whatever_is_configured(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nThe tide mill.\n", encoding="utf-8")
    (tmp_path / "b.md").write_text("# B\n\nThe salt works.\n", encoding="utf-8")
    data = {"data": tmp_path / "data"}

    async def work() -> None:
        plain = Settings.model_validate({**data, "embedding": "none"})
        async with await Workspace.open(plain) as workspace:
            await workspace.load([tmp_path / "a.md"])
        async with await Workspace.open(Settings.model_validate(data)) as workspace:
            assert (await workspace.load([tmp_path / "b.md"])).loaded == 1
            assert (await workspace.search("salt works")).paths[0] == ("dense", 0)
            await workspace.load([tmp_path / "b.md"], collection="words")
        async with await Workspace.open(plain) as workspace:
            await workspace.load([tmp_path / "a.md"], collection="words")
            embeddings = {each.name: each.embedding[:9] for each in await workspace.collections()}
            assert embeddings == {"default": "none", "words": "wordllama"}

    go(work())


def test_a_collection_whose_encoder_cannot_be_built_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nThe tide mill.\n", encoding="utf-8")

    async def work() -> None:
        store = await open_store(tmp_path / "data")
        await store.create(Collection("default", embedding="onnx-gone-1", dimension=8))
        await store.close()
        async with await Workspace.open(Settings(data=tmp_path / "data")) as workspace:
            with pytest.raises(EmbeddingMismatch, match="leadline reindex"):
                await workspace.load([tmp_path / "a.md"])
            with pytest.raises(EmbeddingMismatch, match="leadline reindex"):
                await workspace.search("tide mill")
            await workspace.load([tmp_path / "a.md"], collection="words")
            with pytest.raises(EmbeddingMismatch, match="onnx-gone-1"):
                await workspace.search("tide mill", collections=["words", "default"])

    go(work())


def test_reading_makes_no_folder(tmp_path: Path) -> None:
    async def work() -> None:
        settings = Settings.model_validate({"data": tmp_path / "data"})
        async with await Workspace.open(settings) as workspace:
            assert await workspace.collections() == []
            assert not (await workspace.status()).exists
            with pytest.raises(UnknownCollection):
                await workspace.sources("default")

    go(work())
    assert not (tmp_path / "data").exists()


def test_a_folder_names_what_is_below_it_and_no_neighbour(tmp_path: Path) -> None:
    stored = {str(tmp_path / name): name for name in ("a/x.md", "a/b/y.md", "ab/z.md")}
    assert [stored[found] for found in matching(stored, tmp_path / "a")] == ["a/x.md", "a/b/y.md"]
    assert [stored[found] for found in matching(stored, tmp_path / "a" / "x.md")] == ["a/x.md"]
    assert matching(stored, tmp_path / "nothing") == []


def test_no_path_is_no_load() -> None:
    with pytest.raises(UsageError, match="no path"):
        readable([])


def test_an_argument_that_the_locale_could_not_read_is_read_as_utf_8() -> None:
    assert as_text("潮".encode().decode("ascii", "surrogateescape")) == "潮"
    assert as_text("\udc80") == "\ufffd"
