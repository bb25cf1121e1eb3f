"""The artifacts of lower precisions in a bundle, held to their gates again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ...export.checkpoint.head import Head
from ...export.formats.precisions.precision import FP32
from ...export.formats.table import Format
from ...export.graph.frozen import Port
from ...validate import run as asked
from ...validate.gate.limits import limits_from
from ...validate.gate.positions import GatePositions
from ...validate.gate.verdict import judge, readings_of
from ...validate.proof import ArtifactResult
from ...validate.traces.trace import gate_trace
from ...validate.workers import Workers
from .trial import approximation

Formats = Sequence[tuple[str, Format]]


def approximate(manifest: Mapping[str, Any], formats: Formats) -> list[tuple[Mapping[str, Any], Format]]:
    """The manifest's entries of lower precisions with their formats."""
    listed = {entry["path"]: entry for entry in manifest["artifacts"]}
    return [(listed[path], entry) for path, entry in formats if listed[path]["precision"] != FP32]


def judged_again(
    workers: Workers,
    folder: Path,
    manifest: Mapping[str, Any],
    formats: Formats,
    heads: Sequence[Head],
    ports: tuple[Sequence[Port], Sequence[Port]],
    positions: GatePositions,
    expected: Mapping[str, NDArray[Any]],
    on_step: Callable[[str], None],
    also: Sequence[str] = (),
) -> list[ArtifactResult]:
    """Run each on `positions` and hold it to the limits that its manifest records.

    One that is marked as failing may be outside them; that is what its mark says.
    """
    readings = readings_of(heads, {head["name"]: head for head in manifest["outputs"]})
    listed = approximate(manifest, formats)
    runs = [
        (entry, asked.start(workers, made, folder, str(entry["path"]), positions.feeds, ports, also))
        for entry, made in listed
    ]
    results = []
    for entry, under_way in runs:
        on_step(f"judging {under_way.entry.title} in {entry['precision']}")
        run, gate = under_way.finished(), entry.get("gate") or {}
        limits = limits_from(gate.get("limits", {}))
        verdicts = [
            None if each.not_run or each.damage else judge(heads, readings, each.outputs, expected, positions, limits)
            for each in (run, *run.also)
        ]
        drawn = verdicts[0] is not None
        trace = gate_trace(heads, readings, run.outputs, expected, positions, limits) if drawn else None
        told = approximation(
            under_way.file,
            under_way.entry.name,
            str(entry["precision"]),
            run,
            verdicts[0],
            keep_failing=gate.get("passed") is False,
            also=list(zip(run.also, verdicts[1:], strict=True)),
        )
        results.append(replace(told, trace=trace))
    return results
