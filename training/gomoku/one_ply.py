"""The classical one-ply Gomoku player: it plays the cell with the largest sum of attack and defence.

Every empty cell within two of a stone gets a score from the shapes that a stone there would make on its four lines. It
counts the player's shapes and, as defence, the opponent's; `LINE_SCORES` and `CLASS_SCORES` of `lines.py` are the
table, and an attack counts a fifth more. So it takes a five, else stops one, else makes an open four (or two fours),
else stops an open three, and so on. It never looks at a reply. The generator chooses among equal cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...games.compiled import compile_function
from .lines import CELLS, CENTRE, SCORE, Board

ATTACK, DEFENCE = 6, 5


@compile_function
def cell_score(board: Board, cell: int, mover: int) -> int:
    """What an empty cell is worth to the mover, attack and defence."""
    return int(ATTACK * SCORE[board.shapes[mover, cell]] + DEFENCE * SCORE[board.shapes[1 - mover, cell]])


@compile_function
def cell_scores(board: Board, mover: int, scores: NDArray[np.int32]) -> None:
    """Fill int32 (225,) with the scores of the candidates, -1 elsewhere."""
    for cell in range(CELLS):
        candidate = board.stones[cell] == 0 and board.near[cell] > 0
        scores[cell] = cell_score(board, cell, mover) if candidate else -1


def score_moves(board: Board, mover: int) -> NDArray[np.int32]:
    """The score of every candidate, int32 (225,), -1 if there is none."""
    scores = np.empty(CELLS, np.int32)
    cell_scores(board, mover, scores)
    return scores


def choose(board: Board, mover: int, rng: np.random.Generator) -> int:
    """The player's move: the centre of an empty board, and any empty cell if none has a stone near it."""
    scores = score_moves(board, mover)
    if scores.max() < 0:
        return CENTRE if board.stones[CENTRE] == 0 else int(rng.choice(np.flatnonzero(board.stones == 0)))
    return int(rng.choice(np.flatnonzero(scores == scores.max())))
