"""Training data for Hex 7x7: games of the teacher against itself, with its advice for each position.

A game opens with up to six random stones. Then the sides play what the teacher visits most. With the game's own
probability a move is drawn from the visits instead, or from all cells. The teacher is asked at every ply after the
opening.

The value of a position, in the mover's eyes, is computed backwards from the end of the game. It is `(1 - LAMBDA) *
search + LAMBDA * (-next value)` if the teacher's move was played. After any other move it is the search's own, because
what follows a worse move does not count. Past the last ply the next value is the result.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...games.rules.hex import Hex, start
from ..recipe import values_backwards
from ..shards import Shards, write_arrays
from .teacher import CELLS, EMPTY, SIZE, answer

SHARD = 50
LAMBDA = 0.8
OPENING_PLIES = 6
RANDOMNESS = (0.0, 0.05, 0.15, 0.3)
SIMULATIONS = 3_000


@dataclass(frozen=True)
class Games:
    """Advised positions, game after game.

    `lengths` int16 (G,): how many positions of each game; `stones` int8 (N, 49): 0 and 1 the players' stones, -1
    empty; `movers` uint8 (N,); `visits` float16 (N, 49): what the teacher answered; `values` float32 (N,).
    """

    lengths: NDArray[np.int16]
    stones: NDArray[np.int8]
    movers: NDArray[np.uint8]
    visits: NDArray[np.float16]
    values: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.lengths)


def values_of(chances: list[float], followed: list[bool]) -> NDArray[np.float32]:
    """The value of each position of a game whose last move won; `chances`, 0 to 1, are the movers' chances."""
    return values_backwards(2 * np.array(chances) - 1, np.where(followed, LAMBDA, 0.0), -1.0)


def stones_of(state: Hex) -> NDArray[np.int8]:
    """The stones as the teacher has them, int8 (49,): 0 and 1 the players', -1 empty."""
    stones = np.full(CELLS, EMPTY, np.int8)
    for player in (0, 1):
        stones[[at for at in range(CELLS) if state.stones[player] >> at & 1]] = player
    return stones


def game(
    rng: np.random.Generator,
) -> tuple[NDArray[np.int8], list[int], list[NDArray[np.float32]], NDArray[np.float32]]:
    """(stones, movers, visits, values) of one game, the same for the same generator state."""
    state = start(SIZE)
    for _ in range(int(rng.integers(OPENING_PLIES + 1))):
        state = state.apply(int(rng.choice(state.legal_actions())))
    randomness = float(rng.choice(RANDOMNESS))
    boards, movers, visits = [], [], []
    chances, followed = list[float](), list[bool]()
    while not state.is_terminal:
        stones = stones_of(state)
        advice = answer(stones, state.to_move, SIMULATIONS, int(rng.integers(1 << 40)))
        wins = state.sudden()[0]
        policy, chance = advice
        if wins:
            policy, chance = np.zeros(CELLS, np.float32), 1.0
            policy[list(wins)] = 1 / len(wins)
        best = action = int(policy.argmax())
        if rng.random() < randomness:
            shares = policy.astype(np.float64) if rng.random() < 0.5 else (stones == EMPTY).astype(np.float64)
            action = int(rng.choice(CELLS, p=shares / shares.sum()))
        boards.append(stones)
        movers.append(state.to_move)
        visits.append(policy)
        chances.append(chance)
        followed.append(action == best)
        state = state.apply(action)
    return np.stack(boards), movers, visits, values_of(chances, followed)


def shard(seed: int, number: int, games: int = SHARD) -> Games:
    """The games of one shard, the same for the same seed and number on every machine."""
    rng = np.random.Generator(np.random.PCG64([seed, number]))
    played = [game(rng) for _ in range(games)]
    return Games(
        lengths=np.array([len(movers) for _, movers, _, _ in played], np.int16),
        stones=np.concatenate([stones for stones, _, _, _ in played]),
        movers=np.concatenate([movers for _, movers, _, _ in played]).astype(np.uint8),
        visits=np.concatenate([visits for _, _, visits, _ in played]).astype(np.float16),
        values=np.concatenate([values for _, _, _, values in played]),
    )


SHARDS = Shards(SHARD, ".npz", partial(write_arrays, shard))


def load(folder: Path, seed: int, count: int) -> Games:
    """The games of the existing shards among those for the first `count` games of `seed`."""
    return Games(**SHARDS.arrays(folder, seed, count))
