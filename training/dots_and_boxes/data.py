"""Endless positions of semi-random games of Dots and Boxes 3x3 with exact targets.

Many games are played at a time, as arrays. Every game opens with random edges. After that each edge is a best one or,
with a probability that differs from game to game, a random one. Half of the games are random to the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...learning.solvers.dots_and_boxes import Table, boxes_of

EDGES, ACTIONS, PASS = 24, 25, 24
SHAPE = (7, 4)
# Where the tensor holds each edge, and in rows 0 to 2 of the last column the counts and the pass.
EDGE_CELLS = np.array([4 * (at // 3) + at % 3 for at in range(12)] + list(range(16, 28)))
COUNT_CELLS = np.array([3, 7, 11])
RANDOMNESS = (1.0, 1.0, 0.5, 0.2)
LONGEST_OPENING = 16
# Shares of the positions used: the first plies are nearly the same in every game, the last are easy, and a forced pass
# leaves no choice.
PLY_SHARE = np.array(
    [0.1, 0.15, 0.2, 0.4, 0.7] + [1.0] * 8 + [0.8, 0.6, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.1, 0.05]
)
PASS_SHARE = 0.25
ILLEGAL = -100


class Examples(NamedTuple):
    """`boards` float32 (N, 7, 4), `values` float32 (N, 1), `policies` float32 (N, 25), -1 where illegal.

    `worth` int8 (N, 25) is the box difference that each action is worth from there on, ILLEGAL where illegal.
    """

    boards: NDArray[np.float32]
    values: NDArray[np.float32]
    policies: NDArray[np.float32]
    worth: NDArray[np.int8]


class Games:
    """Semi-random games, drawn with a generator."""

    def __init__(self, values: Table, rng: np.random.Generator) -> None:
        self.values, self.rng = values, rng
        self.completed = boxes_of(3)

    def batches(self, size: int, games: int = 8192) -> Iterator[Examples]:
        """Endless batches of `size` examples, each with positions of different plies and games."""
        while True:
            made = self.examples(games)
            order = self.rng.permutation(len(made.values))
            for at in range(0, len(order) - size + 1, size):
                rows = order[at : at + size]
                yield Examples(made.boards[rows], made.values[rows], made.policies[rows], made.worth[rows])

    def examples(self, games: int) -> Examples:
        """A share of the positions of `games` games, including forced passes."""
        boards, values, policies, worth = zip(*(part for ply in self.plies(games) for part in ply), strict=True)
        return Examples(np.concatenate(boards), np.concatenate(values), np.concatenate(policies), np.concatenate(worth))

    def plies(self, games: int) -> Iterator[tuple[Examples, Examples]]:
        """For each ply: the positions before the drawn edges, and the forced passes after them."""
        edges = np.zeros(games, dtype=np.int32)
        own, other = np.zeros(games, dtype=np.int8), np.zeros(games, dtype=np.int8)
        randomness = self.rng.choice(RANDOMNESS, games)
        opening = self.rng.integers(LONGEST_OPENING + 1, size=games)
        for ply in range(EDGES):
            worth = self.worth(edges)
            shown = self.rng.random(games) < PLY_SHARE[ply]
            before = examples(edges[shown], own[shown], other[shown], worth[shown])
            free_choice = (ply < opening) | (self.rng.random(games) < randomness)
            after = edges | 1 << self.choose(worth, free_choice)
            gained = self.completed[after] - self.completed[edges]
            edges, again = after, gained > 0
            own, other = np.where(again, own + gained, other), np.where(again, other, own)
            passing = again & (self.rng.random(games) < PASS_SHARE) & (ply < EDGES - 1)
            yield before, forced_positions(edges[passing], other[passing], own[passing], -self.values[edges[passing]])

    def choose(self, worth: NDArray[np.int8], at_random: NDArray[np.bool_]) -> NDArray[np.int32]:
        """An edge for each game: any free one, or one of the best, with equal probabilities."""
        wanted = np.where(at_random[:, None], np.where(worth > ILLEGAL, 0, ILLEGAL), worth)
        return np.asarray((wanted + self.rng.random(worth.shape)).argmax(axis=1), dtype=np.int32)

    def worth(self, edges: NDArray[np.int32]) -> NDArray[np.int8]:
        """The box difference that each edge (N, 24) is worth from here on, ILLEGAL if it is already drawn."""
        after = edges[:, None] | 1 << np.arange(EDGES, dtype=np.int32)
        gained = self.completed[after] - self.completed[edges][:, None]
        value = self.values[after]
        worth = np.where(gained > 0, gained + value, -value)
        return np.where(after == edges[:, None], ILLEGAL, worth).astype(np.int8)


def examples(
    edges: NDArray[np.int32], own: NDArray[np.int8], other: NDArray[np.int8], worth: NDArray[np.int8]
) -> Examples:
    """Positions where an edge is to be drawn, with their targets.

    Value: the result. Policy: half of the mass is spread evenly over the edges that keep it, the other half over those
    that win the most boxes.
    """
    at_end = np.where(worth == ILLEGAL, ILLEGAL, worth + (own - other)[:, None])
    best = at_end == at_end.max(axis=1, keepdims=True)
    values = np.sign(at_end.max(axis=1, keepdims=True))
    keeps = (np.sign(at_end) == values) & (worth != ILLEGAL)
    share = (keeps / keeps.sum(axis=1, keepdims=True) + best / best.sum(axis=1, keepdims=True)) / 2
    policies = np.pad(np.where(worth == ILLEGAL, -1, share).astype(np.float32), ((0, 0), (0, 1)), constant_values=-1)
    worth = np.pad(worth, ((0, 0), (0, 1)), constant_values=ILLEGAL)
    return Examples(tensors(edges, own, other, 0), values.astype(np.float32), policies, worth)


def forced_positions(
    edges: NDArray[np.int32], own: NDArray[np.int8], other: NDArray[np.int8], worth: NDArray[np.int8]
) -> Examples:
    """Positions in which the mover must pass; the pass is worth `worth` (N,) boxes."""
    policies = np.full((len(edges), ACTIONS), -1, dtype=np.float32)
    policies[:, PASS] = 1
    all_worth = np.full((len(edges), ACTIONS), ILLEGAL, dtype=np.int8)
    all_worth[:, PASS] = worth
    values = np.sign(own - other + worth)[:, None].astype(np.float32)
    return Examples(tensors(edges, own, other, 1), values, policies, all_worth)


def tensors(
    edges: NDArray[np.int32], own: NDArray[np.int8], other: NDArray[np.int8], must_pass: int
) -> NDArray[np.float32]:
    """The network's input, float32 (N, 7, 4)."""
    made = np.zeros((len(edges), SHAPE[0] * SHAPE[1]), dtype=np.float32)
    made[:, EDGE_CELLS] = edges[:, None] >> np.arange(EDGES, dtype=np.int32) & 1
    made[:, COUNT_CELLS] = np.stack([own, other, np.full_like(own, must_pass)], axis=1)
    return made.reshape(-1, *SHAPE)
