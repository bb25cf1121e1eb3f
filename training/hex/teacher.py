"""The teacher of Hex 7x7: a tree search that judges a position by filling the board at random, compiled with Numba.

Every cell of a node has two results: of the simulations that played it there, and of those in which its player got the
cell later. The second is "all moves as first" (S. Gelly and D. Silver, "Combining Online and Offline Knowledge in UCT",
ICML 2007). In Hex both are much alike, because a cell that is worth having is worth having early. A full board has
exactly one winner, so a simulation only needs to look at the end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games.compiled import compile_function

SIZE = 7
CELLS = SIZE * SIZE
EMPTY = -1
# After this many simulations a cell's own results count as much as its results by "all moves as first".
EQUAL = 400.0
# The value of an untried cell: neither good nor bad.
PRIOR = 0.5
STEPS = np.array(((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)), np.int64)


class Answer(NamedTuple):
    """`visits` float32 (49,) of each cell, sum 1, and the `chance`, 0 to 1, that the mover wins."""

    visits: NDArray[np.float32]
    chance: float


@compile_function
def next_random(state: NDArray[np.uint64]) -> np.uint64:
    """The next 64 bits of xorshift64* (G. Marsaglia; S. Vigna); `state` has one number, which changes."""
    at = state[0]
    at ^= at >> np.uint64(12)
    at ^= at << np.uint64(25)
    at ^= at >> np.uint64(27)
    state[0] = at
    return np.uint64(at * np.uint64(0x2545F4914F6CDD1D))


@compile_function
def below(state: NDArray[np.uint64], limit: int) -> int:
    """A number from 0 to `limit` - 1."""
    return int((next_random(state) >> np.uint64(40)) % np.uint64(limit))


@compile_function
def winner_of(board: NDArray[np.int8], stack: NDArray[np.int64], visited: NDArray[np.bool_]) -> int:
    """The winner on a full board, int8 (49,) of 0 and 1: player 0 if their stones join the top and the bottom row."""
    visited[:] = False
    count = 0
    for cell in range(SIZE):
        if board[cell] == 0:
            stack[count] = cell
            count += 1
            visited[cell] = True
    while count:
        count -= 1
        cell = stack[count]
        row, column = cell // SIZE, cell % SIZE
        if row == SIZE - 1:
            return 0
        for step in range(6):
            r, c = row + STEPS[step, 0], column + STEPS[step, 1]
            if 0 <= r < SIZE and 0 <= c < SIZE:
                near = r * SIZE + c
                if board[near] == 0 and not visited[near]:
                    visited[near] = True
                    stack[count] = near
                    count += 1
    return 1


class Tree(NamedTuple):
    """For each node and cell, (nodes, 49): simulations, wins, both also by "all moves as first", and the next node."""

    tried: NDArray[np.int32]
    won: NDArray[np.float64]
    first_tried: NDArray[np.int32]
    first_won: NDArray[np.float64]
    child: NDArray[np.int32]


@compile_function
def choose_cell(tree: Tree, node: int, board: NDArray[np.int8], random: NDArray[np.uint64]) -> int:
    """The best empty cell of a node, drawn among equal ones; -1 if no cell is empty."""
    best, most, ties = -1, -1.0, 0
    for cell in range(CELLS):
        if board[cell] != EMPTY:
            continue
        n, m = tree.tried[node, cell], tree.first_tried[node, cell]
        own = tree.won[node, cell] / n if n else PRIOR
        # One win and one loss are added, so that a single lost simulation cannot exclude a cell for ever.
        as_first = (tree.first_won[node, cell] + 1) / (m + 2)
        share = np.sqrt(EQUAL / (3 * n + EQUAL))
        score = share * as_first + (1 - share) * own
        if score > most:
            best, most, ties = cell, score, 1
        elif score == most:
            ties += 1
            if below(random, ties) == 0:
                best = cell
    return best


@compile_function
def fill(board: NDArray[np.int8], player: int, random: NDArray[np.uint64], open_cells: NDArray[np.int64]) -> None:
    """Fill the board at random, the players in turn, `player` first."""
    count = 0
    for cell in range(CELLS):
        if board[cell] == EMPTY:
            open_cells[count] = cell
            count += 1
    for left in range(count, 0, -1):
        at = below(random, left)
        board[open_cells[at]] = player
        open_cells[at] = open_cells[left - 1]
        player = 1 - player


@compile_function
def learn(tree: Tree, node: int, cell: int, board: NDArray[np.int8], side: int, result: float) -> None:
    """Add a simulation's result for `side`, which played `cell` in the node; the cells it got later count as first."""
    tree.tried[node, cell] += 1
    tree.won[node, cell] += result
    for other in range(CELLS):
        if board[other] == side:
            tree.first_tried[node, other] += 1
            tree.first_won[node, other] += result


@compile_function
def search(start: NDArray[np.int8], mover: int, tree: Tree, seed: int) -> None:
    """Fill an empty tree (zeros, children -1) by simulations, one fewer than it has nodes.

    `start` is int8 (49,): 0 and 1 are the players' stones, -1 is empty; nobody has won yet.
    """
    path, played = np.zeros(CELLS + 1, np.int64), np.zeros(CELLS + 1, np.int64)
    board, open_cells = np.zeros(CELLS, np.int8), np.zeros(CELLS, np.int64)
    stack, visited = np.zeros(CELLS, np.int64), np.zeros(CELLS, np.bool_)
    random = np.array([seed * 2 + 1], np.uint64)
    for _ in range(8):
        next_random(random)
    nodes = 1
    for _ in range(len(tree.tried) - 1):
        board[:] = start
        node, depth, player = 0, 0, mover
        while node >= 0:
            cell = choose_cell(tree, node, board, random)
            if cell < 0:
                break
            path[depth], played[depth] = node, cell
            depth += 1
            board[cell] = player
            player = 1 - player
            node = tree.child[node, cell]
        if node < 0:
            tree.child[path[depth - 1], played[depth - 1]] = nodes
            nodes += 1
        fill(board, player, random, open_cells)
        winner = winner_of(board, stack, visited)
        for at in range(depth - 1, -1, -1):
            side = mover if at % 2 == 0 else 1 - mover
            learn(tree, path[at], played[at], board, side, 1.0 if winner == side else 0.0)


def answer(stones: NDArray[np.int8], mover: int, simulations: int, seed: int) -> Answer:
    """The teacher's answer for an unfinished position: the visits, and the chance of the best move."""
    shape = (simulations + 1, CELLS)
    whole, real = (np.zeros(shape, np.int32) for _ in range(2)), (np.zeros(shape) for _ in range(2))
    tried, first_tried = whole
    won, first_won = real
    search(stones, mover, Tree(tried, won, first_tried, first_won, np.full(shape, -1, np.int32)), seed)
    best = int(tried[0].argmax())
    return Answer((tried[0] / tried[0].sum()).astype(np.float32), float(won[0, best] / tried[0, best]))
