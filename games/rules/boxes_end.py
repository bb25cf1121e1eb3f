"""The end of a game of Dots and Boxes, solved: by how many boxes the player to move wins if both play perfectly."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..tables import read_table
from .dots_and_boxes import MOVES, DotsAndBoxes
from .solved import Solved

if TYPE_CHECKING:
    from collections.abc import Callable

    Leads = NDArray[np.int8]
    Boxes = NDArray[np.int64]

# With more open edges than this a position is not solved: of twenty there are a million sets.
MOST_OPEN: int = read_table("thresholds")["solved_edges"]


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
    # By each open edge the boxes that it is a side of, as sets of their open edges; no set is empty but for no box.
    boxes = np.zeros((len(edges), 2), np.int64)
    for k, edge in enumerate(edges):
        for side, (box, _) in enumerate(MOVES[size][edge][1]):
            boxes[k, side] = sum(bit for at, bit in places.items() if box >> at & 1)
    by_edge = _compiled()(boxes)
    ahead = int(by_edge.max(initial=0 if not edges else -len(boxes)))
    return ahead, tuple(at for at, lead in zip(edges, by_edge, strict=True) if lead == ahead)


@cache
def _compiled() -> Callable[[Boxes], Leads]:
    """What solves a million sets in a fraction of a second, compiled when it is first asked for."""
    from ..compiled import compile_function

    return compile_function(_leads_by_edge)


def _leads_by_edge(boxes: Boxes) -> Leads:
    """By each open edge, int8 (n,), by how many boxes who plays it gets ahead; who completes a box moves again.

    `boxes`, int64 (n, 2), are the open edges of the boxes beside each edge, as sets; 0 for a box that is not there.
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
