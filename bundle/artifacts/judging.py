"""What the artifacts of an export in lower precisions are judged by: positions, the original's answers, readings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from ...export.checkpoint.head import Head
from ...export.formats.precisions.calibration import Calibration
from ...export.graph.frozen import FrozenGraph
from ...games.game import Reading
from ...games.value import ValueReading
from ...validate.gate.harm import harm
from ...validate.gate.limits import Limits
from ...validate.gate.positions import GatePositions
from ...validate.gate.verdict import Verdict, judge, readings_of
from ...validate.proof import Truth
from ...validate.run import Answers, Run
from ...validate.traces.trace import gate_trace
from .. import describe
from .gated import Gated

# How many of the gate's positions tell what a layer does alone.
MEASURED = 300
Expected = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Judging:
    """The gate of one export: `expected` are the original's answers on `positions`, by head.

    `calibration` is what int8's scales are found on.
    """

    heads: tuple[Head, ...]
    readings: Mapping[str, ValueReading]
    positions: GatePositions
    expected: Expected
    calibration: Calibration | None
    limits: Limits

    def verdict(self, run: Run) -> Verdict | None:
        """What the gate says of an artifact's answers on `positions`; None where it gave none."""
        if run.not_run or run.damage:
            return None
        return judge(self.heads, self.readings, run.outputs, self.expected, self.positions, self.limits)

    def trace(self, run: Run) -> dict[str, Any] | None:
        """How far off an artifact's answers are at each position, for the report; None where nothing tells."""
        return gate_trace(self.heads, self.readings, run.outputs, self.expected, self.positions, self.limits)

    def some(self) -> tuple[GatePositions, Expected]:
        """A part of the positions with the original's answers."""
        positions, rows = self.positions.thinned(MEASURED)
        return positions, {name: answers[rows] for name, answers in self.expected.items()}

    def harm(self, run: Run, part: tuple[GatePositions, Expected]) -> float:
        """How much an artifact that answered a part of the positions takes of the limits."""
        positions, expected = part
        return harm(self.heads, self.readings, run.outputs, expected, positions, self.limits)


def judging(
    frozen: FrozenGraph,
    reading: Reading | None,
    gate: Gated,
    names: Mapping[str, str],
    truth: Truth,
    answers: Answers,
    limits: Limits,
) -> Judging:
    """The gate on the positions of `gate`; `answers` are the original's on all of them, `truth` on the drawn ones.

    `names` maps the checkpoint's input names to the artifacts'.
    """
    readings = readings_of(frozen.outputs, {head.name: describe.value_of(head, reading) for head in frozen.outputs})
    expected = gate.expected(frozen.outputs, truth, answers)
    return Judging(frozen.outputs, readings, gate.positions(names), expected, gate.calibration(names), limits)
