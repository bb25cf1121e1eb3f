"""What the arguments of a sweep mean, and how its bundles are called."""

from __future__ import annotations

from pathlib import Path

import pytest
from versions import saved_version

from azx.errors import CheckpointError
from azx.sweeps.sources import Item, find, names


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def touch(*paths: str) -> None:
    for path in map(Path, paths):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_a_folder_is_its_checkpoints_with_their_numbers_in_order() -> None:
    touch("runs/net10.h5", "runs/net9.h5", "runs/net9.json", "runs/best.keras", "runs/old/net1.h5")
    assert find(["runs"]) == [
        Item(Path("runs/best.keras"), "best"),
        Item(Path("runs/net9.h5"), "net9"),
        Item(Path("runs/net10.h5"), "net10"),
    ]


def test_a_pattern_finds_files_in_folders_too() -> None:
    touch("runs/a/net2.h5", "runs/a/net10.h5", "runs/b/other.h5", "runs/b/notes.txt")
    assert [str(item.checkpoint) for item in find(["runs/**/*.h5"])] == [
        "runs/a/net2.h5",
        "runs/a/net10.h5",
        "runs/b/other.h5",
    ]


def test_a_file_is_taken_once_whoever_names_it_and_a_shipped_name_is_its_file() -> None:
    touch("runs/net.h5")
    found = find(["runs/net.h5", "runs", "./runs/*.h5", "tictactoe"])
    assert [item.name for item in found] == ["net", "tictactoe"]


def test_a_file_whose_name_reads_as_a_pattern_is_that_file() -> None:
    touch("net[1].h5", "net1.h5")
    assert find(["net[1].h5"]) == [Item(Path("net[1].h5"), "net[1]")]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("nowhere.h5", "There is no checkpoint at 'nowhere.h5'"),
        ("runs/*.h5", "Nothing matches 'runs/*.h5'"),
        ("empty", "'empty' holds no checkpoint"),
        ("em*", "'em*' matches folders alone"),
    ],
)
def test_what_means_no_checkpoint_is_said(given: str, sentence: str) -> None:
    Path("empty").mkdir()
    with pytest.raises(CheckpointError) as error:
        find([given])
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["/a/net.h5", "/b/net.h5", "/b/other.h5"], ["a-net", "b-net", "other"]),
        (["/x/a/net.h5", "/y/a/net.h5"], ["x-a-net", "y-a-net"]),
        (["/a/net.h5", "/a/net.keras"], ["a-net.h5", "a-net.keras"]),
        (["/a/Net.h5", "/b/net.h5"], ["a-Net", "b-net"]),
        (["/a/net.h5", "/b/net.h5", "/c/a-net.h5"], ["a-net.h5", "b-net", "c-a-net"]),
        (["/a-b/net.h5", "/a/b-net.h5", "/c/net.h5"], ["a-b-net", "b-net", "c-net"]),
        (["/a/NET.h5", "/a/net.h5"], ["a-NET.h5-1", "a-net.h5-2"]),
    ],
)
def test_no_two_bundles_have_one_name(paths: list[str], expected: list[str]) -> None:
    found = names([Path(path) for path in paths])
    assert found == expected
    assert len({name.casefold() for name in found}) == len(paths)


def test_a_link_to_a_checkpoint_is_not_exported_twice() -> None:
    touch("runs/net.h5")
    Path("latest.h5").symlink_to("runs/net.h5")
    assert [item.name for item in find(["runs", "latest.h5"])] == ["net"]


def test_a_saved_model_is_its_folder_by_whatever_pattern(tmp_path: Path) -> None:
    """The files in it are no checkpoints, and what lies beside it is one by itself."""
    saved_version(Path("runs"), 1)
    Path("runs/h5/version1.h5").rename("runs/version2.h5")
    assert find(["runs"]) == [Item(Path("runs/version1"), "version1"), Item(Path("runs/version2.h5"), "version2")]
    for pattern in ("runs/*", "runs/**", "runs/version*", "runs/version*/*", "runs/*/variables"):
        found = [item.checkpoint for item in find([pattern])]
        assert found[0] == Path("runs/version1"), pattern
        assert found[1:] in ([], [Path("runs/version2.h5")]), pattern
