"""Training data for Gomoku: games of the teacher against itself or the one-ply player, with its advice for each ply.

A game opens with up to ten random stones near the centre and near each other. In most games they are drawn again if the
teacher already sees a win for either side. Then the sides move as the teacher says. With the game's own probability a
move is drawn from the best cells of the one-ply score instead. In some games one side is the one-ply player. The
teacher is asked at every ply after the opening.

The value of a position, in the mover's eyes, is computed backwards from the end of the game. It is +-1 if the teacher
proves a win or a loss. Otherwise it is `(1 - LAMBDA) * tanh(search) + LAMBDA * (-next value)` if the teacher's move was
played. After any other move it is the search's own tanh, because what follows a worse move does not count. Past the
last ply the next value is the result.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..recipe import values_backwards
from ..shards import Shards, write_arrays
from .lines import CELLS, CLASS, SIZE, WINS, Board, new_board, place
from .one_ply import choose, score_moves
from .teacher import PROVED, SCALE, Answer, answer

SHARD = 50
LAMBDA = 0.85
OPENING_PLIES = 10
UNEVEN_SHARE = 0.15
"""The share of openings that may be lost for one side."""
RANDOMNESS = (0.0, 0.05, 0.1, 0.25)
ONE_PLY_SHARE = 0.3
DEPTHS = (4, 4, 4, 2)
PLAUSIBLE = 8
NO_ADVICE = 255
BLACK_WINS, WHITE_WINS, DRAW = 0, 1, 2


class Ply(NamedTuple):
    """A played move and the teacher's answer in the position before it; `answer` is None in the opening."""

    action: int
    answer: Answer | None


@dataclass(frozen=True)
class Games:
    """Whole games, the plies of all in a row.

    `lengths` int16 (G,): plies of each game; `winners` uint8 (G,): 0 black, 1 white, 2 nobody;
    `moves` uint8 (P,): the actions played; `best` uint8 (P,): the teacher's, `NO_ADVICE` in openings;
    `scores` int16 (P,): the teacher's search score in the mover's eyes, 0 in openings.
    """

    lengths: NDArray[np.int16]
    winners: NDArray[np.uint8]
    moves: NDArray[np.uint8]
    best: NDArray[np.uint8]
    scores: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each game begins, int64 (G,)."""
        return np.cumsum(self.lengths, dtype=np.int64) - self.lengths

    def values(self) -> NDArray[np.float32]:
        """The value target of every ply in the mover's eyes, float32 (P,), NaN in openings."""
        searched = np.where(abs(self.scores) > PROVED, np.sign(self.scores), np.tanh(self.scores / SCALE))
        followed, advised = self.moves == self.best, self.best != NO_ADVICE
        targets = np.zeros(len(self.moves), np.float32)
        shares = np.where(followed & (abs(searched) < 1), LAMBDA, 0.0)
        for start, length, winner in zip(self.starts, self.lengths, self.winners, strict=True):
            plies = slice(start, start + length)
            targets[plies] = values_backwards(searched[plies], shares[plies], 0.0 if winner == DRAW else -1.0)
        targets[~advised] = np.nan
        return targets


def opening(rng: np.random.Generator) -> list[int]:
    """Random stones, the first within three of the centre, the others within two of a stone."""
    spread, board = 3, new_board()
    actions: list[int] = []
    for ply in range(int(rng.integers(OPENING_PLIES + 1))):
        row, column = SIZE // 2 + rng.integers(-spread, spread + 1, 2)
        near = np.flatnonzero((board.stones == 0) & (board.near > 0))
        actions.append(int(rng.choice(near)) if ply else int(row * SIZE + column))
        place(board, actions[-1], ply % 2)
    return actions


def board_after(actions: list[int]) -> Board:
    """The board after the actions, black first."""
    board = new_board()
    for ply, action in enumerate(actions):
        place(board, action, ply % 2)
    return board


def fair_opening(rng: np.random.Generator) -> list[int]:
    """An opening in which the teacher sees no win for either side, or, in a share of cases, any unfinished one."""
    any_will_do = rng.random() < UNEVEN_SHARE
    while True:
        actions = opening(rng)
        board, mover = board_after(actions), len(actions) % 2
        over = board.counts[:, WINS].any()
        if not over and (any_will_do or abs(answer(board, mover).score) < PROVED):
            return actions


def plausible(board: Board, mover: int, rng: np.random.Generator) -> int:
    """One of the best cells by the one-ply score."""
    scores = score_moves(board, mover)
    if scores.max() < 0:
        return choose(board, mover, rng)
    ranked = np.argsort(-scores, kind="stable")[:PLAUSIBLE]
    return int(rng.choice(ranked[scores[ranked] >= 0]))


def game(rng: np.random.Generator) -> tuple[list[Ply], int]:
    """(plies, winner) of one game, the same for the same generator state."""
    plies = [Ply(action, None) for action in fair_opening(rng)]
    board = board_after([ply.action for ply in plies])
    randomness, depth = float(rng.choice(RANDOMNESS)), int(rng.choice(DEPTHS))
    weak = int(rng.integers(2)) if rng.random() < ONE_PLY_SHARE else -1
    while len(plies) < CELLS:
        mover = len(plies) % 2
        advice = answer(board, mover)
        action = advice.action if depth == DEPTHS[0] else answer(board, mover, depth).action
        if mover == weak:
            action = choose(board, mover, rng)
        if rng.random() < randomness:
            action = plausible(board, mover, rng)
        plies.append(Ply(action, advice))
        if CLASS[board.shapes[mover, action]] == WINS:
            return plies, mover
        place(board, action, mover)
    return plies, DRAW


def pack_games(played: list[tuple[list[Ply], int]]) -> Games:
    """Games as arrays."""
    plies = [ply for game_plies, _ in played for ply in game_plies]
    return Games(
        lengths=np.array([len(game_plies) for game_plies, _ in played], np.int16),
        winners=np.array([winner for _, winner in played], np.uint8),
        moves=np.array([ply.action for ply in plies], np.uint8),
        best=np.array([ply.answer.action if ply.answer else NO_ADVICE for ply in plies], np.uint8),
        scores=np.array([ply.answer.score if ply.answer else 0 for ply in plies], np.int16),
    )


def shard(seed: int, number: int, games: int = SHARD) -> Games:
    """The games of one shard, the same for the same seed and number on every machine."""
    rng = np.random.Generator(np.random.PCG64([seed, number]))
    return pack_games([game(rng) for _ in range(games)])


SHARDS = Shards(SHARD, ".npz", partial(write_arrays, shard))


def load(folder: Path, seed: int, count: int) -> Games:
    """The games of the existing shards among those for the first `count` games of `seed`."""
    return Games(**SHARDS.arrays(folder, seed, count))
