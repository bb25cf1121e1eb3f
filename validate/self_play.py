"""Positions from games of a network against itself, many at a time, so that each call answers many boards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..games.encoding import encode_all
from ..games.game import Reading
from ..games.random_play import below, draw, generator, random_action
from ..games.state import State
from .compare import probabilities
from .positions import GAMES, PATIENCE, Inputs, Part, Positions, feeds_of

Policy = Callable[[NDArray[np.float32]], NDArray[Any]]
# The number of games at a time: few, so that long games finish before there are enough positions.
TABLES = 16
# Added to the seed of the proof's positions, so that self-play has a random stream of its own.
SELF_PLAY_SEED = 2**33


def self_play(
    reading: Reading, inputs: Inputs, policy: Policy, policy_range: str, count: int = 2000, seed: int = 0
) -> Positions:
    """`count` distinct positions from games in which the network draws its moves by its own policy, none of them over.

    Each game opens with as many random moves as a match (`Game.plies`), so that games differ; every position after them
    counts. `policy` answers (N, *encoding.shape) with (N, width); the same answers and seed give the same positions. A
    game with fewer positions gives all that were reached, and the description says so. GameError without a policy.
    """
    assert reading.numbering is not None  # noqa: S101 - whoever asks has looked
    rng = generator(seed + SELF_PLAY_SEED)
    boards: dict[bytes, tuple[NDArray[np.float32], NDArray[np.bool_]]] = {}
    tables: list[State] = []
    games = misses = 0
    while len(boards) < count and misses < PATIENCE:
        while len(tables) < TABLES:
            tables.append(open_game(reading, rng, *reading.game.plies))
            games += 1
        tensors = encode_all(tables, reading.encoding)
        legal = np.stack([reading.legal(state) for state in tables])
        for tensor, moves in zip(tensors, legal, strict=True):
            known = tensor.tobytes() in boards
            misses = misses + 1 if known else 0
            if not known and len(boards) < count:
                boards[tensor.tobytes()] = (tensor, moves)
        weights = probabilities(np.asarray(policy(tensors), np.float64).reshape(legal.shape), legal, policy_range)
        tables = [
            state.apply(draw_action(state, reading, row, rng)) for state, row in zip(tables, weights, strict=True)
        ]
        tables = [state for state in tables if not state.is_terminal]
    tensors, masks = (np.stack(column) for column in zip(*boards.values(), strict=True))
    few = f" (all that were found of {count:,})" if len(boards) < count else ""
    played = f"{games:,} games of self-play, moves drawn by the policy, seed {seed}{few}"
    said = f"{len(boards):,} distinct positions of {played}"
    return Positions(feeds_of(tensors, inputs), masks, said, seed, parts=(Part(GAMES, len(tensors), games),))


def open_game(reading: Reading, rng: np.random.Generator, fewest: int, most: int) -> State:
    """A game after `fewest` to `most` random moves that is not over."""
    while True:
        state = reading.start()
        for _ in range(fewest + below(rng, most - fewest + 1)):
            if not state.is_terminal:
                state = state.apply(random_action(state, rng))
        if not state.is_terminal:
            return state


def draw_action(state: State, reading: Reading, weights: NDArray[np.float64], rng: np.random.Generator) -> int:
    """A legal action, drawn with the network's probabilities `weights` (width,)."""
    actions = state.legal_actions()
    return actions[draw(weights[reading.indices(state)[list(actions)]], 1.0, rng)]
