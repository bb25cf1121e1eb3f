"""What every app says of an artifact's bytes, in Python's words: the sentence for what a manifest states."""

from __future__ import annotations

from typing import Any

from manifests import part_with

from azx.manifest import Calculation
from azx.validate.proof.calculation import say_calculation

SAME: dict[str, Any] = {
    "verdict": "same",
    "boards": 256,
    "operations": 37,
    "weights": 907_841,
    "to_the_bit": 678_441,
    "largest_rounding": 1.48,
}
TRIED: dict[str, Any] = {"verdict": "tried", "boards": 1000, "reason": "no rule for operation Gelu (node 'gelu')"}
DIFFERS: dict[str, Any] = {
    "verdict": "differs",
    "boards": 256,
    "reason": "the kernel of 'conv' differs in 1 of 84 numbers",
}
SAID = {
    "the same calculation, with folded weights": SAME,
    "a rounding of a whole number": {**SAME, "largest_rounding": 1},
    "each weight to the bit": {**SAME, "to_the_bit": 907_841, "largest_rounding": 0},
    "a large network that was not run": {**SAME, "boards": 0, "weights": 23_000_000, "to_the_bit": 999},
    "tried alone": TRIED,
    "another calculation": DIFFERS,
}
# What no manifest of azx has: an app says nothing of it.
UNREAD = {
    "a verdict that is none": {**SAME, "verdict": "proved"},
    "no weights": {name: value for name, value in SAME.items() if name != "weights"},
    "a rounding that is no number": {**SAME, "largest_rounding": "1.48"},
    "fewer boards than none": {**SAME, "boards": -1},
    "half an operation": {**SAME, "operations": 36.5},
    "no reason": {**TRIED, "reason": ""},
    "an endless reason": {**TRIED, "reason": "x" * 601},
    "no verdict": {},
}


def calculations() -> dict[str, Any]:
    """Cases: a manifest's `calculation`, and the English sentence on it; null if an app says nothing of it."""
    said = [(about, told, say_calculation(part_with(Calculation, told))) for about, told in SAID.items()]
    unread = [(about, told, None) for about, told in UNREAD.items()]
    cases = [{"about": about, "calculation": told, "sentence": sentence} for about, told, sentence in (*said, *unread)]
    return {"cases": cases}
