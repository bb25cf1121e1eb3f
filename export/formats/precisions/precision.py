"""The precisions of artifacts: the meaning of each, and the formats that have it.

An artifact is a format times a precision. float32 is the original's own precision: it has no mark in a file's name and
is proved equal. Every other precision is an approximation; a gate (`validate/gate/`) decides whether it chooses like
the original.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from ....errors import AzxError

FP32, FP16, INT8_WEIGHTS, INT8_DYNAMIC, INT8 = "fp32", "fp16", "int8-weights", "int8-dynamic", "int8"
AUTO = "auto"
FAILING = "failing"
"""The mark in the name of a file that is outside its gate and was kept on request."""


@dataclass(frozen=True)
class Precision:
    """A precision: `says` describes its numbers, `calibrated` is true if positions determine its scales."""

    name: str
    says: str
    calibrated: bool = False


PRECISIONS: dict[str, Precision] = {
    entry.name: entry
    for entry in (
        Precision(FP32, "weights and arithmetic in float32, equal to the original"),
        Precision(FP16, "weights in half precision, half the size"),
        Precision(INT8_WEIGHTS, "weights in 8 bits, arithmetic in float, a quarter of the size"),
        Precision(INT8_DYNAMIC, "weights in 8 bits, what enters a product too, by a scale found at each run"),
        Precision(INT8, "weights and what lies between the layers in 8 bits, by scales found beforehand", True),
    )
}


@dataclass(frozen=True)
class MixedArtifact:
    """An artifact in a lower precision whose layers `in_float` are known; fp16 has none."""

    format: str
    precision: str
    in_float: tuple[str, ...] = ()


def list_precisions(names: Sequence[str]) -> tuple[str, ...]:
    """The precisions asked for, each once, float32 first; AzxError, with the nearest name, for an unknown one.

    An empty list means float32. `auto` chooses a precision, so it may be alone or beside float32 only.
    """
    for name in names:
        if name not in PRECISIONS and name != AUTO:
            raise AzxError(unknown(name))
    asked = tuple(name for name in (*PRECISIONS, AUTO) if name in names) or (FP32,)
    if AUTO in asked and set(asked) - {AUTO, FP32}:
        other = next(name for name in asked if name not in (AUTO, FP32))
        raise AzxError(f"'{AUTO}' chooses among the precisions by itself: leave '{other}' out, or ask for it alone.")
    return asked


def unknown(name: str) -> str:
    """The sentence about an unknown precision."""
    near = difflib.get_close_matches(name.lower(), [*PRECISIONS, AUTO], n=1, cutoff=0.4)
    hint = f"did you mean '{near[0]}'? " if near else ""
    return f"There is no precision '{name}': {hint}azx writes {', '.join(PRECISIONS)} and {AUTO}."


def mark(precision: str, *, failing: bool = False) -> str:
    """The mark between an artifact's stem and suffix: ".int8", ".int8.failing"; empty for float32."""
    return "" if precision == FP32 else f".{precision}" + (f".{FAILING}" if failing else "")
