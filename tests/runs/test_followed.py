"""`azx serve --watch RUN`: what the page is told of a run, and that it gets the best network so far."""

from __future__ import annotations

import json
import os
import shutil
import threading
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from azx.errors import AzxError, BundleError
from azx.export.checkpoint.run_folder import PROGRESS
from azx.games.evaluator import Uniform
from azx.games.known.catalogue import GAMES
from azx.games.records.reading import read
from azx.mobile_assets.served import ServedBundle
from azx.runs import followed
from azx.runs.followed import POINTS, FollowedRun
from azx.runs.now import NOW, Now, now_in
from azx.runs.run import Run, add_progress, begin_run
from azx.self_play.actor import Task, play_games
from azx.self_play.played import save_games
from azx.self_play.settings import Recipe

LINE = {"games": 6, "positions": 30, "about": "lines lost", "seconds": {"play": 2.0, "learn": 1.0, "judge": 0.0}}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run of two generations, the second of which has games."""
    run = begin_run(tmp_path / "first", "tictactoe", {}, {"net": "dense:1x8"}, 0, None)
    for number, figure in ((1, 40.0), (2, 7.0)):
        add_progress(run, {"generation": number, "figure": figure, "best": True, **LINE})
    task = Task(run.game.begin(), Recipe("dense:1x8", simulations=4, considered=4, opening=2), 1, 6)
    save_games(play_games(task, Uniform()), run.games(2))
    return run


@pytest.fixture
def web(tmp_path: Path) -> Path:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "index.html").write_text("page")
    return tmp_path / "web"


def told(site: FollowedRun) -> dict[str, Any]:
    answer = site.find("/azx/run.json")
    assert answer is not None
    data: dict[str, Any] = json.loads(answer.content())
    return data


def test_the_page_is_told_how_far_a_run_has_come(run: Run, web: Path) -> None:
    found = told(FollowedRun(web, run.folder))
    assert (found["name"], found["generations"], found["judge"], found["now"]) == ("first", 2, "lines", None)
    assert [(point["generation"], point["value"], point["best"]) for point in found["curve"]] == [
        (1, 40.0, True),
        (2, 7.0, True),
    ]
    assert found["games_a_second"] == 2.0
    record = read(found["game"]["record"])
    states = record.states(GAMES["tictactoe"].begin())
    assert len(states) == found["game"]["plies"] + 1
    assert states[-1].is_terminal
    # Of a Generation whose games were removed to have room there is none to replay.
    run.games(2).unlink()
    assert told(FollowedRun(web, run.folder))["game"] is None


def test_a_long_run_has_a_short_curve_with_its_last_generation(run: Run, web: Path) -> None:
    for number in range(3, 1000):
        add_progress(run, {"generation": number, "figure": 1.0, "best": False, **LINE})
    curve = told(FollowedRun(web, run.folder))["curve"]
    assert len(curve) <= POINTS
    assert curve[-1]["generation"] == 999


def test_a_line_that_is_being_written_is_left_alone(run: Run, web: Path) -> None:
    path = run.folder / PROGRESS
    path.write_bytes(path.read_bytes() + b'{"generation": 3, "ga')
    before = path.read_bytes()
    assert told(FollowedRun(web, run.folder))["generations"] == 2
    assert path.read_bytes() == before


@pytest.mark.parametrize("line", ["7", '{"generation": 3}', '{"generation": 3, "seconds": 7, "best": 1}'])
def test_foreign_lines_end_the_curve(line: str, run: Run, web: Path) -> None:
    with (run.folder / PROGRESS).open("a") as file:
        file.write(f"{line}\n")
    assert told(FollowedRun(web, run.folder))["generations"] == 2


def test_what_is_no_run_is_refused(web: Path, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(AzxError, match="holds no run"):
        FollowedRun(web, tmp_path)


def test_now_is_what_the_command_does_and_goes_with_it(run: Run) -> None:
    with Now(run.folder) as now:
        assert now_in(run.folder) == {"event": "starting"}
        for games in range(100):
            now.event({"event": "playing", "generation": 3, "games": games, "of": 100})
        found = now_in(run.folder)
        assert found is not None
        assert (found["event"], found["generation"], found["of"]) == ("playing", 3, 100)
        assert (run.folder / NOW).exists()
    assert now_in(run.folder) is None
    assert not list(run.folder.glob(".now*"))


@pytest.mark.parametrize(
    "text", ["", "7", "{}", '{"event": 7, "pid": 1, "host": "x"}', '{"event": "playing", "games": "1"}', "[" * 9999]
)
def test_a_damaged_note_of_now_is_none(text: str, run: Run) -> None:
    (run.folder / NOW).write_text(text)
    assert now_in(run.folder) is None


@pytest.mark.skipif(os.name != "posix", reason="asks for a process by a signal")
def test_what_a_killed_command_was_doing_is_past(run: Run) -> None:
    with Now(run.folder):
        data = json.loads((run.folder / NOW).read_text())
        (run.folder / NOW).write_text(json.dumps({**data, "pid": 2**22 + 7}))
        assert now_in(run.folder) is None
        (run.folder / NOW).write_text(json.dumps({**data, "pid": 2**22 + 7, "host": "elsewhere"}))
        assert now_in(run.folder) == {"event": "starting"}


def test_each_new_best_network_is_exported_and_served(
    run: Run, web: Path, small_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first one is refused, as a network whose proof fails is: the next one is tried all the same."""
    asked, done = list[str](), threading.Semaphore(0)

    def exported(checkpoint: Any, **options: Any) -> ServedBundle:
        asked.append(checkpoint.path.name)
        try:
            if len(asked) == 1:
                raise BundleError("it is not equal")
            return ServedBundle(shutil.copytree(small_bundle, tmp_path / "served"), 1.0)
        finally:
            done.release()

    class NoWorkers(nullcontext[None]):
        def stop(self) -> None:
            pass

    monkeypatch.setattr(followed, "Workers", NoWorkers)
    monkeypatch.setattr(followed, "serve_checkpoint", exported)
    monkeypatch.setattr(followed, "LOOK_SECONDS", 0.01)
    said = list[str]()
    site = FollowedRun(web, run.folder, said.append)
    assert (site.index().run, site.index().watched, site.index().bundles) == (True, True, ())
    with site.at_work():
        assert done.acquire(timeout=60)
        add_progress(run, {"generation": 3, "figure": 3.0, "best": True, **LINE})
        assert done.acquire(timeout=60)
    assert asked == ["gen0002.h5", "gen0003.h5"]
    assert said[0] == "it is not equal"
    assert site._best() == {"tictactoe": tmp_path / "served"}
    assert site._title("tictactoe", tmp_path) == "Tic-tac-toe (gen0003)"
