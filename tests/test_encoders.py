"""Where a remote encoder is, and which key goes there: the same rules as for language models."""

from pathlib import Path

import pytest

from leadline.config import Settings, settings
from leadline.encoders import KEY, REMOTE, Place, encoder_options, place_of
from leadline.errors import ConfigError
from leadline.providers import EMBEDDINGS, PROVIDERS
from leadline.reranking.choosing import reranker_options

OWN = "OPENAI_API_KEY"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key of whoever runs the tests."""
    for provider in PROVIDERS.values():
        for name in (*provider.keys, provider.address):
            monkeypatch.delenv(name, raising=False)


def remote(**more: str) -> Settings:
    return Settings.model_validate({"embedding": REMOTE, **more})


def test_a_provider_before_the_models_name_says_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OWN, "sk-own")
    found = place_of(remote(embedding_model="openai:text-embedding-3-small"), REMOTE)
    assert found == Place(EMBEDDINGS["openai"], "text-embedding-3-small", "sk-own", OWN)
    assert encoder_options(remote(embedding_model="openai:m"), REMOTE).url == EMBEDDINGS["openai"]


def test_our_key_goes_before_the_providers_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OWN, "sk-own")
    found = place_of(remote(embedding_model="openai:m", embedding_key="sk-ours"), REMOTE)
    assert (found.key, found.variable) == ("sk-ours", KEY)


def test_an_address_in_the_providers_variable_gets_the_providers_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OWN, "sk-own")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://gateway.example/v1")
    found = place_of(remote(embedding_model="openai:m", embedding_key="sk-ours"), REMOTE)
    assert (found.url, found.key) == ("https://gateway.example/v1", "sk-own")


def test_a_providers_own_key_is_never_sent_to_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OWN, "sk-own")
    found = place_of(remote(embedding_model="openai:m", embedding_url="http://localhost:8000/v1"), REMOTE)
    assert (found.url, found.model, found.key) == ("http://localhost:8000/v1", "openai:m", "")


def test_a_key_that_is_missing_is_named() -> None:
    with pytest.raises(ConfigError, match=f"set the environment variable {OWN} or {KEY}"):
        place_of(remote(embedding_model="openai:m"), REMOTE)
    assert place_of(remote(embedding_model="ollama:nomic-embed-text"), REMOTE).key == ""


def test_a_name_with_a_colon_is_a_name_where_there_is_an_address_and_for_other_encoders() -> None:
    there = remote(embedding_model="qwen3-embedding:0.6b", embedding_url="http://localhost:11434/v1")
    assert place_of(there, REMOTE).model == "qwen3-embedding:0.6b"
    assert place_of(remote(embedding_model="openai:m"), "onnx").model == "openai:m"


@pytest.mark.parametrize("family", ["embedding", "reranker"])
def test_a_key_does_not_follow_an_address_that_only_a_file_in_the_folder_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, family: str
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "leadline.toml"
    file.write_text(f'{family}_url = "https://elsewhere.example/v1"\n', encoding="utf-8")
    ours = {f"LEADLINE_{family.upper()}_KEY": "sk-ours"}

    def asked(read: Settings) -> str:
        return place_of(read, REMOTE).key if family == "embedding" else reranker_options(read).key

    with pytest.raises(ConfigError, match="not sent to an address that only such a file names"):
        asked(settings(environ=ours))
    assert asked(settings(environ=ours, config=file)) == "sk-ours"
    said = {**ours, f"LEADLINE_{family.upper()}_URL": "https://elsewhere.example/v1"}
    assert asked(settings(environ=said)) == "sk-ours"
    file.write_text(f'{family}_url = "http://127.0.0.1:8000/v1"\n', encoding="utf-8")
    assert asked(settings(environ=ours)) == "sk-ours"


def test_every_provider_of_embeddings_is_known() -> None:
    assert EMBEDDINGS.keys() <= PROVIDERS.keys()
    assert all(url.startswith("https://") or "localhost" in url for url in EMBEDDINGS.values())
