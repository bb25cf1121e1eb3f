"""The end of a game of Go as people play it: dead stones are removed before the area is counted.

The rules of the engine have no dead stones: two passes end the game and all stones count (see go). From random
playouts, this file proposes dead stones for a person to accept or change.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from ..tables import read_table
from .go import Go
from .go_board import actions_of, area, split, tables
from .go_playouts import PLAYOUTS, SEED, Ownership, chain_of, ownership

# A chain is proposed dead if its points are the other side's in this share of the playouts, in per cent.
_TABLE = read_table("thresholds")["go_scoring"]
DEAD: int = _TABLE["dead"]
# The board is settled if each point is the same side's in this share.
SETTLED: int = _TABLE["settled"]
# A point that is one side's in less than this share is disputed. With more disputed points than this the board is
# unfinished. With fewer, a move on one of them is worth playing if it gains this much in the mean of the playouts.
DISPUTED: int = _TABLE["disputed"]
MOST_DISPUTED: int = _TABLE["most_disputed"]
LEAST_GAIN: float = _TABLE["least_gain"]
# An estimate shows a point as a side's if it is in this share.
SHOWN: int = _TABLE["shown"]
# Above these shares of won playouts an estimate is called clear, and likely.
CLEAR: int = _TABLE["clear"]
LIKELY: int = _TABLE["likely"]
# With fewer stones of a side an estimate is called open, whatever the playouts say; on small boards the number is a
# quarter of the points.
FEWEST_STONES: int = _TABLE["fewest_stones"]


@dataclass(frozen=True)
class Estimate:
    """The playouts' judgement of a position: `score` is black's mean lead less the komi, in points.

    `spread` is the standard deviation of the playouts' leads. `percent` of the playouts, 50 to 100, were won by the
    side that the score favours, or by white if it is 0. `begun` says that both sides have set enough stones.
    """

    score: float
    spread: float
    percent: int
    begun: bool

    @property
    def points(self) -> int:
        """The score in whole points, halves away from 0."""
        return math.floor(abs(self.score) + 0.5) * (1 if self.score > 0 else -1)

    @property
    def points_of_spread(self) -> int:
        """The spread in whole points."""
        return math.floor(self.spread + 0.5)

    @property
    def certainty(self) -> str:
        """`percent` in a word: clear, likely or open; always open while the game has hardly begun."""
        if not self.begun or self.percent < LIKELY:
            return "open"
        return "clear" if self.percent >= CLEAR else "likely"


def estimate_ownership(state: Go, playouts: int = PLAYOUTS, seed: int = SEED) -> Ownership:
    """The ownership of a state's points."""
    return ownership(state.size, state.boards[-1], state.to_move, playouts, seed)


def chain(state: Go, at: int) -> tuple[int, ...]:
    """The chain with a stone on the point `at`, ascending; empty if the point is empty."""
    return chain_of(state.size, state.boards[-1], at)


def dead_stones(state: Go, owned: Ownership) -> tuple[int, ...]:
    """The stones proposed dead, ascending, whole chains."""
    dead: list[int] = []
    for player, theirs in ((0, owned.white), (1, owned.black)):
        left = set(state.stones(player))
        while left:
            points = chain(state, min(left))
            left -= set(points)
            if 100 * sum(theirs[at] for at in points) >= DEAD * len(points) * owned.playouts:
                dead += points
    return tuple(sorted(dead))


def areas_without(state: Go, dead: Collection[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The points that count for black and for white, ascending, without the stones on `dead`."""
    table = tables(state.size)
    gone = sum(table.bits[at] for at in dead)
    black, white = split(table, state.boards[-1], 0)
    first, second = area(table, black & ~gone | (white & ~gone) << table.width)
    return actions_of(table, first), actions_of(table, second)


def score_without(state: Go, dead: Collection[int]) -> float:
    """Black's area minus white's, minus the komi, without the stones on `dead`."""
    black, white = areas_without(state, dead)
    return len(black) - len(white) - state.komi


def estimate(state: Go, owned: Ownership) -> Estimate:
    """The score according to the playouts, and how sure it is."""
    score, wins = owned.mean_lead - state.komi, owned.black_wins(state.komi)
    favoured = wins if score > 0 else owned.playouts - wins
    fewest = min(len(state.stones(0)), len(state.stones(1)))
    begun = fewest >= min(FEWEST_STONES, state.size * state.size // 4)
    return Estimate(score, owned.spread, max(50, 100 * favoured // owned.playouts), begun)


def is_settled(owned: Ownership) -> bool:
    """Whether every point is one side's in nearly all playouts."""
    return all(owned.owner(at, SETTLED) is not None for at in range(len(owned.black)))


def may_pass(state: Go) -> bool:
    """Whether a pass costs the player to move nothing, because nothing is left to play for.

    That is so if all points are settled. It is also so if few points are disputed and no stone on one of them gains,
    for example on the last liberties of a seki. The score does not matter. With fewer plies than half of the points the
    answer is False, unless the other side has just passed.
    """
    points = state.size * state.size
    if state.is_terminal or (len(state.boards) - 1 < points // 2 and not has_passed(state)):
        return False
    owned = estimate_ownership(state)
    if is_settled(owned):
        return True
    disputed = [at for at in range(points) if owned.owner(at, DISPUTED) is None]
    return len(disputed) <= MOST_DISPUTED and not any(
        _gains(state, at, owned.mean_lead) for at in disputed if state.refuse(at) is None
    )


def _gains(state: Go, at: int, lead: float) -> bool:
    """Whether a stone on `at` raises the mover's mean lead enough to play it; `lead` is black's present one."""
    gain = estimate_ownership(state.apply(at)).mean_lead - lead
    return (gain if state.to_move == 0 else -gain) >= LEAST_GAIN


def has_passed(state: Go) -> bool:
    """Whether the last move was a pass."""
    return state.last_action == state.size * state.size


def ends_by_passes(state: Go) -> bool:
    """Whether two passes ended the game, so that dead stones can be agreed on; False if the limit of plies did."""
    before = state.boards[-3:]
    return state.is_terminal and len(before) == 3 and before[0] == before[1] == before[2]
