"""What plays a generation's games: this process, or worker processes that stay loaded."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from types import TracebackType
from typing import Any

from ..games.game import Reading
from ..self_play.actor import Task, play_games
from ..self_play.fast_network import FastNetwork
from ..self_play.played import Played

# So many tasks for each worker, that none waits long for the others.
TASKS_EACH = 2


class Actors(AbstractContextManager["Actors"]):
    """Plays tasks with `workers` processes; with one in this process itself."""

    def __init__(self, workers: int = 1) -> None:
        self._workers = workers
        self._pool: Any = None

    def __enter__(self) -> Actors:
        if self._workers > 1:
            from loky import ProcessPoolExecutor

            self._pool = ProcessPoolExecutor(self._workers)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, kill_workers=True)

    def play(self, task: Task, graph: bytes, reading: Reading, on_games: Callable[[int], None]) -> list[Played]:
        """The games of a task by the network of `graph`; `on_games` receives how many more have ended."""
        if self._pool is None:
            return play_games(task, FastNetwork(graph, reading), lambda game: on_games(1))
        parts = min(task.count, self._workers * TASKS_EACH)
        counts = [task.count // parts + (at < task.count % parts) for at in range(parts)]
        tasks = [replace(task, seed=task.seed * 1_009 + at, count=count) for at, count in enumerate(counts)]
        futures = [self._pool.submit(_play, each, graph, reading.game.name, dict(reading.settings)) for each in tasks]
        games: list[Played] = []
        for future in futures:
            found = future.result()
            on_games(len(found))
            games += found
        return games


def _play(task: Task, graph: bytes, game: str, settings: dict[str, Any]) -> list[Played]:
    from ..games.known.recognition import by_name
    from ..learning.networks import reading_for

    return play_games(task, FastNetwork(graph, reading_for(by_name(game), settings)))
