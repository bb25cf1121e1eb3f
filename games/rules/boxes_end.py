"""Solves the end of a game of Dots and Boxes: the mover's lead in boxes if both play perfectly."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..tables import read_table
from .dots_and_boxes import MOVES, DotsAndBoxes
from .solved import Solution

if TYPE_CHECKING:
    from collections.abc import Callable

    Leads = NDArray[np.int8]
    Boxes = NDArray[np.int64]

# With more open edges than this a position is not solved: twenty edges already have a million subsets.
MOST_OPEN: int = read_table("thresholds")["solved_edges"]


def solve_end(state: DotsAndBoxes) -> Solution | None:
    """How the game ends; None with more than `MOST_OPEN` open edges."""
    if state.actions - 1 - state.edges.bit_count() > MOST_OPEN:
        return None
    mover = state.to_move
    lead = state.scores[mover] - state.scores[1 - mover]
    ahead, best = _solve(state.size, state.edges)
    return Solution(lead - ahead, state.legal_actions()) if state.must_pass else Solution(lead + ahead, best)


@lru_cache(maxsize=64)
def _solve(size: int, edges_drawn: int) -> tuple[int, tuple[int, ...]]:
    """The mover's lead in boxes, and the open edges that achieve it."""
    edges = [at for at in range(2 * size * (size + 1)) if not edges_drawn >> at & 1]
    places = {at: 1 << k for k, at in enumerate(edges)}
    # For each open edge, its boxes as sets of their open edges; the empty set stands for a missing box.
    boxes = np.zeros((len(edges), 2), np.int64)
    for k, edge in enumerate(edges):
        for side, (box, _) in enumerate(MOVES[size][edge][1]):
            boxes[k, side] = sum(bit for at, bit in places.items() if box >> at & 1)
    by_edge = _compiled()(boxes)
    ahead = int(by_edge.max(initial=0 if not edges else -len(boxes)))
    return ahead, tuple(at for at, lead in zip(edges, by_edge, strict=True) if lead == ahead)


@cache
def _compiled() -> Callable[[Boxes], Leads]:
    """The solver, compiled at its first use; it handles a million sets in a fraction of a second."""
    from ..compiled import compile_function

    return compile_function(_leads_by_edge)


def _leads_by_edge(boxes: Boxes) -> Leads:
    """For each open edge, int8 (n,), the lead in boxes of a player who draws it; completing a box moves again.

    `boxes`, int64 (n, 2), are the sets of open edges of the boxes beside each edge; 0 for a missing box.
    """
    count = len(boxes)
    leads, by_edge = np.zeros(1 << count, np.int8), np.zeros(count, np.int8)
    for left in range(1, 1 << count):
        most = -128
        for at in range(count):
            if not left >> at & 1:
                continue
            rest = left ^ (1 << at)
            one, other = boxes[at]
            completed = int(one != 0 and one & rest == 0) + int(other != 0 and other & rest == 0)
            by_edge[at] = completed + leads[rest] if completed else -leads[rest]
            most = max(most, by_edge[at])
        leads[left] = most
    return by_edge
