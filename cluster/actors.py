"""Self-play on a cluster: tasks of a network's hash, a seed and a count, of which each is answered with its games.

A task that was lost with its worker is played again by another one, with the same seed: so the same games come.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from ..errors import GameError
from ..match.pairs import Pairs
from ..self_play.actor import Task
from ..self_play.played import Played, check_games, from_bytes
from .cluster import Call, Cluster, ClusterError, Held, Lost, Results
from .parcel import BadParcel, Parcel, unpack
from .remote_actor import GAMES, KEPT, SCORES, Described, Request, Spent, play
from .remote_play import error_of
from .versions import difference, versions
from .words import clean

# The share of the points of a pair of games.
POSSIBLE = (0.0, 0.25, 0.5, 0.75, 1.0)


class Begun:
    """Games that workers play."""

    def __init__(self, tasks: Sequence[Task], results: Results[int]) -> None:
        self._tasks, self._results = tasks, results

    def wait(self, on_games: Callable[[int], None]) -> list[tuple[list[Played], Spent]]:
        """The games of each task and what they took, in order; `on_games` receives how many more have ended.

        ClusterError if a worker answers anything but the games that it was asked for, or if none is left.
        """
        done: dict[int, tuple[list[Played], Spent]] = {}
        with closing(self._results) as results:
            for at, answer in results:
                done[at] = _games_in(_answered(answer), self._tasks[at])
                on_games(len(done[at][0]))
        return [done[at] for at in range(len(self._tasks))]

    def close(self) -> None:
        """Cancel what is not done."""
        self._results.close()


class ClusterActors:
    """The workers of a cluster, as actors of a run."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        # The last networks stay there: one that was judged plays next.
        self._held: deque[Held] = deque(maxlen=KEPT)

    def places(self) -> int:
        """Tasks that are played at once."""
        return max(1, self._cluster.places())

    def begin(self, tasks: Sequence[Task], graph: bytes, described: Described) -> Begun:
        """Begin the games of all tasks by one network."""
        return Begun(tasks, self._results(tasks, self._hold((graph,)), described))

    def compete(
        self, parts: Sequence[Pairs], graphs: Sequence[bytes], described: Described
    ) -> list[tuple[list[float], Spent]]:
        """The scores of each part of a contest between two networks, and what it took; ClusterError as `Begun.wait`."""
        held = self._hold(graphs)
        done: dict[int, tuple[list[float], Spent]] = {}
        with closing(self._results(parts, held, described)) as results:
            for at, answer in results:
                done[at] = _scores_in(_answered(answer), parts[at])
        return [done[at] for at in range(len(parts))]

    def _hold(self, graphs: Sequence[bytes]) -> tuple[Held, ...]:
        held = tuple(map(self._cluster.hold, graphs))
        self._held.extend(held)
        return held

    def _results(self, tasks: Sequence[Task | Pairs], networks: tuple[Held, ...], described: Described) -> Results[int]:
        # The same network twice is sent once, and is asked as two.
        hashes = tuple(held.sha256 for held in networks)
        requests = [Request(self._cluster.client, versions(), task, hashes, described) for task in tasks]
        return self._cluster.results(Call(at, play, (request, *networks)) for at, request in enumerate(requests))


def _answered(answer: bytes | Lost) -> bytes:
    if isinstance(answer, Lost):
        raise ClusterError(f"No worker finished a task: {answer.reason}; the same command goes on.")
    return answer


def _games_in(answer: bytes, task: Task) -> tuple[list[Played], Spent]:
    """The games of an answer, each legal; raises the error that it reports, or ClusterError if it is no answer."""
    with _usable():
        parcel = _sound(answer)
        games = from_bytes(bytes(parcel.files[GAMES]))
        check_games(games, task.start)
        if len(games) != task.count:
            raise ValueError(f"{len(games)} games where {task.count} were asked for")
        return games, _spent(parcel)


def _scores_in(answer: bytes, pairs: Pairs) -> tuple[list[float], Spent]:
    """The scores of an answer, one of each pair; errors as of `_games_in`."""
    with _usable():
        parcel = _sound(answer)
        scores = parcel.head[SCORES]
        if len(scores) != len(pairs.lines) or not all(score in POSSIBLE for score in scores):
            raise ValueError("its scores are none")
        return list(map(float, scores)), _spent(parcel)


def _sound(answer: bytes) -> Parcel:
    """The parcel of an answer that reports no error."""
    parcel = unpack(answer)
    head = parcel.head
    if "versions" in head:
        said = difference(str(head.get("worker")), dict(head["versions"]), versions())
        raise ClusterError(said or "A worker refused the task.")
    if "error" in head:
        raise error_of(head, 0)
    return parcel


@contextmanager
def _usable() -> Iterator[None]:
    try:
        yield
    except (BadParcel, GameError, KeyError, TypeError, ValueError, AttributeError) as error:
        reason = clean(f"{type(error).__name__}: {error}")
        raise ClusterError(
            f"A worker's answer cannot be used ({reason}): the same command goes on, once that worker is gone."
        ) from error


def _spent(parcel: Parcel) -> Spent:
    return Spent(_seconds(parcel.head["clock"]), _seconds(parcel.head["processor"]))


def _seconds(said: Any) -> float:
    """ValueError for what a table cannot have."""
    if not isinstance(said, int | float) or not 0 <= said < 1e7:
        raise ValueError("its seconds are none")
    return float(said)
