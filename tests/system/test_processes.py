"""Processes that stay loaded: their answers, how they end, and that none leaves anything in the system."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from pathlib import Path

import numpy as np
import pytest

from azx.system.processes import Processes

LEAVES_NOTHING = """
import os, sys, time
from azx.system.processes import Processes
both = Processes(2, int, (), {})
waiting = [both.submit(time.sleep, 3) for _ in range(2)]
both.submit(int).cancel()
print(*(process.pid for process in both._processes), flush=True)
if sys.argv[1] == "worker":
    os.kill(both._processes[0].pid, 9)
    waiting[0].exception()
    both.shutdown()
    sys.exit(7)
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def two() -> Iterator[Processes]:
    """Two processes."""
    both = Processes(2, os.putenv, ("AZX_BEGUN", "yes"), {"AZX_GIVEN": "given"})
    yield both
    both.shutdown()


def test_each_is_begun_has_its_environment_and_answers_what_it_is_asked(two: Processes) -> None:
    numbers = np.arange(300_000, dtype=np.float32)
    answers = [two.submit(lambda more: (os.getpid(), os.environ["AZX_GIVEN"], numbers + more), n) for n in range(6)]
    for more, answer in enumerate(answers):
        pid, given, sums = answer.result(300)
        assert (pid != os.getpid(), given) == (True, "given")
        np.testing.assert_array_equal(sums, numbers + np.float32(more))


def test_what_a_task_raises_is_the_futures_and_the_process_goes_on(two: Processes) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        two.submit(int, "x").result(300)
    with pytest.raises(SystemExit):
        two.submit(sys.exit, 3).result(300)
    with pytest.raises(TypeError, match="cannot pickle"):
        two.submit(lambda: Path("/").iterdir()).result(300)
    assert two.submit(int, "7").result(300) == 7


def test_what_a_task_prints_is_no_answer_and_what_it_reads_no_task(two: Processes) -> None:
    two.submit(print, "not an answer").result(300)
    assert two.submit(os.write, 1, b"\n").result(300) == 1
    assert two.submit(os.read, 0, 1).result(300) == b""


def test_once_one_has_died_all_that_is_not_done_is_broken(two: Processes) -> None:
    waiting = [two.submit(time.sleep, 600) for _ in range(4)]
    two._processes[0].send_signal(signal.SIGKILL)
    for future in waiting:
        with pytest.raises(BrokenExecutor):
            future.result(300)
    with pytest.raises(BrokenExecutor):
        two.submit(int)


@pytest.mark.parametrize("who", ["worker", "owner"])
@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="the system shows its semaphores nowhere")  # noqa: S108
def test_a_kill_leaves_no_semaphore_no_process_and_no_word(who: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LEAVES_NOTHING, who],
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert (done.returncode, done.stderr) == (7 if who == "worker" else -signal.SIGKILL, "")
    pids = done.stdout.split()
    assert len(pids) == 2
    end = time.monotonic() + 300
    while any(Path("/proc", pid).exists() for pid in pids):
        assert time.monotonic() < end, "a process goes on without its owner"
        time.sleep(0.1)
    named = [path.name for path in Path("/dev/shm").iterdir()]  # noqa: S108
    assert not [name for name in named if any(f"-{pid}-" in name for pid in (str(os.getpid()), *pids))]
    assert list(tmp_path.iterdir()) == []
