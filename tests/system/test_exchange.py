"""One folder in another's place, in one step and in two; what is azx's own beside it, and what only looks so."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from azx.errors import AzxError
from azx.system import exchange
from azx.system.exchange import beside, clear_up, clear_up_in, lock_of, recover, recover_in, swap, take_away
from azx.system.lock import hold_lock


@pytest.fixture(params=["in one step", "in two"])
def steps(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A system that exchanges two names, and one that cannot."""
    if request.param == "in two":
        monkeypatch.setattr(exchange, "_find_exchange", lambda: None)
    return str(request.param)


def folder_at(path: Path, text: str) -> Path:
    path.mkdir()
    (path / "text").write_text(text)
    return path


def test_the_new_one_is_there_and_the_old_one_gone(steps: str, tmp_path: Path) -> None:
    folder = folder_at(tmp_path / "net", "old")
    swap(folder_at(beside(folder), "new"), folder)
    assert (folder / "text").read_text() == "new"
    assert list(tmp_path.iterdir()) == [folder]


def test_a_new_one_that_is_not_there_leaves_the_old_one(steps: str, tmp_path: Path) -> None:
    folder = folder_at(tmp_path / "net", "old")
    with pytest.raises(OSError, match="No such file"):
        swap(beside(folder), folder)
    assert (folder / "text").read_text() == "old"
    assert list(tmp_path.iterdir()) == [folder]


def test_a_folder_that_was_moved_aside_comes_back_for_who_reads_it(tmp_path: Path) -> None:
    folder = tmp_path / "net"
    folder_at(Path(f"{beside(folder)}.old"), "old")
    folder_at(beside(folder), "new")
    recover(folder)
    assert (folder / "text").read_text() == "old"
    assert list(tmp_path.iterdir()) == [folder]
    folder.rename(f"{beside(folder)}.old")
    recover_in(tmp_path)
    assert list(tmp_path.iterdir()) == [folder]


class Clock:
    """Goes on by what is slept, and by nothing else."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_who_reads_waits_for_a_living_process_and_not_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "net"
    aside = folder_at(Path(f"{beside(folder)}.old"), "old")
    with hold_lock(lock_of(folder), AzxError()):
        monkeypatch.setattr(exchange, "_PATIENCE_SECONDS", 300)
        made = folder_at(tmp_path / "made", "new")
        new = threading.Timer(0.3, made.rename, (folder,))
        new.start()
        recover(folder)
        assert (folder / "text").read_text() == "new"
        new.join()
        take_away(folder)
        monkeypatch.setattr(exchange, "_PATIENCE_SECONDS", 0.1)
        clock = Clock()
        monkeypatch.setattr(exchange, "time", clock)
        recover(folder)
        assert clock.now > 0.1
    assert list(tmp_path.iterdir()) == [aside]


def test_what_killed_processes_left_of_any_folder_goes(tmp_path: Path) -> None:
    other, used = tmp_path / "other", tmp_path / "used"
    for name in (other, used):
        folder_at(beside(name), "half")
        lock_of(name).touch()
    lock_of(tmp_path / "no more").touch()
    with hold_lock(lock_of(used), AzxError()):
        clear_up_in(tmp_path)
        assert {path.name.split(".azx-")[0] for path in tmp_path.iterdir()} == {".used"}
    clear_up_in(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name",
    [".net.part-123", ".net.part-123.old", ".net.azx-0123456789abcdef", ".net.azx-", ".net.azx-lock.old", "net.azx-1"],
)
def test_what_only_looks_like_azxs_stays(name: str, tmp_path: Path) -> None:
    mine = folder_at(tmp_path / name, "mine")
    clear_up(tmp_path / "net")
    clear_up_in(tmp_path)
    recover(tmp_path / "net")
    assert (mine / "text").read_text() == "mine"
    assert list(tmp_path.iterdir()) == [mine]


def test_what_is_beside_one_folder_is_not_another_ones(tmp_path: Path) -> None:
    """Its digits are computed from the name: whoever renames such a folder has made it theirs."""
    theirs = folder_at(tmp_path / beside(tmp_path / "net").name.replace(".net.", ".new."), "mine")
    clear_up(tmp_path / "new")
    assert list(tmp_path.iterdir()) == [theirs]


@pytest.mark.parametrize("name", ["x" * 240, "é" * 120, "x" * 210])
def test_a_folder_whose_name_is_nearly_as_long_as_a_disk_allows(steps: str, name: str, tmp_path: Path) -> None:
    folder = folder_at(tmp_path / name, "old")
    left = folder_at(beside(folder), "half")
    with hold_lock(lock_of(folder), AzxError()):
        clear_up(folder)
        assert not left.exists()
        swap(folder_at(beside(folder), "new"), folder)
    assert (folder / "text").read_text() == "new"
    folder.rename(f"{beside(folder)}.old")
    clear_up_in(tmp_path)
    recover_in(tmp_path)
    recover(folder)
    assert list(tmp_path.iterdir()) == [folder]
