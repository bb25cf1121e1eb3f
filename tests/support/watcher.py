"""`azx watch` in a process group of its own, and what it tells."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from azx.bundle.contents.manifest import load_manifest
from azx.mobile_assets.best import best_in

# Policy against policy, as short as a gate is at least.
QUICK = ("--format", "onnx", "--positions", "20", "--simulations", "0", "--games", "40", "--gate", "0,200")
INTERVAL = 0.1


class Watcher:
    """A watch of runs/ in `folder`; `events` are what it has told so far, with the time at which each was heard."""

    def __init__(self, folder: Path, more: Sequence[str], before: Sequence[str] = ()) -> None:
        self.folder, self.events = folder, list[dict[str, Any]]()
        arguments = ("watch", "runs", "--json", "--interval", str(INTERVAL), *QUICK, *more)
        (folder / "tmp").mkdir(exist_ok=True)
        environment = {**os.environ, "XDG_STATE_HOME": str(folder / ".state"), "TMPDIR": str(folder / "tmp")}
        # A shell starts what runs in its background deaf to Ctrl-C, and these tests may be run so.
        hear: dict[str, Any] = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        command = [*before, sys.executable, "-m", "azx", *arguments]
        self.process = subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True, **hear, **pipes)
        self.stderr = ""
        self._readers = [threading.Thread(target=each, daemon=True) for each in (self._hear, self._read)]
        for reader in self._readers:
            reader.start()

    def _hear(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.events.append({"event": "ended", "name": "", **json.loads(line), "heard": time.time()})

    def _read(self) -> None:
        assert self.process.stderr is not None
        self.stderr = self.process.stderr.read()

    def wait(self, kind: str, name: str = "", after: int = 0, seconds: float = 900.0) -> dict[str, Any]:
        """The first event of this kind, of a network where one is named, behind so many others."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            ended = self.process.poll() is not None
            for event in self.events[after:]:
                if event["event"] == kind and name in ("", event["name"]):
                    return event
            if ended:
                break
            time.sleep(0.02)
        pytest.fail(f"no {kind} {name} after {after}: {self.kinds()} {self.stderr}")

    def kinds(self, name: str = "") -> list[str]:
        """The kinds of the events, of one network or of all."""
        return [event["event"] for event in self.events if name in ("", event["name"])]

    def end(self, number: int | None = signal.SIGINT, seconds: float = 900.0) -> int:
        """Ctrl-C for all of its processes, or nothing; the exit code."""
        if number is not None:
            os.killpg(self.process.pid, number)
        code = self.process.wait(seconds)
        for reader in self._readers:
            reader.join()
        return code

    def close(self) -> None:
        """End it where it has not ended, and whatever it said is read."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for reader, pipe in zip(self._readers, (self.process.stdout, self.process.stderr), strict=True):
            reader.join()
            assert pipe is not None
            pipe.close()


@contextmanager
def watching(folder: Path, *more: str, before: Sequence[str] = ()) -> Iterator[Watcher]:
    """`azx watch` for the block."""
    watcher = Watcher(folder, more, before)
    try:
        yield watcher
    finally:
        watcher.close()


def arrive(path: Path, source: Path) -> None:
    """Put a checkpoint into place as careful writers do."""
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(source.read_bytes())
    part.rename(path)


def best(folder: Path) -> dict[str, Any]:
    """The best networks by their record, each of which lies whole in its folder."""
    told: dict[str, Any] = json.loads((folder / "bundles" / "best.json").read_text())["best"]
    for game, path in best_in(folder / "bundles").items():
        assert load_manifest(path).checkpoint.file == told[game]["checkpoint"]
    return {game: each["bundle"] for game, each in told.items()}


def nothing_is_left(folder: Path) -> bool:
    """Whether there is nothing but what a watch is for; ONNX Runtime's own files in tmp/ are not azx's."""
    assert not [path for path in (folder / "tmp").rglob("*") if path.is_file() and path.name != ".ses"]
    hidden = {path.name for path in (folder / "bundles").rglob(".*")}
    assert hidden == {".azx-sweep.json"}
    for path in (folder / "bundles").glob("*/manifest.json"):
        load_manifest(path.parent)
    return True
