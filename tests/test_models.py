"""Which model is asked where, and with which key: each key goes where it was meant to go, and nowhere else."""

import asyncio
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from leadline.config import Settings, own_access, settings
from leadline.errors import ConfigError, ModelUnusable
from leadline.llm.base import Chat, Reply
from leadline.llm.options import ModelOptions
from leadline.models import Models, hosted_options, split
from leadline.providers import ALIASES, PROVIDERS
from leadline.reasoning.model import ModelReasoner
from leadline.reasoning.offline import OfflineReasoner
from leadline.run import Run
from leadline.testing.model_server import ModelServer
from leadline.testing.running import go
from leadline.testing.said import turns
from leadline.workspace import Workspace
from tests.llm.calls import REQUEST

FAR = "https://models.example/v1"
OWN = "own-key"
OURS = "our-key"


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No key of the person who runs the tests, no configuration file of theirs."""
    for provider in PROVIDERS.values():
        for name in (*provider.keys, provider.address):
            if name:
                monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def configured(**said: str) -> Settings:
    """Settings as the environment says them."""
    return settings(environ={f"LEADLINE_{name.upper()}": value for name, value in said.items()})


def options(model: str, **said: str) -> ModelOptions:
    return hosted_options(configured(model=model, **said), model)


def test_a_provider_is_named_before_the_colon_and_may_have_other_names() -> None:
    assert split("openai:gpt-4o") == ("openai", "gpt-4o")
    assert split("Gemini:gemini-2.5-flash") == ("google", "gemini-2.5-flash")
    assert split("bedrock:amazon.nova-pro-v1:0") == ("bedrock", "amazon.nova-pro-v1:0")
    assert set(ALIASES.values()) <= set(PROVIDERS)


@pytest.mark.parametrize("model", ["openia:gpt-4o", "gpt-4o", "openai:", ":x", "nobody:x"])
def test_a_name_that_is_none_is_refused_with_what_it_may_be(model: str) -> None:
    with pytest.raises(ConfigError, match=r"is not `PROVIDER:NAME`.*(Did you mean|Providers: )"):
        split(model)


def test_at_an_address_the_name_is_as_the_server_has_it() -> None:
    assert split("qwen2.5:7b", FAR) == ("openai", "qwen2.5:7b")
    assert split("Qwen/Qwen2.5-7B", FAR) == ("openai", "Qwen/Qwen2.5-7B")
    assert split("deepseek:deepseek-chat", FAR) == ("deepseek", "deepseek-chat")


@pytest.mark.parametrize(
    ("model", "meant"),
    [
        ("opnai:mini", "openai:mini"),
        ("OpenIA:mini", "openai:mini"),
        ("olama:llama3", "ollama:llama3"),
        ("depseek:chat", "deepseek:chat"),
        ("ggu:/m.gguf", "gguf:/m.gguf"),
    ],
)
def test_at_an_address_a_slip_in_a_provider_s_name_is_told(model: str, meant: str) -> None:
    with pytest.raises(ConfigError) as told:
        split(model, FAR)
    assert f"Did you mean `{meant}`?" in str(told.value)
    assert f"`openai:{model}`" in str(told.value)
    assert split(f"openai:{model}", FAR) == ("openai", model)


@pytest.mark.parametrize(
    "model",
    [
        *("qwen2.5:7b", "qwen3:8b", "llama3:8b", "llama3.1:8b", "llama:7b", "codellama:7b", "mixtral:8x7b"),
        *("ministral:8b", "magistral:24b", "deepseek-r1:7b", "deepseek-llm:7b", "gemma3:4b", "phi4:14b"),
        *("mistral-small:24b", "tinyllama:1b", "opnai", "openai/gpt-oss-20b:free"),
    ],
)
def test_at_an_address_a_model_s_name_is_no_slip(model: str) -> None:
    assert split(model, FAR) == ("openai", model)


def test_at_an_address_a_slip_is_told_before_anything_is_sent(tmp_path: Path) -> None:
    with ModelServer(turns("yes")) as server:
        models = Models(configured(model="opnai:scripted", base_url=server.url, data=str(tmp_path)))
        with pytest.raises(ConfigError, match="Did you mean `openai:scripted`"):
            go(models.roles())
        assert (server.asked, server.other) == ([], [])


def test_a_file_of_weights_that_is_not_named_says_what_to_write(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    with pytest.raises(ConfigError, match=r"Write `gguf:/path/to/model\.gguf`"):
        go(Models(configured(model="gguf:", data=str(tmp_path))).roles())


LIBRARIES = {name for name, known in PROVIDERS.items() if known.extra != "models"}
"""Providers with a library of their own, whose import takes seconds."""


@pytest.mark.parametrize(
    "provider",
    [pytest.param(name, marks=[pytest.mark.slow] * (name in LIBRARIES)) for name in sorted(PROVIDERS)],
)
def test_every_provider_can_be_named(provider: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    known = PROVIDERS[provider]
    for variable in known.keys[:1]:
        monkeypatch.setenv(variable, OWN)
    if provider == "bedrock":
        monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    said = {"base_url": FAR} if known.own and provider != "openai" else {}
    models = Models(configured(model=f"{provider}:maker/model", data=str(tmp_path), **said))

    async def name() -> str:
        try:
            roles = await models.roles()
            assert roles is not None
            return roles.smart.name
        finally:
            await models.close()

    try:
        assert go(name()) == f"{provider}:maker/model"
    except ConfigError as error:
        if f"leadline[{known.extra}]" not in str(error):
            raise
        pytest.skip(f"the extra `{known.extra}` is not installed")


def test_a_provider_gets_its_own_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", OWN)
    found = options("deepseek:deepseek-chat")
    assert (found.key, found.key_from, found.url) == (OWN, "DEEPSEEK_API_KEY", "")


def test_ours_goes_to_the_provider_of_the_model_before_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", OWN)
    found = options("deepseek:deepseek-chat", api_key=OURS)
    assert (found.key, found.key_from) == (OURS, "LEADLINE_API_KEY")


def test_a_providers_own_key_is_never_sent_to_a_base_url(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in PROVIDERS.values():
        for name in provider.keys:
            monkeypatch.setenv(name, OWN)
    for provider, known in PROVIDERS.items():
        if known.own:
            assert options(f"{provider}:m", base_url=FAR).key == ""
            assert options(f"{provider}:m", base_url=FAR, api_key=OURS).key == OURS


def test_our_key_for_a_base_url_is_not_sent_to_another_model_s_provider(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both = configured(model="openai:local", fast_model="deepseek:deepseek-chat", base_url=FAR, api_key=OURS)
    with pytest.raises(ConfigError, match="DEEPSEEK_API_KEY"):
        hosted_options(both, both.fast_model)
    monkeypatch.setenv("DEEPSEEK_API_KEY", OWN)
    assert hosted_options(both, both.fast_model).key == OWN
    assert hosted_options(both, both.model).key == OURS


def test_our_key_is_not_sent_to_the_provider_of_the_fast_model() -> None:
    both = configured(model="openai:gpt-4o", fast_model="groq:llama", api_key=OURS)
    assert hosted_options(both, both.model).key == OURS
    with pytest.raises(ConfigError, match=r"set the environment variable GROQ_API_KEY\.$"):
        hosted_options(both, both.fast_model)


def test_our_key_does_not_follow_an_address_of_the_providers_own_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", FAR)
    with pytest.raises(ConfigError, match=r"not sent to the address in OPENAI_BASE_URL"):
        options("openai:m", api_key=OURS)
    monkeypatch.setenv("OPENAI_API_KEY", OWN)
    assert (options("openai:m").url, options("openai:m").key) == (FAR, OWN)


def test_our_key_does_not_follow_an_address_that_a_file_in_the_folder_names(tmp_path: Path) -> None:
    file = tmp_path / "leadline.toml"
    file.write_text(f'model = "openai:m"\nbase_url = "{FAR}"\n', encoding="utf-8")
    environ = {"LEADLINE_API_KEY": OURS}
    found = settings(environ=environ)
    with pytest.raises(ConfigError, match=r"not sent to an address that only such a file names"):
        hosted_options(found, found.model)
    for trusted in (
        settings(config=file, environ=environ),
        settings(environ={**environ, "LEADLINE_BASE_URL": FAR}),
        settings(environ=environ, flags={"base_url": FAR}),
        settings(environ={**environ, "LEADLINE_CONFIG": str(file)}),
    ):
        assert hosted_options(trusted, trusted.model).key == OURS


def test_on_this_machine_our_key_follows_such_a_file(tmp_path: Path) -> None:
    here = 'model = "openai:m"\nbase_url = "http://127.0.0.1:8000/v1"\n'
    (tmp_path / "leadline.toml").write_text(here, encoding="utf-8")
    found = settings(environ={"LEADLINE_API_KEY": OURS})
    assert hosted_options(found, found.model).key == OURS


def test_without_a_key_it_says_which_to_set() -> None:
    with pytest.raises(ConfigError, match=r"needs a key: .* ANTHROPIC_API_KEY or LEADLINE_API_KEY"):
        options("anthropic:claude")
    assert options("openai:m", base_url=FAR).key == ""
    assert options("ollama:llama3").url == "http://localhost:11434/v1"
    with pytest.raises(ConfigError, match="needs an address"):
        options("vllm:m")


@pytest.mark.parametrize("key", ["sk-12\n34", "sk–1234", "sk-\u200b1234"])
def test_a_key_that_cannot_be_one_is_told_before_anything_is_sent(key: str) -> None:
    with pytest.raises(ConfigError, match=r"the key in LEADLINE_API_KEY holds .*Copy it again") as told:
        options("openai:m", base_url=FAR, api_key=key)
    assert "1234" not in str(told.value)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("http://localhost:8000/v1/", "http://localhost:8000/v1"),
        ("http://localhost:8000/v1/chat/completions", "http://localhost:8000/v1"),
        ("http://localhost:8000/v1?key=x#y", "http://localhost:8000/v1"),
    ],
)
def test_an_address_is_read_as_people_write_it(given: str, meant: str) -> None:
    assert options("openai:m", base_url=given).url == meant


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("localhost:8000", "must begin with"),
        ("ftp://models.example", "must begin with"),
        ("http://", "must begin with"),
        ("http://x:y:z", "is not an address"),
        ("http://secret@models.example/v1", "must not hold a key"),
    ],
)
def test_what_is_no_address_is_refused(url: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as refused:
        options("openai:m", base_url=url)
    assert "secret" not in str(refused.value)


def test_an_address_that_no_model_is_at_is_refused(tmp_path: Path) -> None:
    models = Models(configured(model="deepseek:m", base_url=FAR, data=str(tmp_path)))
    with pytest.raises(ConfigError, match="is not at one"):
        go(models.roles())


def test_a_key_is_shown_nowhere() -> None:
    found = options("openai:m", base_url=FAR, api_key=OURS)
    assert OURS not in repr(found) + repr(configured(model="openai:m", api_key=OURS))
    assert OWN not in repr(own_access("openai", {"OPENAI_API_KEY": OWN}))


def test_without_a_model_answers_are_quotes(tmp_path: Path) -> None:
    models = Models(configured(data=str(tmp_path)))
    assert go(models.roles()) is None
    assert isinstance(go(models.reasoner()), OfflineReasoner)
    with pytest.raises(ConfigError, match="`fast_model` needs `model`"):
        go(Models(configured(fast_model="openai:m", data=str(tmp_path))).roles())


def test_without_the_library_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith("leadline.llm.provider")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pydantic_ai.direct", None)
    models = Models(configured(model="openai:m", base_url=FAR, data=str(tmp_path)))
    with pytest.raises(ConfigError, match=r"`model = openai:m` needs `pip install 'leadline\[models\]'`"):
        go(models.roles())


def asked(server: ModelServer, data: Path, **said: str) -> list[Reply]:
    """One reply of each role."""
    models = Models(configured(model="openai:scripted", base_url=server.url, data=str(data), **said))

    async def work() -> list[Reply]:
        roles = await models.roles()
        assert roles is not None
        assert isinstance(await models.reasoner(), ModelReasoner)
        try:
            return [await chat.ask(REQUEST, Run()) for chat in (roles.smart, roles.fast)]
        finally:
            await models.close()

    return go(work())


def test_both_roles_are_one_model_unless_two_are_named(tmp_path: Path) -> None:
    with ModelServer(turns("yes", "no"), models=("scripted", "small")) as server:
        asked(server, tmp_path / "one")
        assert [each.body["model"] for each in server.asked] == ["scripted"]
        server.forget()
        asked(server, tmp_path / "two", fast_model="openai:small")
        assert [each.body["model"] for each in server.asked] == ["scripted", "small"]


def test_a_key_reaches_its_server_and_a_wrong_one_ends_in_one_clear_error(tmp_path: Path) -> None:
    with ModelServer(turns("yes"), key=OURS) as server:
        asked(server, tmp_path / "right", api_key=OURS)
        with pytest.raises(ModelUnusable, match=r"refuses the key in LEADLINE_API_KEY \(401\)") as refused:
            asked(server, tmp_path / "wrong", api_key="wrong-key")
    assert "wrong-key" not in str(refused.value)


def test_all_models_of_an_endpoint_share_its_limit(tmp_path: Path) -> None:
    with ModelServer(turns("yes"), latency=0.05, models=("scripted", "small")) as server:
        said = {"fast_model": "openai:small", "llm_parallel": "2", "llm_cache": "false"}
        models = Models(configured(model="openai:scripted", base_url=server.url, data=str(tmp_path), **said))

        async def work() -> None:
            roles = await models.roles()
            assert roles is not None
            both: tuple[Chat, Chat] = (roles.smart, roles.fast)
            async with asyncio.TaskGroup() as group:
                for chat in both * 4:
                    group.create_task(chat.ask(REQUEST, Run()))
            await models.close()

        go(work())
        assert (len(server.asked), server.most) == (8, 2)


def test_replies_are_kept_in_the_data_folder_unless_switched_off(tmp_path: Path) -> None:
    with ModelServer(turns("yes")) as server:
        asked(server, tmp_path / "on")
        asked(server, tmp_path / "on")
        assert len(server.asked) == 1
        asked(server, tmp_path / "off", llm_cache="false")
        assert len(server.asked) == 3
    assert (tmp_path / "on" / "replies.sqlite").is_file()
    assert not (tmp_path / "off").exists()


def test_a_purge_takes_what_models_said_of_a_document(tmp_path: Path) -> None:
    (tmp_path / "light.md").write_text("The lighthouse was lit in 1889.", encoding="utf-8")

    async def work(server: ModelServer) -> tuple[int, int]:
        said = configured(
            model="openai:scripted", base_url=server.url, data=str(tmp_path / "data"), embedding="none"
        )
        async with await Workspace.open(said) as workspace:
            await workspace.load([tmp_path / "light.md"])
            await workspace.ask("When was the lighthouse lit?", agent="deep")
            kept = _rows(tmp_path / "data" / "replies.sqlite")
            await workspace.remove([tmp_path / "light.md"], purge=True)
            return kept, _rows(tmp_path / "data" / "replies.sqlite")

    with ModelServer(turns("no idea")) as server:
        kept, left = go(work(server))
    assert kept > 0
    assert left == 0


def _rows(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM replies").fetchone()
        return int(count)
