"""The gate's limits: how far an approximation may be from the original, in figures that matter in play."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace

from ...errors import AzxError


@dataclass(frozen=True)
class Limits:
    """The largest differences of an approximation, for each kind of positions separately.

    `value_p99` and `value_max` limit the win rate, 0 to 1: the 99th percentile of its error and its largest error.
    KataGo switches half precision off by the same two figures. `kl_p99` limits the policy over the legal moves, in
    nats: 0.02 moves no more than a tenth of the probability (Pinsker's inequality, sqrt(KL / 2)). `best_move` is the
    share of positions in which the best legal move stays the best. A position counts only if the original's two best
    moves are more than `margin` of probability apart: the order of two equal moves does not matter.
    """

    value_p99: float = 0.02
    value_max: float = 0.05
    kl_p99: float = 0.02
    best_move: float = 0.98
    margin: float = 0.01

    def __post_init__(self) -> None:
        """Check the numbers; AzxError if one is out of range."""
        for name, value in asdict(self).items():
            sound = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
            if not sound or value < 0 or (name != "kl_p99" and value > 1):
                least = "a number from 0 on" if name == "kl_p99" else "a number from 0 to 1"
                raise AzxError(f"The gate's {option_name(name)} is {value!r}: give {least}.")

    def as_data(self) -> dict[str, float]:
        """The limits as JSON types, in the form of a manifest."""
        return {name: float(value) for name, value in asdict(self).items()}


NAMES = tuple(field.name for field in fields(Limits))


def option_name(name: str) -> str:
    """A limit's name for --limit."""
    return name.replace("_", "-")


def limits_from(given: Mapping[str, float]) -> Limits:
    """The limits that a manifest records, and the usual ones for members that it lacks.

    AzxError for an unsound number.
    """
    return Limits(**{name: given[name] for name in NAMES if name in given})


def parse_limits(given: Iterable[str]) -> Limits:
    """The usual limits with some changed, each given as NAME=NUMBER; AzxError for any other form."""
    limits = Limits()
    for text in given:
        name, _, number = text.partition("=")
        field = name.strip().replace("-", "_")
        if field not in NAMES:
            near = difflib.get_close_matches(field, NAMES, n=1, cutoff=0.4)
            hint = f"did you mean '{option_name(near[0])}'? " if near else ""
            raise AzxError(f"The gate has no limit '{name}': {hint}it has {', '.join(map(option_name, NAMES))}.")
        try:
            value = float(number)
        except ValueError as error:
            raise AzxError(f"'{text}' sets no limit: give it as {option_name(field)}=0.02.") from error
        limits = replace(limits, **{field: value})
    return limits
