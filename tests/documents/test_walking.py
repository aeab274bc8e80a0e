"""Walking folders: what is loaded, in which order, and what is left out with a reason."""

import os
import stat
from pathlib import Path

import pytest

from leadline.documents.walking import Walked, walk
from leadline.errors import UsageError


def tree(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"text of {name}", encoding="utf-8")
    return root


def names(walked: Walked, root: Path) -> list[str]:
    return [file.path.relative_to(root.resolve()).as_posix() for file in walked.files]


def reasons(walked: Walked) -> dict[str, str]:
    return {Path(left.source).name: left.reason for left in walked.left_out}


def test_a_folder_is_walked_in_order_of_names_and_below(tmp_path: Path) -> None:
    tree(tmp_path, "b.md", "a/z.md", "a/b/c.txt", "c.pdf")
    walked = walk([tmp_path])
    assert names(walked, tmp_path) == ["a/b/c.txt", "a/z.md", "b.md", "c.pdf"]
    assert walked.folders == [tmp_path.resolve()]
    assert walked.files[0].size == len("text of a/b/c.txt")
    assert walked.files[0].source == str(tmp_path.resolve() / "a/b/c.txt")


def test_hidden_files_keys_and_what_is_no_document_are_only_counted(tmp_path: Path) -> None:
    tree(
        tmp_path,
        "a.md",
        ".git/config.md",
        ".env",
        ".hidden.md",
        "server.pem",
        "id_rsa",
        "x/id_ed25519.txt",
        "p.png",
    )
    walked = walk([tmp_path])
    assert names(walked, tmp_path) == ["a.md"]
    assert walked.ignored == 7
    assert walked.left_out == []


def test_a_hidden_folder_that_is_named_is_walked(tmp_path: Path) -> None:
    tree(tmp_path, ".notes/a.md")
    assert names(walk([tmp_path / ".notes"]), tmp_path) == [".notes/a.md"]


def test_a_key_that_is_named_is_left_out_with_a_reason(tmp_path: Path) -> None:
    tree(tmp_path, "server.pem")
    assert reasons(walk([tmp_path / "server.pem"])) == {"server.pem": "looks like a key or a secret"}


def test_exclude_globs_work_as_in_gitignore(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "draft-a.md", "build/b.md", "x/build/c.md", "x/draft-d.md", "x/keep.txt")
    walked = walk([tmp_path], exclude=["draft-*", "/build/", "!x/draft-d.md"])
    assert names(walked, tmp_path) == ["a.md", "x/build/c.md", "x/draft-d.md", "x/keep.txt"]


def test_a_glob_that_is_none_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="exclude"):
        walk([tree(tmp_path, "a.md")], ["!"])


def test_ignore_files_count_from_where_they_lie_and_the_nearest_wins(tmp_path: Path) -> None:
    tree(tmp_path, "a.log", "x/b.log", "x/c.log", "x/y/secret.md", "x/y/open.md", "secret.md")
    (tmp_path / ".gitignore").write_text("*.log\n", encoding="utf-8")
    (tmp_path / "x/.leadlineignore").write_text("!b.log\ny/secret.md\n", encoding="utf-8")
    assert names(walk([tmp_path]), tmp_path) == ["secret.md", "x/b.log", "x/y/open.md"]


def test_a_link_out_of_the_folder_is_listed_and_one_inside_is_met_once(tmp_path: Path) -> None:
    root = tree(tmp_path / "root", "a.md", "x/b.md")
    tree(tmp_path, "outside.md", "elsewhere/c.md")
    (root / "out.md").symlink_to(tmp_path / "outside.md")
    (root / "outfolder").symlink_to(tmp_path / "elsewhere")
    (root / "same.md").symlink_to(root / "a.md")
    (root / "x/loop").symlink_to(root)
    (root / "broken.md").symlink_to(root / "nothing.md")
    walked = walk([root])
    assert names(walked, root) == ["a.md", "x/b.md"]
    assert reasons(walked) == dict.fromkeys(("out.md", "outfolder"), "is a link out of the folder")


def test_a_link_that_is_named_is_followed(tmp_path: Path) -> None:
    tree(tmp_path, "a.md")
    (tmp_path / "link.md").symlink_to(tmp_path / "a.md")
    assert names(walk([tmp_path / "link.md", tmp_path / "a.md"]), tmp_path) == ["a.md"]


def test_a_pipe_is_never_opened(tmp_path: Path) -> None:
    tree(tmp_path, "a.md")
    os.mkfifo(tmp_path / "pipe.md")
    walked = walk([tmp_path])
    assert names(walked, tmp_path) == ["a.md"]
    assert walked.ignored == 1
    assert reasons(walk([tmp_path / "pipe.md"])) == {"pipe.md": "is not a regular file"}


def test_a_file_that_is_too_large_is_listed_with_a_remedy(tmp_path: Path) -> None:
    tree(tmp_path, "a.md")
    (tmp_path / "large.md").write_bytes(b"x" * 3_000_000)
    walked = walk([tmp_path], largest=2 << 20)
    assert names(walked, tmp_path) == ["a.md"]
    assert reasons(walked) == {"large.md": "is too large (3 MB)"}
    assert "max_file_mb (now 2)" in walked.left_out[0].remedy


def test_each_file_is_found_once_however_often_it_is_named(tmp_path: Path) -> None:
    tree(tmp_path, "x/a.md", "x/y/b.md")
    walked = walk([tmp_path / "x", tmp_path / "x/y", tmp_path / "x/a.md", tmp_path])
    assert names(walked, tmp_path) == ["x/a.md", "x/y/b.md"]


def test_a_path_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nothing\.md.*No such file"):
        walk([tmp_path / "nothing.md"])


def test_a_link_to_itself_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(UsageError, match="cannot be read"):
        walk([tmp_path / "loop"])


def test_a_name_that_is_no_text_has_a_source_that_is(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/caf\xe9.md"
    try:
        Path(os.fsdecode(raw)).write_text("text", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes only names that are UTF-8")
    assert walk([tmp_path]).files[0].source.endswith("caf\\xe9.md")


def test_only_what_lay_in_a_named_folder_and_vanished_is_gone(tmp_path: Path) -> None:
    tree(tmp_path, "x/a.md", "y/b.md")
    walked = walk([tmp_path / "x"])
    root = tmp_path.resolve()
    assert not walked.gone(str(root / "x/a.md"))
    assert walked.gone(str(root / "x/was.md"))
    assert walked.gone(str(root / "x/a.md/was.md"))
    assert not walked.gone(str(root / "y/was.md"))
    assert not walked.gone(str(root / "xx/was.md"))
    walked.unread.append(root / "x/closed")
    assert not walked.gone(str(root / "x/closed/was.md"))


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to the superuser")
def test_a_folder_that_cannot_be_listed_is_reported_and_the_rest_is_walked(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "closed/b.md")
    (tmp_path / "closed").chmod(0)
    walked = walk([tmp_path])
    (tmp_path / "closed").chmod(stat.S_IRWXU)
    assert names(walked, tmp_path) == ["a.md"]
    assert "closed" in reasons(walked)
    assert walked.unread == [tmp_path.resolve() / "closed"]
