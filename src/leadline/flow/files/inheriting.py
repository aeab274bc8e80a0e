"""A flow file and those it is made from.

`from: base.yaml` (or a list) takes what those files say, the later over the earlier, this file over all: mappings are put
together key by key, anything else is replaced, and so is a source or a sink by one of another kind. A base is a YAML file,
named from the folder of the file that names it, or a shipped flow by its name.
"""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from leadline.errors import FlowError
from leadline.flow.files.problems import refused
from leadline.flow.files.shipped import SUFFIXES, shipped
from leadline.flow.files.yaml_lines import LARGEST, Node, read_yaml

DEEPEST = 10
MOST_FILES = 50
KEY = "from"
ENDS = ("source", "sink")


def read_tree(file: Path) -> Node:
    """What a flow file says together with its bases."""
    return _Reading().tree(file, Node(None, str(file), 1), ())


class _Reading:
    def __init__(self) -> None:
        self.files = 0

    def tree(self, file: Path, named: Node, above: tuple[Path, ...]) -> Node:
        """The merged tree of `file`, which `named` names, itself named by the files `above`."""
        place = file.resolve()
        if place in above:
            raise refused(named, KEY, f"`{file}` is made from itself.")
        self.files += 1
        if len(above) >= DEEPEST or self.files > MOST_FILES:
            raise refused(named, KEY, f"more than {DEEPEST} files behind each other, or {MOST_FILES} in all.")
        root = read_yaml(_text(file, named), str(file))
        if not isinstance(root.value, dict):
            raise refused(root, "", "a flow is a mapping with `source`, `steps` and `sink`.")
        own = dict(root.value)
        merged = Node({}, root.file, root.line)
        given = own.pop(KEY, None)
        for base in _named(given) if given is not None else ():
            merged = _over(merged, self.tree(_base(base, file), base, (*above, place)))
        return _over(merged, Node(own, root.file, root.line))


def _over(below: Node, above: Node) -> Node:
    """One flow over another."""
    lower, upper = _mapping(below), _mapping(above)
    replaced = {key for key in ENDS if key in lower and key in upper and _differ(lower[key], upper[key])}
    kept = {key: node for key, node in lower.items() if key not in replaced}
    return merge(Node(kept, below.file, below.line), above)


def _differ(below: Node, above: Node) -> bool:
    """Whether two ends of a flow are of different kinds."""
    return not _mapping(below).keys() & _mapping(above).keys()


def _mapping(node: Node) -> dict[str, Node]:
    return node.value if isinstance(node.value, dict) else {}


def merge(below: Node, above: Node) -> Node:
    """Both mappings in one, the second over the first; anything else is the second."""
    if not isinstance(below.value, dict) or not isinstance(above.value, dict):
        return above
    made = dict(below.value)
    for key, node in above.value.items():
        made[key] = merge(made[key], node) if key in made else node
    return Node(made, above.file, above.line)


def _named(given: Node) -> Iterator[Node]:
    each = given.value if isinstance(given.value, list) else [given]
    for node in each:
        if not isinstance(node.value, str):
            raise refused(node, KEY, "must be the name of a file, or a list of names.")
        yield node


def _base(node: Node, file: Path) -> Path:
    name = str(node.value)
    known = shipped()
    if name in known:
        return known[name]
    path = PurePosixPath(name)
    if path.is_absolute() or "\\" in name or ":" in name or "\0" in name or name.startswith("~"):
        raise refused(node, KEY, "a base is named by its way from this file's folder, as `../base.yaml`.")
    if path.suffix not in SUFFIXES:
        raise refused(node, KEY, f"a base is a file `*.yaml` or a shipped flow ({', '.join(known)}).")
    return file.parent / path


def _text(file: Path, named: Node) -> str:
    """The file's text; nothing that it holds is said of one that cannot be read."""
    if not file.is_file():
        raise _unread(named, file, "is not there, or no file")
    try:
        with file.open("rb") as stream:
            data = stream.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise _unread(
                named, file, f"has more than {LARGEST // 1024} KiB: rows belong into a source's file"
            )
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _unread(named, file, "is no UTF-8 text") from None
    except OSError as error:
        raise _unread(named, file, f"cannot be read: {error.strerror}") from None


def _unread(named: Node, file: Path, why: str) -> FlowError:
    if named.value is None:
        return FlowError(f"{file}: this flow {why}.")
    return refused(named, KEY, f"`{file}` {why}.")
