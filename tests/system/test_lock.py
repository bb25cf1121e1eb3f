"""One process at a time: the lock file, and what it leaves behind, which is nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from azx.errors import BundleError
from azx.system.lock import hold_lock


def in_use() -> BundleError:
    return BundleError("It is in use: wait.")


def test_the_lock_and_the_folders_made_for_it_go_again(tmp_path: Path) -> None:
    lock = tmp_path / "a" / "b" / ".lock"
    with hold_lock(lock, in_use()):
        assert lock.is_file()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_was_filled_stays(tmp_path: Path) -> None:
    with hold_lock(tmp_path / "a" / "b" / ".lock", in_use()):
        (tmp_path / "a" / "kept").touch()
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["kept"]


def test_what_another_process_holds_is_refused_at_once_and_stays_locked(tmp_path: Path) -> None:
    lock = tmp_path / ".lock"
    with FileLock(lock):
        with pytest.raises(BundleError, match=r"It is in use: wait\."), hold_lock(lock, in_use()):
            pytest.fail("it was held twice")
        assert lock.is_file()


def test_an_error_in_the_block_frees_the_lock(tmp_path: Path) -> None:
    lock = tmp_path / ".lock"
    with pytest.raises(ValueError, match="inside"), hold_lock(lock, in_use()):
        raise ValueError("inside")
    with hold_lock(lock, in_use()):
        pass


def test_a_lock_that_cannot_be_made_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: FileLock) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(FileLock, "acquire", refuse)
    with pytest.raises(OSError, match="No space left"), hold_lock(tmp_path / "a" / ".lock", in_use()):
        pytest.fail("it was held")
    assert list(tmp_path.iterdir()) == []


def test_the_file_goes_while_the_lock_is_still_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, there = tmp_path / ".lock", []
    release = FileLock.release

    def look(self: FileLock, *arguments: Any) -> None:
        there.append(lock.exists())
        release(self, *arguments)

    monkeypatch.setattr(FileLock, "release", look)
    with hold_lock(lock, in_use()):
        pass
    assert there[0] is False


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="this system has no /proc")
def test_where_no_file_can_be_made_nobody_is_said_to_hold_it() -> None:
    with pytest.raises(FileNotFoundError), hold_lock(Path("/proc/.lock"), in_use()):
        pytest.fail("it was held")
