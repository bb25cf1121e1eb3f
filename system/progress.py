"""The steps of a long piece of work: by name, as a fraction, and as lines of Python's logging."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable

# Receives the name of each step as it begins.
Step = Callable[[str], None]
# Receives the fraction that is done, from 0 to 1, and what is being done.
Fraction = Callable[[float, str], None]
# The largest fraction before the end, however the steps were estimated.
NEARLY = 0.99

# A library prints no log by itself: a program that wants the lines adds a handler to "azx".
logging.getLogger("azx").addHandler(logging.NullHandler())


class _Nothing:
    """Ignores whatever it receives; `help` of a function shows it as a default by its name."""

    def __call__(self, *said: object) -> None:
        """Do nothing."""

    def __repr__(self) -> str:
        return "no_step"


no_step = _Nothing()


class Progress:
    """Passes the steps of one piece of work on. Itself a `Step`.

    Args:
        log: the logger's name, such as "azx.export"; each step is a line of level INFO.
        total: the number of steps, an estimate if it is not known in advance.
        on_step: receives each step's name.
        on_progress: receives the fraction and the step's name. The fraction never falls, and is 1 at the end alone.

    """

    def __init__(self, log: str, total: int, on_step: Step = no_step, on_progress: Fraction | None = None) -> None:
        self._log, self._total = logging.getLogger(log), max(1, total)
        self._on_step, self._on_progress, self._begun = on_step, on_progress, 0

    def __call__(self, name: str) -> None:
        """A step begins."""
        self._log.info("%s", name)
        self._on_step(name)
        if self._on_progress is not None:
            self._on_progress(self._fraction(), name)
        self._begun += 1

    def end(self, result: str) -> None:
        """The work is done; `result` says how in a few words."""
        self._log.info("%s", result)
        if self._on_progress is not None:
            self._on_progress(1.0, result)

    def _fraction(self) -> float:
        """The share of the steps that are over; more steps than estimated come ever closer to the end."""
        if self._begun < self._total:
            return NEARLY * self._begun / self._total
        over = self._begun - self._total + 1
        return NEARLY + (1 - NEARLY) * (1 - math.exp(-over / self._total))
