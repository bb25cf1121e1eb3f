"""The distance between two sets of answers, position by position: pure functions on arrays of N positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from ...games.value import ValueReading
from ..compare import as_rows, divergences, weights

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


def is_answer(answer: NDArray[Any] | None, truth: NDArray[Any]) -> TypeGuard[NDArray[Any]]:
    """Whether the answer can be measured: it has the original's shape, and only finite numbers."""
    return answer is not None and answer.shape == truth.shape and bool(np.isfinite(answer).all())


def win_rate_errors(reading: ValueReading, answer: NDArray[Any], expected: NDArray[Any]) -> Floats:
    """|difference| of the win rates, 0 to 1, of two value heads' outputs (N, width); float64 (N,)."""
    # If the value is the opponent's, both signs change, so the mover need not be known.
    ours, theirs = (np.clip(reading.seen_by_mover(each, [0] * len(each)), -1, 1) for each in (answer, expected))
    errors: Floats = np.abs(ours - theirs) / 2
    return errors


def policy_divergences(answer: NDArray[Any], expected: NDArray[Any], legal: Mask | None, policy_range: str) -> Floats:
    """Kullback-Leibler divergence of the original's moves from the answer's, in nats; (N, actions) to float64 (N,).

    It covers the legal moves, or all moves if `legal` is None.
    """
    rows = as_rows(expected)
    return divergences(as_rows(answer), rows, np.ones(rows.shape, np.bool_) if legal is None else legal, policy_range)


def score_errors(answer: NDArray[Any], expected: NDArray[Any], legal: Mask | None) -> Floats:
    """The largest |difference| of a legal move's score; (N, actions) to float64 (N,).

    Without `legal` all moves count.
    """
    off = np.abs(as_rows(answer) - as_rows(expected))
    errors: Floats = (off if legal is None else np.where(legal, off, 0.0)).max(axis=1, initial=0.0)
    return errors


@dataclass(frozen=True, eq=False)
class BestMoves:
    """For N positions: which count (the original's best two moves differ enough), which keep the best, the margins."""

    counted: Mask
    kept: Mask
    apart: Floats


def best_moves(answer: NDArray[Any], expected: NDArray[Any], legal: Mask, measure: str, margin: float) -> BestMoves:
    """Compare the best legal moves of (N, actions); a position with a single legal move does not count.

    `measure` is that of `games.policy.measured_as`; `margin` is a difference of chances or of scores.
    """
    ours, theirs = (weights(as_rows(each), legal, measure) for each in (answer, expected))
    top = np.sort(np.where(legal, theirs, -1.0), axis=1)
    apart = top[:, -1] - top[:, -2] if top.shape[1] > 1 else np.zeros(len(top))
    counted = (legal.sum(axis=1) > 1) & (apart > margin)
    # This uses the raw answers, not the probabilities: those of two moves may both round to 0.
    best, chosen = (np.where(legal, as_rows(each), -np.inf).argmax(axis=1) for each in (expected, answer))
    equal = ours[np.arange(len(ours)), best] >= ours.max(axis=1)
    return BestMoves(counted, (best == chosen) | equal, apart)
