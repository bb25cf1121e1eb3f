"""Solves the end of a game of Reversi: the mover's lead in discs if both play perfectly."""

from __future__ import annotations

from functools import lru_cache

from ..tables import read_table
from .position import places_in
from .reversi import Reversi
from .reversi_kind import Kind, kind_of
from .solved import Solution

# With more empty cells than this a position is not solved.
MOST_EMPTY: int = read_table("thresholds")["solved_cells"]
# More discs than a board has.
BEYOND = 1_000


def solve_end(state: Reversi) -> Solution | None:
    """How the game ends; None while it continues with more than `MOST_EMPTY` empty cells."""
    if not state.is_terminal and state.size**2 - sum(state.scores) > MOST_EMPTY:
        return None
    own, other = state.discs[state.to_move], state.discs[1 - state.to_move]
    margin, best = _solve(state.size, own, other)
    return Solution(margin, best or state.legal_actions())


@lru_cache(maxsize=64)
def _solve(size: int, own: int, other: int) -> tuple[int, tuple[int, ...]]:
    """The margin, and the cells that keep it; no cells if a pass is forced or the game is over."""
    kind, best, margin = kind_of(size), list[int](), -BEYOND
    for at in places_in(kind.moves(own, other)):
        turned = kind.turned(own, other, 1 << at)
        # The window starts one below the best margin, so that equally good moves are recognized.
        lead = -_lead(kind, other & ~turned, own | 1 << at | turned, -BEYOND, 1 - margin)
        if lead > margin:
            margin, best = lead, []
        if lead == margin:
            best.append(at)
    return (margin, tuple(best)) if best else (_lead(kind, own, other, -BEYOND, BEYOND), ())


def _lead(kind: Kind, own: int, other: int, low: int, high: int) -> int:
    """The margin of the mover, who has the discs `own`: exact between `low` and `high`, else a bound."""
    options = kind.moves(own, other)
    if not options:
        if not kind.moves(other, own):
            return own.bit_count() - other.bit_count()
        return -_lead(kind, other, own, -high, -low)
    best = -BEYOND
    while options:
        bit = options & -options
        options ^= bit
        turned = kind.turned(own, other, bit)
        best = max(best, -_lead(kind, other & ~turned, own | bit | turned, -high, -max(low, best)))
        if best >= high:
            break
    return best
