"""How many simulations a second two networks do here, measured in turn: the ratio holds on a busy machine."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...games.search import Search
from ...games.state import State
from ..network import NetworkEvaluator

# Of rounds, in each of which both networks search one position; fewer where a runtime is so slow that they take longer.
ROUNDS, FEWEST, LONGEST_SECONDS = 24, 6, 60.0


@dataclass(frozen=True)
class Speeds:
    """`per_second` are both networks' simulations a second, `ratio` how many the first does while the other does one.

    Each is the median of the rounds, so that the ratio is not quite that of the two.
    """

    per_second: tuple[float, float]
    ratio: float

    def bought(self, simulations: int) -> int:
        """The simulations that the first network does in the time in which the other one does so many; 1 at least."""
        return max(1, round(simulations * self.ratio))


def speeds(networks: tuple[NetworkEvaluator, NetworkEvaluator], states: Sequence[State], simulations: int) -> Speeds:
    """Search the positions with both networks in turn, so many simulations each.

    What counts is processor time where both answer in this process, because what else the machine does costs none of
    it; where one answers in a process of its own (TF.js in Node) it is the time that passes.
    """
    clock = time.process_time if all(network.in_process for network in networks) else time.perf_counter
    for network in networks:
        _seconds(network, states[0], simulations, clock)  # the first search compiles, and its answers are slow
    taken: tuple[list[float], list[float]] = [], []
    end = time.monotonic() + LONGEST_SECONDS
    for turn in range(ROUNDS):
        for side in (0, 1) if turn % 2 else (1, 0):
            taken[side].append(_seconds(networks[side], states[turn % len(states)], simulations, clock))
        if turn + 1 >= FEWEST and time.monotonic() > end:
            break
    ratio = statistics.median(other / one for one, other in zip(*taken, strict=True))
    one, other = (simulations / statistics.median(seconds) for seconds in taken)
    return Speeds((one, other), ratio)


def _seconds(network: NetworkEvaluator, state: State, simulations: int, clock: Callable[[], float]) -> float:
    search = Search(state, network)
    begun = clock()
    search.run(simulations)
    return max(clock() - begun, 1e-6)
