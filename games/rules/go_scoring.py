"""The end of a game of Go as people play it: dead stones are taken off before the area is counted.

The rules of the engine know of no dead stones: two passes end the game and all stones count (see go). What is
proposed here, from random playouts, is for a person to agree with or to change.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ..tables import read_table
from .go import Go
from .go_board import actions_of, area, split, tables
from .go_playouts import PLAYOUTS, SEED, Ownership, chain_of, ownership

# A chain is proposed dead where its points are the other side's in this share of the playouts, in per cent.
_TABLE = read_table("thresholds")["go_scoring"]
DEAD: int = _TABLE["dead"]
# All is decided where each point is the same side's in this share.
SETTLED: int = _TABLE["settled"]
# An estimate shows a point as a side's where it is in this share.
SHOWN: int = _TABLE["shown"]
# Above these shares of the playouts won an estimate is called clear, and likely.
CLEAR: int = _TABLE["clear"]
LIKELY: int = _TABLE["likely"]


@dataclass(frozen=True)
class Estimate:
    """What the playouts say of a position: `score` is black's lead less the komi, each point its more frequent owner's.

    `percent` of the playouts, 50 to 100, were won by the side that the score favours, or by white where it is 0.
    """

    score: float
    percent: int

    @property
    def certainty(self) -> str:
        """`percent` in a word: clear, likely or open."""
        return "clear" if self.percent >= CLEAR else "likely" if self.percent >= LIKELY else "open"


def estimate_ownership(state: Go, playouts: int = PLAYOUTS, seed: int = SEED) -> Ownership:
    """The ownership of a state's points."""
    return ownership(state.size, state.boards[-1], state.to_move, playouts, seed)


def chain(state: Go, at: int) -> tuple[int, ...]:
    """The chain that has a stone on the point `at`, ascending; none if the point is empty."""
    return chain_of(state.size, state.boards[-1], at)


def dead_stones(state: Go, found: Ownership) -> tuple[int, ...]:
    """The stones that are proposed dead, ascending, whole chains."""
    dead: list[int] = []
    for player, theirs in ((0, found.white), (1, found.black)):
        left = set(state.stones(player))
        while left:
            points = chain(state, min(left))
            left -= set(points)
            if 100 * sum(theirs[at] for at in points) >= DEAD * len(points) * found.playouts:
                dead += points
    return tuple(sorted(dead))


def areas_without(state: Go, dead: Collection[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The points that count for black and for white, ascending, when the stones on `dead` are taken off."""
    table = tables(state.size)
    gone = sum(table.bits[at] for at in dead)
    black, white = split(table, state.boards[-1], 0)
    first, second = area(table, black & ~gone | (white & ~gone) << table.width)
    return actions_of(table, first), actions_of(table, second)


def score_without(state: Go, dead: Collection[int]) -> float:
    """Black's area minus white's, minus the komi, when the stones on `dead` are taken off."""
    black, white = areas_without(state, dead)
    return len(black) - len(white) - state.komi


def estimate(state: Go, found: Ownership) -> Estimate:
    """The score as the playouts see it, and how sure it is."""
    lead = sum((black > white) - (white > black) for black, white in zip(found.black, found.white, strict=True))
    score, wins = lead - state.komi, found.black_wins(state.komi)
    favoured = wins if score > 0 else found.playouts - wins
    return Estimate(score, max(50, 100 * favoured // found.playouts))


def is_settled(found: Ownership) -> bool:
    """Whether every point is one side's in nearly all playouts."""
    return all(found.owner(at, SETTLED) is not None for at in range(len(found.black)))


def may_pass(state: Go) -> bool:
    """Whether the player to move loses nothing by a pass: the dead stones need not be captured first.

    That is so where the other side has just passed and the score without dead stones is won, and where all is
    settled. A game that is not half over is not asked.
    """
    points = state.size * state.size
    if state.is_terminal or (len(state.boards) - 1 < points // 2 and not has_passed(state)):
        return False
    found = estimate_ownership(state)
    if is_settled(found):
        return True
    score = score_without(state, dead_stones(state, found))
    return has_passed(state) and (score > 0 if state.to_move == 0 else score < 0)


def has_passed(state: Go) -> bool:
    """Whether the last move was a pass."""
    return state.last_action == state.size * state.size


def ends_by_passes(state: Go) -> bool:
    """Whether two passes have ended the game, and not its longest length: then there is something to agree on."""
    before = state.boards[-3:]
    return state.is_terminal and len(before) == 3 and before[0] == before[1] == before[2]
