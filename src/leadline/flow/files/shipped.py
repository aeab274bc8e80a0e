"""The flows that come with the package, and where a flow that somebody names is."""

from pathlib import Path

import leadline
from leadline.errors import FlowError
from leadline.flow.files.problems import nearest
from leadline.flow.files.yaml_lines import read_yaml

SUFFIXES = (".yaml", ".yml")


def flows_folder() -> Path | None:
    """Inside the installed package, or in the checkout it runs from."""
    package = Path(leadline.__file__).parent
    for folder in (package / "_flows", *(above / "flows" for above in package.parents[1:2])):
        if folder.is_dir():
            return folder
    return None


def shipped() -> dict[str, Path]:
    """Their files by name."""
    folder = flows_folder()
    files = sorted(folder.glob("*.yaml"), key=lambda file: file.stem) if folder else []
    return {file.stem: file for file in files}


def located(named: str | Path) -> Path:
    """The file of a flow: a path, or the name of one that is shipped."""
    path = Path(named)
    if path.name == str(named) and path.suffix in SUFFIXES and not path.exists() and path.stem in shipped():
        raise FlowError(f"`{named}` is not there. The shipped flow is called `{path.stem}`.")
    if path.suffix in SUFFIXES or path.is_file():
        return path
    files = shipped()
    if str(named) in files:
        return files[str(named)]
    hint = nearest(str(named), files)
    raise FlowError(f"`{named}` is neither a flow file (*.yaml) nor a shipped flow.{hint}")


def described_flows() -> dict[str, str]:
    """What each shipped flow says of itself."""
    told: dict[str, str] = {}
    for name, file in shipped().items():
        said = read_yaml(file.read_text(encoding="utf-8"), str(file)).get("description")
        told[name] = str(said.value) if said is not None else ""
    return told
