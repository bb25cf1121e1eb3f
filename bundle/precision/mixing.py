"""Chooses the layers that stay in float if the gate rejects 8 bits for all: as few weights as possible.

The sensitive layers differ from network to network: the heads, the layer next to the board, a dense layer with one
large weight. So each layer is measured alone in 8 bits, on a part of the positions for choosing. Harms add up
(`gate/harm.py`), so layers return to float in the order of harm per weight. The number that the gate needs is
predicted, then refined in steps that double. So few artifacts are written and tested, even for many layers.
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

# An artifact that uses at most this share of its closest limit mostly passes on other positions too.
WITH_MARGIN = 0.75


@dataclass(frozen=True, eq=False)
class Attempt:
    """One way to write an artifact, with the layers `in_float`, and the gate's verdict on it.

    `risk` is the chance that it fails the gate on other positions, 1 if it fails on these.
    """

    in_float: tuple[str, ...]
    about: Mapping[str, Any]
    run: Run
    verdict: Verdict | None
    risk: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether it passes the gate, probably on other positions too, and has no other fault."""
        return bool(self.verdict and self.verdict.passed and not self.run.problems) and self.risk <= RISK

    @property
    def used(self) -> float:
        """The largest share of a limit that its errors use."""
        closest = self.verdict.closest if self.verdict else None
        return math.inf if closest is None or (self.verdict and self.verdict.broken) else closest.used

    def as_data(self) -> dict[str, Any]:
        """The attempt as JSON types, in the form of parity.json."""
        closest = self.verdict.closest if self.verdict else None
        return {
            "float_layers": list(self.about.get("float_layers") or []),
            "passed": bool(self.verdict and self.verdict.passed),
            "risk": self.risk,
            "closest": closest.as_data() if closest else None,
        }


@dataclass(frozen=True)
class LayerMeasurement:
    """A layer: its number of weights, and the harm if it alone is in 8 bits."""

    name: str
    weights: int
    harm: float


def most_harmful_first(layers: Sequence[LayerMeasurement]) -> tuple[str, ...]:
    """The layers' names by harm per weight, the largest first."""
    ordered = sorted(layers, key=lambda layer: -layer.harm / max(1, layer.weights))
    return tuple(layer.name for layer in ordered)


def predict_count(layers: Sequence[LayerMeasurement], order: Sequence[str], used: float) -> int:
    """The number of layers of `order` to leave in float, at least one, so that the rest stays within the margin.

    `used` is the share of the limits that the network uses with all layers in 8 bits. Harms are squares, so an error
    falls with their square root.
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
    attempt: Callable[[tuple[str, ...]], Attempt], measured: Callable[[], Sequence[LayerMeasurement]]
) -> tuple[Attempt, list[Attempt]]:
    """The passing attempt with the fewest layers in float, else the nearest one; and all attempts.

    At least one layer stays in 8 bits. A broken artifact is tried once, because no layer in float mends it.
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
            break  # its graph cannot be mixed: the earlier attempts count
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
