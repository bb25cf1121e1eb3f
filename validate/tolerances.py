"""Every limit of the proof with its reason, in one table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tolerance:
    """A limit and the reason for its value."""

    value: float
    reason: str


FLOOR = Tolerance(
    1e-5, "float32 rounding of some ten layers of sums: real networks differ by 1e-6 to 3e-6 between runtimes"
)
REFERENCE_FACTOR = Tolerance(
    4.0,
    "an artifact may round as the reference does, in another order of sums: "
    "both may be wrong by the reference's distance from float64, in opposite directions, twice over",
)
TRUST = Tolerance(
    1e-3,
    "rounding to float32 moves such a network by 1e-6: beyond a thousand times that Keras computes something else, and "
    "the float64 witness decides; or rounding decides, as the witness in float32 then shows, and nothing can be proved",
)
BEST_MOVE = Tolerance(1.0, "a converted network that moves otherwise, even once, is another player")
TIE_FACTOR = Tolerance(2.0, "two moves closer than twice the limit cannot be distinguished by two float32 runtimes")

SAME_WIN_RATE = Tolerance(
    0.025,
    "half of what a gate allows a single position: in 8 bits another machine's kernels take a number between two steps "
    "to the other one, which costs up to 1.2 % of the win rate in one of 400 positions of Connect4 "
    "(LiteRT's XNNPACK kernels beside its plain ones; 0.04 % at the 99th percentile)",
)
SAME_KL = Tolerance(
    0.01, "half of what a gate allows 99 of 100 positions, for the same reason: the same kernels differ by 7e-5 there"
)

CONFIDENCE = Tolerance(0.95, "what is usually said of a sample: of 20 networks that hide more, one is not found out")


def fp32_limit(reference_distance: float | None) -> float:
    """The limit of an error scaled by max(1, |reference|): max(1e-5, 4 x the reference's distance from float64)."""
    if reference_distance is None:
        return FLOOR.value
    return max(FLOOR.value, REFERENCE_FACTOR.value * reference_distance)
