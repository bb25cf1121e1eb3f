"""When a checkpoint in a folder counts as arrived: look by look, without any process."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import h5py
import pytest
from versions import version

from azx.bundle.case.checkpoint import Checkpoint
from azx.sweeps.watch import arrivals as module
from azx.sweeps.watch.arrivals import Arrivals
from azx.sweeps.watch.events import Event


class Watched:
    """A folder that is looked at when a test says so; `said` are the events since it was asked last."""

    def __init__(self, place: Path) -> None:
        self.folder, work = place / "runs", place / "work"
        self.folder.mkdir()
        work.mkdir()
        self.events: list[Event] = []
        self.arrivals = Arrivals(self.folder, Checkpoint(), work, self.events.append)

    def look(self) -> list[tuple[str, str]]:
        self.events.clear()
        self.arrivals.look()
        return [(event.kind, event.name) for event in self.events]


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    # However long the machine takes from one look to the next.
    monkeypatch.setattr(module, "PATIENCE_SECONDS", math.inf)
    return Watched(tmp_path)


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    path: Path = version(tmp_path / "elsewhere", 1)
    return path.read_bytes()


def test_a_file_that_lies_still_is_picked_up_at_the_second_look_and_never_again(watched: Watched, whole: bytes) -> None:
    (watched.folder / "version1.h5").write_bytes(whole)
    assert [watched.look() for _ in range(4)] == [[], [("picked_up", "version1.h5")], [], []]
    arrival = watched.arrivals.take(0)
    assert arrival is not None
    assert (arrival.item.name, arrival.size) == ("version1", len(whole))
    assert watched.arrivals.take(0) is None
    assert watched.arrivals.is_done()


def test_a_file_that_is_renamed_into_place_is_picked_up_at_the_first_look(watched: Watched, whole: bytes) -> None:
    part = watched.folder / ".version1.h5.part"
    part.write_bytes(whole)
    assert watched.look() == []
    part.rename(watched.folder / "version1.h5")
    assert watched.look() == [("picked_up", "version1.h5")]


def test_what_lies_there_from_the_start_comes_by_its_numbers_however_it_was_written(
    watched: Watched, whole: bytes
) -> None:
    for number in (1, 2, 3):
        path = watched.folder / f"version{number}.h5"
        path.write_bytes(whole)
        if number != 2:  # as a copy whose times were set, which one look tells
            os.utime(path, (1, 1))
    assert watched.look() == []
    assert watched.look() == [("picked_up", f"version{number}.h5") for number in (1, 2, 3)]


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.9, 0.999])
def test_a_part_of_a_file_that_lies_still_is_none(share: float, watched: Watched, whole: bytes) -> None:
    """The writer pauses for as long as it likes, below a person's patience."""
    path = watched.folder / "version1.h5"
    path.write_bytes(whole[: int(share * len(whole))])
    assert [watched.look() for _ in range(4)] == [[]] * 4
    with path.open("ab") as file:
        file.write(whole[path.stat().st_size :])
    assert [watched.look() for _ in range(2)] == [[], [("picked_up", "version1.h5")]]


def test_room_that_is_taken_before_it_is_written_is_no_checkpoint(watched: Watched, whole: bytes) -> None:
    """As some copying programs do: the file has its size from the first moment on."""
    path = watched.folder / "version1.h5"
    path.write_bytes(bytes(len(whole)))
    assert [watched.look() for _ in range(3)] == [[]] * 3
    path.write_bytes(whole)
    assert [watched.look() for _ in range(2)] == [[], [("picked_up", "version1.h5")]]


def test_what_cannot_be_read_is_told_of_once_and_again_when_it_has_changed(
    watched: Watched, whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = watched.folder / "version1.h5"
    path.write_bytes(whole[:-500])
    assert watched.look() == []
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.0)
    assert [watched.look() for _ in range(3)] == [[("unreadable", "version1.h5")], [], []]
    assert watched.arrivals.is_done()
    path.write_text("no network")
    watched.look()
    watched.look()
    assert path.name in str(watched.events) or watched.arrivals.is_done()
    path.write_bytes(whole)
    assert [watched.look() for _ in range(2)] == [[], [("picked_up", "version1.h5")]]


def test_what_is_told_names_the_file_and_not_its_copy(
    watched: Watched, whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.0)
    path = watched.folder / "version1.h5"
    path.write_bytes(whole[:-500])
    watched.look()
    watched.look()
    (event,) = watched.events
    assert event.text.startswith(f"cannot be read: '{path}' ")


def test_one_that_is_replaced_while_it_waits_is_another_and_has_one_turn(watched: Watched, tmp_path: Path) -> None:
    path = watched.folder / "version1.h5"
    shutil.copyfile(version(tmp_path / "elsewhere", 1), path)
    watched.look()
    watched.look()
    shutil.copyfile(version(tmp_path / "elsewhere", 2), path)
    assert watched.look() == []
    assert watched.arrivals.take(0) is None
    assert watched.look() == [("picked_up", "version1.h5")]
    assert watched.arrivals.take(0) is not None
    assert watched.arrivals.take(0) is None


@pytest.mark.parametrize("is_waiting", [True, False])
def test_one_that_is_gone_before_its_turn_has_none(is_waiting: bool, watched: Watched, whole: bytes) -> None:
    path = watched.folder / "version1.h5"
    path.write_bytes(whole)
    watched.look()
    if is_waiting:
        watched.look()
    path.unlink()
    assert watched.look() == ([("gone", "version1.h5")] if is_waiting else [])
    assert watched.arrivals.take(0) is None
    assert watched.arrivals.is_done()


def test_turns_come_by_the_numbers_in_the_names(watched: Watched, whole: bytes) -> None:
    for number in (10, 9, 100):
        (watched.folder / f"version{number}.h5").write_bytes(whole)
    watched.look()
    watched.look()
    turns = [watched.arrivals.take(0) for _ in range(3)]
    assert [each and each.item.name for each in turns] == ["version9", "version10", "version100"]


def test_the_writer_is_never_kept_from_writing(watched: Watched, whole: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """HDF5's library refuses to write a file that another process has open for reading."""
    path = watched.folder / "version1.h5"
    path.write_bytes(whole)
    written: list[Path] = []

    def reading(copy: Path, **options: object) -> None:
        with h5py.File(copy, "r"), h5py.File(path, "r+") as file:
            file.attrs["noted"] = "while it is read"
        written.append(copy)

    monkeypatch.setattr(module, "read_checkpoint", reading)
    watched.look()
    watched.look()
    assert [copy.name for copy in written] == [path.name]
    assert written != [path]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.mkdir(),
        lambda path: path.symlink_to("nowhere.h5"),
        os.mkfifo,
    ],
    ids=["empty folder", "link to nothing", "pipe"],
)
def test_what_is_no_file_is_never_waited_for(make: Callable[[Path], object], watched: Watched) -> None:
    make(watched.folder / "version1.h5")
    assert [kind for kind, _ in watched.look() + watched.look()] == []
    assert watched.arrivals.take(0) is None
