"""The end of a game of Dots and Boxes, solved: by how many boxes the player to move wins if both play perfectly."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ..tables import read_table
from .dots_and_boxes import FULL, MOVES, DotsAndBoxes

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
    edges = [at for at in range(state.actions - 1) if not state.edges >> at & 1]
    if len(edges) > MOST_OPEN:
        return None
    mover = state.to_move
    lead = state.scores[mover] - state.scores[1 - mover]
    leads = _leads(state.size, state.edges)
    everything = len(leads) - 1
    if state.must_pass:
        return Solved(lead - leads[everything], state.legal_actions())
    boxes = _boxes(state.size, state.edges)
    best = tuple(at for k, at in enumerate(edges) if _play(1 << k, everything, boxes, leads) == leads[everything])
    return Solved(lead + leads[everything], best)


@lru_cache(maxsize=64)
def _leads(size: int, drawn: int) -> list[int]:
    """By each set of the open edges, numbered from the first one: the boxes by which who moves there gets ahead."""
    boxes = _boxes(size, drawn)
    leads = [0]
    for left in range(1, 1 << len(boxes)):
        leads.append(max(_play(1 << k, left, boxes, leads) for k in range(len(boxes)) if left >> k & 1))
    return leads


def _boxes(size: int, drawn: int) -> list[list[int]]:
    """By each open edge the boxes that it is a side of, as sets of their open edges."""
    numbers = [at for at in range(2 * size * (size + 1)) if FULL[size] & ~drawn & 1 << at]
    places = {at: 1 << k for k, at in enumerate(numbers)}
    return [
        [sum(bit for at, bit in places.items() if box >> at & 1) for box, _ in MOVES[size][number][1]]
        for number in numbers
    ]


def _play(bit: int, left: int, boxes: list[list[int]], leads: list[int]) -> int:
    """By how many boxes who plays the edge `bit` of those that are `left` gets ahead; who completes one moves again."""
    rest = left ^ bit
    completed = sum(not box & rest for box in boxes[bit.bit_length() - 1])
    return completed + leads[rest] if completed else -leads[rest]
