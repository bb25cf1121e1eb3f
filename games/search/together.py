"""Searches side by side, so that their leaves share a network's batches."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ..evaluator import Evaluator
from .search import Search


def run_together(searches: Iterable[Search], evaluator: Evaluator, simulations: int) -> None:
    """Run every search for `simulations`, all their leaves of one round evaluated in one batch.

    AnswerError, naming the network, if it answers NaN or infinity.
    """
    begun = list(searches)
    with _uncollected():
        _run(begun, evaluator, simulations)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Pause Python's garbage collector: a search makes many objects, which trigger it, but no reference cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _run(begun: list[Search], evaluator: Evaluator, simulations: int) -> None:
    try:
        asking = [(search, state) for search in begun if (state := search.begin(simulations)) is not None]
        while asking:
            answers = evaluator.evaluate([state for _, state in asking])
            following = [(search, search.answer(answer)) for (search, _), answer in zip(asking, answers, strict=True)]
            asking = [(search, state) for search, state in following if state is not None]
    finally:
        for search in begun:
            search.end()
