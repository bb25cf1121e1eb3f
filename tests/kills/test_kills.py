"""azx is ended at each thing that it does with files: what is there then is whole, and the next run leaves no trace.

By default the operations of operations.py are, at every point, without converters. `make kills` has real commands ended
as well, with every process of theirs, at each point, which takes hours; `make kills EVERY=20` at each twentieth.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
EVERY = int(os.environ.get("AZX_KILLS", "0"))
SEMAPHORES = Path("/dev/shm")  # noqa: S108 - where Linux shows them
# Half of them in each process, of which there are as many as cores in the least machine that tests run on.
HALVES = (
    (
        *("export", "export again", "export again, in two steps", "export a format again"),
        *("export what is not equal", "export again what is not equal", "watch"),
    ),
    (
        *("install", "install another", "replace", "replace, in two steps", "remove", "remove the last"),
        *("match", "serve", "save a record", "save a record again", "sweep", "watch a better one"),
    ),
)
HOOK = """
import importlib, sys
sys.path.insert(0, {here!r})
importlib.import_module("kill_hook").in_all_processes()
"""
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="each kill has a forked process")


@pytest.mark.whole
@pytest.mark.timeout(7200)  # beside other work; nine hundred times an operation is done again
def test_every_point_of_every_operation(small_checkpoint: Path, small_bundle: Path, tmp_path: Path) -> None:
    """Before or after, and again from there, for each of the points; in two processes at a time."""
    running = []
    for number, names in enumerate(HALVES):
        (tmp_path / str(number)).mkdir()
        folders = (small_checkpoint.parent, tmp_path / str(number))
        command = [sys.executable, str(HERE / "operations.py"), *map(str, folders), *names]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
    points: dict[str, int] = {}
    for process in running:
        out, told = process.communicate()
        assert process.returncode == 0, told[-3000:]
        points |= json.loads(out)
    assert set(points) == {name for half in HALVES for name in half}
    # The hook sees what it is there for: fewer would mean that something is done behind its back.
    assert {name: count for name, count in points.items() if count < 5} == {}
    assert sum(points.values()) > 600


class Command:
    """A real command in a folder of its own, ended with all its processes at one of the points of its work."""

    def __init__(self, folder: Path, prepare: Callable[[Path], None], *arguments: object) -> None:
        self.folder, self.prepare, self.arguments = folder, prepare, [str(argument) for argument in arguments]
        site = folder / "site"
        site.mkdir(parents=True)
        (site / "sitecustomize.py").write_text(HOOK.format(here=str(HERE)), encoding="utf8")
        self.root = folder / "root"
        self.fresh()
        self.run()
        self.clean = self.names()

    def fresh(self) -> None:
        """The folder as it is before the command."""
        shutil.rmtree(self.root, ignore_errors=True)
        (self.root / "tmp").mkdir(parents=True)
        self.prepare(self.root)

    def run(self, at: int | None = None) -> bool:
        """Run the command, to be ended at a point; whether it was. What it says on standard error must be its own."""
        counted = self.folder / "counted"
        counted.unlink(missing_ok=True)
        environment = {**os.environ, "TMPDIR": str(self.root / "tmp"), "XDG_STATE_HOME": str(self.root / "state")}
        environment |= {"XDG_CACHE_HOME": str(self.root / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        if at is not None:
            path = os.pathsep.join([str(self.folder / "site"), os.environ.get("PYTHONPATH", "")])
            environment |= {"PYTHONPATH": path, "AZX_KILL_ROOT": str(self.root), "AZX_KILL_AT": str(at)}
            environment |= {"AZX_KILL_COUNT": str(counted)}
        done = subprocess.run(
            [sys.executable, "-m", "azx", *self.arguments],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            start_new_session=True,
        )
        assert "leaked" not in done.stderr, done.stderr
        assert done.returncode in ((0, -signal.SIGKILL) if at is not None else (0,)), done.stderr
        return done.returncode != 0

    def names(self) -> set[str]:
        """Everything in the folder, and the semaphores of the system's that are loky's or azx's."""
        named = {path.name for path in SEMAPHORES.iterdir()} if SEMAPHORES.is_dir() else set()
        named = {name for name in named if name.startswith(("sem.azx", f"sem.loky-{os.getpid()}"))}
        return named | {str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.name != ".ses"}

    def kill_at(self, at: int) -> bool:
        """Whether there is such a point; after it the next run leaves what it would have left without the kill."""
        self.fresh()
        if not self.run(at):
            return False
        self.read()
        self.run()
        assert self.names() == self.clean, f"killed at point {at}"
        return True

    def read(self) -> None:
        """A bundle that is there is whole."""
        from azx.bundle.contents.manifest import load_manifest

        for folder in (self.root / "bundles").glob("[!.]*"):
            load_manifest(folder)


def kill_all(command: Command, every: int) -> int:
    points = 0
    for at in range(1, 100_000, every):
        if not command.kill_at(at):
            break
        points += 1
    return points


@pytest.mark.skipif(not EVERY, reason="`make kills` has real commands ended, which takes hours")
@pytest.mark.timeout(0)
@pytest.mark.parametrize("again", [False, True])
def test_real_exports(again: bool, small_checkpoint: Path, small_bundle: Path, tmp_path: Path) -> None:
    def prepare(root: Path) -> None:
        if again:
            shutil.copytree(small_bundle, root / "bundles" / small_bundle.name)

    assert kill_all(Command(tmp_path, prepare, "export", small_checkpoint, "--positions", 20), EVERY) > 100 // EVERY


@pytest.mark.skipif(not EVERY, reason="`make kills` has real commands ended, which takes hours")
@pytest.mark.timeout(0)
@pytest.mark.parametrize("nets", ["artifacts", "checkpoints"])
def test_real_matches(nets: str, small_checkpoint: Path, small_bundle: Path, tmp_path: Path) -> None:
    pair: list[Any] = [small_checkpoint, small_checkpoint]
    if nets == "artifacts":
        pair = [next(small_bundle.glob(f"*.{kind}")) for kind in ("onnx", "tflite")]
    options = ["--games", 8, "--simulations", 2, "--workers", 2, "--log", "log.jsonl"]
    assert kill_all(Command(tmp_path, lambda root: None, "match", *pair, *options), EVERY) > 20 // EVERY


@pytest.mark.skipif(not SEMAPHORES.is_dir(), reason="the system shows its semaphores nowhere")
@pytest.mark.parametrize("seconds", [1.0] if not EVERY else [tenth / 10 for tenth in range(1, 60)])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_match_that_is_ended_at_any_time_leaves_no_semaphore_and_no_word(
    seconds: float, number: signal.Signals, small_bundle: Path, tmp_path: Path
) -> None:
    """The process that was started alone is killed, as `kill` does it; Ctrl-C goes to all of them."""
    (tmp_path / "tmp").mkdir()
    before = {path.name for path in SEMAPHORES.iterdir()}
    nets = [str(next(small_bundle.glob(f"*.{kind}"))) for kind in ("onnx", "tflite")]
    command = [sys.executable, "-m", "azx", "match", *nets, "--games", "400", "--workers", "2", "--log", "log.jsonl"]
    pipes: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    hear: dict[str, Any] = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    environment = {**os.environ, "TMPDIR": str(tmp_path / "tmp")}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, start_new_session=True, **pipes, **hear) as process:
        time.sleep(seconds)
        os.killpg(process.pid, number) if number == signal.SIGINT else process.kill()
        said = process.communicate(timeout=300)[1]
        # Its workers look for it each second.
        end = time.monotonic() + 300
        while time.monotonic() < end and is_there(process.pid):
            time.sleep(0.1)
        assert not is_there(process.pid)
    assert "leaked" not in said
    assert "resource_tracker" not in said
    theirs = {name for name in {path.name for path in SEMAPHORES.iterdir()} - before if f"-{process.pid}-" in name}
    assert theirs == set()
    assert {path.name for path in (tmp_path / "tmp").iterdir()} <= {f"azx-{os.getuid()}", ".ses"}


def is_there(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
