"""`azx watch` is killed, the process alone, at one moment of its work after another, and started again each time."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from processes import wait_for_the_end_of
from versions import BEYOND_PLAY, version
from watcher import Watcher, arrive, best, nothing_is_left, watching

from azx.bundle.contents.manifest import load_manifest
from azx.export.checkpoint.located import find_checkpoint
from azx.mobile_assets.best import best_in
from azx.mobile_assets.install import OK, list_installed
from azx.system.disk import PROBE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kill -9 is of POSIX")
# In the full form of `make kills`; AZX_WATCH_KILLS for another number, AZX_TEST_SEED to draw the moments again.
CHANCES = int(os.environ.get("AZX_WATCH_KILLS", "50")) if "AZX_KILLS" in os.environ else 0
# Search makes a contest last long enough to be killed in, and leaves the weaker network weak enough to lose it.
TERMS = ("--simulations", "6", "--games", "60", "--gate", "0,200")
APP = ("--app", "app", "--kind", "folder")
# Ends the process that it is given to, and none that this starts, before the first such change of such a path.
SITE = """
import os, signal, sys
told = os.environ.pop("AZX_TEST_END", "")
if told:
    kind, part = told.split(" ", 1)

    def end(event, arguments):
        paths = [os.fsdecode(each) for each in arguments if isinstance(each, (str, bytes, os.PathLike))]
        if event == kind and any(part in path for path in paths):
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(end)
"""
# What is to be done, and the change before which the watch ends in the midst of it.
CHANGES = (
    ("a bundle is to have its name", "os.rename", "bundles/.version1.azx-"),
    ("a bundle is to be noted", "os.rename", ".azx-sweep.json.part"),
    ("the table is to be replaced", "os.rename", ".results.csv.part"),
    ("the first best one is to be recorded", "os.rename", ".best.json.part"),
    ("the first best one is to be copied", "os.mkdir", "best-of/.tictactoe.azx-"),
    ("the first best one is to have its name", "os.rename", "best-of/.tictactoe.azx-"),
    ("the first one is to be installed", "os.rename", "app/.azx.azx-"),
)
OF_THE_SECOND = (
    ("a contest is to be recorded", "os.rename", ".best.json.part"),
    ("the best ones are to change places", "azx.exchange", "best-of/"),
    ("what the kill before left of the best ones is to go", "os.rmdir", "best-of/.tictactoe.azx-"),
    ("the app's folders are to change places", "azx.exchange", "app/"),
    ("what the kill before left in the app is to go", "os.rmdir", "app/.azx.azx-"),
)


@dataclass
class Run:
    """A folder with runs/ and an app, in which one watch after the other is started and killed."""

    place: Path
    bundles: dict[str, int] = field(default_factory=dict)
    games: dict[str, list[bytes]] = field(default_factory=dict)
    contests: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in ("runs", "app", "site"):
            (self.place / name).mkdir()
        (self.place / "site" / "sitecustomize.py").write_text(SITE, encoding="utf8")

    def watched(self, moment: Callable[[Watcher], object] = lambda watch: None, end: str = "") -> list[tuple[str, str]]:
        """Kill a watch when the moment has come, or let it come to its `end`; what it told until then."""
        path = os.pathsep.join([str(self.place / "site"), os.environ.get("PYTHONPATH", "")])
        before = ["env", f"PYTHONPATH={path}", f"AZX_TEST_END={end}"] if end else []
        with watching(self.place, *TERMS, *APP, before=before) as watch:
            if end:
                assert watch.end(None) == -signal.SIGKILL, f"{end}: {watch.kinds()} {watch.stderr}"
            else:
                moment(watch)
                watch.process.kill()
                watch.process.wait()
            # Whatever it started is left to itself, and ends.
            wait_for_the_end_of(watch.process.pid)
            said = [(event["event"], event["name"]) for event in watch.events]
        self.look(said)
        return said

    def finished(self) -> list[tuple[str, str]]:
        """What a last watch tells, which nobody kills."""
        (self.place / "bundles").mkdir(exist_ok=True)
        # As one leaves it that is killed while it tries whether the disk has room.
        (self.place / "bundles" / PROBE).touch()
        with watching(self.place, *TERMS, *APP, "--once") as watch:
            assert watch.end(None) == 0, watch.stderr
        said = [(event["event"], event["name"]) for event in watch.events]
        self.look(said)
        assert nothing_is_left(self.place)
        assert [path.name for path in (self.place / "app").rglob(".*")] == []
        assert [path.name for path in (self.place / "bundles" / "best-of").iterdir()] == ["tictactoe"]
        return said

    def look(self, said: Sequence[tuple[str, str]]) -> None:
        """What is there is whole, and what was finished before is there as it was and was not done again."""
        folder = self.place / "bundles"
        known = [path for path in folder.glob("[!.]*") if path.is_dir() and path.name not in ("best-of", "contests")]
        for path in (*known, *best_in(folder).values()):
            load_manifest(path)
        assert [state for _, _, state in list_installed(self.place / "app", kind="folder") if state != OK] == []
        again = {name for kind, name in said if kind == "proved"} & self.bundles.keys()
        assert again == set(), f"exported again: {again}"
        made = {path.name: (path / "manifest.json").stat().st_mtime_ns for path in known}
        assert self.bundles.items() <= made.items()
        notes = folder / ".azx-sweep.json"
        noted = set(json.loads(notes.read_text())["bundles"]) if notes.exists() else set()
        self.bundles = {name: made[name] for name in noted}
        for name, lines in self.games.items():
            assert games_in(folder / "contests" / name)[: len(lines)] == lines
        self.games = {log.name: games_in(log) for log in folder.glob("contests/*.jsonl")}
        record = folder / "best.json"
        contests = json.loads(record.read_text())["contests"] if record.exists() else []
        assert contests[: len(self.contests)] == self.contests
        assert len({each["identity"] for each in contests}) == len(contests), "played again"
        self.contests = contests


def games_in(log: Path) -> list[bytes]:
    """The games that are whole."""
    return [line for line in log.read_bytes().splitlines(keepends=True)[1:] if line.endswith(b"}\n")]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Where two weak networks lie, version1 and version3, and between them a strong one."""
    folder = tmp_path / "source"
    for number in (1, 3):
        version(folder, number, BEYOND_PLAY)
    shutil.copyfile(find_checkpoint("tictactoe"), folder / "version2.h5")
    return folder


@pytest.mark.whole
def test_a_watch_killed_at_each_moment_of_its_work_goes_on_behind_it(source: Path, tmp_path: Path) -> None:
    run = Run(tmp_path)
    arrive(tmp_path / "runs" / "version1.h5", source / "version1.h5")
    run.watched(_exporting)
    assert run.bundles == {}
    for doing, event, path in CHANGES:
        assert ("best", "version1") not in run.watched(end=f"{event} {path}") or "installed" in doing, doing
    assert set(run.bundles) == {"version1"}
    arrive(tmp_path / "runs" / "version2.h5", source / "version2.h5")
    played = run.watched(lambda watch: _some_games(watch, "version2"))
    assert ("playing", "version2") in played
    for doing, event, path in OF_THE_SECOND:
        told = run.watched(end=f"{event} {path}")
        if "recorded" in doing:
            games = dict(run.games)
        else:
            assert run.games == games, f"{doing}: games were played again"
        assert ("proved", "version2") not in told
    assert best(tmp_path) == {"tictactoe": "version2"}
    arrive(tmp_path / "runs" / "version3.h5", source / "version3.h5")
    run.watched(lambda watch: _some_games(watch, "version3"))
    said = [event for event in run.finished() if event[0] != "picked_up"]
    assert [name for kind, name in said if kind == "playing"] == ["version3"]
    assert best(tmp_path) == {"tictactoe": "version2"}
    assert [each["passed"] for each in run.contests] == [True, False]
    kept = [("kept", f"version{number}") for number in (1, 2, 3)]
    assert [event for event in run.finished() if event[0] != "picked_up"] == kept


def _exporting(watch: Watcher) -> None:
    """Until the converters work."""
    watch.wait("picked_up")
    time.sleep(0.5)


def _some_games(watch: Watcher, name: str) -> None:
    """Until a contest of this network has some games."""
    watch.wait("playing", name)
    logs = {log: len(games_in(log)) for log in (watch.folder / "bundles" / "contests").glob("*.jsonl")}
    while all(len(games_in(log)) <= count for log, count in logs.items()):
        assert watch.process.poll() is None
        assert watch.kinds(name)[-1] == "playing"
        logs |= {log: 0 for log in (watch.folder / "bundles" / "contests").glob("*.jsonl") if log not in logs}
        time.sleep(0.005)


@pytest.mark.skipif(not CHANCES, reason="`make kills` has a watch killed at 50 moments drawn by chance")
@pytest.mark.timeout(0)
def test_a_watch_killed_at_moments_drawn_by_chance_loses_nothing(source: Path, tmp_path: Path) -> None:
    """Its best network and contests are those of a watch that nobody disturbed."""
    seed = os.environ.get("AZX_TEST_SEED", str(time.time_ns()))
    chance = random.Random(seed)  # noqa: S311
    (tmp_path / "whole").mkdir()
    undisturbed, began = Run(tmp_path / "whole"), time.monotonic()
    for number in (1, 2, 3):
        arrive(undisturbed.place / "runs" / f"version{number}.h5", source / f"version{number}.h5")
    undisturbed.finished()
    lasted = time.monotonic() - began
    wanted = undisturbed.contests
    kills = rounds = 0
    while kills < CHANCES:
        rounds += 1
        place = tmp_path / str(rounds)
        place.mkdir()
        run = Run(place)
        for number in (1, 2, 3):
            arrive(place / "runs" / f"version{number}.h5", source / f"version{number}.h5")
        while kills < CHANCES and len(run.contests) < len(wanted):
            run.watched(lambda watch: time.sleep(chance.uniform(0, lasted)))
            kills += 1
        run.finished()
        assert run.contests == wanted, f"seed {seed}, kill {kills}"
        assert best(place) == best(undisturbed.place), f"seed {seed}"
    print(f"{kills} kills in {rounds} watches; undisturbed it took {lasted:.1f} s")  # noqa: T201
