"""Checks the claim that an artifact's bytes are the checkpoint's calculation for every board.

With the checkpoint, the bytes are compared again. Without it, the claim stays unproved.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...export.formats.precisions.precision import FP32
from ...manifest import Calculation, Manifest, plain
from ...validate.proof.calculation import DIFFERS, SAME
from .evidence import Evidence
from .findings import Finding, compare, differ, doubt, refute, refute_if_current
from .table import ABSENT

FIGURES = ("operations", "weights", "to_the_bit", "largest_rounding")


def check_calculations(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Check these claims: only float32 has them, with the figures of its verdict, as the checkpoint shows them again.

    Another version of azx may have had other rules, but no version calls a different calculation the same.
    """
    known = evidence.checkpoint
    for number, artifact in enumerate(manifest.artifacts):
        member, calculation = f"artifacts[{number}].calculation", artifact.calculation
        if artifact.precision != FP32:
            yield from compare(member, plain(calculation), None, "as a lower precision is held to its gate")
        elif calculation is None:
            yield doubt(member, ABSENT)
        else:
            yield from _check_figures(member, calculation, manifest.positions.count)
        if calculation is None:
            continue
        own = known.compared.get(artifact.path) if known else None
        if own is not None:
            yield from _check_again(member, calculation, own)
        elif known:
            yield doubt(member, "is what the exporter recorded: this file was not compared here")
        elif evidence.golden:
            yield doubt(member, "is what the exporter recorded: only the checkpoint can prove it")


def _check_figures(member: str, calculation: Calculation, count: int) -> Iterator[Finding]:
    """Check that a verdict has its figures, or its reason, and that they fit together."""
    is_same, verdict = calculation.verdict == SAME, f"and the verdict is '{calculation.verdict}'"
    for name in FIGURES:
        figure = getattr(calculation, name)
        if (figure is not None) != is_same:
            yield refute(f"{member}.{name}", f"is {plain(figure)}, {verdict}")
    if bool(calculation.reason) == is_same or calculation.reason == "":
        yield refute(f"{member}.reason", f"is {plain(calculation.reason)!r}, {verdict}")
    equal, weights = calculation.to_the_bit, calculation.weights
    if equal is not None and weights is not None and equal > weights:
        yield refute(f"{member}.to_the_bit", f"is {equal:,} of {weights:,} weights")
    if calculation.boards not in (0, count):
        says = f"is {calculation.boards:,}, and the bundle's positions are {count:,}"
        yield (doubt if is_same else refute)(f"{member}.boards", says)
    elif not calculation.boards:
        yield doubt(f"{member}.boards", "is 0: the artifact was not run during its export")


def _check_again(member: str, calculation: Calculation, own: Calculation) -> Iterator[Finding]:
    """Compare a claim with `own`, the new comparison of the same bytes with the checkpoint."""
    if calculation.verdict != own.verdict:
        is_lie = (calculation.verdict, own.verdict) == (SAME, DIFFERS)
        says = f"is '{calculation.verdict}' and not '{own.verdict}'{': ' * bool(own.reason)}{own.reason or ''}"
        yield (refute if is_lie else refute_if_current)(f"{member}.verdict", says)
        return
    for name in (*FIGURES, "reason"):
        stated, right = plain(getattr(calculation, name)), plain(getattr(own, name))
        if stated != right:
            yield refute_if_current(f"{member}.{name}", differ(stated, right))
