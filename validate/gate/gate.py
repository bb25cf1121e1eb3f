"""The gate for approximations: the original's answers on its positions, and the limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from numpy.typing import NDArray

from ...export.checkpoint.head import Head
from ...games.policy import measured_as
from ...games.value import ValueReading
from .limits import Limits
from .positions import GatePositions

# Answers to N positions, {head: (N, ...)}.
ByHead = Mapping[str, NDArray[Any]]
# The number of the gate's positions that measure a single layer.
MEASURED = 300


@dataclass(frozen=True, eq=False)
class Gate:
    """The gate of one bundle: `expected` are the original's answers on `positions`.

    `readings` has, by name, how to read each value head.
    """

    heads: Sequence[Head]
    readings: Mapping[str, ValueReading]
    positions: GatePositions
    expected: ByHead
    limits: Limits = field(default_factory=Limits)

    def measure(self, policy: Head) -> str:
        """The measure by which the answers of a policy are compared, from `games.policy.measured_as`."""
        return measured_as(policy.policy_range, self.expected[policy.name])

    def part(self) -> Gate:
        """The same gate on a part of its positions."""
        positions, rows = self.positions.thin(MEASURED)
        return replace(
            self, positions=positions, expected={name: answers[rows] for name, answers in self.expected.items()}
        )
