"""Traces: an artifact's answers beside the original's, reduced to what a picture needs.

parity.json holds them with numbers as text, so that a thousand numbers are one line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from ...errors import GameError
from ...export.checkpoint.head import POLICY, VALUE, Head
from ...games.policy import SCORES, measured_as
from ...games.value import reading_of_value
from ..compare import PolicyRule, changes, legal_of, scaled_errors
from ..gate.gate import ByHead, Gate
from ..gate.measure import is_answer, policy_divergences, score_errors, win_rate_errors
from ..positions import Positions
from ..tolerances import fp32_limit

Floats = NDArray[np.float64]
# A picture as wide as a phone has no room for more of them side by side.
RUNS, PAIRS, WORST = 150, 160, 3
# Larger inputs are images, whose pixels are not drawn.
MOST_NUMBERS = 10_000
DRAWN, FRESH, EXTREME = "drawn", "fresh", "extreme"
ERROR, WIN_RATE, KL, SCORE = "error", "win-rate error", "KL", "score error"


@dataclass(frozen=True, eq=False)
class _HeadErrors:
    """One head's error at each of N positions, its measure, and its limit."""

    head: Head
    measure: str
    errors: Floats
    limit: float


@dataclass(frozen=True, eq=False)
class _Boards:
    """The positions: feeds (N, ...) by input, legal moves (N, width) if known, and the beginning of each kind."""

    feeds: ByHead
    legal: NDArray[np.bool_] | None
    kinds: tuple[tuple[str, int], ...]


def exact_trace(
    heads: Sequence[Head],
    answers: ByHead,
    expected: ByHead,
    positions: Positions,
    distances: Mapping[str, float | None],
    rules: Mapping[str, PolicyRule] = MappingProxyType({}),
) -> dict[str, Any] | None:
    """The trace of an artifact in float32, by its error on each head; None if no head has an answer.

    A position also counts as bad by a policy's `rules`, {head: rule}, which limit the change of a legal move's chance.
    """
    measured = [
        _HeadErrors(
            head,
            ERROR,
            scaled_errors(answers[head.name], expected[head.name]).reshape(len(positions), -1).max(axis=1, initial=0.0),
            fp32_limit(distances[head.name]),
        )
        for head in heads
        if _is_drawable(answers.get(head.name), expected[head.name])
    ]
    begins = {FRESH: positions.recorded if positions.fresh else 0, EXTREME: positions.drawn if positions.extreme else 0}
    kinds = ((DRAWN, 0), *((name, at) for name, at in begins.items() if at))
    asked = _Boards(positions.feeds, positions.legal, kinds)
    moved = [
        _moved(rules[head.name], answers[head.name], expected[head.name], legal, head.policy_range)
        for head, legal in ((each.head, legal_of(each.head, positions.legal)) for each in measured)
        if head.name in rules
    ]
    return _trace(measured, answers, expected, asked, moved)


def _moved(
    rule: PolicyRule, answer: NDArray[Any], truth: NDArray[Any], legal: NDArray[np.bool_] | None, policy_range: str
) -> Floats:
    """The share of its limit that the change of a legal move's chance or score uses at each position, float64 (N,)."""
    changed = changes(answer, truth, legal, measured_as(policy_range, truth))
    shares: Floats = np.where(rule.held, changed, 0) / rule.limit
    return shares


def gate_trace(gate: Gate, answers: ByHead) -> dict[str, Any] | None:
    """The trace of an artifact of a lower precision, by the figures of its gate; None if no head can be judged."""
    masks = [kind.legal for kind in gate.positions.kinds]
    known = [mask for mask in masks if mask is not None]
    legal = np.concatenate(known) if len(known) == len(masks) else None
    measured = []
    for head in gate.heads:
        answer, truth = answers.get(head.name), gate.expected[head.name]
        if not _is_drawable(answer, truth):
            continue
        if head.role == VALUE and head.name in gate.readings:
            errors = win_rate_errors(gate.readings[head.name], answer, truth)
            measured.append(_HeadErrors(head, WIN_RATE, errors, gate.limits.value_max))
        elif head.role == POLICY:
            mask = legal if legal is not None and legal.shape[1] == head.width else None
            if (measure := gate.measure(head)) == SCORES:
                measured.append(_HeadErrors(head, SCORE, score_errors(answer, truth, mask), gate.limits.value_max))
            else:
                divergence = policy_divergences(answer, truth, mask, measure)
                measured.append(_HeadErrors(head, KL, divergence, gate.limits.kl_p99))
    kinds = tuple((kind.name, int(kind.rows.start)) for kind in gate.positions.kinds)
    return _trace(measured, answers, gate.expected, _Boards(gate.positions.feeds, legal, kinds))


def _is_drawable(answer: NDArray[Any] | None, truth: NDArray[Any]) -> TypeGuard[NDArray[Any]]:
    """Whether `answer` (N, ...) has an error that can be drawn; an original with NaN has none."""
    return is_answer(answer, truth) and bool(np.isfinite(truth).all())


def _trace(
    measured: Sequence[_HeadErrors],
    answers: ByHead,
    expected: ByHead,
    asked: _Boards,
    more: Sequence[Floats] = (),
) -> dict[str, Any] | None:
    """The trace; `more` are further shares of limits, float64 (N,) each, which can also make a position bad."""
    if not measured:
        return None
    count = len(measured[0].errors)
    # A position is as bad as the head that uses the largest share of its limit there.
    shares = [each.errors / max(each.limit, np.finfo(np.float64).tiny) for each in measured]
    used = np.max([*shares, *more], axis=0)
    order = np.argsort(-used, kind="stable")
    return {
        "positions": count,
        "kinds": [{"name": name, "begins": begins} for name, begins in asked.kinds],
        "heads": [_head(each, answers, expected, order) for each in measured],
        "worst": [_position(int(row), measured, answers, expected, asked) for row in order[:WORST]],
    }


def _head(measured: _HeadErrors, answers: ByHead, expected: ByHead, order: NDArray[np.intp]) -> dict[str, Any]:
    """The largest error of each run of positions; for a value, also the answers at some of them, with the worst."""
    head, errors = measured.head, measured.errors
    starts = np.unique(np.linspace(0, len(errors), min(RUNS, len(errors)), endpoint=False).astype(int))
    data: dict[str, Any] = {
        "head": head.name,
        "measure": measured.measure,
        "limit": measured.limit,
        "errors": pack_numbers(np.maximum.reduceat(errors, starts), 3),
    }
    if head.role == VALUE:
        worst = order[: PAIRS // 4]
        rows = np.unique([*worst, *np.linspace(0, len(errors) - 1, PAIRS - len(worst)).astype(int)])
        original, exported = (_as_value(head, each[head.name][rows]) for each in (expected, answers))
        if original is not None and exported is not None:
            data |= {"original": pack_numbers(original, 6), "exported": pack_numbers(exported, 6)}
    return data


def _as_value(head: Head, values: NDArray[Any]) -> Floats | None:
    """Float64 (N,): the value itself, or the chance to win minus the chance to lose; None if it cannot be read."""
    rows = np.asarray(values, np.float64).reshape(len(values), -1)
    if rows.shape[1] == 1:
        return rows[:, 0]
    try:
        return reading_of_value(head.width, head.activation).seen_by_mover(rows, [0] * len(rows))
    except GameError:
        return None


def _position(
    row: int, measured: Sequence[_HeadErrors], answers: ByHead, expected: ByHead, asked: _Boards
) -> dict[str, Any]:
    """One position: the network's inputs in turn, unless they are too large, and both answers."""
    name, begins = next(kind for kind in reversed(asked.kinds) if kind[1] <= row)
    legal = None if asked.legal is None else np.flatnonzero(asked.legal[row]).tolist()
    read = np.concatenate([feed[row].ravel() for feed in asked.feeds.values()])
    return {
        "kind": name,
        "position": row - begins,
        "input": pack_numbers(read, 6) if read.size <= MOST_NUMBERS else None,
        "legal": None if legal is None else pack_numbers(np.array(legal), 6),
        "heads": [
            {
                "head": each.head.name,
                "error": float(each.errors[row]),
                "original": pack_numbers(expected[each.head.name][row], 6),
                "exported": pack_numbers(answers[each.head.name][row], 6),
            }
            for each in measured
            if answers[each.head.name][row].size <= MOST_NUMBERS
        ],
    }


def pack_numbers(numbers: NDArray[Any], digits: int) -> str:
    """Numbers (n,) as text of `digits` digits each, separated by blanks; 0*57 means fifty-seven zeros."""
    texts = (f"{float(number):.{digits}g}" for number in np.asarray(numbers).ravel())
    runs = ((number, sum(1 for _ in alike)) for number, alike in groupby(texts))
    return " ".join(f"{number}*{count}" if count > 1 else number for number, count in runs)


def unpack_numbers(text: str) -> list[float]:
    """The numbers in a text by `pack_numbers`; ValueError for any other text, or for more numbers than a board has."""
    numbers: list[float] = []
    for run in text.split():
        number, times, count = run.partition("*")
        many = int(count) if times else 1
        if not 0 < many <= MOST_NUMBERS - len(numbers):
            raise ValueError("has too many numbers, or none")
        numbers += [float(number)] * many
    return numbers
