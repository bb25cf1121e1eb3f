"""What plays a generation's games: this process, or worker processes that stay loaded."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Self

from ..games.game import Reading
from ..match.players import ONE_THREAD
from ..self_play.actor import Task, play_games
from ..self_play.fast_network import FastNetwork
from ..self_play.played import Played
from ..system.processes import Processes
from ..system.temporary import temporary_folder
from ..system.workers import ctrl_c_held_back, processes_in, result, run_shielded

# So many tasks for each worker, that none waits long for the others.
TASKS_EACH = 2


class Actors:
    """Plays tasks with `workers` processes; with one in this process itself. To be used in a with statement."""

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

    def play(self, task: Task, graph: bytes, reading: Reading, on_games: Callable[[int], None]) -> list[Played]:
        """The games of a task by the network of `graph`; `on_games` receives how many more have ended.

        AzxError if a process died.
        """
        if self._processes is None:
            return play_games(task, FastNetwork(graph, reading), lambda game: on_games(1))
        parts = min(task.count, self._workers * TASKS_EACH)
        counts = [task.count // parts + (at < task.count % parts) for at in range(parts)]
        tasks = [replace(task, seed=task.seed * 1_009 + at, count=count) for at, count in enumerate(counts)]
        about = (graph, reading.game.name, dict(reading.settings))
        with ctrl_c_held_back():
            futures = [self._processes.submit(run_shielded, _play, each, *about) for each in tasks]
        games: list[Played] = []
        for future in futures:
            found = result(future, "playing games")
            on_games(len(found))
            games += found
        return games


def _play(task: Task, graph: bytes, game: str, settings: dict[str, Any]) -> list[Played]:
    from ..games.known.recognition import by_name
    from ..learning.networks import reading_for

    return play_games(task, FastNetwork(graph, reading_for(by_name(game), settings)))
