"""Which steps leave their band, how large the errors of the heads are, and what one exact layer would mend."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..export.checkpoint.head import POLICY, Head
from ..export.formats.precisions.precision import FP32
from ..validate.proof.proof import as_json_number
from .matching import relative
from .walk import Step

Answers = Mapping[str, NDArray[Any]]
# A layer's error may be this many times float32's own error in NumPy. Runtimes add in another order, and batch norms
# are folded into kernels, which rounds once more. Sound artifacts of the shipped networks stay below a quarter of this.
ROUNDING = 16.0
# The narrowest band, in units of float32's rounding, for cases in which NumPy's rounding happens to be small.
LEAST = 16 * float(np.finfo(np.float32).eps)
# In a lower precision all layers have similar rounding: one layer's error may be this many times the median.
NEIGHBOURS = 4.0
WORST = 3


@dataclass(frozen=True)
class StepVerdict:
    """A step with its band: the largest own error that its precision can explain."""

    step: Step
    band: float

    @property
    def passed(self) -> bool:
        """Whether the layers' own error lies in the band; NaN does not."""
        return self.step.own <= self.band

    def as_data(self) -> dict[str, Any]:
        """The step's part of the output of `azx explain --json`."""
        step = self.step
        data: dict[str, Any] = {"layers": step.layers, "layer": step.layer, "tensor": step.tensor, "found_by": step.by}
        numbers = {"own_error": step.own, "band": self.band, "drift": step.drift}
        return data | {name: as_json_number(value) for name, value in numbers.items()} | {"in_band": self.passed}


def judge_steps(steps: Sequence[Step], precision: str) -> list[StepVerdict]:
    """Each step with its band: what float32 explains or, in a lower precision, what most layers have in common.

    A layer that calculates in float beside rounded layers is compared with float32 only.
    """
    errors = [step.own for step in steps if step.weighs and np.isfinite(step.own) and not is_rounding(step)]
    common = NEIGHBOURS * statistics.median(errors) if errors and precision != FP32 else 0.0
    return [StepVerdict(step, max(_rounding(step), common)) for step in steps]


def is_rounding(step: Step) -> bool:
    """Whether float32 alone explains a step's own error."""
    return step.own <= _rounding(step)


def _rounding(step: Step) -> float:
    return max(ROUNDING * step.rounding, LEAST)


@dataclass(frozen=True)
class HeadError:
    """One head's errors: the largest as a share of the largest answer, and the positions whose best move changes.

    `worst` are positions, the worst first, each with its error and, for a policy, the best move before and after.
    """

    name: str
    error: float
    changed: int | None
    worst: tuple[dict[str, Any], ...] = ()

    def as_data(self) -> dict[str, Any]:
        """The head's part of the output of `azx explain --json`."""
        data = {"name": self.name, "error": as_json_number(self.error), "changed_moves": self.changed}
        return data | {"worst_positions": [{**each, "error": as_json_number(each["error"])} for each in self.worst]}


def head_errors(
    heads: Sequence[Head], answers: Answers, truth: Answers, legal: NDArray[np.bool_] | None
) -> list[HeadError]:
    """The errors of the artifact's answers (N, ...); both answers are by source name."""
    return [_head_error(head, answers[head.source_name], truth[head.source_name], legal) for head in heads]


def _head_error(head: Head, answer: NDArray[Any], expected: NDArray[Any], legal: NDArray[np.bool_] | None) -> HeadError:
    answer, expected = (np.asarray(each, np.float64).reshape(len(each), -1) for each in (answer, expected))
    with np.errstate(invalid="ignore"):
        errors = np.abs(answer - expected).max(axis=1)
    errors = np.where(np.isnan(errors), np.inf, errors)
    order = np.argsort(-errors, kind="stable")[:WORST].tolist()
    if head.role != POLICY:
        answers = [
            {"original": expected[at].tolist(), "artifact": [as_json_number(each) for each in answer[at]]}
            for at in order
        ]
        changed = None
    else:
        mask = legal if legal is not None and legal.shape == expected.shape else np.ones(expected.shape, np.bool_)
        # NaN never counts as a best move.
        best = [np.where(mask & ~np.isnan(each), each, -np.inf).argmax(axis=1) for each in (expected, answer)]
        moves = best[0] != best[1]
        changed = int(moves.sum())
        # A changed best move is worse than changed numbers.
        order = np.lexsort((-errors, ~moves))[:WORST].tolist()
        answers = [{"best_move": int(best[0][at]), "artifact_move": int(best[1][at])} for at in order]
    worst = tuple({"position": at, "error": float(errors[at])} | more for at, more in zip(order, answers, strict=True))
    return HeadError(head.name, relative(answer, expected), changed, worst)
