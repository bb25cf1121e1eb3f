"""Weights as exact numbers: float64 values with a bound of their distance from the exact ones.

A float32 is a float64, and the product of two float32 has at most 48 bits, which a float64 holds without rounding.
What is folded (a scale with a square root, a sum) is taken in float64, and the bound of its error is kept beside it:
about 2^-52 of the number, where one unit in the last place of a float32 is 2^-23 of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]
# Half a unit in the last place of a float64, relative to the number; doubled, because the bounds are rounded too.
ROUNDING = 2.0**-52


@dataclass(frozen=True, eq=False)
class Weights:
    """Numbers with a bound of their error.

    `error` is None if the numbers are those that the file holds, only moved. `is_rounded` says that an artifact holds
    them: each may then be half a unit in the last place of a float32 away from the number that it stands for.
    `stepwise` are the numbers that come of rounding a normalisation's scale and shift to float32 before they fold, as
    runtimes do that keep both; None if no normalisation is folded into them.
    """

    values: Float
    error: Float | None = None
    is_rounded: bool = False
    stepwise: Float | None = None

    @property
    def bound(self) -> Float:
        """The largest distance of each number from the exact one."""
        if self.error is not None:
            return self.error
        return ulp(self.values) / 2 if self.is_rounded else np.zeros_like(self.values)

    @property
    def steps(self) -> Float:
        """The numbers with a normalisation rounded first, or the numbers themselves."""
        return self.values if self.stepwise is None else self.stepwise

    def each(self, change: Callable[[Float], Float]) -> Weights:
        """The same numbers after a change that only moves them."""
        error, stepwise = (None if part is None else change(part) for part in (self.error, self.stepwise))
        return Weights(change(self.values), error, self.is_rounded, stepwise)

    def move(self, order: Any) -> Weights:
        """The same numbers elsewhere: `values[order]`."""
        return self.each(lambda part: part[order])

    def reshape(self, *shape: int) -> Weights:
        """The same numbers in another shape."""
        return self.each(lambda part: part.reshape(shape))

    def spread(self, shape: tuple[int, ...]) -> Weights:
        """The numbers broadcast to `shape`."""
        return self.each(lambda part: np.broadcast_to(part, shape))

    def negative(self) -> Weights:
        """The numbers with the other sign."""
        flipped = None if self.stepwise is None else -self.stepwise
        return Weights(-self.values, self.error, self.is_rounded, flipped)


def stored(values: Any, *, is_rounded: bool = False) -> Weights:
    """The weights of a file."""
    return Weights(np.asarray(values, dtype=np.float64), None, is_rounded)


def ulp(values: Float) -> Float:
    """One unit in the last place of each number as a float32."""
    return np.spacing(np.abs(values).astype(np.float32)).astype(np.float64)


def multiply(one: Weights, other: Weights) -> Weights:
    """Products with the bound of their error."""
    values = one.values * other.values
    error = np.abs(one.values) * other.bound + np.abs(other.values) * one.bound + one.bound * other.bound
    stepwise = one.steps * other.steps if _has_steps(one, other) else None
    return Weights(values, error + ROUNDING * np.abs(values), one.is_rounded or other.is_rounded, stepwise)


def add(one: Weights, other: Weights) -> Weights:
    """Sums with the bound of their error."""
    values = one.values + other.values
    error = one.bound + other.bound + ROUNDING * np.abs(values)
    stepwise = one.steps + other.steps if _has_steps(one, other) else None
    return Weights(values, error, one.is_rounded or other.is_rounded, stepwise)


def product(row: Weights, matrix: Weights) -> Weights:
    """The numbers `row` (K,) times `matrix` (K, F): (F,), with the bound of the sum's error."""
    terms = np.abs(row.values) @ np.abs(matrix.values)
    error = np.abs(row.values) @ matrix.bound + row.bound @ (np.abs(matrix.values) + matrix.bound)
    spoiled = error + (len(row.values) + 2) * ROUNDING * terms
    stepwise = row.steps @ matrix.steps if _has_steps(row, matrix) else None
    return Weights(row.values @ matrix.values, spoiled, row.is_rounded or matrix.is_rounded, stepwise)


def round_first(weights: Weights) -> Weights:
    """A normalisation's scale or shift, with what it is when it is rounded to float32 before it folds."""
    rounded = weights.values.astype(np.float32).astype(np.float64)
    return Weights(weights.values, weights.error, weights.is_rounded, rounded)


def _has_steps(*parts: Weights) -> bool:
    return any(part.stepwise is not None for part in parts)
