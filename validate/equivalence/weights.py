"""Weights as exact numbers: float64 values with a bound on their distance from the exact numbers.

A float32 is a float64, and the product of two float32 has at most 48 bits, which a float64 holds without rounding.
Folding (a scale with a square root, a sum) is calculated in float64 with a bound on its error. That is about 2^-52 of
the number; one unit in the last place of a float32 is 2^-23 of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]
# Half a unit in the last place of a float64, relative to the number; doubled, because the bounds are rounded too.
ROUNDING = 2.0**-52


@dataclass(frozen=True, eq=False)
class Weights:
    """Numbers with a bound on their error.

    `error` is None if the numbers are the file's own, only moved. If `is_rounded`, an artifact holds them: each may be
    half a unit in the last place of a float32 away from the number that it represents. `stepwise` are the numbers that
    result if a normalisation's scale and shift are rounded to float32 before they fold, as in runtimes that keep both;
    None if no normalisation is folded into them. `single` are the numbers if each further step is rounded too, as in a
    converter that calculates in float32.

    `factor` is a scale of the last axis that `now` multiplies in. For a large kernel this waits until the comparison,
    because all kernels as float64 with their bounds would take six times the memory of the file. `values` are float32
    if they are the file's own, only moved. If `is_coded`, they have a lower precision.
    """

    values: Float
    error: Float | None = None
    is_rounded: bool = False
    stepwise: Float | None = None
    single: NDArray[np.float32] | None = None
    factor: Weights | None = None
    is_coded: bool = False

    @property
    def bound(self) -> Float:
        """The largest possible distance of each number from the exact one."""
        if self.error is not None:
            return self.error
        return ulp(self.values) / 2 if self.is_rounded else np.zeros(self.values.shape)

    @property
    def exact(self) -> Float:
        """The numbers as float64."""
        return np.asarray(self.values, np.float64)

    @property
    def steps(self) -> Float:
        """The numbers with a normalisation rounded first, or the numbers themselves."""
        return self.exact if self.stepwise is None else self.stepwise

    @property
    def singles(self) -> NDArray[np.float32]:
        """The numbers with every step rounded to float32."""
        return self.values.astype(np.float32) if self.single is None else self.single

    def each(self, change: Callable[[Any], Any]) -> Weights:
        """The numbers after a change that only moves them."""
        parts: tuple[Any, ...] = (self.error, self.stepwise, self.single)
        error, stepwise, single = (None if part is None else change(part) for part in parts)
        return Weights(change(self.values), error, self.is_rounded, stepwise, single, None, self.is_coded)

    def later(self, scale: Weights) -> Weights:
        """The numbers times `scale` (F,) along their last axis; `now` does the multiplication."""
        if is_one(scale):
            return self
        factor = scale if self.factor is None else scaled(self.factor, scale)
        return replace(self, factor=factor)

    def now(self) -> Weights:
        """The numbers with the factor multiplied in."""
        if self.factor is None:
            return self
        return scaled(replace(self, factor=None), self.factor)

    def move(self, order: Any) -> Weights:
        """The numbers in another order: `values[order]`."""
        return self.each(lambda part: part[order])

    def reshape(self, *shape: int) -> Weights:
        """The numbers in another shape."""
        return self.each(lambda part: part.reshape(shape))

    def spread(self, shape: tuple[int, ...]) -> Weights:
        """The numbers broadcast to `shape`."""
        return self.each(lambda part: np.broadcast_to(part, shape))

    def negative(self) -> Weights:
        """The numbers with the opposite sign."""
        stepwise = None if self.stepwise is None else -self.stepwise
        single = None if self.single is None else -self.single
        return Weights(-self.values, self.error, self.is_rounded, stepwise, single, None, self.is_coded)


def stored(values: Any, *, is_rounded: bool = False) -> Weights:
    """The weights of a file."""
    values = np.asarray(values)
    return Weights(values if values.dtype == np.float32 else values.astype(np.float64), None, is_rounded)


def ulp(values: Float) -> Float:
    """One unit in the last place of each number as a float32."""
    return np.spacing(np.abs(values).astype(np.float32)).astype(np.float64)


def multiply(one: Weights, other: Weights) -> Weights:
    """Products with a bound on their error."""
    values = one.exact * other.exact
    error = np.abs(one.values) * other.bound + np.abs(other.values) * one.bound + one.bound * other.bound
    made = _made(values, error + ROUNDING * np.abs(values), one, other)
    if not _has_steps(one, other):
        return made
    return replace(made, stepwise=one.steps * other.steps, single=one.singles * other.singles)


def add(one: Weights, other: Weights) -> Weights:
    """Sums with a bound on their error."""
    values = one.exact + other.exact
    error = one.bound + other.bound + ROUNDING * np.abs(values)
    made = _made(values, error, one, other)
    if not _has_steps(one, other):
        return made
    return replace(made, stepwise=one.steps + other.steps, single=one.singles + other.singles)


def is_one(scale: Weights) -> bool:
    """Whether a scale changes nothing."""
    return scale.error is None and bool((scale.values == 1).all())


def is_zero(shift: Weights) -> bool:
    """Whether a shift changes nothing."""
    return shift.error is None and not shift.values.any()


def scaled(weights: Weights, scale: Weights) -> Weights:
    """The product; `weights` themselves if the scale is one, or if they are zero."""
    if is_one(scale.negative()):
        return weights.negative()
    return weights if is_one(scale) or is_zero(weights) else multiply(weights, scale)


def shifted(weights: Weights, shift: Weights) -> Weights:
    """The sum; one part itself if the other is zero."""
    if is_zero(shift):
        return weights
    return shift if is_zero(weights) else add(weights, shift)


def inverse(weights: Weights) -> Weights:
    """One over each number, with a bound on its error; ZeroDivisionError for a zero."""
    if not weights.values.all():
        raise ZeroDivisionError("a constant divides by zero")
    values = 1 / weights.exact
    error = weights.bound * values**2 * 2 + ROUNDING * np.abs(values)
    return Weights(values, error, weights.is_rounded, is_coded=weights.is_coded)


def _made(values: Float, error: Float, *parts: Weights) -> Weights:
    is_rounded, is_coded = any(part.is_rounded for part in parts), any(part.is_coded for part in parts)
    return Weights(values, error, is_rounded, is_coded=is_coded)


def product(row: Weights, matrix: Weights) -> Weights:
    """The numbers `row` (K,) times `matrix` (K, F): (F,), with a bound on the sum's error."""
    terms = np.abs(row.exact) @ np.abs(matrix.exact)
    error = np.abs(row.exact) @ matrix.bound + row.bound @ (np.abs(matrix.exact) + matrix.bound)
    spoiled = error + (len(row.values) + 2) * ROUNDING * terms
    stepwise = row.steps @ matrix.steps if _has_steps(row, matrix) else None
    return replace(_made(row.exact @ matrix.exact, spoiled, row, matrix), stepwise=stepwise)


def round_first(weights: Weights) -> Weights:
    """A normalisation's scale or shift, with its value if it is rounded to float32 before it folds."""
    rounded = weights.values.astype(np.float32).astype(np.float64)
    return replace(weights, stepwise=rounded, single=rounded.astype(np.float32))


def _has_steps(*parts: Weights) -> bool:
    return any(part.stepwise is not None for part in parts)
