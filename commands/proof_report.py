"""A proof as a person reads it: a line a head of each artifact, the runtimes, the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..bundle.manifest import belongs
from ..validate.compare import HeadResult
from ..validate.proof import ArtifactResult, Proof
from ..validate.tolerances import FLOOR, REFERENCE_FACTOR
from . import output

COLUMNS = ("", "artifact", "head", "max error", "p99", "mean", "limit", "best move", "probability", "KL")
RIGHT = COLUMNS[3:]
# On a narrow terminal only what decides is shown; --json and parity.json always have all of it.
WIDE, DECISIVE = 116, ("", "artifact", "head", "max error", "limit", "best move")


def print_proof(proof: Proof, manifest: Mapping[str, Any]) -> None:
    """Print what was compared with what, every figure with its limit, how large each artifact is and who ran it."""
    output.line("")
    output.line(f"{_capital(proof.description)}, against {proof.against}")
    for note in proof.notes:
        output.line(f"  note: {note}")
    shown = COLUMNS if output.width() >= WIDE else DECISIVE
    kept = [COLUMNS.index(column) for column in shown]
    rows = [[row[index] for index in kept] for artifact in proof.artifacts for row in _rows(artifact)]
    output.table(shown, rows, right=RIGHT)
    output.line(_limits(proof))
    output.line("")
    for artifact in proof.artifacts:
        output.line(f"  {artifact.file} ({_size(manifest, artifact.file)}): {artifact.runtime}")
    output.line("")


def print_failures(proof: Proof) -> None:
    """Print every failure as a sentence of its own."""
    for sentence in proof.sentences:
        output.line(sentence, good=False)


def _rows(artifact: ArtifactResult) -> list[tuple[str, ...]]:
    if not artifact.heads:
        return [(output.mark(False), artifact.file, "-", *["-"] * 7)]
    return [_row(artifact, head, first=index == 0) for index, head in enumerate(artifact.heads)]


def _row(artifact: ArtifactResult, head: HeadResult, first: bool) -> tuple[str, ...]:
    good = head.passed and (artifact.passed or not artifact.problems)
    policy = head.policy
    figures = [f"{value:.1e}" for value in (head.maximum, head.p99, head.mean, head.limit)]
    move = [f"{policy.best_move:.1%}", f"{policy.probability:.1e}", f"{policy.kl:.1e}"] if policy else ["", "", ""]
    return (output.mark(good), artifact.file if first else "", head.head, *figures, *move)


def _limits(proof: Proof) -> str:
    """Where the limit comes from: the floor, and the reference's own distance from float64."""
    found = {head.head: head.reference_distance for artifact in proof.artifacts for head in artifact.heads}
    told = [f"{name} {value:.1e}" for name, value in found.items() if value is not None]
    own = f" ({', '.join(told)})" if told else ""
    return (
        f"Errors are scaled by max(1, |reference|). The limit is {FLOOR.value:.0e}, or {REFERENCE_FACTOR.value:g} x "
        f"the reference's own distance from float64{own} if that is more."
    )


def _size(manifest: Mapping[str, Any], path: str) -> str:
    """Megabytes of an artifact, which may be a folder."""
    sizes = [entry["size"] for entry in manifest["files"] if belongs(entry["path"], path)]
    return f"{sum(sizes) / 1e6:.2f} MB"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
