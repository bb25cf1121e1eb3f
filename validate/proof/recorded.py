"""Uses golden.json's positions as a gate for an artifact of a lower precision.

On 20 positions the 99th percentile is the largest error, which can be large even if a gate on a thousand passed. So the
limits are those that hold for every part of a passed gate. The artifact must also repeat its own answers from the
export, as closely as kernels of different machines agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...export.checkpoint.head import POLICY, VALUE, Head
from ...games.policy import SCORES
from ..gate.gate import ByHead, Gate
from ..gate.measure import is_answer, policy_divergences, score_errors, win_rate_errors
from ..gate.verdict import (
    CHANGED_KL,
    CHANGED_SCORE,
    CHANGED_WIN_RATE,
    MANY_KL,
    SCORE_AT_EXPORT,
    SCORE_MAX,
    WIN_RATE_AT_EXPORT,
    WIN_RATE_MAX,
    Check,
    Verdict,
    clause_of_fault,
    largest,
    many_over,
    rows_beyond_p99,
)
from ..run import Run
from ..tolerances import SAME_KL, SAME_WIN_RATE
from .trace import pack_numbers, unpack_numbers

# Digits that distinguish each float32 from its neighbours.
DIGITS = 9
NOT_NOTED = "parity.json has no answers of it on these positions: held to what no part of a passed gate exceeds"


def note_answers(gate: Gate, answers: ByHead, count: int) -> dict[str, list[str]] | None:
    """An artifact's answers on the first `count` of the proof's positions, for parity.json.

    These positions are the gate's last kind. None if a head has no answer.
    """
    rows = gate.positions.kinds[-1].rows
    if not all(is_answer(answers.get(head.name), gate.expected[head.name]) for head in gate.heads):
        return None
    first = slice(rows.start, min(rows.start + count, rows.stop))
    return {head.name: [pack_numbers(row, DIGITS) for row in answers[head.name][first]] for head in gate.heads}


def noted_answers(noted: Any, heads: Sequence[Head], count: int) -> dict[str, NDArray[np.float32]] | None:
    """The answers, {head: float32 (count, *shape)}, from parity.json; None if they do not have that form.

    No hash guards parity.json, so its answers can only add a check.
    """
    answers: dict[str, NDArray[np.float32]] = {}
    try:
        for head in heads:
            rows = np.array([unpack_numbers(text) for text in noted[head.name]], np.float32)
            answers[head.name] = rows.reshape(count, *head.shape)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return None
    return answers if all(np.isfinite(rows).all() for rows in answers.values()) else None


@dataclass(frozen=True)
class RecordedGate:
    """A bundle's record of its artifacts on the positions of golden.json: `parity` as read, perhaps empty.

    `proved` is the number of positions, these included, on which each gate was passed.
    """

    parity: Mapping[str, Any]
    proved: int

    def judge(self, gate: Gate, run: Run, file: str) -> Verdict:
        """The verdict on an artifact's run on these positions; in a further runtime, by its answers there."""
        noted = noted_answers(self._notes(file, run.further), gate.heads, len(gate.positions))
        return judge_recorded(gate, run.outputs, noted, self.proved)

    def _notes(self, file: str, further: str | None) -> Any:
        try:
            [item] = [each for each in self.parity["artifacts"] if each["file"] == file]
            if further is not None:
                [item] = [each for each in item["also"] if each["further"] == further]
            return item["golden"]
        except (KeyError, TypeError, ValueError):
            return None


def judge_recorded(gate: Gate, answers: ByHead, noted: ByHead | None, proved: int) -> Verdict:
    """Compare answers on golden.json's positions, the gate's only kind, with the export's record.

    `noted` are the artifact's own answers at the export, None if unknown. The gate was passed on `proved` positions,
    these included.
    """
    [kind] = gate.positions.kinds
    checks: list[Check] = []
    broken: list[str] = []
    for head in gate.heads:
        answer, truth = answers.get(head.name), gate.expected[head.name]
        if not is_answer(answer, truth):
            broken.append(f"{head.name}: {clause_of_fault(answer, truth)}")
        elif noted is None:
            checks += _without_notes(gate, head, answer, proved)
        else:
            checks += _with_notes(gate, head, answer, noted[head.name])
    notes = () if noted is not None else (NOT_NOTED,)
    return Verdict(tuple(checks), notes, tuple(broken), (kind.description,))


def _with_notes(gate: Gate, head: Head, answer: NDArray[Any], noted: NDArray[Any]) -> Iterator[Check]:
    """The checks with a record: the answers equal the export's, and those were inside the gate on any machine."""
    [kind] = gate.positions.kinds
    if head.role == VALUE and head.name in gate.readings:
        reading, limits = gate.readings[head.name], gate.limits
        before = win_rate_errors(reading, noted, gate.expected[head.name])
        yield largest(head.name, kind.name, WIN_RATE_AT_EXPORT, before, limits.value_max)
        changed = win_rate_errors(reading, answer, noted)
        yield largest(head.name, kind.name, CHANGED_WIN_RATE, changed, SAME_WIN_RATE.value)
    elif head.role == POLICY and gate.measure(head) == SCORES:
        legal, limits = kind.legal_for(head.width), gate.limits
        before = score_errors(noted, gate.expected[head.name], legal)
        yield largest(head.name, kind.name, SCORE_AT_EXPORT, before, limits.value_max)
        yield largest(head.name, kind.name, CHANGED_SCORE, score_errors(answer, noted, legal), SAME_WIN_RATE.value)
    elif head.role == POLICY:
        changed = policy_divergences(answer, noted, kind.legal_for(head.width), gate.measure(head))
        yield largest(head.name, kind.name, CHANGED_KL, changed, SAME_KL.value)


def _without_notes(gate: Gate, head: Head, answer: NDArray[Any], proved: int) -> Iterator[Check]:
    """The checks without a record, true for each part of `proved` passed positions: the largest error, and counts."""
    [kind] = gate.positions.kinds
    truth = gate.expected[head.name]
    if head.role == VALUE and head.name in gate.readings:
        errors = win_rate_errors(gate.readings[head.name], answer, truth)
        yield largest(head.name, kind.name, WIN_RATE_MAX, errors, gate.limits.value_max)
    elif head.role == POLICY and gate.measure(head) == SCORES:
        errors = score_errors(answer, truth, kind.legal_for(head.width))
        yield largest(head.name, kind.name, SCORE_MAX, errors, gate.limits.value_max)
    elif head.role == POLICY:
        divergence = policy_divergences(answer, truth, kind.legal_for(head.width), gate.measure(head))
        yield many_over(head.name, kind.name, MANY_KL, divergence, gate.limits.kl_p99, rows_beyond_p99(proved))
