"""A cluster of azx as a discrete-event simulation, in which only the workers' places do things side by side.

    python -P benchmarks/simulated_cluster.py        # what larger clusters do, from the figures that are written here

A task goes client, link, scheduler, a place, link, scheduler, client, as `azx.cluster.cluster.Cluster.results` and Dask
do it, with `AHEAD` tasks for each place. What does one thing at a time does it in the order in which it is asked to.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count

from azx.cluster.cluster import AHEAD

# Of a network of 1 Gbit/s, less what its packets need.
GIGABIT = 118.0


@dataclass(frozen=True)
class Costs:
    """Of one task, in seconds and megabytes (10^6 bytes); `load` of a place, once.

    `place` is how long a place takes, and `processor` how many seconds of processors that is. `client` and `scheduler`
    are theirs for a task whatever its size, and `per_megabyte` what passing a megabyte on costs the scheduler.
    """

    load: float
    place: float
    processor: float
    client: float
    scheduler: float
    per_megabyte: float
    sent: float
    returned: float


# As benchmarks/scaling.py measured them (docs/scaling.md says where).
EXPORT = Costs(22.3, 18.8, 18.8, 0.294, 0.0103, 0.00119, 3.81, 18.28)
GAMES = Costs(0.0, 7.39, 7.39, 0.0027, 0.0103, 0.00119, 0.002, 0.002)


@dataclass(frozen=True)
class Run:
    """How long all tasks took, in seconds, and which share of that each part was busy."""

    seconds: float
    busy: dict[str, float]

    @property
    def limit(self) -> str:
        """The part that was busiest."""
        return max(self.busy, key=lambda name: self.busy[name])


class _One:
    """What does one thing at a time."""

    def __init__(self) -> None:
        self.free = self.busy = 0.0

    def take(self, now: float, seconds: float) -> float:
        """When it is done with what is asked for now."""
        self.free = max(now, self.free) + seconds
        self.busy += seconds
        return self.free


class _Simulation:
    """What is under way; `together` is how many tasks may be, in a wave of a match all that there are."""

    def __init__(self, costs: Costs, tasks: int, places: int, link: float, together: int | None) -> None:
        self.costs, self.tasks, self.places, self.link, self.together = costs, tasks, places, link, together
        self.client, self.scheduler, self.wire = _One(), _One(), _One()
        self.idle, self.waiting, self.loaded, self.begun, self.done = places, 0, 0, 0, 0
        self.now = self.working = 0.0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()

    def run(self) -> Run:
        """Until every task is taken."""
        self._begin()
        while self.done < self.tasks:
            self.now, _, happen = heapq.heappop(self._events)
            happen()
        busy = {"workers": self.working / self.places, "client": self.client.busy}
        busy |= {"scheduler": self.scheduler.busy, "link": self.wire.busy}
        return Run(self.now, {name: seconds / self.now for name, seconds in busy.items()})

    def _at(self, time: float, happen: Callable[[], None]) -> None:
        heapq.heappush(self._events, (time, next(self._order), happen))

    def _begin(self) -> None:
        while self.begun < self.tasks and self.begun - self.done < min(
            AHEAD * self.places, self.together or self.tasks
        ):
            self.begun += 1
            self._at(self.client.take(self.now, self.costs.client / 2), self._sent)

    def _passed_on(self, megabytes: float) -> float:
        over = self.wire.take(self.now, megabytes / self.link)
        return self.scheduler.take(over, self.costs.scheduler / 2 + megabytes * self.costs.per_megabyte)

    def _sent(self) -> None:
        self._at(self._passed_on(self.costs.sent), self._given)

    def _given(self) -> None:
        self.waiting += 1
        self._work()

    def _work(self) -> None:
        while self.waiting and self.idle:
            self.waiting, self.idle = self.waiting - 1, self.idle - 1
            seconds = self.costs.place
            if self.loaded < self.places:  # each place loads once; which of them it is makes no difference
                self.loaded += 1
                seconds += self.costs.load
            self.working += seconds
            self._at(self.now + seconds, self._worked)

    def _worked(self) -> None:
        self.idle += 1
        self._at(self._passed_on(self.costs.returned), self._returned)
        self._work()

    def _returned(self) -> None:
        self._at(self.client.take(self.now, self.costs.client / 2), self._taken)

    def _taken(self) -> None:
        self.done += 1
        if self.together is None or self.done == self.begun:
            self._begin()


def simulate(
    costs: Costs, tasks: int, places: int, cores: int | None = None, link: float = GIGABIT, together: int | None = None
) -> Run:
    """So many tasks by so many places; `cores` are those that they share, None where each place has enough.

    `link` is the scheduler's and the client's, megabytes a second. `together` is how many tasks are begun at a time, as
    in a wave of a match, which is over before the next one begins.
    """
    slower = 1.0 if cores is None else max(1.0, costs.processor / costs.place * places / cores)
    return _Simulation(replace(costs, place=costs.place * slower), tasks, places, link, together).run()


def rows(export: Costs, games: Costs) -> Iterator[tuple[str, int, int, Run]]:
    """What is done, the cores, the places, and how it went."""
    league = 100 * 99 // 2 * 40 // 2
    kinds: list[tuple[str, Costs, int, int, int | None]] = [
        ("10^4 checkpoints, five formats, proved", export, 10_000, 2, None),
        ("the same, to ONNX alone: a fifth comes back", replace(export, returned=export.returned / 5), 10_000, 2, None),
        ("100 networks, all against all: 198,000 games", games, league, 1, None),
        ("20,000 games in waves of 4 blocks (--gate, --best)", games, 10_000, 1, 4),
    ]
    for name, costs, tasks, cores_each, together in kinds:
        for cores in (10, 100, 1_000):
            places = cores // cores_each
            yield name, cores, places, simulate(costs, tasks, places, together=together)


def show(export: Costs, games: Costs, line: Callable[[str], None] = print) -> None:
    """The table of `rows`, as Markdown."""
    line("| what | cores | places | hours | busiest | workers busy | client | scheduler | link |")
    line("|---|---|---|---|---|---|---|---|---|")
    for name, cores, places, run in rows(export, games):
        shares = " | ".join(f"{run.busy[part]:.0%}" for part in ("workers", "client", "scheduler", "link"))
        line(f"| {name} | {cores} | {places} | {run.seconds / 3600:.2f} | {run.limit} | {shares} |")


if __name__ == "__main__":
    show(EXPORT, GAMES)
