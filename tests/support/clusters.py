"""A cluster on the loopback, of real processes: a scheduler of Dask and three workers."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from processes import wait_for_the_end_of

WORKERS = 3


class Cluster:
    """`address` is that of --scheduler; everything that runs has its files in `folder`."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address, self.folder = address, folder

    @property
    def options(self) -> tuple[str, ...]:
        """Of azx."""
        return "--backend", "dask", "--scheduler", self.address

    def at_work(self) -> list[int]:
        """The worker processes that have a task in hand, which run processes of azx below them."""
        busy = {task.parent for task in self._tasks()}
        return sorted({worker for worker, home in self._below() if home in busy})

    def is_idle(self) -> bool:
        """Whether no worker has files of a task."""
        return not list(self._tasks())

    def _tasks(self) -> Iterator[Path]:
        """The folders of workers that have files of a task; those of a killed one stay until the next begins there."""
        for content in list(self.folder.rglob("content")):
            with suppress(FileNotFoundError):
                held = os.open(content.parent, os.O_RDONLY)
                try:
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    yield content.parent
                finally:
                    os.close(held)

    def _below(self) -> Iterator[tuple[int, Path]]:
        """Of each process that azx runs in a worker: that worker's number, and the folder of its folders."""
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                environment = (process / "environ").read_bytes().decode(errors="replace").split("\0")
                places = [entry.removeprefix("TMPDIR=") for entry in environment if entry.startswith("TMPDIR=")]
                ours = bool(places) and Path(places[0]).is_relative_to(self.folder)
                if ours and b"serve()" in (process / "cmdline").read_bytes():
                    yield int((process / "stat").read_text().rsplit(") ", 1)[1].split()[1]), Path(places[0]).parent


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def _started(folder: Path, name: str, *command: str, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process group of its own, with a folder for temporary files; ended with the block."""
    place = folder / name
    place.mkdir(parents=True)
    environment = {**os.environ, "TMPDIR": str(place), "XDG_STATE_HOME": str(place / ".state"), **variables}
    environment.pop("AZX_DEBUG", None)
    hear: dict[str, Any] = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    with (folder / f"{name}.log").open("wb") as log:
        run = [sys.executable, *command]
        pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
        process = subprocess.Popen(run, cwd=place, env=environment, start_new_session=True, **pipes, **hear)
    try:
        yield process
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=60)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        wait_for_the_end_of(process.pid)


def _wait_for_text(file: Path, text: str, process: subprocess.Popen[bytes], seconds: float = 300.0) -> None:
    end = time.monotonic() + seconds
    while text not in file.read_text(errors="replace"):
        if process.poll() is not None or time.monotonic() > end:
            pytest.fail(f"{text!r} did not come: {file.read_text(errors='replace')[-2000:]}")
        time.sleep(0.1)


@contextmanager
def dask(folder: Path) -> Iterator[Cluster]:
    """A scheduler of Dask and three workers of one thread, none of which is started again."""
    pytest.importorskip("distributed")
    address = f"tcp://127.0.0.1:{_free_port()}"
    with ExitStack() as stack:
        command = ("-m", "dask", "scheduler", "--host", address, "--no-dashboard")
        scheduler = stack.enter_context(_started(folder, "scheduler", *command))
        _wait_for_text(folder / "scheduler.log", "Scheduler at:", scheduler)
        options = ("--no-nanny", "--nthreads", "1", "--memory-limit", "0", "--no-dashboard", "--local-directory", ".")
        names = [f"worker{number}" for number in range(WORKERS)]
        work = ("-m", "dask", "worker", address, "--host", "127.0.0.1", *options)
        workers = [stack.enter_context(_started(folder, name, *work, "--name", name)) for name in names]
        for name, worker in zip(names, workers, strict=True):
            _wait_for_text(folder / f"{name}.log", "Registered to:", worker)
        yield Cluster(address, folder)
