"""A sweep that is ended in its midst: every bundle that is there is whole, and the next one goes on behind it."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import wait_for_the_end_of

from azx.bundle.contents.manifest import load_manifest

Azx = Callable[..., subprocess.CompletedProcess[str]]
COMMAND = ("sweep", "runs", "--format", "onnx", "--positions", "20", "--jobs", "1")
NAMES = {"version1", "version2", "version10"}
KILLS = 3


@pytest.fixture
def runs(versions: Path, tmp_path: Path) -> Path:
    """A folder of the test's own with the three versions in runs/, and a place for temporary files."""
    shutil.copytree(versions, tmp_path / "runs")
    (tmp_path / "tmp").mkdir()
    return tmp_path


def started(folder: Path, *options: str) -> subprocess.Popen[str]:
    """The sweep in a process group of its own, as a terminal starts it."""
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / ".state"), "TMPDIR": str(folder / "tmp")}
    # A shell starts what runs in its background deaf to Ctrl-C, and these tests may be run so.
    hear: dict[str, Any] = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    command = [sys.executable, "-m", "azx", *COMMAND, *options]
    return subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True, **hear, **pipes)


def bundles(folder: Path) -> dict[str, int]:
    """The bundles that are there, each of them whole, and when its manifest was written."""
    found = [path for path in (folder / "bundles").glob("[!.]*") if path.is_dir()]
    for path in found:
        load_manifest(path)
    return {path.name: (path / "manifest.json").stat().st_mtime_ns for path in found}


def left(folder: Path) -> set[str]:
    """Everything there but what the sweep is for, the note of the last bundle and ONNX Runtime's own."""
    below = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.name != ".ses"}
    ours = {"bundles", "runs", "tmp", ".state", *(f"bundles/{name}" for name in NAMES)}
    ours |= {f"bundles/{name}" for name in (".azx-sweep.json", "index.html", "results.csv")}
    whole = tuple(f"{place}/" for place in (".state", "runs", *(f"bundles/{name}" for name in NAMES)))
    return {name for name in below - ours if not name.startswith(whole)}


@pytest.mark.whole
def test_a_sweep_killed_at_any_moment_goes_on_and_leaves_nothing(runs: Path, azx: Azx) -> None:
    """Each time a moment after one more bundle was published, or in the midst of the first."""
    chance = random.Random(os.environ.get("AZX_TEST_SEED", str(time.time_ns())))  # noqa: S311
    moments = [(done, chance.uniform(0, 1.5)) for done in range(KILLS)]
    noted: dict[str, int] = {}
    for published, seconds in moments:
        with started(runs) as process:
            while len(noted | bundles(runs)) < published and process.poll() is None:
                time.sleep(0.02)
            time.sleep(seconds)
            process.kill()
            process.communicate()
        there = bundles(runs)
        assert noted.items() <= there.items(), f"killed at {moments}: what was done was done again"
        # The note comes after the bundle: what was published in the last moment may be done again.
        noted = {name: at for name, at in there.items() if f'"{name}": {{' in notes(runs)}
    done = azx(*COMMAND, env={"TMPDIR": str(runs / "tmp")})
    assert done.returncode == 0, done.stderr
    assert set(bundles(runs)) == NAMES
    assert noted.items() <= bundles(runs).items(), f"killed at {moments}"
    assert left(runs) == set(), f"killed at {moments}"


def notes(folder: Path) -> str:
    file = folder / "bundles" / ".azx-sweep.json"
    return file.read_text(encoding="utf8") if file.exists() else ""


@pytest.mark.whole
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_sweep_that_is_asked_to_end_leaves_nothing_half(number: signal.Signals, runs: Path) -> None:
    """Ctrl-C goes to all processes of the group, SIGTERM to the one that was started.

    Of so many positions that a fast machine, too, is in the midst of the second when it is asked.
    """
    with started(runs, "--positions", "1000") as process:
        assert process.stderr is not None
        assert any("proved" in line for line in process.stderr)
        time.sleep(0.3)
        os.killpg(process.pid, number) if number == signal.SIGINT else process.terminate()
        stdout, stderr = process.communicate(timeout=300)
    assert (process.returncode, stdout) == ({signal.SIGINT: 130, signal.SIGTERM: 143}[number], "")
    said = [line for line in stderr.splitlines() if not line.startswith("Sweep ")]
    assert said == (["Interrupted."] if number == signal.SIGINT else [])
    wait_for_the_end_of(process.pid)
    assert set(bundles(runs)) < NAMES
    assert left(runs) == set()
