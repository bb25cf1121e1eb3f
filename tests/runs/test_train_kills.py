"""A run that is killed at random moments, again and again, and what Ctrl-C says; in full by `make kills`."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from azx.runs.actors import Actors
from azx.runs.generations import Training
from azx.runs.run import begin_run, open_run, read_progress
from azx.self_play.played import load_games

FULL = "AZX_KILLS" in os.environ
# A part of the full form: AZX_TRAIN_KILLS=20.
KILLS = int(os.environ.get("AZX_TRAIN_KILLS", "60")) if FULL else 2
RECIPE = {"games": 6, "simulations": 4, "net": "dense:1x8"}
BEGIN = ("tictactoe", "-o", "run", *(str(word) for name, value in RECIPE.items() for word in (f"--{name}", value)))
REST = ("--no-export", "--json")
# A kill comes so long after one of the first events, of which a generation has ten.
EVENTS, LONGEST_WAIT = 30, 0.05


def start(place: Path, *arguments: str) -> subprocess.Popen[str]:
    """The command that begins the run, and goes on with it, in a group of its own and with ears for Ctrl-C."""
    command = [sys.executable, "-m", "azx", "train", *BEGIN, *REST, *arguments]
    environment = {**os.environ, "XDG_STATE_HOME": str(place / ".state"), "TMPDIR": str(place)}
    hear: Any = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=place, env=environment, preexec_fn=hear, start_new_session=True, **pipes)


def run_and_kill(place: Path, event: int, wait: float, *arguments: str) -> None:
    """Kill the command so many seconds after an event, of which the first is its start."""
    with start(place, *arguments) as process:
        for _ in range(event):
            assert process.stdout.readline() if process.stdout else "", process.communicate()
        time.sleep(wait)
        process.kill()
        _, error = process.communicate()
        assert process.returncode == -signal.SIGKILL, error


def weights(path: Path) -> list[Any]:
    found: list[Any] = []
    with h5py.File(path) as file:
        file["model_weights"].visititems(
            lambda name, item: found.append(np.asarray(item)) if isinstance(item, h5py.Dataset) else None
        )
    return found


def finished(place: Path) -> list[dict[str, Any]]:
    """The lines of the finished generations, whose files are all whole; what seconds they took is left out."""
    if not (place / "run" / "run.json").exists():
        return []
    run = open_run(place / "run")
    lines = read_progress(run)
    for number in range(1, len(lines) + 1):
        assert weights(run.checkpoint(number)), number
        assert len(load_games(run.games(number))) == 6
    return [{**line, "seconds": None, "processor": None, "actors": None} for line in lines]


@pytest.mark.whole
@pytest.mark.skipif(os.name != "posix", reason="kills by signals")
@pytest.mark.timeout(0 if FULL else 600)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_killed_at_random_moments_is_the_run_that_was_not(workers: int, tmp_path: Path) -> None:
    """No generation is lost or made anew, and the networks are those of a run that nobody disturbed.

    With two workers its games are played ahead.
    """
    by = ("--workers", str(workers))
    seed = os.environ.get("AZX_TEST_SEED", str(time.time_ns()))
    chance, kept = random.Random(seed), list[dict[str, Any]]()  # noqa: S311
    place, whole = tmp_path / "killed", tmp_path / "whole"
    place.mkdir()
    for kill in range(KILLS):
        # Python and the run's folder are what the first event waits for.
        run_and_kill(place, chance.randrange(EVENTS), chance.uniform(0, LONGEST_WAIT), *by)
        lines = finished(place)
        assert lines[: len(kept)] == kept, f"seed {seed}, kill {kill}"
        kept = lines
    with start(place, "--generations", "1", *by) as process:
        _, error = process.communicate()
        assert process.returncode == 0, error
    # In this process, as a start of another one takes more than all these generations.
    undisturbed = begin_run(whole / "run", "tictactoe", {}, RECIPE, 0, None)
    with Actors(workers) as actors:
        made = Training(undisturbed, actors).generations(lambda: 0.0)
        for _ in range(len(kept) + 1):
            next(made)
    assert finished(place) == finished(whole), f"seed {seed}"
    for number in range(1, len(kept) + 2):
        names = (folder / "run" / f"gen{number:04}.h5" for folder in (place, whole))
        for one, other in zip(*map(weights, names), strict=True):
            np.testing.assert_array_equal(one, other, err_msg=f"seed {seed}, generation {number}")
    left = {path.name for path in (place / "run").iterdir() if path.name.startswith(".")}
    assert left == {".games", ".learner0.npz", ".learner1.npz"} & left, left
    print(f"{KILLS} kills, {len(kept)} generations")  # noqa: T201


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C by a signal")
@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.whole)])
def test_ctrl_c_says_how_the_run_goes_on(tmp_path: Path, workers: str) -> None:
    with start(tmp_path, "--workers", workers) as process:
        assert any('"event": "generation"' in line for line in process.stdout or ())
        os.killpg(process.pid, signal.SIGINT)
        out, error = process.communicate(timeout=300)
    sentence = "Interrupted: resume with `azx train run`."
    assert (process.returncode, error) == (130, f"{sentence}\n")
    last = out.splitlines()[-1]
    assert json.loads(last) == {"error": sentence, "exit_code": 130}
    assert finished(tmp_path)
