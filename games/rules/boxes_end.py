"""The end of a game of Dots and Boxes, solved: by how many boxes the player to move wins if both play perfectly."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ..tables import read_table
from .dots_and_boxes import MOVES, DotsAndBoxes

# With more open edges than this a position is not solved: of twelve there are 4,096 sets.
MOST_OPEN: int = read_table("thresholds")["solved_edges"]


class Solved(NamedTuple):
    """The `margin` with which a game ends for the player to move, in boxes, and the actions that are `best`, ascending.

    None is best once the game is over.
    """

    margin: int
    best: tuple[int, ...]


def solve_end(state: DotsAndBoxes) -> Solved | None:
    """How the game ends; None with more than `MOST_OPEN` open edges."""
    if state.actions - 1 - state.edges.bit_count() > MOST_OPEN:
        return None
    mover = state.to_move
    lead = state.scores[mover] - state.scores[1 - mover]
    ahead, best = _solve(state.size, state.edges)
    return Solved(lead - ahead, state.legal_actions()) if state.must_pass else Solved(lead + ahead, best)


@lru_cache(maxsize=64)
def _solve(size: int, drawn: int) -> tuple[int, tuple[int, ...]]:
    """By how many boxes who moves gets ahead, and the open edges by which that is so."""
    edges = [at for at in range(2 * size * (size + 1)) if not drawn >> at & 1]
    places = {at: 1 << k for k, at in enumerate(edges)}
    # By each open edge the boxes that it is a side of, as sets of their open edges.
    boxes = [
        [sum(bit for at, bit in places.items() if box >> at & 1) for box, _ in MOVES[size][edge][1]] for edge in edges
    ]
    leads = [0]  # by each set of the open edges
    for left in range(1, 1 << len(boxes)):
        leads.append(max(_play(1 << k, left, boxes, leads) for k in range(len(boxes)) if left >> k & 1))
    everything = len(leads) - 1
    best = tuple(at for at, bit in places.items() if _play(bit, everything, boxes, leads) == leads[everything])
    return leads[everything], best


def _play(bit: int, left: int, boxes: list[list[int]], leads: list[int]) -> int:
    """By how many boxes who plays the edge `bit` of those that are `left` gets ahead; who completes one moves again."""
    rest = left ^ bit
    completed = sum(not box & rest for box in boxes[bit.bit_length() - 1])
    return completed + leads[rest] if completed else -leads[rest]
