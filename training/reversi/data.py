"""Training data for Reversi: games of the teacher against itself, with its answer for each position.

A game opens with random plies. Then a side plays one of the teacher's best moves or, with the game's own probability,
any legal one. The teacher is asked at every ply, of the opening too.

The value of a position, in the mover's eyes, is computed backwards from the end of the game. It is +1, 0 or -1 if the
teacher proves a win, a draw or a loss. Otherwise it is `(1 - LAMBDA) * tanh(search) + LAMBDA * (-next value)` if one of
the teacher's moves was played. After any other move it is the search's own tanh.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...games.rules.reversi import Reversi, start
from ..recipe import values_backwards
from ..shards import Shards, write_arrays
from .boards import bits_of
from .teacher import PROVED, SCALE, answer, is_proved

SHARD = 50
LAMBDA = 0.85
OPENING_PLIES = (2, 20)
RANDOMNESS = (0.0, 0.05, 0.15, 0.3)


@dataclass(frozen=True)
class Games:
    """Whole games, the plies of all in a row, passes among them.

    `lengths` int16 (G,): plies of each game; `results` int8 (G,): the discs by which the player of the last ply leads
    at the end. `own` and `other` uint64 (P,): the discs before each ply; `best` uint64 (P,): the cells of the teacher's
    moves, 0 for a pass; `followed` bool (P,): one of them was played; `scores` int32 (P,): the teacher's.
    """

    lengths: NDArray[np.int16]
    results: NDArray[np.int8]
    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    best: NDArray[np.uint64]
    followed: NDArray[np.bool_]
    scores: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each game begins, int64 (G,)."""
        return np.cumsum(self.lengths, dtype=np.int64) - self.lengths

    def proved(self) -> NDArray[np.bool_]:
        """Which scores are proven, bool (P,); a proven draw looks like an evaluation of 0, which does no harm."""
        return np.asarray(abs(self.scores) >= PROVED)

    def values(self) -> NDArray[np.float32]:
        """The value target of every ply in the mover's eyes, float32 (P,)."""
        proved = self.proved()
        searched = np.where(proved, np.sign(self.scores), np.tanh(self.scores / SCALE))
        shares = np.where(self.followed & ~proved, LAMBDA, 0.0)
        targets = np.zeros(len(self.scores), np.float32)
        for begins, length, result in zip(self.starts, self.lengths, self.results, strict=True):
            plies = slice(begins, begins + length)
            targets[plies] = values_backwards(searched[plies], shares[plies], -float(np.sign(result)))
        return targets


def play_game(rng: np.random.Generator, size: int) -> list[tuple[Reversi, tuple[int, ...], int, bool]]:
    """One game: each position with the teacher's moves, its score, and whether one of them was played."""
    opening, randomness = int(rng.integers(*OPENING_PLIES)), float(rng.choice(RANDOMNESS))
    state, plies = start(size), list[tuple[Reversi, tuple[int, ...], int, bool]]()
    while not state.is_terminal:
        advice = answer(state)
        draws = len(plies) < opening or rng.random() < randomness
        # Solved positions are played without random moves, because a blunder there would teach nothing.
        choice = state.legal_actions() if draws and not is_proved(advice.score) else advice.actions
        action = choice[int(rng.integers(len(choice)))]
        plies.append((state, advice.actions, advice.score, action in advice.actions))
        state = state.apply(action)
    return plies


def pack_games(played: list[list[tuple[Reversi, tuple[int, ...], int, bool]]]) -> Games:
    """Games as arrays."""
    plies = [ply for game in played for ply in game]
    boards = np.array([bits_of(state) for state, *_ in plies], np.uint64).reshape(-1, 2)
    ends = [(game[-1][0], game[-1][1][0]) for game in played]
    leads = [state.apply(action).score() * (1 - 2 * state.to_move) for state, action in ends]
    return Games(
        lengths=np.array([len(game) for game in played], np.int16),
        results=np.array(leads, np.int8),
        own=boards[:, 0],
        other=boards[:, 1],
        best=np.array([_cells(state, actions) for state, actions, *_ in plies], np.uint64),
        followed=np.array([followed for *_, followed in plies], np.bool_),
        scores=np.array([score for _, _, score, _ in plies], np.int32),
    )


def _cells(state: Reversi, actions: tuple[int, ...]) -> int:
    return 0 if state.must_pass else sum(1 << action for action in actions)


def shard(seed: int, number: int, size: int, games: int = SHARD) -> Games:
    """The games of one shard, the same for the same seed and number on every machine."""
    rng = np.random.Generator(np.random.PCG64([seed, number]))
    return pack_games([play_game(rng, size) for _ in range(games)])


def shards_of(size: int) -> Shards:
    """The shards of games on a board of this size; each size has its own."""
    return Shards(SHARD, f"-{size}.npz", partial(write_arrays, partial(shard, size=size)))


def load(folder: Path, seed: int, count: int, size: int) -> Games:
    """The games of the existing shards among those for the first `count` games of `seed`."""
    return Games(**shards_of(size).arrays(folder, seed, count))
