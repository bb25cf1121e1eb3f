"""What more workers gain a run of `azx train`: Dask on the loopback, laid onto processors of their own.

    python -P benchmarks/actors.py [GAME ...] [--places 3] [--generations 8] [--games N]

A machine of few cores cannot show by the clock what three workers and a learner gain. So the runs are real, and what
counts are the processor seconds of each task and of the learner. They are laid onto as many places as there are workers
and one for the learner, in the order in which the run asked for them, each when what it needs is there.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_NUM_INTRAOP_THREADS": "1", "TF_NUM_INTEROP_THREADS": "1"}
os.environ |= {"OMP_NUM_THREADS": "1"}

from azx.cluster.actors import ClusterActors
from azx.cluster.cluster import connect
from azx.games.game import Reading
from azx.match.pairs import Pairs
from azx.runs.actors import ContestScores, Graphs, Harvest, OnCluster, PendingGames, Plays
from azx.runs.generations import Training
from azx.runs.run import begin_run
from azx.self_play.actor import Task

# The first generation loads the learner's library, and compiles.
WARM_UP = 1


@dataclass
class Spell:
    """Processor seconds of a generation: of each task of its games, of each task of its contests, and of the learner.

    `learner` has what comes before each contest, and what comes after the last.
    """

    games: list[float] = field(default_factory=list)
    contests: list[list[float]] = field(default_factory=list)
    learner: list[float] = field(default_factory=list)

    @property
    def seconds(self) -> tuple[float, float, float]:
        """The seconds of the games, the contests and the learner."""
        return sum(self.games), sum(map(sum, self.contests)), sum(self.learner)


class NotedActors:
    """Players whose seconds are noted; `spells` has one for each generation."""

    plays_ahead = True

    def __init__(self, actors: Plays) -> None:
        self._actors, self.spells = actors, list[Spell]()
        self._since = 0.0

    def begin(self, task: Task, graph: bytes, reading: Reading) -> _Pending:
        """Begin the games of a task."""
        return _Pending(self, self._actors.begin(task, graph, reading))

    def compete(self, pairs: Pairs, graphs: Graphs, reading: Reading) -> ContestScores:
        """Play the pairs between two networks."""
        self.note_learner()
        done = self._actors.compete(pairs, graphs, reading)
        self.spells[-1].contests.append([spent.processor for spent in done.spent])
        self._since = time.process_time()
        return done

    def note_games(self, harvest: Harvest) -> None:
        """A generation begins to be learnt: the learner has its games."""
        if self.spells:
            self.note_learner()
        self.spells.append(Spell([spent.processor for spent in harvest.spent]))
        self._since = time.process_time()

    def note_learner(self) -> None:
        """The learner's seconds since it last waited for others."""
        self.spells[-1].learner.append(time.process_time() - self._since)


class _Pending:
    def __init__(self, actors: NotedActors, begun: PendingGames) -> None:
        self._actors, self._begun = actors, begun

    def harvest(self, on_games: Callable[[int], None]) -> Harvest:
        harvest = self._begun.harvest(on_games)
        self._actors.note_games(harvest)
        return harvest

    def close(self) -> None:
        self._begun.close()


def laid(spells: Sequence[Spell], places: int) -> float:
    """Seconds of a generation on so many places and one of the learner, a generation's games played ahead."""
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
        ready = lay(following.games, learner)
        for seconds, contest in zip(spell.learner, [*spell.contests, []], strict=False):
            learner = lay(contest, learner + seconds)
    return (harvests[-1] - harvests[0]) / (len(spells) - 1)


def noted(game: str, places: int, options: argparse.Namespace) -> tuple[list[Spell], list[float]]:
    """The generations of a run on so many workers, without the first ones, and what an exact judge said of all."""
    from distributed import LocalCluster

    figures = list[float]()
    with (
        tempfile.TemporaryDirectory() as folder,
        LocalCluster(n_workers=places, threads_per_worker=1, dashboard_address=None, memory_limit=0) as workers,
        connect("dask", workers.scheduler_address) as cluster,
    ):
        actors = NotedActors(OnCluster(ClusterActors(cluster)))
        run = begin_run(Path(folder) / "run", game, {}, {"games": options.games}, 0, None)
        for made in Training(run, actors).generations(lambda: 0.0, most=WARM_UP + options.generations):
            figures += [made.line["figure"]] if "figure" in made.line else []
        actors.note_learner()
        return actors.spells[WARM_UP:], figures


def measure(game: str, options: argparse.Namespace) -> None:
    """Print a game's seconds and ratios."""
    print(f"{game}:", flush=True)
    whole = 0.0
    for places in (1, options.places):
        spells, figures = noted(game, places, options)
        games, contests, learner = (sum(each) / len(spells) for each in zip(*(s.seconds for s in spells), strict=True))
        # One process plays, learns and judges in turn.
        whole = whole or games + contests + learner
        seconds = laid(spells, places)
        judged = f"; given away: {', '.join(f'{each:g}' for each in figures)}" if figures else ""
        print(
            f"  {places} workers: games {games:.1f} s, contests {contests:.1f} s, learner {learner:.1f} s; laid "
            f"{seconds:.1f} s a generation, {seconds / whole:.2f} of one process{judged}",
            flush=True,
        )


def main() -> None:
    """Measure the games one after the other."""
    parser = argparse.ArgumentParser(description="Measure what more workers gain a run of azx train.")
    parser.add_argument("games_of", metavar="GAME", nargs="*", default=["dots_and_boxes", "connect4"])
    parser.add_argument("--places", type=int, default=3)
    parser.add_argument("--generations", type=int, default=8)
    parser.add_argument("--games", type=int)
    options = parser.parse_args()
    for game in options.games_of:
        measure(game, options)


if __name__ == "__main__":
    main()
