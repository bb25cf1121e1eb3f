"""Results of proofs, formatted for a notebook."""

from __future__ import annotations

from pathlib import Path

from ...pages.notebook import html_table
from ...validate.proof.proof import ArtifactResult, Proof

HEADS = ("artifact", "runtime", "verdict", "largest error (limit)")


def html_of(folder: Path, passed: bool, proof: Proof) -> str:
    """A line with the verdict, and a row per artifact: its runtime, its verdict, each head's error and limit."""
    verdict = f"{'passed' if passed else 'failed'}, {proof.positions:,} positions, against {proof.against}"
    return html_table(str(folder), HEADS, map(_row, proof.artifacts), verdict)


def _row(artifact: ArtifactResult) -> tuple[str, ...]:
    if artifact.not_run:
        verdict = f"not proved here: {artifact.not_run}"
    else:
        verdict = "passed" if artifact.may_stay else "failed"
    errors = ", ".join(f"{each.head} {each.maximum:.1e} ({each.limit:.1e})" for each in artifact.heads)
    return artifact.file, artifact.runtime, verdict, errors
