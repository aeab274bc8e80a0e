"""The house rules, as tests."""

import ast
import re
import socket
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import leadline
from leadline.providers import EMBEDDINGS, SEARCHES
from leadline.registry import MODULE_EXTRAS

REPO = Path(__file__).parents[1]
PACKAGE = Path(leadline.__file__ or "").parent
FILES = sorted(PACKAGE.rglob("*.py"))
DRAWERS = {"utils", "util", "helpers", "helper", "common", "misc", "tools", "shared", "lib"}
WRITTEN = {".py", ".md", ".toml", ".txt", ".yml", ".yaml", ".json", ".jsonl", ".csv", ".html", ".sh", ".cfg"}
TREES = ("src", "tests", "examples", "docs", "benchmarks", ".ci")

# Addresses that documents may name: our own examples (reserved names) and those of formats and conventions.
HOSTS = re.compile(
    r"(?:[\w-]+\.)*(?:example|example\.(?:com|org|net)|test|invalid|localhost)"
    r"|127(?:\.\d+){3}|\[::1\]"
    r"|(?:www\.)?(?:apache|w3|idpf|daisy|sitemaps)\.org|purl\.org|schemas\.[\w.-]+|ns\.adobe\.com|docs\.oasis-open\.org"
    r"|[a-z]"  # XML namespaces in tests
    r"|keepachangelog\.com|semver\.org"
)
SERVED = {
    urlsplit(url).hostname or ""
    for url in (*EMBEDDINGS.values(), *(each.address for each in SEARCHES.values()))
}
URL = re.compile(r"\b(?:https?|git|ssh|ftp)://([^\s/:\"'<>)`,\\]+)")
MACHINE_PATH = re.compile(r"(?<![\w.~$}/-])/(?:work|tmp|root|home|opt|Users)/\w")


Trees = dict[Path, ast.Module]


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def name(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def written() -> list[Path]:
    """Every text file of the project that people wrote."""
    found = [p for p in REPO.iterdir() if p.is_file() and (p.suffix in WRITTEN or p.name == "Makefile")]
    for tree in TREES:
        found += [
            p for p in (REPO / tree).rglob("*") if p.is_file() and (p.suffix in WRITTEN or tree == ".ci")
        ]
    return sorted(p for p in found if "__pycache__" not in p.parts and "results" not in p.parts)


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


@pytest.fixture(scope="module")
def trees() -> Trees:
    """Every file of the package, parsed once for all rules."""
    return {path: ast.parse(read(path)) for path in FILES}


IMPORTED_BY_OTHERS = {"lxml-html-clean"}
"""What a library of ours cannot be imported without, and does not bring with it everywhere."""


def declared() -> list[str]:
    """The distributions that the package says it needs."""
    project = tomllib.loads(read(REPO / "pyproject.toml"))["project"]
    return [re.split(r"[\[<>=]", dependency)[0].lower() for dependency in project["dependencies"]]


def test_files_and_functions_stay_small(trees: Trees) -> None:
    assert not [name(path) for path in FILES if read(path).count("\n") > 300]
    long = [
        f"{name(path)}: {f.name}"
        for path, tree in trees.items()
        for f in functions(tree)
        if (f.end_lineno or 0) - f.lineno >= 50
    ]
    assert not long


def test_every_module_says_what_it_is(trees: Trees) -> None:
    assert not [name(path) for path, tree in trees.items() if tree.body and not ast.get_docstring(tree)]


def test_public_names_are_sorted(trees: Trees) -> None:
    lists = {
        name(path): ast.literal_eval(node.value)
        for path, tree in trees.items()
        for node in tree.body
        if isinstance(node, ast.Assign) and [ast.unparse(t) for t in node.targets] == ["__all__"]
    }
    assert lists
    assert not [path for path, names in lists.items() if list(names) != sorted(names)]


def test_only_config_reads_the_environment(trees: Trees) -> None:
    readers = {"environ", "getenv"}
    reading = {
        name(path)
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and node.attr in readers)
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == "os"
            and readers & {a.name for a in node.names}
        )
    }
    assert reading == {"config.py"}


def test_no_junk_drawers() -> None:
    names = {p.stem for p in FILES} | {p.parent.name for p in FILES}
    assert not names & DRAWERS


def test_every_room_is_a_package() -> None:
    rooms = {p.parent for p in FILES} - {PACKAGE}
    assert not [name(room) for room in rooms if not (room / "__init__.py").is_file()]


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads(read(REPO / "pyproject.toml"))["project"]
    newest = re.search(r"^## (\d\S*)", read(REPO / "CHANGELOG.md"), re.MULTILINE)
    assert newest
    assert project["version"] == leadline.__version__ == newest[1]


def test_types_are_shipped() -> None:
    assert (PACKAGE / "py.typed").is_file()


def test_every_dependency_says_why_and_is_pinned_without_an_address() -> None:
    text = read(REPO / "pyproject.toml")
    block = text[text.index("dependencies = [") : text.index("[project.optional-dependencies]")]
    assert not [line for line in block.splitlines() if line.startswith("  ") and "#" not in line]
    pins = [line for line in read(REPO / "constraints.txt").splitlines() if not line.startswith("#")]
    assert not [pin for pin in pins if not re.fullmatch(r"[A-Za-z0-9._-]+==[\w.+!-]+", pin)]
    pinned = {re.sub(r"[-_.]+", "-", pin.partition("==")[0]).lower() for pin in pins}
    assert set(declared()) <= pinned


def test_every_import_is_declared_and_every_dependency_imported(trees: Trees) -> None:
    nodes = [n for path, t in trees.items() if "testing" not in path.parts for n in ast.walk(t)]
    modules = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
    modules |= {n.module for n in nodes if isinstance(n, ast.ImportFrom) and n.module}
    tops = {module.partition(".")[0] for module in modules} - sys.stdlib_module_names - {"leadline"}
    distributions = packages_distributions()
    extras = tomllib.loads(read(REPO / "pyproject.toml"))["project"]["optional-dependencies"]
    assert set(MODULE_EXTRAS.values()) <= set(extras)
    imported = {
        dist.lower().replace("_", "-") for top in tops - set(MODULE_EXTRAS) for dist in distributions[top]
    }
    assert imported == set(declared()) - IMPORTED_BY_OTHERS


def test_links_between_pages_lead_somewhere() -> None:
    pages = [path for path in written() if path.suffix == ".md" and "corpus" not in path.parts]
    links = [(page, m[1]) for page in pages for m in re.finditer(r"\]\(([^)#:\s]+)[^):]*\)", read(page))]
    assert links
    assert [f"{page.name}: {link}" for page, link in links if not (page.parent / link).exists()] == []


def test_no_file_names_a_machine_or_a_registry() -> None:
    found: list[str] = []
    for path in written():
        text = read(path)
        found += [f"{path.relative_to(REPO)}: {m[0]}" for m in MACHINE_PATH.finditer(text)]
        hosts = {m[1].rpartition("@")[2] for m in URL.finditer(text)}
        # Where providers of models are stands in one place.
        hosts -= SERVED if path == PACKAGE / "providers.py" else set()
        found += [f"{path.relative_to(REPO)}: {host}" for host in hosts if not HOSTS.fullmatch(host)]
    assert not found


def test_the_network_is_closed() -> None:
    with socket.socket() as outside, pytest.raises(AssertionError, match="must not reach"):
        outside.connect(("192.0.2.1", 80))
