"""What plays a generation's games: this process, worker processes that stay loaded, or the workers of a cluster."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

from ..cluster.actors import ClusterActors, Described, Spent
from ..cluster.backends import LOCAL
from ..games.game import Reading
from ..match.players import ONE_THREAD
from ..self_play.actor import Task, play_games
from ..self_play.fast_network import FastNetwork
from ..self_play.played import Played
from ..system.processes import Processes
from ..system.temporary import temporary_folder
from ..system.workers import ctrl_c_held_back, processes_in, result, run_shielded
from .run import description_of

# So many tasks for each place, that none waits long for the others.
TASKS_EACH = 2
OnGames = Callable[[int], None]


@dataclass(frozen=True)
class Harvest:
    """The games of a generation, by how many places, and the seconds that these spent on them all together.

    `clock` are seconds of the clock, `processor` those of the processor.
    """

    games: list[Played]
    places: int
    clock: float
    processor: float


class Plays(Protocol):
    """Plays the games of a task, by the network of `graph`."""

    def play(self, task: Task, graph: bytes, reading: Reading, on_games: OnGames) -> Harvest:
        """The games; `on_games` receives how many more have ended. AzxError if what played them died."""


class Actors:
    """`workers` processes of this machine; one is this process itself. To be used in a with statement."""

    def __init__(self, workers: int = 1) -> None:
        self._workers, self._stack = workers, ExitStack()
        self._processes: Processes | None = None

    def __enter__(self) -> Self:
        if self._workers > 1:
            folder = self._stack.enter_context(temporary_folder("train"))
            self._processes = processes_in(folder, self._workers, ONE_THREAD)
            # Ended at once with the block, in the midst of a game too.
            self._stack.callback(self._processes.shutdown)
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def play(self, task: Task, graph: bytes, reading: Reading, on_games: OnGames) -> Harvest:
        """As `Plays` says."""
        if self._processes is None:
            clock, processor = time.monotonic(), time.process_time()
            games = play_games(task, FastNetwork(graph, reading), lambda game: on_games(1))
            return Harvest(games, 1, time.monotonic() - clock, time.process_time() - processor)
        about = (graph, reading.game.name, dict(reading.settings))
        with ctrl_c_held_back():
            tasks = divided(task, self._workers)
            futures = [self._processes.submit(run_shielded, _play, each, *about) for each in tasks]
        done: list[tuple[list[Played], Spent]] = []
        for future in futures:
            done.append(result(future, "playing games"))
            on_games(len(done[-1][0]))
        return _harvest([games for games, _ in done], self._workers, [spent for _, spent in done])


class _OnCluster:
    """The workers of a cluster: as many places as it has when a generation begins."""

    def __init__(self, actors: ClusterActors) -> None:
        self._actors = actors

    def play(self, task: Task, graph: bytes, reading: Reading, on_games: OnGames) -> Harvest:
        """As `Plays` says."""
        places, width = self._actors.places(), reading.numbering.width if reading.numbering else 0
        described = Described(description_of(reading), reading.encoding.board_shape, width)
        games, spent = self._actors.play(divided(task, places), graph, described, on_games)
        return _harvest([games], places, spent)


@contextmanager
def actors(backend: str = LOCAL[0], scheduler: str | None = None, workers: int = 1) -> Iterator[Plays]:
    """Those of a backend (`cluster.backends`); ClusterError if its workers cannot be used."""
    if backend in LOCAL:
        with Actors(workers) as here:
            yield here
        return
    from ..cluster.cluster import connect

    with connect(backend, scheduler) as cluster:
        yield _OnCluster(ClusterActors(cluster))


def divided(task: Task, places: int) -> list[Task]:
    """The task in parts for so many places: each has a seed of its own, and none is without games."""
    parts = min(task.count, places * TASKS_EACH)
    counts = [task.count // parts + (at < task.count % parts) for at in range(parts)]
    return [replace(task, seed=task.seed * 1_009 + at, count=count) for at, count in enumerate(counts)]


def _harvest(games: Sequence[list[Played]], places: int, spent: Sequence[Spent]) -> Harvest:
    clock, processor = (sum(getattr(each, name) for each in spent) for name in ("clock", "processor"))
    return Harvest([game for part in games for game in part], places, clock, processor)


def _play(task: Task, graph: bytes, game: str, settings: dict[str, Any]) -> tuple[list[Played], Spent]:
    from ..games.known.recognition import by_name
    from ..learning.networks import reading_for

    clock, processor = time.monotonic(), time.process_time()
    games = play_games(task, FastNetwork(graph, reading_for(by_name(game), settings)))
    return games, Spent(time.monotonic() - clock, time.process_time() - processor)
