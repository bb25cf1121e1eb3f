"""Self-play on a cluster: tasks of a network's hash, a seed and a count, of which each is answered with its games.

A task that was lost with its worker is played again by another one, with the same seed: so the same games come.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from ..errors import GameError
from ..self_play.actor import Task
from ..self_play.played import Played, check_games, from_bytes
from .cluster import Call, Cluster, ClusterError, Held, Lost
from .parcel import BadParcel, unpack
from .remote_actor import GAMES, Request, play
from .remote_play import error_of
from .versions import difference, versions
from .words import clean


@dataclass(frozen=True)
class Described:
    """How a network reads the board, as a worker is told: an --encoding's members, its input and its policy's width."""

    description: Mapping[str, Any]
    board: tuple[int, ...]
    width: int


@dataclass(frozen=True)
class Spent:
    """Seconds of one place, by the clock and by the processor."""

    clock: float
    processor: float


class ClusterActors:
    """The workers of a cluster, as actors of a run."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        # The network of this generation stays there until the next one comes.
        self._held: Held | None = None

    def places(self) -> int:
        """Tasks that are played at once."""
        return max(1, self._cluster.places())

    def play(
        self, tasks: Sequence[Task], graph: bytes, described: Described, on_games: Callable[[int], None]
    ) -> tuple[list[Played], list[Spent]]:
        """The games of all tasks in their order, and what each took; `on_games` receives how many more have ended.

        ClusterError if a worker answers anything but the games that it was asked for, or if none is left.
        """
        self._held = held = self._cluster.hold(graph)
        calls = (Call(at, play, (self._request(task, held, described), held)) for at, task in enumerate(tasks))
        games: dict[int, list[Played]] = {}
        spent: dict[int, Spent] = {}
        with closing(self._cluster.results(calls)) as results:
            for at, answer in results:
                if isinstance(answer, Lost):
                    raise ClusterError(f"No worker finished a task: {answer.reason}; the same command goes on.")
                games[at], spent[at] = _games_in(answer, tasks[at])
                on_games(len(games[at]))
        order = range(len(tasks))
        return [game for at in order for game in games[at]], [spent[at] for at in order]

    def _request(self, task: Task, held: Held, described: Described) -> Request:
        return Request(
            self._cluster.client,
            versions(),
            task,
            held.sha256,
            described.board,
            described.width,
            described.description,
        )


def _games_in(answer: bytes, task: Task) -> tuple[list[Played], Spent]:
    """The games of an answer, each legal; raises the error that it reports, or ClusterError if it is no answer."""
    try:
        parcel = unpack(answer)
        head = parcel.head
        if "versions" in head:
            said = difference(str(head.get("worker")), dict(head["versions"]), versions())
            raise ClusterError(said or "A worker refused the task.")
        if "error" in head:
            raise error_of(head, 0)
        games = from_bytes(bytes(parcel.files[GAMES]))
        check_games(games, task.start)
        if len(games) != task.count:
            raise ValueError(f"{len(games)} games where {task.count} were asked for")
        return games, Spent(_seconds(head["clock"]), _seconds(head["processor"]))
    except (BadParcel, GameError, KeyError, TypeError, ValueError, AttributeError) as error:
        reason = clean(f"{type(error).__name__}: {error}")
        raise ClusterError(
            f"A worker's answer cannot be used ({reason}): the same command goes on, once that worker is gone."
        ) from error


def _seconds(said: Any) -> float:
    """ValueError for what a table cannot have."""
    if not isinstance(said, int | float) or not 0 <= said < 1e7:
        raise ValueError("its seconds are none")
    return float(said)
