"""A level's move, drawn among the moves that a search, or the policy alone, considers nearly as good as the best.

    level = Level(simulations=16, threshold=0.2, temperature=1)
    choose_action(search.visits().items(), level, seed=7, ply=12)

Every language computes it alike, to the last bit. Numbers from 0 to 1 come from integers. Temperatures are powers of
two, so weights are only squared, or their roots taken; IEEE double does both identically everywhere. Drawing moves by
their visits weakens a program about linearly, over some 800 Elo points (I-C. Wu et al., "On Strength Adjustment for
MCTS-Based Programs", AAAI 2019). The paper also leaves out moves with few visits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from ...errors import GameError
from ..state import State

WORD = 0xFFFFFFFFFFFFFFFF
# Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014: splitmix64.
GAMMA, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
# From nearly the best move to nearly any move; 0 always takes the best.
TEMPERATURES = (0, 0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64)


@dataclass(frozen=True)
class Level:
    """A strength of play: `simulations` of a search from an empty tree, 0 for the policy alone.

    A move's weight is its visits, or its prior without a search. Moves below `threshold` (0 to 1) of the largest weight
    drop out. One of the others is drawn in proportion to weight^(1/temperature). Temperature 0 takes the best.
    GameError for other numbers: one simulation visits no move, and temperatures are powers of two.
    """

    simulations: int
    threshold: float = 0.0
    temperature: float = 0.0

    def __post_init__(self) -> None:
        if self.simulations < 0 or self.simulations == 1:
            raise GameError(f"a level of {self.simulations} simulations visits no move: give 0, or 2 or more.")
        if not 0 <= self.threshold <= 1:
            raise GameError(f"a level's threshold of {self.threshold:g} is no share: give 0 to 1.")
        if self.temperature not in TEMPERATURES:
            known = ", ".join(f"{number:g}" for number in TEMPERATURES)
            raise GameError(f"a level's temperature of {self.temperature:g} is not possible: give one of {known}.")


def splitmix64(seed: int, ply: int) -> int:
    """Number `ply`, counted from 0, of the splitmix64 sequence that begins at `seed`; 64 bits."""
    mixed = (seed + (ply + 1) * GAMMA) & WORD
    mixed = (mixed ^ mixed >> 30) * FIRST & WORD
    mixed = (mixed ^ mixed >> 27) * SECOND & WORD
    return mixed ^ mixed >> 31


def chance(seed: int, ply: int) -> float:
    """A number at least 0 and below 1, from the upper 53 bits of `splitmix64`."""
    return (splitmix64(seed, ply) >> 11) * 2.0**-53


def find_pass(state: State) -> int | None:
    """The action that passes; None if a pass is illegal, or if it is the only legal action."""
    legal = state.legal_actions()
    last = legal[-1] if legal else None
    return last if last is not None and len(legal) > 1 and state.label(last) == "pass" else None


def choose_action(
    weights: Iterable[tuple[int, float]], level: Level, seed: int, ply: int, pass_action: int | None = None
) -> int:
    """The action that the level plays.

    Args:
        weights: each legal action, ascending, with its visits, or with its prior if there was no search.
        level: which moves remain and how one is drawn.
        seed: the game's seed, 64 bits.
        ply: the number of earlier moves.
        pass_action: played only if it alone has the largest weight; it is never drawn while another move exists.

    GameError if there are no actions.

    """
    listed = list(weights)
    if not listed:
        raise GameError("level: the game is over, there is no move to choose.")
    best, most = max(listed, key=lambda pair: pair[1])
    if level.temperature == 0 or best == pass_action or most <= 0:
        return best
    candidates = [
        pair for pair in listed if pair[1] > 0 and pair[1] >= level.threshold * most and pair[0] != pass_action
    ]
    upto, total = [], 0.0
    for _, weight in candidates:
        total += _power(weight / most, level.temperature)
        upto.append(total)
    point = chance(seed, ply) * total
    return next((action for (action, _), end in zip(candidates, upto, strict=True) if point < end), candidates[-1][0])


def _power(weight: float, temperature: float) -> float:
    """weight^(1/temperature) by squares and roots only."""
    while temperature > 1:
        weight, temperature = math.sqrt(weight), temperature / 2
    while temperature < 1:
        weight, temperature = weight * weight, temperature * 2
    return weight
