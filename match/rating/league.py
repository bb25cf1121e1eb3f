"""The scores of a league's networks against each other, counted in pairs of games."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# The shares that one side may score in the two games of a pair: the five outcomes of the pentanomial model.
SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])


@dataclass(frozen=True, eq=False)
class League:
    """`pairs` is int (networks, networks, 5): how many pairs of games gave the row's network 0, 1/4, ..., 1.

    Each network begins one game of a pair, from the same opening. The column's network scores the rest:
    `pairs[j, i]` is `pairs[i, j]` backwards.
    """

    pairs: NDArray[np.int64]

    @classmethod
    def empty(cls, networks: int) -> League:
        """A league before its first game."""
        return cls(np.zeros((networks, networks, len(SCORES)), np.int64))

    def add(self, one: int, other: int, score: float) -> None:
        """Count a pair of games in which `one` scored a share of 0, 1/4, 1/2, 3/4 or 1."""
        at = round(4 * score)
        self.pairs[one, other, at] += 1
        self.pairs[other, one, len(SCORES) - 1 - at] += 1

    @property
    def networks(self) -> int:
        """The number of networks."""
        return len(self.pairs)

    @property
    def pair_counts(self) -> NDArray[np.int64]:
        """The number of pairs of games between each two networks, (networks, networks)."""
        count: NDArray[np.int64] = self.pairs.sum(axis=2)
        return count

    @property
    def points(self) -> NDArray[np.float64]:
        """The row network's score against the column's, float64 (networks, networks), two points a pair."""
        points: NDArray[np.float64] = 2 * self.pairs @ SCORES
        return points
