"""A file that somebody names: a plain one within its limit is read, nothing waits, and the rest is told in a clause."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from azx.system.disk import is_full
from azx.system.plain_file import open_plain, read_plain


@pytest.fixture(autouse=True)
def within_seconds() -> Iterator[None]:
    def end(number: int, frame: FrameType | None) -> None:
        raise TimeoutError("it waits")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def refusal(path: Path, limit: int = 100) -> str:
    with pytest.raises(OSError, match=str(path)) as caught:
        read_plain(path, limit)
    assert caught.value.filename == str(path)
    assert not is_full(caught.value)
    return str(caught.value.strerror)


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"x" * 2048)
    assert read_plain(file, 2048) == b"x" * 2048
    assert refusal(file, 1024) == "it is of 2 KiB, and azx reads up to 1 KiB of such a file"


def test_an_enormous_file_of_holes_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.touch()
    os.truncate(file, 3 << 40)
    assert refusal(file, 1 << 20) == "it is of 3,072 GiB, and azx reads up to 1 MiB of such a file"


def test_a_link_to_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    (tmp_path / "b").symlink_to("a")
    assert read_plain(tmp_path / "b", 1) == b"x"


def test_a_pipe_a_device_a_socket_and_a_folder_are_no_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        for path in (tmp_path / "pipe", tmp_path / "link", tmp_path / "socket", Path("/dev/zero"), Path("/dev/null")):
            assert refusal(path) == "it is a pipe or a device and no file"
    assert refusal(tmp_path) == "Is a directory"
    assert refusal(tmp_path / "absent") == "No such file or directory"


def test_a_file_that_claims_no_size_is_read_within_the_limit_too() -> None:
    """Those of /proc claim none."""
    assert read_plain(Path("/proc/self/stat"), 100_000).startswith(str(os.getpid()).encode())
    with pytest.raises(OSError, match="azx reads up to"):
        read_plain(Path("/proc/self/maps"), 10)


def test_only_the_beginning_of_a_file_without_a_limit_is_the_callers_business(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"beginning")
    with open_plain(file) as opened:
        assert opened.read(5) == b"begin"
