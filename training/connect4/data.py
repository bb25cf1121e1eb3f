"""Training data for Connect4: positions of semi-random games, solved exactly by BitBully.

A game opens with some random plies. It continues with the solver's best moves or, with the game's own probability, a
random one. Positions after the opening are solved and kept. Of the most costly ones only a share is solved
(`SOLVED_SHARE`); in the others the solver's move is a shallow one. A position is two integers of 42 bits (mover,
opponent; bit = cell, row 0 on top) and a score for each column. The score is greater the sooner the mover wins; it is
`FULL_COLUMN` if the column is full.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...games.rules.connect4 import COLUMNS, ROWS, Connect4
from ..shards import Shards, write_arrays

SHARD = 4_000
FULL_COLUMN = -100
OPENING_PLIES = 30
RANDOMNESS = (0.15, 0.35, 0.7, 1.0)
# Beyond the 12-ply book an exact answer takes up to 180 ms; these plies would take three quarters of the time.
SOLVED_SHARE = {12: 0.2, 13: 0.35, 14: 0.6}
EXACT, SHALLOW = -1, 8


@dataclass(frozen=True)
class Positions:
    """Solved positions: `mover`, `opponent` uint64 (N,), `scores` int8 (N, 7)."""

    mover: NDArray[np.uint64]
    opponent: NDArray[np.uint64]
    scores: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.mover)

    def where(self, rows: NDArray[Any]) -> Positions:
        """The chosen rows."""
        return Positions(self.mover[rows], self.opponent[rows], self.scores[rows])

    def planes(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The mover's discs and the opponent's, uint8 (N, 6, 7) each."""
        return _planes(self.mover), _planes(self.opponent)


def _planes(bits: NDArray[np.uint64]) -> NDArray[np.uint8]:
    raw = bits.astype("<u8").view(np.uint8).reshape(-1, 8)
    return np.unpackbits(raw, axis=1, bitorder="little")[:, : ROWS * COLUMNS].reshape(-1, ROWS, COLUMNS)


@cache
def solver(depth: int) -> Any:
    """The process's BitBully for searches to `depth`, with the 12-ply opening book.

    One for each depth: a shallow search's hash table must not affect an exact one.
    """
    from bitbully import BitBully

    return BitBully(max_depth=depth)


@lru_cache(maxsize=20_000)
def solve(columns: tuple[int, ...], depth: int = EXACT) -> tuple[int, ...]:
    """The score of every column after the discs dropped into `columns`."""
    from bitbully import Board

    scores = solver(depth).score_all_moves(Board(list(columns)))
    return tuple(scores.get(column, FULL_COLUMN) for column in range(COLUMNS))


def forget() -> None:
    """Clear the results of earlier searches, so that a shard does not depend on them."""
    solve.cache_clear()
    for depth in (EXACT, SHALLOW):
        solver(depth).reset_transposition_table()


def game(rng: np.random.Generator) -> Iterator[tuple[Connect4, tuple[int, ...]]]:
    """The solved positions of one game, from the end of its random opening to its own end."""
    opening, randomness = int(rng.integers(OPENING_PLIES)), RANDOMNESS[rng.integers(len(RANDOMNESS))]
    state, columns = Connect4(), tuple[int, ...]()
    while not state.is_terminal:
        action = int(rng.choice(state.legal_actions()))
        if len(columns) >= opening:
            exact = rng.random() < SOLVED_SHARE.get(len(columns), 1.0)
            scores = solve(columns, EXACT if exact else SHALLOW)
            if exact:
                yield state, scores
            if rng.random() >= randomness:
                action = state.landing(int(rng.choice(np.flatnonzero(np.array(scores) == max(scores)))))
        columns += (action % COLUMNS,)
        state = state.apply(action)


def shard(seed: int, number: int) -> Positions:
    """`SHARD` solved positions, the same for the same seed and number on every machine."""
    forget()
    rng = np.random.Generator(np.random.PCG64([seed, number]))
    rows: list[tuple[int, int, tuple[int, ...]]] = []
    while len(rows) < SHARD:
        rows += [(s.discs[s.to_move], s.discs[1 - s.to_move], scores) for s, scores in game(rng)]
    mover, opponent, scores = zip(*rows[:SHARD], strict=True)
    return Positions(np.array(mover, np.uint64), np.array(opponent, np.uint64), np.array(scores, np.int8))


SHARDS = Shards(SHARD, ".npz", partial(write_arrays, shard))


def load(folder: Path, seed: int, count: int) -> Positions:
    """At most `count` positions of `seed`, from the shards that are in `folder`."""
    return Positions(**{name: values[:count] for name, values in SHARDS.arrays(folder, seed, count).items()})
