"""`azx sweep` on a cluster of three workers, one of which is killed, and whose client is interrupted: as if alone."""

from __future__ import annotations

import csv
import gc
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from clusters import WORKERS, Cluster, dask
from versions import version

from azx.bundle.contents.manifest import load_manifest
from azx.cluster.cluster import Call, Lost, connect

Azx = Callable[..., subprocess.CompletedProcess[str]]
SWEEP = ("sweep", "runs/*/*.h5", "--format", "onnx,tflite", "--positions", "20")
MATCH = ("--match", "--games", "4", "--simulations", "2")
NAMES = {f"{folder}-version{number}" for folder in ("first", "second") for number in (1, 2, 10)}


@pytest.fixture(scope="module")
def alone(versions: Path, run_in: Azx, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which six checkpoints, and one that is none, were swept and played on this machine."""
    folder = tmp_path_factory.mktemp("alone")
    shutil.copytree(versions, folder / "runs" / "first")
    for number in (1, 2, 10):  # other weights: the same bytes would be proved once
        version(folder / "runs" / "second", number, share=0.04)
    (folder / "runs" / "second" / "version11.h5").write_text("no network")
    done = run_in(folder, *SWEEP, *MATCH, "--jobs", 1)
    assert done.returncode == 1, done.stderr
    return folder


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with dask(tmp_path_factory.mktemp("dask")) as started:
        yield started


def begun(folder: Path, cluster: Cluster) -> subprocess.Popen[str]:
    """The sweep, as a terminal starts it."""
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / ".state")}
    hear: dict[str, Any] = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    command = [sys.executable, "-m", "azx", *SWEEP, *cluster.options]
    return subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True, **pipes, **hear)


def wait_until(happens: Callable[[], Any], seconds: float = 600.0) -> Any:
    end = time.monotonic() + seconds
    while not (found := happens()):
        assert time.monotonic() < end, happens
        time.sleep(0.05)
    return found


def published(folder: Path) -> dict[str, int]:
    """The bundles that are noted, each whole, and when its manifest was written."""
    notes = folder / "bundles" / ".azx-sweep.json"
    names = json.loads(notes.read_text(encoding="utf8"))["bundles"] if notes.exists() else {}
    for name in names:
        load_manifest(folder / "bundles" / name)
    return {name: (folder / "bundles" / name / "manifest.json").stat().st_mtime_ns for name in names}


def table(folder: Path) -> list[dict[str, str]]:
    """Without times, and without the word for whether it was done now or before."""
    with (folder / "bundles" / "results.csv").open(encoding="utf8", newline="") as file:
        return [
            {**row, "seconds": "", "status": row["status"].replace("kept", "proved")} for row in csv.DictReader(file)
        ]


def games(folder: Path) -> list[str]:
    (log,) = (folder / "bundles" / ".azx-matches").glob("*.jsonl")
    return sorted(log.read_text(encoding="utf8").splitlines())


@pytest.mark.whole
def test_a_worker_killed_and_a_client_interrupted_change_nothing(
    alone: Path, cluster: Cluster, azx: Azx, tmp_path: Path
) -> None:
    shutil.copytree(alone / "runs", tmp_path / "runs")
    with begun(tmp_path, cluster) as client:
        at_work = wait_until(lambda: len(found := cluster.at_work()) == WORKERS and found)
        os.kill(at_work[0], signal.SIGKILL)
        wait_until(lambda: len(published(tmp_path)) >= 2)
        os.killpg(client.pid, signal.SIGINT)
        _, stderr = client.communicate(timeout=300)
    assert client.returncode == 130, stderr
    assert "Interrupted." in stderr
    assert "Traceback" not in stderr
    before = published(tmp_path)
    assert 2 <= len(before) < len(NAMES)
    wait_until(cluster.is_idle)

    done = azx(*SWEEP, *MATCH, *cluster.options, timeout=1200)
    assert done.returncode == 1, done.stderr
    after = published(tmp_path)
    assert set(after) == NAMES
    assert before.items() <= after.items(), "what was published was done again"
    assert done.stderr.count(" proved in ") == len(NAMES) - len(before)
    assert table(tmp_path) == table(alone)
    assert games(tmp_path) == games(alone)
    for name in NAMES:
        ours, theirs = ((folder / "bundles" / name / "manifest.json").read_bytes() for folder in (tmp_path, alone))
        assert ours == theirs
    hidden = {path.name for path in (tmp_path / "bundles").glob(".*")}
    assert hidden == {".azx-sweep.json", ".azx-matches", ".azx-ratings.json"}


def test_a_task_whose_answer_is_not_bytes_ends_no_other(cluster: Cluster) -> None:
    shout = "raise ValueError('\\x1b[31m' + 'x' * 8000)"
    tasks: list[Any] = [("number", len, ("abc",)), ("error", exec, (shout,)), ("sound", bytes, (3,))]
    calls = [Call(*task) for task in tasks]
    with connect("dask", cluster.address) as there:
        answers = dict(there.results(calls))
    assert answers["sound"] == bytes(3)
    assert answers["number"] == Lost("its answer is no bytes but int")
    assert isinstance(answers["error"], Lost)
    assert answers["error"].reason.startswith(r"ValueError: \x1b[31mxxx")
    assert len(answers["error"].reason) < 5000


def test_ctrl_c_as_a_question_begins_says_nothing_of_its_own(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    wait = threading.Event.wait
    interrupted = 0

    def interrupt_once(event: threading.Event, timeout: float | None = None) -> bool:
        if threading.current_thread() is threading.main_thread():
            monkeypatch.undo()  # one Ctrl-C a question: nothing else that waits gets it
            raise KeyboardInterrupt
        return wait(event, timeout)

    with connect("dask", cluster.address) as there:
        for _ in range(20):  # Dask's callback fails where it comes before the question: nearly each time
            gc.disable()  # what is cleared away meanwhile may wait too, and would have the Ctrl-C
            monkeypatch.setattr(threading.Event, "wait", interrupt_once)
            try:
                there.places()  # answered before anything waited for it, it meets no Ctrl-C
            except KeyboardInterrupt:
                interrupted += 1
            finally:
                monkeypatch.undo()  # whatever waits next is the test runner's own
                gc.enable()
        assert there.places() > 0
    assert interrupted
    assert not caplog.records


@pytest.mark.whole
def test_with_verify_what_comes_back_is_proved_here_too(
    alone: Path, cluster: Cluster, azx: Azx, tmp_path: Path
) -> None:
    shutil.copytree(alone / "runs" / "first", tmp_path / "runs" / "first")
    done = azx(*SWEEP, "--verify", *cluster.options, timeout=1200)
    assert (done.returncode, done.stderr.count(" proved in ")) == (0, 3), done.stderr
    notes = json.loads((tmp_path / "bundles" / ".azx-sweep.json").read_text(encoding="utf8"))["bundles"]
    assert [note["proved_here"] for note in notes.values()] == [True] * 3


@pytest.mark.whole
def test_a_match_has_the_games_that_it_has_without_a_cluster(
    alone: Path, cluster: Cluster, azx: Azx, tmp_path: Path
) -> None:
    nets = [alone / "bundles" / "first-version1", alone / "bundles" / "first-version2" / "version2.tflite"]
    rules = ("--games", 4, "--simulations", 4)
    for log, options in (("here", ("--workers", 1)), ("there", cluster.options)):
        done = azx("match", *nets, *rules, "--log", log, *options)
        assert done.returncode == 0, done.stderr
    here, there = (sorted((tmp_path / name).read_bytes().splitlines()) for name in ("here", "there"))
    assert here == there
