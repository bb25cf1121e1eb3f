"""`azx train --backend dask`: the games are those that one machine plays, whatever becomes of a worker."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cluster_here import Here
from clusters import WORKERS, dask

from azx.cluster import remote_actor
from azx.cluster.actors import ClusterActors
from azx.cluster.cluster import ClusterError, Lost
from azx.cluster.parcel import pack_contents, unpack
from azx.cluster.versions import versions
from azx.games.game import Reading
from azx.games.known.catalogue import GAMES
from azx.learning.networks import Design, build, reading_for
from azx.learning.onnx_graph import write_graph
from azx.runs.actors import divided
from azx.runs.run import open_run
from azx.self_play.actor import Task as Games
from azx.self_play.actor import play_games
from azx.self_play.fast_network import FastNetwork
from azx.self_play.played import PlayedGame, as_bytes, from_bytes, load_games
from azx.self_play.settings import Recipe

SMALL = Recipe("dense:1x8", games=6, simulations=4, considered=4, opening=2)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[Here]:
    """A worker that needs no process below it."""
    monkeypatch.setattr(remote_actor, "in_process", lambda own, function, *arguments: function(*arguments))
    yield Here()
    remote_actor._NETWORKS.clear()


@pytest.fixture(scope="module")
def reading() -> Reading:
    return reading_for(GAMES["tictactoe"], {})


@pytest.fixture(scope="module")
def graph(reading: Reading) -> bytes:
    return write_graph(build(Design.read(SMALL.net), reading))


def tasks() -> list[Games]:
    return divided(Games(GAMES["tictactoe"].begin(), SMALL, 5, 7), 4)


def played(here: Here, reading: Reading, graph: bytes) -> list[PlayedGame]:
    counted = list[int]()
    done = ClusterActors(here).begin(tasks(), graph, remote_actor.described(reading)).wait(counted.append)
    games = [game for part, _ in done for game in part]
    assert (sum(counted), len(done)) == (len(games), len(tasks()))
    return games


def test_the_games_are_those_of_this_machine(here: Here, reading: Reading, graph: bytes) -> None:
    alone = [game for task in tasks() for game in play_games(task, FastNetwork(graph, reading))]
    for one, other in zip(played(here, reading, graph), alone, strict=True):
        assert (one.moves, one.result, one.proven) == (other.moves, other.result, other.proven)
        np.testing.assert_array_equal(one.policies, other.policies)


def test_a_task_is_divided_into_all_its_games() -> None:
    parts = tasks()
    assert [part.count for part in parts] == [2, 2, 2, 1]
    assert len({part.seed for part in parts}) == len(parts)
    assert [part.count for part in divided(replace(parts[0], count=1), 50)] == [1]


def changed(change: Callable[[list[PlayedGame]], list[PlayedGame]]) -> Callable[[bytes], bytes]:
    """An answer with other games in it."""

    def answer(data: bytes) -> bytes:
        parcel = unpack(data)
        return pack_contents(parcel.head, {"games.npz": as_bytes(change(from_bytes(bytes(parcel.files["games.npz"]))))})

    return answer


def first(**members: Any) -> Callable[[bytes], bytes]:
    return changed(lambda games: [replace(games[0], **members), *games[1:]])


def policies(change: Callable[[Any], Any]) -> Callable[[bytes], bytes]:
    return changed(lambda games: [replace(games[0], policies=change(games[0].policies)), *games[1:]])


ANSWERS: dict[str, Callable[[bytes], Any]] = {
    "no parcel": lambda data: b"no parcel",
    "no games": lambda data: pack_contents({"clock": 1, "processor": 1}, {}),
    "another file": lambda data: pack_contents({"clock": 1, "processor": 1}, {"games.npz": b"PK\x03\x04"}),
    "no seconds": lambda data: pack_contents({}, {"games.npz": bytes(unpack(data).files["games.npz"])}),
    "endless seconds": lambda data: pack_contents(
        {"clock": 1e300, "processor": 0}, {"games.npz": bytes(unpack(data).files["games.npz"])}
    ),
    "one game less": changed(lambda games: games[1:]),
    "an illegal move": changed(lambda games: [replace(games[0], moves=(0,) * len(games[0].moves)), *games[1:]]),
    "a move outside": changed(lambda games: [replace(games[0], moves=(99,) * len(games[0].moves)), *games[1:]]),
    "a result": first(result=7.0),
    "a result that is none": first(result=float("nan")),
    "a proof": first(proven=-1),
    "an opening": first(opening=100),
    "policies of zeros": policies(np.zeros_like),
    "policies that are none": policies(lambda each: each * np.float32("nan")),
    "policies of illegal moves": policies(np.ones_like),
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_what_is_not_the_games_that_were_asked_for_is_not_learnt_from(
    answer: Callable[[bytes], bytes], here: Here, reading: Reading, graph: bytes
) -> None:
    here.answer = answer
    with pytest.raises(ClusterError, match=r"^A worker's answer cannot be used \(.*\): the same command resumes"):
        played(here, reading, graph)


def test_a_worker_of_other_versions_is_named(
    here: Here, reading: Reading, graph: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_actor, "versions", lambda: versions() | {"azx": "0.0.9"})
    with pytest.raises(ClusterError, match=r"has other versions: azx 0\.0\.9"):
        played(here, reading, graph)


def test_a_task_that_no_worker_finished_ends_the_command(here: Here, reading: Reading, graph: bytes) -> None:
    here.answer = lambda data: Lost("4 workers that ran it were lost, one after another")
    with pytest.raises(ClusterError, match=r"No worker finished a task: 4 workers .* the same command resumes"):
        played(here, reading, graph)


def test_a_worker_that_got_another_network_plays_nothing(here: Here, reading: Reading, graph: bytes) -> None:
    here._put = lambda sha256, data: data + b"more"
    with pytest.raises(Exception, match="The network that came is not the one that was sent"):
        played(here, reading, graph)


BEGIN = ("hex", "--size", "5", "-o", "run", "--games", "48", "--simulations", "32", "--net", "dense:1x32")


@pytest.mark.whole
@pytest.mark.skipif(os.name != "posix", reason="kills by signals")
def test_a_killed_worker_loses_nothing_but_its_games(tmp_path: Path) -> None:
    """Which are played again from the same seeds: the generation is the one that nobody disturbed."""
    with dask(tmp_path / "dask") as cluster:
        options = ("--generations", "2", "--no-export", "--json", *cluster.options)
        command = [sys.executable, "-m", "azx", "train", *BEGIN, *options]
        with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
            lines = iter(process.stdout or ())
            assert any('"event": "playing"' in line for line in lines)
            while not (workers := [worker for worker, _ in cluster._below()]):
                assert process.poll() is None
                time.sleep(0.02)
            worker = workers[0]
            os.kill(worker, signal.SIGKILL)
            events = [json.loads(line) for line in lines]
            assert process.wait() == 0
    done = [each for each in events if each["event"] == "generation"]
    assert [each["actors"]["places"] for each in done] == [WORKERS, WORKERS - 1]
    assert [each["games"] for each in done] == [48, 48]
    run = open_run(tmp_path / "run")
    task = Games(run.game.begin(run.settings), run.recipe, run.seed * 100_003 + 1, 48)
    model = _first_network(run)
    alone = [game for part in divided(task, WORKERS) for game in play_games(part, FastNetwork(model, run.reading))]
    assert [game.moves for game in load_games(run.games(1))] == [game.moves for game in alone]


def _first_network(run: Any) -> bytes:
    from azx.runs import generations

    return write_graph(generations._begin(run, 0))
