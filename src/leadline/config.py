"""Settings: defaults, then `leadline.toml`, then `LEADLINE_*` variables, then flags; later ones win.

The only place that reads the environment. Unknown keys fail with their path and the nearest known one.
"""

import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from leadline.errors import ConfigError
from leadline.providers import PROVIDERS, SEARCHES
from leadline.settings import PREFIX, SECRET, Settings, keys

FILE_NAME = "leadline.toml"
CONFIG_VARIABLE = "LEADLINE_CONFIG"
_FLAG = "flag or argument"
SECRET_WORDS = frozenset(
    "ACCESS APIKEY AUTH BEARER COOKIE CREDENTIAL CREDENTIALS DSN KEY KEYS PASS PASSWD PASSWORD PASSPHRASE PGPASSWORD "
    "PRIVATE PWD SECRET SECRETS SESSION TOKEN TOKENS".split()
)
"""In the name of a variable they say that it is nobody else's business."""


def settings(
    *,
    config: Path | None = None,
    everywhere: bool = False,
    flags: Mapping[str, object] | None = None,
    environ: Mapping[str, str] | None = None,
    spelled: Mapping[str, str] | None = None,
) -> Settings:
    """Read the settings.

    `config` names the file, `everywhere` takes the user's data folder instead of the one here, `flags`
    maps dotted paths to values (None means not given), `environ` stands in for the process environment. `spelled` is how
    a person writes a flag, by dotted path, for messages.
    """
    variables = _process_environment() if environ is None else environ
    file = _config_file(config, variables)
    values: dict[str, Any] = {}
    origin: dict[str, str] = {}
    if file is not None:
        values = _read(file)
        _refuse_secrets(values, file)
        _place(values, file.parent)
    if everywhere:
        values["data"] = str(user_data_folder(variables))
    for path, value, source in (*_from_environment(variables), *_from_flags(flags or {})):
        _put(values, path, value, source)
        origin[path] = source
    named = config is not None or bool(variables.get(CONFIG_VARIABLE))
    stray = frozenset[str]() if named else frozenset(_paths(values)) - origin.keys()
    try:
        return _expanded(Settings.model_validate(values)).straying(stray)
    except ValidationError as error:
        raise ConfigError(_explain(error, origin, file, spelled or {})) from None


def config_file(config: Path | None = None, environ: Mapping[str, str] | None = None) -> Path | None:
    """The file that `settings` would read, or None."""
    return _config_file(config, _process_environment() if environ is None else environ)


def user_data_folder(environ: Mapping[str, str] | None = None) -> Path:
    """Where `--global` keeps collections."""
    variables = _process_environment() if environ is None else environ
    if variables.get("XDG_DATA_HOME"):
        return Path(variables["XDG_DATA_HOME"]) / "leadline"
    if sys.platform == "darwin":
        return _at_home(Path("~/Library/Application Support/leadline"))
    return _at_home(Path("~/.local/share/leadline"))


def user_cache_folder(environ: Mapping[str, str] | None = None) -> Path:
    """Where large files are kept that can be fetched again."""
    variables = _process_environment() if environ is None else environ
    if variables.get("XDG_CACHE_HOME"):
        return Path(variables["XDG_CACHE_HOME"]) / "leadline"
    return _at_home(Path("~/Library/Caches/leadline" if sys.platform == "darwin" else "~/.cache/leadline"))


@dataclass(frozen=True, slots=True)
class Access:
    """What a provider's own variables say: its key, from `variable`, and its address."""

    key: str = field(default="", repr=False)
    variable: str = ""
    address: str = ""


def own_access(provider: str, environ: Mapping[str, str] | None = None) -> Access:
    """What stands in the environment for one of `leadline.providers`."""
    variables = _process_environment() if environ is None else environ
    known = PROVIDERS[provider]
    variable = next((name for name in known.keys if variables.get(name, "").strip()), "")
    address = variables.get(known.address, "").strip() if known.address else ""
    return Access(variables[variable].strip() if variable else "", variable, address)


def search_access(provider: str, environ: Mapping[str, str] | None = None) -> Access:
    """The key that stands in the environment for a search provider, one of `leadline.providers`."""
    variables = _process_environment() if environ is None else environ
    variable = SEARCHES[provider].key
    key = variables.get(variable, "").strip() if variable else ""
    return Access(key, variable, SEARCHES[provider].address)


def open_variable(name: str, environ: Mapping[str, str] | None = None) -> str | None:
    """An environment variable that a flow file asks for; `ConfigError` for one that may hold a secret."""
    kept = {*(key for provider in PROVIDERS.values() for key in provider.keys), *_secrets()}
    kept |= {service.key for service in SEARCHES.values() if service.key}
    words = set(name.upper().split("_"))
    if name.upper() in kept or words & SECRET_WORDS or re.search("(PASSWORD|TOKEN|SECRET)$", name.upper()):
        raise ConfigError(f"`{name}` may hold a secret, which no flow file can read.")
    return (_process_environment() if environ is None else environ).get(name)


def _secrets() -> list[str]:
    return [key.variable for key in keys() if key.kind == SECRET]


def _at_home(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:
        raise ConfigError(f"`{path}`: that home folder is not known. Write the whole path instead.") from None


def _process_environment() -> Mapping[str, str]:
    return os.environ  # noqa: TID251 - this is the one reader


def announce(variables: Mapping[str, str]) -> None:
    """Set variables that a library reads and that nobody has set, where it can be told in no other way."""
    for name, value in variables.items():
        os.environ.setdefault(name, value)  # noqa: TID251 - as above


def _config_file(config: Path | None, variables: Mapping[str, str]) -> Path | None:
    named = config or (Path(variables[CONFIG_VARIABLE]) if variables.get(CONFIG_VARIABLE) else None)
    if named is not None:
        named = _at_home(named)
        if not named.is_file():
            raise ConfigError(
                f"configuration file `{named}` is not there: check --config or {CONFIG_VARIABLE}."
            )
        return named
    return Path(FILE_NAME) if Path(FILE_NAME).is_file() else None


def _paths(values: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for name, value in values.items():
        yield f"{above}{name}"
        if isinstance(value, dict):
            yield from _paths(cast(dict[str, Any], value), f"{above}{name}.")


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"`{file}` is not valid TOML: {error}. Correct that line.") from None
    except OSError as error:
        raise ConfigError(f"`{file}` cannot be read: {error.strerror}. Check its permissions.") from None


def _place(values: dict[str, Any], folder: Path) -> None:
    """What a file says of folders and files is meant from its own folder."""
    inner: object = values.get("llm")
    models = cast(dict[str, Any], inner) if isinstance(inner, dict) else {}
    for table, name in ((values, "data"), (models, "cache_file"), (models, "prompts")):
        if isinstance(table.get(name), str):
            table[name] = str(folder / _at_home(Path(table[name])))


def _refuse_secrets(values: Mapping[str, Any], file: Path) -> None:
    """A file is copied and committed; a key must not be."""
    for key in keys():
        if key.kind == SECRET and key.path in values:
            raise ConfigError(
                f"`{key.path}` must not stand in `{file}`. Set the environment variable {key.variable} instead."
            )


def _from_environment(variables: Mapping[str, str]) -> list[tuple[str, object, str]]:
    known = {key.variable: key.path for key in keys()}
    given: list[tuple[str, object, str]] = []
    for name in sorted(variables):
        if not name.startswith(PREFIX) or name == CONFIG_VARIABLE:
            continue
        if name not in known:
            hint = _nearest(name, [*known, CONFIG_VARIABLE])
            raise ConfigError(f"environment variable `{name}` is not a setting.{hint}")
        given.append((known[name], variables[name], f"environment variable {name}"))
    return given


def _from_flags(flags: Mapping[str, object]) -> list[tuple[str, object, str]]:
    known = [key.path for key in keys()]
    for path in flags:
        if path not in known:
            raise ConfigError(f"`{path}` is not a setting.{_nearest(path, known)}")
    return [(path, value, _FLAG) for path, value in flags.items() if value is not None]


def _put(values: dict[str, Any], path: str, value: object, source: str) -> None:
    *above, last = path.split(".")
    for name in above:
        inner: object = values.setdefault(name, {})
        if not isinstance(inner, dict):
            raise ConfigError(f"`{name}` in the configuration file must be a table, as [{name}].")
        values = cast(dict[str, Any], inner)
    values[last] = None if value in ("none", "") and path.startswith("budget.") else value


def _expanded(read: Settings) -> Settings:
    paths = {name: getattr(read.llm, name) for name in ("cache_file", "prompts")}
    models = {name: _at_home(path) for name, path in paths.items() if path is not None}
    return read.model_copy(update={"data": _at_home(read.data), "llm": read.llm.model_copy(update=models)})


def _explain(
    error: ValidationError, origin: Mapping[str, str], file: Path | None, spelled: Mapping[str, str]
) -> str:
    first = error.errors(include_url=False)[0]
    path = ".".join(str(part) for part in first["loc"])
    place = origin.get(path, f"`{file}`" if file else "the arguments")
    if first["type"] == "extra_forbidden":
        return f"`{path}` in {place} is not a setting.{_nearest(path, [key.path for key in keys()])}"
    if place == _FLAG and path in spelled:
        return f"{spelled[path]} cannot be {first['input']!r}: {first['msg'].lower()}."
    return f"`{path}` in {place} cannot be {first['input']!r}: {first['msg'].lower()}."


def _nearest(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    if close:
        return f" Did you mean `{close[0]}`?"
    leaf = name.rpartition(".")[2]
    same = [path for path in known if path.rpartition(".")[2] == leaf]
    return f" Did you mean `{same[0]}`?" if same else f" Known: {', '.join(known)}."
