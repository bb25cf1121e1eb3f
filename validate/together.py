"""Runs an artifact with a batch of one on many positions at a time, if a runtime is then faster.

The batch of such an artifact is made free in memory; the file does not change. This is correct if no operation mixes
positions. Two tests show it: the kinds of its operations, which a runner checks (`Runner.together`), and the answers to
some positions in the file's own form. If one of those differs, all positions are answered in that form.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .runners.runner import Runner, Tensors
from .tolerances import FLOOR

# The change of max(1, |answer|) that another order of sums may cause, as in every comparison of two runtimes.
ROUNDING = FLOOR.value


def answer(
    runner: Runner, feeds: Mapping[str, NDArray[Any]], own_form: NDArray[np.bool_] | None
) -> tuple[Tensors, bool]:
    """The answers to N positions, {input: (N, ...)} -> {output: (N, ...)}, and whether any were answered together.

    `own_form`, (N,), marks those to answer in the file's own form in any case; None: all of them.
    """
    together = runner.together() if own_form is not None and own_form.any() and not own_form.all() else None
    if together is None or own_form is None:
        return runner.run(feeds), False
    alone = runner.run({name: feed[own_form] for name, feed in feeds.items()})
    try:
        answers = together(feeds)
    except Exception:  # a runtime may raise any error; the file's own form shows its faults
        return runner.run(feeds), False
    if answers.keys() != alone.keys() or not all(_is_same(answers[name], own_form, alone[name]) for name in alone):
        return runner.run(feeds), False
    for name in alone:
        answers[name] = np.array(answers[name])
        answers[name][own_form] = alone[name]
    return answers, True


def _is_same(answers: NDArray[Any], rows: NDArray[np.bool_], wanted: NDArray[Any]) -> bool:
    """Whether some rows of (N, ...) equal `wanted` except for rounding, with NaN and infinity at the same places."""
    if answers.shape != (len(rows), *wanted.shape[1:]):
        return False
    some, scale = answers[rows], ROUNDING * np.maximum(1, np.abs(np.nan_to_num(wanted)))
    with np.errstate(invalid="ignore"):
        close = (np.abs(some - wanted) <= scale) | (some == wanted) | (np.isnan(some) & np.isnan(wanted))
    return bool(close.all())
