"""A sweep with matches that is killed at random moments, again and again: in short, and in full by `make kills`."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from azx.bundle.contents.manifest import load_manifest

Azx = Callable[..., subprocess.CompletedProcess[str]]
Versions = Callable[[Path, int], Path]
FULL = "AZX_KILLS" in os.environ
# A part of the full form: AZX_SWEEP_KILLS=20.
KILLS = int(os.environ.get("AZX_SWEEP_KILLS", "50")) if FULL else 3
CHECKPOINTS = 6 if FULL else 3
SWEEP = ("sweep", "runs", "--format", "onnx", "--positions", "20", "--jobs", "2")
COMMAND = (*SWEEP, "--match", "--games", "4", "--simulations", "8", "--json")


class Folder:
    """A folder with runs/, in which the sweep is done and killed."""

    def __init__(self, place: Path, version: Versions) -> None:
        self.place = place
        for number in range(1, CHECKPOINTS + 1):
            version(place / "runs", number)
        self.bundles = place / "bundles"
        (place / "tmp").mkdir()
        state = {"XDG_STATE_HOME": str(place / ".state"), "TMPDIR": str(place / "tmp")}
        self.environment = {**os.environ, **state}

    def sweep(self, seconds: float | None = None) -> dict[str, Any] | None:
        """What the sweep says, or None where it was killed after so many seconds."""
        command = [sys.executable, "-m", "azx", *COMMAND]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with subprocess.Popen(
            command, cwd=self.place, env=self.environment, start_new_session=True, **pipes
        ) as process:
            try:
                out, error = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                return None
        assert process.returncode == 0, error
        told: dict[str, Any] = json.loads(out)
        return told

    def done(self) -> dict[str, int]:
        """The bundles that are there, each of them whole, and when it was made; all that are noted are among them."""
        found = [path for path in self.bundles.glob("[!.]*") if path.is_dir()]
        for path in found:
            load_manifest(path)
        return {path.name: (path / "manifest.json").stat().st_mtime_ns for path in found}

    def noted(self) -> set[str]:
        """The bundles that the sweep knows for done: the note comes a moment after the bundle."""
        notes = self.bundles / ".azx-sweep.json"
        return set(json.loads(notes.read_text())["bundles"]) if notes.exists() else set()

    def games(self) -> list[bytes]:
        """The games in the log, as whole lines."""
        logs = list((self.bundles / ".azx-matches").glob("*.jsonl"))
        return [line for log in logs for line in log.read_bytes().splitlines(keepends=True) if line.endswith(b"}\n")]

    def left(self) -> set[str]:
        """What lies there beside what a sweep is for."""
        names = {path.name for path in self.bundles.iterdir()} | {path.name for path in (self.place / "tmp").iterdir()}
        ours = {f"version{number}" for number in range(1, CHECKPOINTS + 1)} | {
            "index.html",
            "results.csv",
            "ratings.png",
        }
        return names - ours - {".azx-sweep.json", ".azx-matches", ".azx-ratings.json"}


def told(data: dict[str, Any]) -> Any:
    """Of what a sweep says all that does not depend on when it was done."""
    rows = [
        {name: value for name, value in row.items() if name not in ("seconds", "status")} for row in data["checkpoints"]
    ]
    standings = [{name: value for name, value in each.items() if name != "new_games"} for each in data["standings"]]
    return rows, standings


@pytest.mark.whole
@pytest.mark.timeout(0 if FULL else 3600)
def test_a_sweep_killed_at_random_moments_loses_nothing(version: Versions, tmp_path: Path) -> None:
    """Its table and ratings are those of a sweep that nobody disturbed; what was done is never done again."""
    folder = Folder(tmp_path, version)
    began = time.monotonic()
    whole = folder.sweep()
    assert whole is not None
    lasted = time.monotonic() - began
    seed = os.environ.get("AZX_TEST_SEED", str(time.time_ns()))
    chance, kills, rounds = random.Random(seed), 0, 0  # noqa: S311
    kept: dict[str, int] = {}
    games: list[bytes] = []
    shutil.rmtree(folder.bundles)
    while kills < KILLS:
        ended = folder.sweep(chance.uniform(0, lasted))
        there, played = folder.done(), folder.games()
        where = f"seed {seed}, kill {kills}"
        assert kept.items() <= there.items(), f"{where}: what was done was done again or is gone"
        assert played[: len(games)] == games, f"{where}: games are gone"
        kept, games = {name: there[name] for name in folder.noted()}, played
        if ended is None:
            kills += 1
        else:
            rounds += 1
            assert told(ended) == told(whole), where
            shutil.rmtree(folder.bundles)
            kept, games = {}, []
    last = folder.sweep()
    assert last is not None
    assert told(last) == told(whole), f"seed {seed}"
    assert kept.items() <= folder.done().items()
    assert folder.left() == set(), f"seed {seed}"
    print(f"{kills} kills, {rounds} sweeps ended between them; undisturbed it took {lasted:.1f} s")  # noqa: T201
