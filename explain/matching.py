"""Finds a layer's tensor in an artifact: by name if its format has names, else by values.

The exact result of a layer is calculated in float64 from the inputs that the artifact gave the layer. If no name
matches, a tensor that agrees to rounding is the layer's. A tensor that differs but is similar enough is the layer's
too, unless a later layer is more similar. Nothing is guessed: a layer without a clear tensor is reported with the next
layer that has one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .landmarks import Landmark, Scopes, readings
from .taps.tap import Tap

Values = NDArray[np.float64]
# An error below this share of the tensor's largest value is rounding in some precision, so the tensor is the layer's.
SAME = 1e-3
# Without a name, and beyond rounding, a tensor is the layer's if their correlation reaches this value.
ALIKE = 0.9


@dataclass(frozen=True, eq=False)
class LayerTensor:
    """The artifact's tensor for a layer, in Keras' layout, and how it was matched: "name" or "values"."""

    tap: Tap
    values: Values
    by: str


@dataclass(frozen=True)
class _Claim:
    """How similar a tensor is to a layer's: its correlation, which ignores a factor, and its relative error."""

    likeness: float
    error: float

    @classmethod
    def of(cls, read: Iterable[Values], expected: Values) -> _Claim:
        """The best claim among the readings of a tensor."""
        claims = [cls(_likeness(each, expected), relative(each, expected)) for each in read]
        return max(claims, key=lambda claim: claim.likeness, default=cls(0.0, np.inf))

    def is_better(self, other: _Claim) -> bool:
        """Whether it is more similar, or equally similar and nearer.

        A LeakyReLU scales all negative numbers by one factor.
        """
        if abs(self.likeness - other.likeness) <= SAME:
            return self.error < other.error
        return self.likeness > other.likeness


@dataclass(eq=False)
class Matcher:
    """Gives each landmark its tensor, in the order of execution; no tensor serves twice, or for an earlier layer."""

    taps: Sequence[Tap]
    marks: dict[str, Landmark]
    used: set[int] = field(default_factory=set)
    named: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        scopes = Scopes(mark.scope for mark in self.marks.values())
        for at, tap in enumerate(self.taps):
            scope = next((scope for hint in tap.hints if (scope := scopes.of(hint))), None)
            if scope is not None:
                self.named.setdefault(scope, []).append(at)

    def find(
        self, mark: Landmark, expected: Values, after: int, later: Callable[[], Sequence[Values]]
    ) -> LayerTensor | None:
        """The tensor of a landmark, after tensor number `after`; `expected` is its calculated value.

        `later()` has the results of later layers: a tensor more similar to one of them belongs to that one.
        """
        if mark.head:
            ends = [at for at, tap in enumerate(self.taps) if mark.head in (tap.name, tap.name.split(":")[0])]
            return self._take(mark, expected, ends[-1:], "name")
        free = [at for at in range(after + 1, len(self.taps)) if at not in self.used]
        fitting = [at for at in free if self.taps[at].values.size == expected.size]
        own = [at for at in fitting if at in self.named.get(mark.scope, ())]
        if own:
            # The last one, because a product comes before its bias. A tensor that is only moved may belong to another
            # layer, because converters push moves along.
            return self._take(mark, expected, ([at for at in own if not self.taps[at].moved] or own)[-1:], "name")
        errors = {at: self._error(mark, expected, at) for at in fitting}
        nearest = min(errors, key=lambda at: errors[at], default=None)
        if nearest is not None and errors[nearest] <= SAME:
            return self._take(mark, expected, [nearest], "values")
        unnamed = [at for at in fitting if not any(at in each for each in self.named.values())]
        return self._take(mark, expected, self._alike(mark, expected, unnamed, later) if unnamed else [], "values")

    def place(self, tap: Tap) -> int:
        """The number of a tensor in the order of execution."""
        return next(at for at, each in enumerate(self.taps) if each is tap)

    def _alike(
        self, mark: Landmark, expected: Values, places: Iterable[int], later: Callable[[], Sequence[Values]]
    ) -> list[int]:
        """The most similar tensors within the threshold, except those that fit a later layer better."""
        alike = {at: _Claim.of(self._read(mark, expected, at), expected) for at in places}
        alike = {at: claim for at, claim in alike.items() if claim.likeness >= ALIKE}
        behind = later() if alike else ()
        claims = {at: claim for at, claim in alike.items() if not self._later(mark, at, claim, behind)}
        return [max(claims, key=lambda at: claims[at].likeness)] if claims else []

    def _later(self, mark: Landmark, at: int, claim: _Claim, later: Sequence[Values]) -> bool:
        same = [each for each in later if each.shape[1:] and each.size == self.taps[at].values.size]
        return any(_Claim.of(self._read(mark, values, at), values).is_better(claim) for values in same)

    def _read(self, mark: Landmark, expected: Values, at: int) -> list[Values]:
        return list(readings(mark.value, expected, self.taps[at].values))

    def _error(self, mark: Landmark, expected: Values, at: int) -> float:
        few = slice(0, 4)
        part = readings(mark.value, expected[few], self.taps[at].values[few])
        return min((relative(each, expected[few]) for each in part), default=np.inf)

    def _take(self, mark: Landmark, expected: Values, places: Sequence[int], by: str) -> LayerTensor | None:
        if not places:
            return None
        (at,) = places
        read = self._read(mark, expected, at)
        if not read:
            return None
        self.used.add(at)
        return LayerTensor(self.taps[at], min(read, key=lambda values: relative(values, expected)), by)


def relative(values: Values, expected: Values) -> float:
    """The largest difference as a share of the largest expected value; infinite if a value is not a number."""
    with np.errstate(invalid="ignore", over="ignore"):
        largest = float(np.abs(values - expected).max(initial=0.0))
    if not np.isfinite(largest):
        return float("inf")
    return largest / max(float(np.abs(expected).max(initial=0.0)), float(np.finfo(np.float32).tiny))


def _likeness(values: Values, expected: Values) -> float:
    """The correlation of two tensors; 0 if one of them is constant."""
    x, y = values.ravel() - values.mean(), expected.ravel() - expected.mean()
    size = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / size if np.isfinite(size) and size > 0 else 0.0
