"""Many positions at a time of an artifact that takes one, where a runtime is then quicker.

The batch of such an artifact is made free in memory; the file stays as it is. That is right if no operation looks
along the batch. Two things say so: the kinds of its operations, which a runner goes by (`Runner.together`), and the
answers in the file's own form to a part of the positions. If one of those is another, all are answered in that form.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .runners.runner import Runner, Tensors
from .tolerances import FLOOR

# What another order of sums may change of max(1, |answer|), as in every comparison of two runtimes.
ROUNDING = FLOOR.value


def answer(
    runner: Runner, feeds: Mapping[str, NDArray[Any]], own_form: NDArray[np.bool_] | None
) -> tuple[Tensors, bool]:
    """Answer N positions, {input: (N, ...)} -> {output: (N, ...)}, and say whether any were answered together.

    `own_form`, (N,), says which are answered in the file's own form whatever happens; None: all of them.
    """
    together = runner.together() if own_form is not None and own_form.any() and not own_form.all() else None
    if together is None or own_form is None:
        return runner.run(feeds), False
    alone = runner.run({name: feed[own_form] for name, feed in feeds.items()})
    try:
        answers = together(feeds)
    except Exception:  # a runtime raises whatever it likes; what is wrong with the file, its own form shows
        return runner.run(feeds), False
    if answers.keys() != alone.keys() or not all(_is_same(answers[name], own_form, alone[name]) for name in alone):
        return runner.run(feeds), False
    for name in alone:
        answers[name] = np.array(answers[name])
        answers[name][own_form] = alone[name]
    return answers, True


def _is_same(answers: NDArray[Any], rows: NDArray[np.bool_], wanted: NDArray[Any]) -> bool:
    """Whether some rows of (N, ...) are those of `wanted`, but for rounding; NaN and infinity are where it has them."""
    if answers.shape != (len(rows), *wanted.shape[1:]):
        return False
    some, scale = answers[rows], ROUNDING * np.maximum(1, np.abs(np.nan_to_num(wanted)))
    with np.errstate(invalid="ignore"):
        close = (np.abs(some - wanted) <= scale) | (some == wanted) | (np.isnan(some) & np.isnan(wanted))
    return bool(close.all())
