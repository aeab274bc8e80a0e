"""Where settings come from, which wins, and what an unknown key says."""

from pathlib import Path

import pytest

from leadline.apps.cli.options import FLAGS
from leadline.apps.reference import configuration
from leadline.config import (
    CONFIG_VARIABLE,
    Access,
    keys,
    own_access,
    settings,
    user_cache_folder,
    user_data_folder,
)
from leadline.errors import ConfigError
from leadline.run import Budget


def write(folder: Path, text: str) -> Path:
    file = folder / "leadline.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_defaults_need_no_file_and_no_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    read = settings(environ={})
    assert (read.data, read.collection, read.embedding) == (Path(".leadline"), "default", "static")
    assert read.ask.rounds == 3
    assert read.search.recall == 50


def test_flags_win_over_environment_over_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "[ask]\nrounds = 4\ngain = 0.5\n[search]\nrecall = 7\n")
    monkeypatch.chdir(tmp_path)
    environ = {"LEADLINE_ASK_ROUNDS": "5", "LEADLINE_SEARCH_RECALL": "8"}
    read = settings(environ=environ, flags={"ask.rounds": 6, "budget.calls": None})
    assert (read.ask.rounds, read.search.recall, read.ask.gain) == (6, 8, 0.5)


def test_a_variable_names_the_file(tmp_path: Path) -> None:
    file = write(tmp_path, 'collection = "papers"\n')
    assert settings(environ={"LEADLINE_CONFIG": str(file)}).collection == "papers"


def test_data_in_the_file_is_meant_from_where_the_file_is(tmp_path: Path) -> None:
    file = write(tmp_path, 'data = "store"\n')
    assert settings(config=file, environ={}).data == tmp_path / "store"


def test_global_takes_the_users_folder_unless_a_flag_names_one(tmp_path: Path) -> None:
    environ = {"XDG_DATA_HOME": str(tmp_path)}
    assert settings(everywhere=True, environ=environ).data == tmp_path / "leadline"
    flags = {"data": tmp_path / "mine"}
    assert settings(everywhere=True, environ=environ, flags=flags).data == tmp_path / "mine"
    assert user_data_folder({}).name == "leadline"
    assert user_data_folder({"XDG_DATA_HOME": ""}).is_absolute()
    assert user_cache_folder({"XDG_CACHE_HOME": "kept"}) == Path("kept/leadline")
    assert user_cache_folder({"XDG_CACHE_HOME": ""}).is_absolute()


def test_lists_in_variables_are_split_at_commas() -> None:
    read = settings(environ={"LEADLINE_LOAD_EXCLUDE": "*.log, build/"})
    assert read.load.exclude == ("*.log", "build/")


def test_a_limit_can_be_taken_away() -> None:
    assert settings(environ={"LEADLINE_BUDGET_SEARCHES": "none"}).budget.searches is None


BAD_FILES = [
    ("[ask]\nround = 2\n", "`ask.round`", "Did you mean `ask.rounds`?"),
    ("chunk_size = 2\n", "`chunk_size`", "Did you mean `load.chunk_size`?"),
    ("zzz = 2\n", "`zzz`", "Known: data, collection"),
    ("[ask]\nrounds = 0\n", "`ask.rounds`", "greater than or equal to 1"),
    ('[search]\nfusion = "best"\n', "`search.fusion`", "'score' or 'rrf'"),
    ("ask = 3\n", "`ask`", "valid dictionary"),
    ("rounds = = 2\n", "leadline.toml", "line 1"),
]


@pytest.mark.parametrize(("text", "place", "remedy"), BAD_FILES)
def test_a_wrong_file_is_refused_with_place_and_remedy(
    tmp_path: Path, text: str, place: str, remedy: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        settings(config=write(tmp_path, text), environ={})
    message = str(refused.value)
    assert place in message
    assert remedy in message
    assert "\n" not in message


def test_an_unknown_variable_is_refused_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"LEADLINE_EMBEDING.*Did you mean `LEADLINE_EMBEDDING`\?"):
        settings(environ={"LEADLINE_EMBEDING": "none"})


def test_a_wrong_variable_is_named_in_the_message() -> None:
    with pytest.raises(ConfigError, match=r"`ask.rounds` in environment variable LEADLINE_ASK_ROUNDS"):
        settings(environ={"LEADLINE_ASK_ROUNDS": "many"})


def test_a_wrong_flag_is_named_as_a_person_writes_it() -> None:
    spelled = {"budget.seconds": "--deadline"}
    with pytest.raises(ConfigError, match=r"^--deadline cannot be 0.0: input should be greater than 0\.$"):
        settings(environ={}, flags={"budget.seconds": 0.0}, spelled=spelled)
    environ = {"LEADLINE_BUDGET_SECONDS": "0"}
    with pytest.raises(
        ConfigError, match=r"^`budget.seconds` in environment variable LEADLINE_BUDGET_SECONDS"
    ):
        settings(environ=environ, spelled=spelled)
    assert set(FLAGS) <= {key.path for key in keys()}


def test_an_unknown_flag_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"Did you mean `ask.rounds`"):
        settings(environ={}, flags={"ask.round": 2})


def test_a_named_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"is not there"):
        settings(config=tmp_path / "nowhere.toml", environ={})


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "leadline.toml"
    file.write_bytes(b"collection = '\xff'\n")
    with pytest.raises(ConfigError, match="not valid TOML"):
        settings(config=file, environ={})


def test_every_setting_is_described_and_has_its_own_variable() -> None:
    all_keys = keys()
    assert len({key.variable for key in all_keys}) == len(all_keys)
    assert not [key.path for key in all_keys if not key.description]


def test_the_reference_page_is_current() -> None:
    page = Path(__file__).parents[1] / "docs" / "configuration.md"
    written = page.read_text(encoding="utf-8")
    assert written == configuration(), "run `python -m leadline.apps.reference > docs/configuration.md`"


def test_what_a_file_in_the_folder_says_is_told_from_what_a_person_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "leadline.toml"
    file.write_text('model = "openai:m"\nbase_url = "http://models.example/v1"\n', encoding="utf-8")
    found = settings(environ={"LEADLINE_MODEL": "openai:n"})
    assert (found.is_stray("base_url"), found.is_stray("model")) == (True, False)
    assert not settings(config=file, environ={}).is_stray("base_url")
    assert not settings(environ={CONFIG_VARIABLE: str(file)}).is_stray("base_url")
    assert found.model_copy(update={"collection": "other"}).is_stray("base_url")


def test_a_providers_own_variables_are_read() -> None:
    environ = {"GEMINI_API_KEY": " k ", "GROQ_BASE_URL": "http://groq.example", "GROQ_API_KEY": ""}
    assert own_access("google", environ) == Access("k", "GEMINI_API_KEY", "")
    assert own_access("groq", environ) == Access("", "", "http://groq.example")


def test_every_limit_reaches_a_run() -> None:
    said = {f"LEADLINE_BUDGET_{name}": "7" for name in ("SEARCHES", "CALLS", "TOKENS", "SECONDS", "USD")}
    assert settings(environ=said).budget.of_run() == Budget(7, 7, 7, 7.0, 7.0)
    assert settings(environ={}).budget.of_run() == Budget()


def test_files_of_the_models_are_meant_from_the_folder_of_the_configuration_or_from_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    file = write(tmp_path, '[llm]\ncache_file = "kept/r.sqlite"\nprompts = "~/prompts"\n')
    read = settings(config=file, environ={})
    assert read.llm.cache_file == tmp_path / "kept" / "r.sqlite"
    assert read.llm.prompts == tmp_path / "home" / "prompts"
    from_home = settings(environ={"LEADLINE_LLM_CACHE_FILE": "~/r.sqlite"})
    assert from_home.llm.cache_file == tmp_path / "home" / "r.sqlite"
