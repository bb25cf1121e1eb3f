"""A strong Gomoku player (15x15, freestyle): alpha-beta over few candidates, with victory by continuous fours.

At every node the forced moves come first: a five, a five to stop, an open four. Then comes a search in which the mover
plays only fours (VCF). If the opponent threatens an open four, only cells on its lines and one's own fours are tried.
Otherwise the best cells of the one-ply score are tried. A win found is real; a loss found holds for the replies tried.
The limit of a search is in nodes, not in time, so the same position always gets the same answer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games.compiled import compile_anew, compile_function, insert
from .lines import CELLS, CENTRE, CLASS, DOUBLE_FOUR, DOUBLE_THREE, SINGLE_FOUR, WINS, Board, find, lift, place
from .one_ply import cell_score

WIN = 30_000
PROVED = WIN - 1_000
FOURS = 24
"""Fours in a row that a VCF may have."""
WON, FAILED = -1, -2
LONGEST = 40
WIDTH, ROOT_WIDTH = 6, 10
ROOT_FOURS, NODE_FOURS = 2_000, 8
EXTENSION = 6
DOUBLE_THREE_BONUS = 150
SCALE = 100.0
"""`tanh(score / SCALE)` is the expected result."""


class Answer(NamedTuple):
    """The move chosen and its score in the mover's eyes; beyond +-`PROVED` a win or a loss."""

    action: int
    score: int


def answer(board: Board, mover: int, depth: int = 4, nodes: int = 1_000) -> Answer:
    """The teacher's move for the mover (0 or 1), searched to `depth` plies in steps of two while `nodes` last.

    The search changes the board, and restores it before it returns.
    """
    if not board.stones.any():
        return Answer(CENTRE, 0)
    spare = np.empty((LONGEST + 1, CELLS), np.int32)
    action, score = root(board, mover, depth, nodes, spare)
    return Answer(int(action), int(score))


@compile_anew
def fours(board: Board, attacker: int, depth: int, left: NDArray[np.int64]) -> int:
    """The first move of a win by fours alone; -1 if none is found within `left` nodes, int64 (1,)."""
    left[0] -= 1
    if board.counts[attacker, WINS] > 0:
        return find(board, attacker, WINS)
    stops = board.counts[1 - attacker, WINS]
    if stops > 1 or depth <= 0 or left[0] < 0:
        return -1
    only = find(board, 1 - attacker, WINS) if stops == 1 else -1
    for kind in range(DOUBLE_FOUR, SINGLE_FOUR - 1, -1):
        cell = next_four(board, attacker, kind, only, -1)
        while cell >= 0:
            reply = force(board, attacker, cell)
            won = reply == WON or (reply >= 0 and fours(board, attacker, depth - 1, left) >= 0)
            if reply >= 0:
                lift(board, reply)
            lift(board, cell)
            if won:
                return cell
            cell = next_four(board, attacker, kind, only, cell)
    return -1


@compile_function
def next_four(board: Board, attacker: int, kind: int, only: int, after: int) -> int:
    """The next cell of the class after `after`, or -1. Only the cell `only` counts, unless that is -1."""
    if board.counts[attacker, kind] == 0:
        return -1
    for cell in range(after + 1, CELLS):
        if board.stones[cell] == 0 and CLASS[board.shapes[attacker, cell]] == kind and only in (-1, cell):
            return cell
    return -1


@compile_function
def force(board: Board, attacker: int, cell: int) -> int:
    """Make a four and the reply that stops it; returns the reply's cell, or WON or FAILED without a reply."""
    place(board, cell, attacker)
    threats = board.counts[attacker, WINS]
    if board.counts[1 - attacker, WINS] > 0 or threats == 0:
        return FAILED
    if threats > 1:
        return WON
    reply = find(board, attacker, WINS)
    place(board, reply, 1 - attacker)
    return reply


@compile_anew
def settled_score(board: Board, mover: int, ply: int, budget: int) -> int:
    """The score of a node with a forced end; 0 if the end is open."""
    if board.counts[mover, WINS] > 0:
        return WIN - ply - 1
    stops = board.counts[1 - mover, WINS]
    if stops > 1:
        return ply + 2 - WIN
    if stops == 0 and board.counts[mover, DOUBLE_FOUR] > 0:
        return WIN - ply - 3
    left = np.full(1, budget, np.int64)
    if board.counts[mover, SINGLE_FOUR : DOUBLE_FOUR + 1].sum() > 0 and fours(board, mover, FOURS, left) >= 0:
        return WIN - ply - 5
    return 0


@compile_function
def static(board: Board, mover: int) -> int:
    """The score of a quiet node by its shapes; the mover's count a quarter more.

    If a move makes two open threes and the opponent has no four, it is as good as won.
    """
    unstoppable = board.counts[mover, DOUBLE_THREE] > 0 and board.counts[1 - mover, SINGLE_FOUR:].sum() == 0
    score = int(5 * board.values[mover] - 4 * board.values[1 - mover]) // 4
    return score + DOUBLE_THREE_BONUS if unstoppable else score


@compile_function
def candidates(board: Board, mover: int, width: int, cells: NDArray[np.int32]) -> int:
    """Write the cells to try into `cells`, best first; returns their number."""
    other = 1 - mover
    if board.counts[other, WINS] > 0:
        cells[0] = find(board, other, WINS)
        return 1
    threatened = board.counts[other, DOUBLE_FOUR] > 0
    scores, count = np.empty(CELLS, np.int32), 0
    for cell in range(CELLS):
        if board.stones[cell] == 0 and board.near[cell] > 0:
            fit = max(CLASS[board.shapes[mover, cell]], CLASS[board.shapes[other, cell]]) >= SINGLE_FOUR
            if fit or not threatened:
                count = insert(cells, scores, count, width, cell, cell_score(board, cell, mover))
    return count


@compile_anew
def negamax(
    board: Board, mover: int, depth: int, alpha: int, beta: int, ply: int, last: int, spare: NDArray[np.int32]
) -> int:
    """The score of a node in the mover's eyes; `last` is the ply at which even threats are no longer followed."""
    spare[LONGEST, 0] += 1
    score = settled_score(board, mover, ply, NODE_FOURS)
    if score != 0:
        return score
    stop = board.counts[1 - mover, WINS] > 0
    threatened = stop or board.counts[1 - mover, DOUBLE_FOUR] > 0
    if (depth <= 0 and not (threatened and ply < last)) or ply >= LONGEST or spare[LONGEST, 0] > spare[LONGEST, 1]:
        return static(board, mover)
    cells = spare[ply]
    best = -WIN
    for index in range(candidates(board, mover, WIDTH, cells)):
        place(board, cells[index], mover)
        score = -negamax(board, 1 - mover, depth if stop else depth - 1, -beta, -alpha, ply + 1, last, spare)
        lift(board, cells[index])
        best, alpha = max(best, score), max(alpha, score)
        if alpha >= beta:
            break
    return 0 if best == -WIN else best


@compile_anew
def root(board: Board, mover: int, depth: int, nodes: int, spare: NDArray[np.int32]) -> tuple[int, int]:
    """(action, score) of the move chosen."""
    cells = spare[0]
    count = candidates(board, mover, ROOT_WIDTH, cells)
    if board.counts[mover, WINS] > 0:
        return find(board, mover, WINS), WIN - 1
    won = fours(board, mover, FOURS, np.full(1, ROOT_FOURS, np.int64))
    if won >= 0:
        return won, WIN - 5
    if count == 0:
        return int(np.argmin(board.stones)), 0
    spare[LONGEST, 0], spare[LONGEST, 1] = 0, 2 * nodes
    best, horizon = 0, 2 - depth % 2
    while horizon <= depth and spare[LONGEST, 0] < nodes and abs(best) < PROVED:
        best = deepen(board, mover, horizon, count, spare)
        horizon += 2
    return int(cells[0]), best


@compile_anew
def deepen(board: Board, mover: int, depth: int, count: int, spare: NDArray[np.int32]) -> int:
    """Search the root's moves to this depth and move the best one to the front; returns its score."""
    cells = spare[0]
    best = -WIN
    for index in range(count):
        cell = cells[index]
        place(board, cell, mover)
        score = -negamax(board, 1 - mover, depth - 1, -WIN, -best, 1, depth + EXTENSION, spare)
        lift(board, cell)
        if score > best:
            best = score
            cells[1 : index + 1] = cells[:index].copy()
            cells[0] = cell
    return best
