"""Self-play on a cluster: a task has a network's hash, a seed and a count, and returns its games.

Another worker repeats a task whose worker was lost, with the same seed and so the same games.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from ..errors import GameError
from ..match.pairs import Pairs
from ..self_play.actor import Task
from ..self_play.played import PlayedGame, check_games, from_bytes
from .answers import open_answer, received, unusable
from .cluster import Call, Cluster, HeldContent, Results
from .parcel import BadParcel, Parcel
from .remote_actor import GAMES, KEPT, SCORES, ReadingData, Request, Spent, play
from .versions import versions

# The possible shares of the points in a pair of games.
POSSIBLE = (0.0, 0.25, 0.5, 0.75, 1.0)


class ClusterGames:
    """Games that workers play."""

    def __init__(self, tasks: Sequence[Task], results: Results[int]) -> None:
        self._tasks, self._results = tasks, results

    def wait(self, on_games: Callable[[int], None]) -> list[tuple[list[PlayedGame], Spent]]:
        """The games and times of each task, in order; `on_games` receives the number of games that have just ended.

        ClusterError if a worker returns anything but the games of its task, or if no worker is left.
        """
        done: dict[int, tuple[list[PlayedGame], Spent]] = {}
        with closing(self._results) as results:
            for at, answer in results:
                done[at] = _games_in(received(answer), self._tasks[at])
                on_games(len(done[at][0]))
        return [done[at] for at in range(len(self._tasks))]

    def close(self) -> None:
        """Cancel the tasks that are not done."""
        self._results.close()


class ClusterActors:
    """The workers of a cluster, as actors of a run."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        # The last networks stay on the workers, because a judged one plays next.
        self._held: deque[HeldContent] = deque(maxlen=KEPT)

    def places(self) -> int:
        """Tasks that are played at once."""
        return max(1, self._cluster.places())

    def begin(self, tasks: Sequence[Task], graph: bytes, described: ReadingData) -> ClusterGames:
        """Begin the games of all tasks by one network."""
        return ClusterGames(tasks, self._results(tasks, self._hold((graph,)), described))

    def compete(
        self, parts: Sequence[Pairs], graphs: Sequence[bytes], described: ReadingData
    ) -> list[tuple[list[float], Spent]]:
        """The scores and times of each part of a contest between two networks; ClusterError as `ClusterGames.wait`."""
        held = self._hold(graphs)
        done: dict[int, tuple[list[float], Spent]] = {}
        with closing(self._results(parts, held, described)) as results:
            for at, answer in results:
                done[at] = _scores_in(received(answer), parts[at])
        return [done[at] for at in range(len(parts))]

    def _hold(self, graphs: Sequence[bytes]) -> tuple[HeldContent, ...]:
        held = tuple(map(self._cluster.hold, graphs))
        self._held.extend(held)
        return held

    def _results(
        self, tasks: Sequence[Task | Pairs], networks: tuple[HeldContent, ...], described: ReadingData
    ) -> Results[int]:
        # A network that plays itself is sent once, but counts as two.
        hashes = tuple(held.sha256 for held in networks)
        requests = [Request(self._cluster.client, versions(), task, hashes, described) for task in tasks]
        return self._cluster.results(Call(at, play, (request, *networks)) for at, request in enumerate(requests))


def _games_in(answer: bytes, task: Task) -> tuple[list[PlayedGame], Spent]:
    """The games in an answer, each legal; raises the error in it, or ClusterError if it is no answer."""
    with _usable():
        parcel = open_answer(answer)
        games = from_bytes(bytes(parcel.files[GAMES]))
        check_games(games, task.start)
        if len(games) != task.count:
            raise ValueError(f"{len(games)} games where {task.count} were asked for")
        return games, _spent(parcel)


def _scores_in(answer: bytes, pairs: Pairs) -> tuple[list[float], Spent]:
    """The scores of an answer, one of each pair; errors as of `_games_in`."""
    with _usable():
        parcel = open_answer(answer)
        scores = parcel.head[SCORES]
        if len(scores) != len(pairs.lines) or not all(score in POSSIBLE for score in scores):
            raise ValueError("its scores are unsound")
        return list(map(float, scores)), _spent(parcel)


@contextmanager
def _usable() -> Iterator[None]:
    try:
        yield
    except (BadParcel, GameError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise unusable(f"{type(error).__name__}: {error}") from error


def _spent(parcel: Parcel) -> Spent:
    return Spent(_seconds(parcel.head["clock"]), _seconds(parcel.head["processor"]))


def _seconds(seconds: Any) -> float:
    """The seconds in an answer; ValueError if they are unsound."""
    if not isinstance(seconds, int | float) or not 0 <= seconds < 1e7:
        raise ValueError("its seconds are unsound")
    return float(seconds)
