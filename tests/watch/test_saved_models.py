"""Checkpoints that training writes as folders or archives: taken when they are whole, and never before."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

import pytest
from versions import saved_version
from watcher import Watcher, watching

from azx.bundle.case.checkpoint import Checkpoint
from azx.bundle.contents.manifest import load_manifest
from azx.export.checkpoint.digest import sha256
from azx.sweeps.sources import find
from azx.sweeps.watch import arrivals
from azx.sweeps.watch.arrivals import Arrivals
from azx.sweeps.watch.events import Event

Azx = Callable[..., subprocess.CompletedProcess[str]]
# The network's own files: without one of them there is none.
NEEDED = ("saved_model.pb", "keras_metadata.pb", "variables/variables.index", "variables/variables.data-00000-of-00001")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where version1 to version3 lie as folders and version4 as an archive, before they arrive."""
    folder = tmp_path_factory.mktemp("source")
    for number in (1, 2, 3):
        saved_version(folder, number)
    saved_version(folder, 4, ".keras")
    return folder


class Watched:
    """A folder that is looked at when a test says so."""

    def __init__(self, place: Path) -> None:
        self.folder = place / "runs"
        self.folder.mkdir()
        (place / "work").mkdir()
        self.events: list[Event] = []
        self.arrivals = Arrivals(self.folder, Checkpoint(), place / "work", self.events.append)

    def look(self, times: int = 3) -> list[tuple[str, str]]:
        """What is said in so many looks, which are more than a file that lies still needs."""
        self.events.clear()
        for _ in range(times):
            self.arrivals.look()
        return [(event.kind, event.name) for event in self.events]


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    # However long the machine takes from one look to the next.
    monkeypatch.setattr(arrivals, "PATIENCE_SECONDS", math.inf)
    return Watched(tmp_path)


def in_pieces(source: Path, target: Path, pieces: int = 3) -> Iterator[None]:
    """Write a file piece by piece, from the empty one on; each time it is not whole, a test looks."""
    target.parent.mkdir(parents=True, exist_ok=True)
    whole = source.read_bytes()
    for piece in range(pieces):
        target.write_bytes(whole[: len(whole) * piece // pieces])
        yield
    target.write_bytes(whole)


@pytest.mark.parametrize("order", list(permutations(NEEDED)), ids=lambda order: "-".join(name[-8:-3] for name in order))
def test_a_folder_written_file_by_file_in_any_order_arrives_with_its_last_byte(
    order: tuple[str, ...], source: Path, watched: Watched
) -> None:
    """The writer pauses in each file and after it, below a person's patience."""
    target = watched.folder / "version1"
    for name in order:
        for _ in in_pieces(source / "version1" / name, target / name):
            assert watched.look() == [], f"{name} is not whole"
        if name != order[-1]:
            assert watched.look() == [], f"{name} is not the last"
    assert watched.look() == [("picked_up", "version1")]
    # TensorFlow's note of when it was saved may come later: the network is what it was.
    shutil.copy(source / "version1" / "fingerprint.pb", target)
    assert watched.look() == []
    arrival = watched.arrivals.take(0)
    assert arrival is not None
    assert (arrival.item.name, sha256(arrival.item.checkpoint)) == ("version1", sha256(source / "version1"))
    assert watched.arrivals.take(0) is None


def test_a_folder_that_is_written_over_with_another_is_another(source: Path, watched: Watched) -> None:
    """As training does that keeps its last network under one name."""
    target = watched.folder / "latest"
    shutil.copytree(source / "version1", target)
    assert watched.look() == [("picked_up", "latest")]
    assert watched.arrivals.take(0) is not None
    shutil.copytree(source / "version2", target, dirs_exist_ok=True)
    assert watched.look() == [("picked_up", "latest")]
    assert watched.arrivals.take(0) is not None
    shutil.rmtree(target)
    assert watched.look() == []
    assert watched.arrivals.take(0) is None


def test_what_tensorflow_keeps_beside_its_folder_is_no_checkpoint(source: Path, watched: Watched) -> None:
    """Hidden folders, and folders of weights that `tf.train.Checkpoint` writes, which have no graph."""
    shutil.copytree(source / "version1", watched.folder / ".version1.part")
    shutil.copytree(source / "version1" / "variables", watched.folder / "version2")
    assert watched.look() == []
    (watched.folder / ".version1.part").rename(watched.folder / "version1")
    assert watched.look() == [("picked_up", "version1")]


def slowly(watch: Watcher, source: Path, target: Path, pause: float) -> float:
    """Copy a folder into place file by file with pauses in each; when its last byte was written."""
    # In the order in which tf.keras writes them: keras_metadata.pb comes last.
    files = sorted((path for path in source.rglob("*") if path.is_file()), key=lambda path: path.stat().st_mtime_ns)
    for file in files:
        for _ in in_pieces(file, target / file.relative_to(source)):
            time.sleep(pause)
            assert "picked_up" not in watch.kinds(target.name)
    return time.time()


@pytest.mark.whole
@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C and processes are told of as POSIX has them")
def test_folders_and_archives_are_exported_and_played_and_a_sweep_finds_them_done(
    source: Path, tmp_path: Path, azx: Azx
) -> None:
    runs, bundles = tmp_path / "runs", tmp_path / "bundles"
    runs.mkdir()
    with watching(tmp_path) as watch:
        whole = {"version1": slowly(watch, source / "version1", runs / "version1", 0.25)}
        watch.wait("best", "version1")
        # As tf.keras itself writes, and as it lets a network take the place of another; an archive, cut off at first.
        whole["version2"] = _moved(source / "version2", runs / "version2")
        for _ in in_pieces(source / "version4.keras", runs / "version4.keras"):
            time.sleep(0.3)
            assert "picked_up" not in watch.kinds("version4.keras")
        whole["version4.keras"] = time.time()
        for name in ("version2", "version4"):
            watch.wait("played", name)
        for name, at in whole.items():  # docs/watch.md has how soon
            assert watch.wait("picked_up", name)["heard"] >= at
        so_far = len(watch.events)
        shutil.copytree(source / "version3", runs / "version2", dirs_exist_ok=True)
        watch.wait("played", "version2", so_far)
        assert watch.end() == 130
    made = {name: load_manifest(bundles / name).checkpoint.sha256 for name in ("version1", "version2")}
    assert made == {"version1": sha256(source / "version1"), "version2": sha256(source / "version3")}
    assert [item.name for item in find([runs])] == ["version1", "version2", "version4"]
    done = azx("sweep", "runs", "--format", "onnx", "--positions", "20", "--json")
    rows = json.loads(done.stdout)["checkpoints"]
    assert {row["bundle"]: row["status"] for row in rows} == {
        f"bundles/{name}": "kept" for name in ("version1", "version2", "version4")
    }


def _moved(source: Path, target: Path) -> float:
    """A folder that comes under its name at once; when it did."""
    place = target.with_name(f".{target.name}.part")
    shutil.copytree(source, place)
    place.rename(target)
    return time.time()
