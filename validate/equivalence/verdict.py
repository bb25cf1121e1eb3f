"""The result of a comparison, with the sentence for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SameCalculation:
    """The artifact is the checkpoint's calculation, for every board.

    `to_the_bit` of its `weights` are the checkpoint's own numbers, or the exact folded ones rounded to the nearest
    float32. `largest_rounding` is the largest distance from the exact number, in units in the last place of a float32.
    A weight that several layers share counts for each of them. In a lower precision, `in_fewer_bits` of them are within
    half a step of their scale, or within half precision's rounding.
    """

    operations: int
    weights: int
    to_the_bit: int
    largest_rounding: float
    in_fewer_bits: int = 0

    def __str__(self) -> str:
        rest = "" if self.to_the_bit == self.weights else f", the rest within {self.largest_rounding:.2f} ulp"
        if self.in_fewer_bits:
            rest = f", {self.in_fewer_bits:,} in fewer bits within half a step"
        return (
            f"the same calculation for every board: {self.operations:,} operations, {self.weights:,} weights, "
            f"{self.to_the_bit:,} to the bit{rest}"
        )


@dataclass(frozen=True)
class OtherCalculation:
    """The artifact is not shown to be the checkpoint's calculation; `reason` says where the two first differ."""

    reason: str

    def __str__(self) -> str:
        return f"not the same calculation: {self.reason}"


@dataclass(frozen=True)
class NotCompared:
    """Nothing is shown: a part has no rule, or was folded with more than one rounding, as some converters do."""

    reason: str

    def __str__(self) -> str:
        return f"not compared: {self.reason}"


Verdict = SameCalculation | OtherCalculation | NotCompared
