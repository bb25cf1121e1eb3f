"""A stand-in for a network that every language computes alike: answers from an integer hash of the state.

h is FNV-1a, 32 bits, over the encoded state as int8 in row-major order; value = (h mod 2001 - 1000) / 1000. The weight
of action a is 1 + (g mod 1000). The number g is FNV-1a continued from h over the two bytes of a, the low one first.
(Fowler, Noll and Vo: offset basis 2166136261, prime 16777619.)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from azx.games.evaluator import Evaluation
from azx.games.state import State

BASIS, PRIME, WORD = 2166136261, 16777619, 0xFFFFFFFF


def fnv1a(data: bytes, start: int = BASIS) -> int:
    """FNV-1a, 32 bits, of `data`, continued from the hash `start`."""
    for byte in data:
        start = (start ^ byte) * PRIME & WORD
    return start


def tensor_hash(state: State) -> int:
    """h: the hash of the state's tensor, its numbers as int8."""
    return fnv1a(state.encode().astype(np.int8).tobytes())


def value_of(hashed: int) -> float:
    """The value that a hash stands for, -1 to 1 in steps of 0.001."""
    return (hashed % 2001 - 1000) / 1000


def weight_of(hashed: int, action: int) -> int:
    """The weight of an action, 1 to 1000."""
    return 1 + fnv1a(action.to_bytes(2, "little"), hashed) % 1000


class HashEvaluator:
    """An Evaluator whose answers are hashes."""

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        """The hashed value and weights, as probabilities but for a factor, of each state."""
        return [self._answer(state) for state in states]

    def _answer(self, state: State) -> Evaluation:
        hashed = tensor_hash(state)
        weights = np.array([weight_of(hashed, action) for action in range(state.actions)], dtype=np.float64)
        return Evaluation(value_of(hashed), weights)
