"""Which layers stay in float if 8 bits for all of them are too few: as few weights as a gate allows.

What hurts differs from network to network: the heads, the layer next to the board, a dense layer with one large weight.
So it is measured: each layer alone in 8 bits, on a part of the positions that are chosen on. Their harms add up
(`gate/harm.py`), so layers go to float in the order of harm per size, and how many the gate needs is predicted. A
search from there finds it, in steps that double. So few artifacts are written and tested, of many layers too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import ConversionError
from ...validate.gate.risk import RISK
from ...validate.gate.verdict import Verdict
from ...validate.run import Run

# How much of its closest limit an artifact mostly takes that is inside its gate on other positions too.
WITH_MARGIN = 0.75


@dataclass(frozen=True, eq=False)
class Attempt:
    """One way of writing an artifact, with the layers `in_float`, and the gate's verdict on it.

    `risk` is the chance that it is outside the gate on other positions, 1 where it is so on these.
    """

    in_float: tuple[str, ...]
    about: Mapping[str, Any]
    run: Run
    verdict: Verdict | None
    risk: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether it is inside the gate by enough that it is so elsewhere, and nothing else is wrong with it."""
        return bool(self.verdict and self.verdict.passed and not self.run.problems) and self.risk <= RISK

    @property
    def used(self) -> float:
        """How much of its limits it takes at most."""
        closest = self.verdict.closest if self.verdict else None
        return math.inf if closest is None or (self.verdict and self.verdict.broken) else closest.used

    def as_data(self) -> dict[str, Any]:
        """JSON types, as parity.json holds them."""
        closest = self.verdict.closest if self.verdict else None
        return {
            "float_layers": list(self.about.get("float_layers") or []),
            "passed": bool(self.verdict and self.verdict.passed),
            "risk": self.risk,
            "closest": closest.as_data() if closest else None,
        }


@dataclass(frozen=True)
class Measured:
    """A layer: how many numbers its weights are, and what it does alone in 8 bits."""

    name: str
    weights: int
    harm: float


def most_harmful_first(layers: Sequence[Measured]) -> tuple[str, ...]:
    """The layers' names by their harm for each weight, the largest first."""
    ordered = sorted(layers, key=lambda layer: -layer.harm / max(1, layer.weights))
    return tuple(layer.name for layer in ordered)


def predict_count(layers: Sequence[Measured], order: Sequence[str], used: float) -> int:
    """How many layers of `order` in float, at least one, leave a harm that takes the margin's share of its limits.

    `used` is what all layers in 8 bits take. Harms are of squares, so an error falls with their root.
    """
    harms = {layer.name: layer.harm for layer in layers}
    left = sum(harms.values())
    allowed = left * min(1.0, WITH_MARGIN / used) ** 2 if used else left
    for count, name in enumerate(order, 1):
        left -= harms[name]
        if left <= allowed:
            return count
    return len(order)


def mix_precisions(
    attempt: Callable[[tuple[str, ...]], Attempt], measured: Callable[[], Sequence[Measured]]
) -> tuple[Attempt, list[Attempt]]:
    """The attempt with the fewest layers in float that is inside the gate, else the nearest to it; and all of them.

    At least one layer stays in 8 bits. What is broken is tried once: no layer in float mends that.
    """
    attempts = [attempt(())]
    if attempts[0].verdict is None or attempts[0].passed or attempts[0].run.problems:
        return attempts[0], attempts
    layers = measured()
    order = most_harmful_first(layers)
    fewest, most, step = 1, len(order) - 1, 1
    count = min(most, predict_count(layers, order, attempts[0].used))
    while fewest <= most:
        try:
            attempts.append(attempt(order[:count]))
        except ConversionError:
            break  # its graph cannot be mixed: what there is stays
        if attempts[-1].passed:
            most, count = count - 1, count - step
        else:
            fewest, count = count + 1, count + step
        step *= 2
        if not fewest <= count <= most:
            count = (fewest + most) // 2
    inside = [each for each in attempts if each.passed]
    if inside:
        return min(inside, key=lambda each: len(each.in_float)), attempts
    return min(attempts, key=lambda each: (each.risk, each.used)), attempts
