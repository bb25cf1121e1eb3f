"""Results as a notebook shows them: a table in HTML, with names from files escaped."""

from __future__ import annotations

from html import escape
from pathlib import Path

from ...validate.proof.proof import ArtifactResult, Proof


def html_of(folder: Path, passed: bool, proof: Proof) -> str:
    """A line with the verdict, and a row for each artifact: its runtime, its verdict, each head's error and limit."""
    rows = "".join(_row(artifact) for artifact in proof.artifacts)
    verdict = "passed" if passed else "failed"
    return (
        f"<p><strong>{escape(str(folder))}</strong>: {verdict}, {proof.positions:,} positions, "
        f"against {escape(proof.against)}</p>"
        "<table><thead><tr><th>artifact</th><th>runtime</th><th>verdict</th><th>largest error (limit)</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _row(artifact: ArtifactResult) -> str:
    if artifact.not_run:
        verdict = f"not proved here: {artifact.not_run}"
    else:
        verdict = "passed" if artifact.may_stay else "failed"
    errors = ", ".join(f"{each.head} {each.maximum:.1e} ({each.limit:.1e})" for each in artifact.heads)
    cells = (artifact.file, artifact.runtime, verdict, errors)
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
