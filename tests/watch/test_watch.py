"""`azx watch` at work: what training may do to a folder, one thing after the other, and what comes of it."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from processes import wait_for_the_end_of
from versions import BEYOND_PLAY, version
from watcher import Watcher, arrive, best, nothing_is_left, watching

from azx.bundle.contents.manifest import load_manifest
from azx.export.checkpoint.located import find_checkpoint
from azx.match.rating.sprt import Sprt
from azx.sweeps.watch import watch as run
from azx.sweeps.watch.contest import Terms
from azx.sweeps.watch.events import Event
from azx.sweeps.watch.watch import Plan

Azx = Callable[..., subprocess.CompletedProcess[str]]
pytestmark = pytest.mark.skipif(os.name != "posix", reason="Ctrl-C and processes are told of as POSIX has them")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Where checkpoints are made, before they arrive in runs/."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "source").mkdir()
    return tmp_path / "source"


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[None]:
    """Sees all the while that the best network of tic-tac-toe is there whole, once there is one."""
    import threading

    ended, faults, looks = threading.Event(), list[str](), [0]
    place = tmp_path / "bundles" / "best-of" / "tictactoe"

    def look() -> None:
        seen = False
        while not ended.wait(0.002):
            try:
                names = {path.name for path in place.iterdir()}
                seen, looks[0] = True, looks[0] + seen
                if not {"manifest.json", "golden.json"} <= names:
                    faults.append(f"half: {names}")
            except FileNotFoundError as error:
                if seen and not place.exists():
                    faults.append(str(error))

    thread = threading.Thread(target=look)
    thread.start()
    yield
    ended.set()
    thread.join()
    assert faults == []
    assert looks[0] > 0


@pytest.mark.whole
def test_a_watch_lives_through_what_training_does_to_its_folder(
    source: Path, tmp_path: Path, azx: Azx, reader: None
) -> None:
    runs, app = tmp_path / "runs", tmp_path / "app"
    app.mkdir()
    weak = version(source, 1, BEYOND_PLAY)
    with watching(tmp_path, "--app", "app", "--kind", "folder") as watch:
        _written_in_pieces(watch, weak, runs / "version1.h5")
        assert watch.wait("best", "version1")["first"] is True
        assert best(tmp_path) == {"tictactoe": "version1"}
        installed = watch.wait("installed", "version1")
        assert load_manifest(tmp_path / installed["folder"]).name == "version1"

        second = azx("watch", "runs")
        assert second.returncode == 1
        assert second.stderr.startswith(f"Error: 'bundles' is in use by azx watch (process {watch.process.pid} on ")
        assert second.stderr.count("\n") == 1
        assert azx("sweep", "runs").stderr.startswith("Error: 'bundles' is in use by azx watch (process ")

        (runs / "broken.h5").write_bytes(weak.read_bytes()[:-500])
        told = watch.wait("unreadable", "broken.h5")
        assert told["message"].startswith("'runs/broken.h5' ")
        so_far = len(watch.events)

        _one_after_the_other(watch, source, runs)
        # Told of once: many looks have gone by.
        assert watch.kinds("broken.h5") == ["unreadable"]
        arrive(runs / "broken.h5", version(source, 7))
        watch.wait("proved", "broken", so_far)
        watch.wait("played", "broken", so_far)

        arrive(runs / "other.h5", find_checkpoint("dots_and_boxes"))
        watch.wait("best", "other")
        watch.wait("installed", "other")
        winner = best(tmp_path)["tictactoe"]
        assert best(tmp_path) == {"tictactoe": winner, "dots_and_boxes": "other"}
        assert watch.end() == 130
        assert "Interrupted." in watch.stderr
    wait_for_the_end_of(watch.process.pid)
    assert nothing_is_left(tmp_path)
    index = json.loads((app / "azx" / "index.json").read_text())
    assert [entry["name"] for entry in index["bundles"]] == ["dots_and_boxes", "tictactoe"]
    assert winner != "version1"
    assert f'"name": "{winner}"' in (app / "azx" / "tictactoe" / "manifest.json").read_text()


def _written_in_pieces(watch: Watcher, source: Path, target: Path) -> None:
    """A writer that pauses, each time for longer than from one look to the next."""
    whole = source.read_bytes()
    with target.open("wb") as file:
        for at in range(0, len(whole), len(whole) // 5):
            file.write(whole[at : at + len(whole) // 5])
            file.flush()
            time.sleep(0.3)
            assert file.tell() == len(whole) or "picked_up" not in watch.kinds(target.name)
    watch.wait("picked_up", target.name)


def _one_after_the_other(watch: Watcher, source: Path, runs: Path) -> None:
    """One plays, one of those that wait is replaced and one is deleted; what had its turn may go as well."""
    numbers = (2, 3, 4)
    for number in numbers:
        version(source, number)
    # The shipped network, nearly: it beats the first one.
    strong = Path(shutil.copyfile(find_checkpoint("tictactoe"), source / "version2.h5"))
    for number in numbers:
        arrive(runs / f"version{number}.h5", strong if number == 2 else source / f"version{number}.h5")
    for number in numbers:
        watch.wait("picked_up", f"version{number}.h5")
    watch.wait("playing", "version2")
    so_far = len(watch.events)
    (runs / "version2.h5").unlink()
    (runs / "version4.h5").unlink()
    another = version(source, 5)
    arrive(runs / "version3.h5", another)
    watch.wait("gone", "version4.h5")
    watch.wait("best", "version2")
    watch.wait("installed", "version2")
    watch.wait("proved", "version3")
    watch.wait("played", "version3")
    made = load_manifest(watch.folder / "bundles" / "version3").checkpoint
    assert made.sha256 == load_digest(another)
    assert watch.kinds("version3").count("proved") == 1
    assert watch.kinds("version3.h5").count("picked_up") == 2
    assert not (watch.folder / "bundles" / "version4").exists()
    assert so_far < len(watch.events)


def load_digest(path: Path) -> str:
    from azx.export.checkpoint.digest import sha256

    return sha256(path)


@pytest.mark.whole
def test_a_contest_goes_on_where_it_was_interrupted_and_nothing_is_done_twice(
    source: Path, tmp_path: Path, azx: Azx
) -> None:
    for number in (1, 2):
        arrive(tmp_path / "runs" / f"version{number}.h5", version(source, number))
    long = ("--simulations", "100", "--games", "32", "--gate", "0,1")
    with watching(tmp_path, *long) as watch:
        watch.wait("playing", "version2")
        while not sum(log.read_text().count("\n") > 4 for log in (tmp_path / "bundles" / "contests").glob("*.jsonl")):
            assert watch.process.poll() is None
            time.sleep(0.01)
        assert watch.end() == 130
    wait_for_the_end_of(watch.process.pid)
    assert nothing_is_left(tmp_path)
    (log,) = (tmp_path / "bundles" / "contests").glob("*.jsonl")
    games = log.read_text().splitlines()
    with watching(tmp_path, *long, "--once") as watch:
        assert watch.end(None) == 0, watch.stderr
    assert [kind for kind in watch.kinds() if kind != "picked_up"] == ["kept", "kept", "playing", "played"]
    assert watch.wait("playing")["logged"] >= 3
    assert log.read_text().splitlines()[: len(games) - 1] == games[:-1]
    told = json.loads((tmp_path / "bundles" / "best.json").read_text())
    assert (told["contests"][0]["passed"], told["contests"][0]["pairs"]) == (None, 16)
    third = azx("watch", "runs", "--format", "onnx", "--positions", "20", *long, "--once")
    said = [line for line in third.stderr.splitlines() if not line.endswith(" picked up")]
    assert said == ["Watch: version1 kept", "Watch: version2 kept"]
    assert azx("sweep", "runs", "--format", "onnx", "--positions", "20").stdout.count("2 kept") == 1


@pytest.mark.whole
def test_who_lost_its_place_never_plays_again_whenever_the_watch_is_started(source: Path, tmp_path: Path) -> None:
    """The first network of a game was never the new one in a contest: it is judged by the one that it lost."""
    runs, contests = tmp_path / "runs", tmp_path / "bundles" / "contests"
    # The first and the third play no better than chance, each in its own way; the second is the shipped one.
    for number in (1, 3, 4):
        version(source, number, BEYOND_PLAY)
    shutil.copyfile(find_checkpoint("tictactoe"), source / "version2.h5")

    def started() -> list[tuple[str, str]]:
        """What a watch does, from its start to where all that is there is done."""
        with watching(tmp_path, "--once") as watch:
            assert watch.end(None) == 0, watch.stderr
            assert best(tmp_path) == {"tictactoe": "version2"}
            return [(event["event"], event["name"]) for event in watch.events if event["event"] != "picked_up"]

    for number in (1, 2, 3):
        arrive(runs / f"version{number}.h5", source / f"version{number}.h5")
    assert [name for kind, name in started() if kind == "playing"] == ["version2", "version3"]
    record, games = (tmp_path / "bundles" / "best.json").read_text(), {log.name for log in contests.iterdir()}
    assert [each["passed"] for each in json.loads(record)["contests"]] == [True, False]
    assert started() == [("kept", f"version{number}") for number in (1, 2, 3)]
    assert (tmp_path / "bundles" / "best.json").read_text() == record
    assert {log.name for log in contests.iterdir()} == games
    # One more plays, it alone, and against the best alone.
    arrive(runs / "version4.h5", source / "version4.h5")
    assert [name for kind, name in started() if kind == "playing"] == ["version4"]
    told = json.loads((tmp_path / "bundles" / "best.json").read_text())["contests"]
    assert [(each["net"], each["against"]) for each in told[2:]] == [("version4", "version2")]


def test_a_disk_that_fails_when_a_checkpoint_has_its_turn_ends_no_watch(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one over a network may, between the look and the export."""
    for number in (1, 2):
        version(tmp_path / "runs", number)

    def copied(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(run, "copy_checkpoint", copied)
    told: list[Event] = []
    plan = Plan(tmp_path / "runs", Terms(Sprt(0, 35), 2, 0), tmp_path / "bundles", once=True)
    run.watch(plan, told.append)
    failed = [event for event in told if event.kind == "failed"]
    assert [event.name for event in failed] == ["version1", "version2"]
    where = tmp_path / "runs" / "version1.h5"
    assert failed[0].data["message"].startswith(f"'{where}' cannot be read ({os.strerror(errno.EIO)}): ")
    assert (tmp_path / "bundles" / "results.csv").read_text().count("cannot be read") == 2
