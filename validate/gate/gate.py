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

# {head: (N, ...)} on N positions.
ByHead = Mapping[str, NDArray[Any]]
# How many of the gate's positions measure a layer alone.
MEASURED = 300


@dataclass(frozen=True, eq=False)
class Gate:
    """The gate of one bundle: `expected` are the original's answers on `positions`.

    `readings` say how each value head is read.
    """

    heads: Sequence[Head]
    readings: Mapping[str, ValueReading]
    positions: GatePositions
    expected: ByHead
    limits: Limits = field(default_factory=Limits)

    def measure(self, policy: Head) -> str:
        """How the answers of a policy are compared: that of `games.policy.measured_as`."""
        return measured_as(policy.policy_range, self.expected[policy.name])

    def part(self) -> Gate:
        """The same on a part of the positions."""
        positions, rows = self.positions.thin(MEASURED)
        return replace(
            self, positions=positions, expected={name: answers[rows] for name, answers in self.expected.items()}
        )
