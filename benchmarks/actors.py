"""What more workers gain a run of `azx train`: Dask on the loopback, laid onto processors of their own.

    python -P benchmarks/actors.py [GAME] [--places 3] [--generations 3] [--games N] [--simulations N]

A machine of few cores cannot show by the clock what three workers and a learner gain. So the runs are real, and what
counts are the processor seconds of each task and of the learner. They are laid onto as many places as there are workers
and one for the learner, in the order in which the run asked for them, each when what it needs is there.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from azx.cluster.actors import ClusterActors, ClusterGames
from azx.cluster.cluster import connect
from azx.cluster.remote_actor import Spent, described
from azx.games.game import Reading
from azx.match.pairs import Pairs
from azx.runs.actors import ContestScores, Graphs, Harvest, divided, divided_pairs
from azx.runs.generations import Training
from azx.runs.run import begin_run
from azx.self_play.actor import Task

# The first generation loads the learner's library, and compiles.
WARM_UP = 1


@dataclass
class Spell:
    """Processor seconds of a generation: of each task of its games, of each of its contests, of the learner.

    `learner` has what comes before each contest, and what comes after the last.
    """

    games: list[float] = field(default_factory=list)
    contests: list[list[float]] = field(default_factory=list)
    learner: list[float] = field(default_factory=list)


class Noting:
    """Workers of a cluster as actors, of which each task's seconds are noted."""

    plays_ahead = True

    def __init__(self, actors: ClusterActors) -> None:
        self._actors, self.spells = actors, list[Spell]()
        self._since = 0.0

    def begin(self, task: Task, graph: bytes, reading: Reading) -> _Pending:
        """Begin the games of a task."""
        places = self._actors.places()
        return _Pending(self, self._actors.begin(divided(task, places), graph, described(reading)), places)

    def compete(self, pairs: Pairs, graphs: Graphs, reading: Reading) -> ContestScores:
        """Play the pairs between two networks."""
        self._note()
        done = self._actors.compete(divided_pairs(pairs, self._actors.places()), graphs, described(reading))
        self.spells[-1].contests.append([spent.processor for _, spent in done])
        self._since = time.process_time()
        return ContestScores([score for part, _ in done for score in part])

    def start(self, done: Sequence[tuple[Any, Spent]]) -> None:
        """Note that the learner has the games of a generation."""
        if self.spells:
            self._note()
        self.spells.append(Spell([spent.processor for _, spent in done]))
        self._since = time.process_time()

    def _note(self) -> None:
        self.spells[-1].learner.append(time.process_time() - self._since)


class _Pending:
    def __init__(self, noting: Noting, begun: ClusterGames, places: int) -> None:
        self._noting, self._begun, self._places = noting, begun, places

    def harvest(self, on_games: Callable[[int], None]) -> Harvest:
        done = self._begun.wait(on_games)
        self._noting.start(done)
        return Harvest([game for part, _ in done for game in part], self._places, 0.0, 0.0)

    def close(self) -> None:
        self._begun.close()


def laid(spells: Sequence[Spell], places: int, *, ahead: bool = True) -> float:
    """Seconds of a generation on so many places and one of the learner; without `ahead` nothing overlaps."""
    free, harvests = [0.0] * places, list[float]()

    def lay(tasks: Sequence[float], since: float) -> float:
        ends = []
        for seconds in tasks:
            at = min(range(places), key=free.__getitem__)
            free[at] = max(free[at], since) + seconds
            ends.append(free[at])
        return max(ends, default=since)

    ready, learner = lay(spells[0].games, 0.0), 0.0
    for spell, following in zip(spells, [*spells[1:], Spell()], strict=True):
        learner = max(learner, ready)
        harvests.append(learner)
        if ahead:
            ready = lay(following.games, learner)
        for seconds, contest in zip(spell.learner, [*spell.contests, []], strict=False):
            learner = lay(contest, learner + seconds)
        if not ahead:
            ready = lay(following.games, learner)
    return (learner - harvests[0]) / len(spells) if not ahead else (harvests[-1] - harvests[0]) / (len(spells) - 1)


def noted(places: int, options: argparse.Namespace) -> list[Spell]:
    """The generations of a run on so many workers, without the first ones."""
    from distributed import LocalCluster

    chosen = {"games": options.games, "simulations": options.simulations}
    with (
        tempfile.TemporaryDirectory() as folder,
        LocalCluster(n_workers=places, threads_per_worker=1, dashboard_address=None, memory_limit=0) as workers,
        connect("dask", workers.scheduler_address) as cluster,
    ):
        actors = Noting(ClusterActors(cluster))
        run = begin_run(Path(folder) / "run", options.game, {}, chosen, 0, None)
        most = WARM_UP + options.generations
        for _ in Training(run, actors).generations(lambda: 0.0, most=most):
            pass
        actors._note()
        return actors.spells[WARM_UP:]


def main() -> None:
    """Print a table and the ratios."""
    parser = argparse.ArgumentParser(description="Measure what more workers gain a run of azx train.")
    parser.add_argument("game", nargs="?", default="connect4")
    parser.add_argument("--places", type=int, default=3)
    parser.add_argument("--generations", type=int, default=3)
    parser.add_argument("--games", type=int)
    parser.add_argument("--simulations", type=int)
    options = parser.parse_args()
    times: dict[str, float] = {}
    for places in (1, options.places):
        spells = noted(places, options)
        games, contests, learner = (
            sum(sum(map(sum, each)) if each and isinstance(each[0], list) else sum(each) for each in parts)
            / len(spells)
            for parts in zip(*((spell.games, spell.contests, spell.learner) for spell in spells), strict=True)
        )
        print(f"{places} places: games {games:.1f} s, contests {contests:.1f} s, learner {learner:.1f} s a generation")
        if places == 1:
            times["one process"] = games + contests + learner
        times[f"{places} places, one after the other"] = laid(spells, places, ahead=False)
        times[f"{places} places, ahead"] = laid(spells, places)
    whole = times["one process"]
    one = times["1 places, ahead"]
    for name, seconds in times.items():
        shares = f"{seconds / whole:.2f} of one process, {seconds / one:.2f} of one worker"
        print(f"{name}: {seconds:.1f} s a generation, {shares}")


if __name__ == "__main__":
    main()
