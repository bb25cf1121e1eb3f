"""Gates for a person to read: a line for each figure, the closest margin of each artifact, and what was tried."""

from __future__ import annotations

from ...export.formats.precisions.precision import FP32
from ...manifest import Manifest
from ...pages import words
from ...validate.gate.verdict import Check, format_figure
from ...validate.proof.proof import ArtifactResult, Proof
from . import output

COLUMNS = ("", "artifact", "positions", "head", "figure", "value", "limit", "of limit", "at position")
RIGHT = ("value", "limit", "of limit", "at position")


def print_gates(proof: Proof, manifest: Manifest) -> None:
    """Print every figure of the artifacts in lower precisions beside its limit; nothing without such artifacts."""
    approximate = [artifact for artifact in proof.artifacts if artifact.precision != FP32]
    if not approximate:
        return
    judged = [each for artifact in approximate for each in (artifact, *artifact.also)]
    kinds = dict.fromkeys(line for each in approximate if each.gate for line in each.gate.kinds)
    output.line("Lower precisions, held to the gate" + (" on" if kinds else ""))
    for line in kinds:
        output.line(f"  {line}")
    output.table(COLUMNS, [row for each in judged for row in _rows(each)], right=RIGHT)
    for artifact in approximate:
        size = manifest.size_of(artifact.file)
        output.line(f"  {artifact.file} ({output.megabytes(size)}): {artifact.not_run or artifact.runtime}")
        _print_closest(artifact)
        entry = manifest.artifact(artifact.file)
        if entry and entry.float_layers:
            tries = f" (of {len(artifact.attempts)} attempts)" if len(artifact.attempts) > 1 else ""
            output.line(f"    {words.in_float(entry.float_layers)}{tries}")
        for each in artifact.also:
            output.line(f"  {each.title}: {each.not_run or each.runtime}")
            _print_closest(each)
    for chosen in manifest.auto or ():
        fell = [(each.precision, each.why) for each in chosen.fell]
        output.line(f"  {words.auto_took(chosen.format, chosen.chosen, fell)}")
    output.line("")


def _rows(artifact: ArtifactResult) -> list[tuple[str, ...]]:
    if artifact.gate is None or not artifact.gate.checks:
        return [(output.ATTENTION, artifact.title, "not judged", *[""] * 6)]
    return [_row(check, "" if at else artifact.title) for at, check in enumerate(artifact.gate.checks)]


def _row(check: Check, file: str) -> tuple[str, ...]:
    place = "" if check.position is None else f"{check.position:,}"
    value, of_limit = format_figure(check.metric, check.value), f"{check.used:.0%}" if check.used < 100 else "far over"
    mark = output.mark(check.passed)
    return mark, file, check.kind, check.head, check.metric, value, check.limit_text, of_limit, place


def _print_closest(artifact: ArtifactResult) -> None:
    if artifact.gate is None:
        return
    closest = artifact.gate.closest
    if closest is not None:
        output.line(f"    {words.closest_margin(closest.clause)}")
    for note in (*artifact.gate.broken, *artifact.gate.notes):
        output.line(f"    note: {note}")
    if artifact.keep_failing and not artifact.passed:
        output.warning(f"{artifact.title} is {words.OUTSIDE}")
