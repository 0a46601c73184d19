from pathlib import Path

import pytest

from core.corpus import read_files, server_paths
from core.errors import InputError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.txt").write_text("Inside.")
    (tmp_path / "secret.txt").write_text("Outside.")
    return root


def test_files_under_a_root_are_found_by_full_and_by_relative_path(root: Path) -> None:
    assert server_paths(f"{root / 'a.txt'}\n\n a.txt ", [root]) == [root / "a.txt"] * 2
    assert server_paths(str(root), [root]) == [root]


def test_the_second_root_is_looked_at_too(root: Path, tmp_path: Path) -> None:
    assert server_paths("a.txt", [tmp_path / "none", root]) == [root / "a.txt"]


@pytest.mark.parametrize(
    "path", ["../secret.txt", "{root}/../secret.txt", "/etc/passwd", "a\0b", "/"]
)
def test_a_path_outside_is_refused_and_names_the_variable(root: Path, path: str) -> None:
    with pytest.raises(InputError, match="HOPRAG_ROOTS"):
        server_paths(path.format(root=root), [root])


def test_a_link_that_leads_outside_is_refused(root: Path) -> None:
    (root / "link.txt").symlink_to(root.parent / "secret.txt")
    (root / "loop").symlink_to("loop")
    for name in ("link.txt", "loop"):
        with pytest.raises(InputError):
            server_paths(name, [root])


def test_a_link_inside_a_folder_is_not_followed_out_of_it(root: Path) -> None:
    (root / "link.txt").symlink_to(root.parent / "secret.txt")
    corpus = read_files([root])
    assert [each.text for each in corpus.documents] == ["Inside."]
    assert [each.name for each in corpus.rejected] == ["root/link.txt"]


@pytest.mark.parametrize("path", ["none.txt", "x" * 5000])
def test_what_is_not_there_is_said(root: Path, path: str) -> None:
    with pytest.raises(InputError, match="does not exist"):
        server_paths(path, [root])


def test_without_roots_nothing_is_read(root: Path) -> None:
    with pytest.raises(InputError, match="Set HOPRAG_ROOTS"):
        server_paths(str(root), [])


def test_no_path_is_asked_for(root: Path) -> None:
    with pytest.raises(InputError, match="Enter files or folders"):
        server_paths(" \n ", [root])
