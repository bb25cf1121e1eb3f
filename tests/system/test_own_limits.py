"""Limits count a process's own work: not what other programs do, nor what the one that started it holds."""

from __future__ import annotations

import subprocess
import sys
from math import inf

import pytest

from azx.system import own_limits
from azx.system.own_limits import OVERTIME, Watchdog, was_ended_by_system

BUSY, ASLEEP = "while True: pass", "import time; time.sleep(1000)"


def started(code: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-S", "-c", code])


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks come quickly."""
    monkeypatch.setattr(own_limits, "LOOK_SECONDS", 0.01)


@pytest.mark.usefixtures("looks")
def test_a_process_is_ended_by_its_own_processor_time() -> None:
    process = started(BUSY)
    with Watchdog(process, 0.3) as watched:
        process.wait()
    assert watched.is_over
    taken = own_limits._taken(process)
    assert not taken


@pytest.mark.usefixtures("looks")
def test_a_process_that_does_little_is_left_alone_and_one_that_does_nothing_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process = started(ASLEEP)
    try:
        with Watchdog(process, 30) as watched, pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
        assert not watched.is_over
        monkeypatch.setattr(own_limits, "IDLE", 20)
        with Watchdog(process, 30) as watched:
            process.wait()
        assert watched.is_over
    finally:
        process.kill()
        process.wait()


@pytest.mark.usefixtures("looks")
def test_without_a_limit_nothing_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_limits, "_taken", lambda process: 1 / 0)
    process = started("pass")
    with Watchdog(process, inf) as watched:
        process.wait()
    assert not watched.is_over


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no process by itself")
def test_a_process_limits_itself() -> None:
    code = "from azx.system.own_limits import limit_processor_time; limit_processor_time(0)\nwhile True: pass"
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == OVERTIME
    code = "from azx.system.own_limits import limit_memory; limit_memory(64 << 20); bytearray(1 << 27)"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert ("MemoryError" in done.stderr) == (sys.platform == "linux")


def test_an_end_from_outside_is_told_from_one_by_the_work() -> None:
    assert [was_ended_by_system(code) for code in (-9, -15, -11, OVERTIME, 1, 0, None)] == [True] * 2 + [False] * 5
