"""Checks the claim that an artifact's bytes are the checkpoint's calculation for every board.

With the checkpoint, the bytes are compared again. Without it, the claim stays unproved.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...export.formats.precisions.precision import FP32
from ...manifest import Calculation, Manifest, plain
from ...validate.proof.calculation import DIFFERS, SAME
from .findings import Findings, shorten_value
from .table import ABSENT

FIGURES = ("operations", "weights", "to_the_bit", "largest_rounding")


def check_stated(findings: Findings, manifest: Manifest) -> None:
    """Check these claims within the manifest: only float32 artifacts have them, with the figures of their verdict."""
    for number, artifact in enumerate(manifest.artifacts):
        member, calculation = f"artifacts[{number}].calculation", artifact.calculation
        if artifact.precision != FP32:
            findings.same(member, plain(calculation), None, "as a lower precision is held to its gate")
        elif calculation is None:
            findings.doubt(member, ABSENT)
        else:
            _check_figures(findings, member, calculation, manifest.positions.count)


def _check_figures(findings: Findings, member: str, calculation: Calculation, count: int) -> None:
    is_same = calculation.verdict == SAME
    for name in FIGURES:
        if (getattr(calculation, name) is not None) != is_same:
            findings.refute(
                f"{member}.{name}",
                f"is {plain(getattr(calculation, name))}, and the verdict is '{calculation.verdict}'",
            )
    if bool(calculation.reason) == is_same or calculation.reason == "":
        findings.refute(
            f"{member}.reason", f"is {plain(calculation.reason)!r}, and the verdict is '{calculation.verdict}'"
        )
    if (
        calculation.to_the_bit is not None
        and calculation.weights is not None
        and calculation.to_the_bit > calculation.weights
    ):
        findings.refute(f"{member}.to_the_bit", f"is {calculation.to_the_bit:,} of {calculation.weights:,} weights")
    if calculation.boards not in (0, count):
        says = f"is {calculation.boards:,}, and the bundle's positions are {count:,}"
        findings.doubt(f"{member}.boards", says) if is_same else findings.refute(f"{member}.boards", says)
    elif not calculation.boards:
        findings.doubt(f"{member}.boards", "is 0: the artifact was not run during its export")


def check_again(findings: Findings, manifest: Manifest, compared: Mapping[str, Calculation]) -> None:
    """Compare the manifest's claims with `compared`: the new comparison of bytes and checkpoint, by path.

    Another version of azx may have had other rules, but no version calls a different calculation the same.
    """
    for number, artifact in enumerate(manifest.artifacts):
        calculation, own = artifact.calculation, compared.get(artifact.path)
        member = f"artifacts[{number}].calculation"
        if calculation is None:
            continue
        if own is None:
            findings.doubt(member, "is what the exporter recorded: this file was not compared here")
            continue
        if calculation.verdict != own.verdict:
            refute = (
                findings.refute if (calculation.verdict, own.verdict) == (SAME, DIFFERS) else findings.refute_if_current
            )
            refute(
                f"{member}.verdict",
                f"is '{calculation.verdict}' and not '{own.verdict}'{': ' * bool(own.reason)}{own.reason or ''}",
            )
            continue
        for name in (*FIGURES, "reason"):
            stated, right = plain(getattr(calculation, name)), plain(getattr(own, name))
            if stated != right:
                findings.refute_if_current(
                    f"{member}.{name}", f"is {shorten_value(stated)} and not {shorten_value(right)}"
                )


def leave_open(findings: Findings, manifest: Manifest) -> None:
    """List these claims as unproved, since only the checkpoint can prove them."""
    for number, artifact in enumerate(manifest.artifacts):
        if artifact.calculation is not None:
            findings.doubt(
                f"artifacts[{number}].calculation", "is what the exporter recorded: only the checkpoint can prove it"
            )
