"""Plays a generation's games: in this process, in worker processes that stay loaded, or on a cluster."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Protocol, Self

from ..cluster.actors import ClusterActors, ClusterGames
from ..cluster.backends import LOCAL
from ..cluster.remote_actor import ReadingData, Spent, described, pairs_by, played_by
from ..games.game import Reading
from ..match.pairs import Pairs, play_pairs
from ..match.players import ONE_THREAD
from ..self_play.actor import Task, play_games
from ..self_play.fast_network import FastNetwork
from ..self_play.played import PlayedGame
from ..system.processes import Processes
from ..system.temporary import temporary_folder
from ..system.workers import ctrl_c_held_back, processes_in, result, run_shielded

OnGames = Callable[[int], None]
# The graphs of the new network and of the other one.
Graphs = tuple[bytes, bytes]


@dataclass(frozen=True)
class Harvest:
    """The games of a generation, the number of places that played, and the seconds of each of their tasks."""

    games: list[PlayedGame]
    places: int
    spent: Sequence[Spent]


@dataclass(frozen=True)
class ContestScores:
    """A contest: the share of the points in each pair, and the seconds of each task in other processes."""

    scores: list[float]
    spent: Sequence[Spent] = ()


class PendingGames(Protocol):
    """Games that are being played."""

    def harvest(self, on_games: OnGames) -> Harvest:
        """The games; `on_games` receives the number that have just ended. AzxError if a player died."""

    def close(self) -> None:
        """Abandon the games."""


class Plays(Protocol):
    """Plays games by networks given as graphs."""

    @property
    def plays_ahead(self) -> bool:
        """Whether the games are played while this process does other work."""

    def begin(self, task: Task, graph: bytes, reading: Reading) -> PendingGames:
        """Begin the games of a task."""

    def compete(self, pairs: Pairs, graphs: Graphs, reading: Reading) -> ContestScores:
        """Play the pairs between two networks. AzxError if a player died."""


class Actors:
    """`workers` processes of this machine; a single one is this process itself. Use it in a with statement."""

    def __init__(self, workers: int = 1) -> None:
        self._workers, self._stack = workers, ExitStack()
        self._processes: Processes | None = None

    def __enter__(self) -> Self:
        if self._workers > 1:
            folder = self._stack.enter_context(temporary_folder("train"))
            self._processes = processes_in(folder, self._workers, ONE_THREAD)
            # Processes end with the block, even during a game.
            self._stack.callback(self._processes.shutdown)
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    @property
    def plays_ahead(self) -> bool:
        """As `Plays` says."""
        return self._processes is not None

    def begin(self, task: Task, graph: bytes, reading: Reading) -> PendingGames:
        """As `Plays` says."""
        if self._processes is None:
            return _Here(task, FastNetwork(graph, reading))
        parts = divided(task, self._workers)
        return _InProcesses(self._submit(played_by, parts, (graph,), reading), self._workers)

    def compete(self, pairs: Pairs, graphs: Graphs, reading: Reading) -> ContestScores:
        """As `Plays` says."""
        if self._processes is None:
            new, other = (FastNetwork(graph, reading) for graph in graphs)
            return ContestScores(play_pairs(pairs, new, other))
        futures = self._submit(pairs_by, divided_pairs(pairs, self._workers), graphs, reading)
        return _competed([result(future, "playing games") for future in futures])

    def _submit(
        self, play: Callable[..., Any], parts: Sequence[Any], graphs: Sequence[bytes], reading: Reading
    ) -> list[Future[Any]]:
        if self._processes is None:
            raise RuntimeError("There are no processes.")
        about: ReadingData = described(reading)
        with ctrl_c_held_back():
            return [self._processes.submit(run_shielded, play, each, graphs, about) for each in parts]


class _Here:
    """Games that this process plays on `harvest`."""

    def __init__(self, task: Task, network: FastNetwork) -> None:
        self._task, self._network = task, network

    def harvest(self, on_games: OnGames) -> Harvest:
        clock, processor = time.monotonic(), time.process_time()
        games = play_games(self._task, self._network, lambda game: on_games(1))
        return Harvest(games, 1, [Spent(time.monotonic() - clock, time.process_time() - processor)])

    def close(self) -> None:
        """Do nothing: no game has begun."""


class _InProcesses:
    """Games in worker processes."""

    def __init__(self, futures: Sequence[Future[Any]], places: int) -> None:
        self._futures, self._places = futures, places

    def harvest(self, on_games: OnGames) -> Harvest:
        done: list[tuple[list[PlayedGame], Spent]] = []
        for future in self._futures:
            done.append(result(future, "playing games"))
            on_games(len(done[-1][0]))
        return _harvest(done, self._places)

    def close(self) -> None:
        for future in self._futures:
            future.cancel()


class OnCluster:
    """The workers of a cluster; the number of places is read at each generation."""

    plays_ahead = True

    def __init__(self, actors: ClusterActors) -> None:
        self._actors = actors

    def begin(self, task: Task, graph: bytes, reading: Reading) -> PendingGames:
        """As `Plays` says."""
        places = self._actors.places()
        return _FromCluster(self._actors.begin(divided(task, places), graph, described(reading)), places)

    def compete(self, pairs: Pairs, graphs: Graphs, reading: Reading) -> ContestScores:
        """As `Plays` says."""
        parts = divided_pairs(pairs, self._actors.places())
        return _competed(self._actors.compete(parts, graphs, described(reading)))


class _FromCluster:
    def __init__(self, begun: ClusterGames, places: int) -> None:
        self._begun, self._places = begun, places

    def harvest(self, on_games: OnGames) -> Harvest:
        return _harvest(self._begun.wait(on_games), self._places)

    def close(self) -> None:
        self._begun.close()


@contextmanager
def actors(backend: str = LOCAL[0], scheduler: str | None = None, workers: int = 1) -> Iterator[Plays]:
    """The players of a backend (`cluster.backends`); ClusterError if its workers cannot be used."""
    if backend in LOCAL:
        with Actors(workers) as here:
            yield here
        return
    from ..cluster.cluster import connect

    with connect(backend, scheduler) as cluster:
        yield OnCluster(ClusterActors(cluster))


def divided(task: Task, places: int) -> list[Task]:
    """The task in one part for each of `places`, with its own seed and at least one game.

    Smaller parts would end together more evenly, but their batches are too small to be fast.
    """
    parts = min(task.count, places)
    counts = [task.count // parts + (at < task.count % parts) for at in range(parts)]
    return [replace(task, seed=task.seed * 1_009 + at, count=count) for at, count in enumerate(counts)]


def divided_pairs(pairs: Pairs, places: int) -> list[Pairs]:
    """The pairs in parts for `places`, in order."""
    parts = min(len(pairs.lines), max(1, places))
    ends = [at * len(pairs.lines) // parts for at in range(parts + 1)]
    return [replace(pairs, lines=pairs.lines[low:high]) for low, high in pairwise(ends)]


def total(spent: Sequence[Spent]) -> Spent:
    """The seconds of all tasks together."""
    return Spent(sum(each.clock for each in spent), sum(each.processor for each in spent))


def _harvest(done: Sequence[tuple[list[PlayedGame], Spent]], places: int) -> Harvest:
    return Harvest([game for part, _ in done for game in part], places, [spent for _, spent in done])


def _competed(done: Sequence[tuple[list[float], Spent]]) -> ContestScores:
    return ContestScores([score for part, _ in done for score in part], [spent for _, spent in done])
