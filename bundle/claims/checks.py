"""The checks of a bundle's statements about itself, in one list: docs/adding-a-check.md is the recipe.

A check takes the evidence and adds findings; if evidence that it needs is missing, it adds none. So one list serves
before a run, when only the manifest is known, and after it, with or without the checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable

from ...manifest import Manifest
from ..case.detection import policy_width
from ..contents.manifest import heads_in
from . import artifacts, assumed, calculations, derived, gates, reading
from .evidence import Evidence
from .findings import Findings
from .golden import RowCheck, check_ranges
from .reading import NO_FILE
from .table import check_unknown

Check = Callable[[Findings, Evidence], None]


def run_checks(findings: Findings, evidence: Evidence) -> None:
    """Run every check on the evidence; a check that runs again with more evidence adds to its findings."""
    for check in CHECKS:
        check(findings, evidence)


def _of_manifest(check: Callable[[Findings, Manifest], None]) -> Check:
    """A check that needs only the manifest."""
    return lambda findings, evidence: check(findings, evidence.manifest)


def _listing(findings: Findings, evidence: Evidence) -> None:
    artifacts.check_listing(findings, evidence.manifest, evidence.folder)


def _values(findings: Findings, evidence: Evidence) -> None:
    reading.check_values(findings, heads_in(evidence.manifest), evidence.manifest)


def _drawn_again(findings: Findings, evidence: Evidence) -> None:
    known = evidence.checkpoint
    if known and known.drawn is not None:
        reading.check_drawn(findings, evidence.manifest.positions, known.drawn)


def _self_play(findings: Findings, evidence: Evidence) -> None:
    known = evidence.checkpoint
    if known and known.self_play is not None:
        gates.check_played(findings, evidence.manifest, *known.self_play)


def _original(findings: Findings, evidence: Evidence) -> None:
    known = evidence.checkpoint
    if known:
        derived.check_checkpoint(findings, evidence.manifest, known.graph, known.inputs, known.heads)
        derived.check_roles(findings, evidence.manifest, known.names, known.heads)
        derived.check_degrees(findings, evidence.manifest, known.heads, known.alone)


def _ranges(findings: Findings, evidence: Evidence) -> None:
    known = evidence.checkpoint
    if known:
        answers = {name: rows[: known.recorded] for name, rows in known.answers.truth.expected.items()}
        check_ranges(findings, evidence.manifest, known.heads, answers, all_of_them=known.as_exported)
    elif evidence.golden and evidence.heads is not None:
        check_ranges(findings, evidence.manifest, evidence.heads, evidence.golden.answers, all_of_them=False)


def _golden_rows(findings: Findings, evidence: Evidence) -> None:
    known = evidence.checkpoint
    if known:
        exact = None if known.answers.exact.missing else known.answers.exact
        known.rows.check(findings, evidence.manifest, known.answers.heads, known.answers.truth, exact)
    elif evidence.golden and evidence.heads is not None:
        rows = RowCheck(findings, evidence.manifest, evidence.heads, evidence.golden.rows)
        rows.check_members(evidence.golden.members)
        rows.check_rows(evidence.drawn)


def _choices(findings: Findings, evidence: Evidence) -> None:
    known = evidence.checkpoint
    if known:
        derived.check_choices(findings, evidence.manifest, known.alone, evidence.reading)


def _other_readings(findings: Findings, evidence: Evidence) -> None:
    if evidence.heads is not None and (evidence.checkpoint or evidence.golden):
        assumed.check_others(findings, evidence.manifest, evidence.reading, policy_width(evidence.heads))


def _assumed_reading(findings: Findings, evidence: Evidence) -> None:
    known = evidence.checkpoint
    if known:
        heads = known.answers.heads
        assumed.check_again(findings, evidence.manifest, known.graph, heads, known.alone, evidence.reading)
    elif evidence.golden and evidence.manifest.assumed is not None:
        findings.doubt("assumed", "is known from the checkpoint alone")


def _marks(findings: Findings, evidence: Evidence) -> None:
    if evidence.checkpoint and evidence.artifacts is not None:
        gates.check_marks(findings, evidence.manifest, evidence.artifacts)


def _calculations(findings: Findings, evidence: Evidence) -> None:
    known = evidence.checkpoint
    if known:
        calculations.check_again(findings, evidence.manifest, known.compared)
    elif evidence.golden:
        calculations.leave_open(findings, evidence.manifest)


def _graph(findings: Findings, evidence: Evidence) -> None:
    known = evidence.checkpoint
    if known:
        derived.check_graph(findings, evidence.manifest, known.frozen, known.answers.heads)


def _statements(findings: Findings, evidence: Evidence) -> None:
    if evidence.statements is not None and evidence.heads is not None:
        artifacts.check_stated(findings, evidence.manifest, evidence.heads, evidence.reading, evidence.statements)


def _activations(findings: Findings, evidence: Evidence) -> None:
    if evidence.golden and not evidence.checkpoint and evidence.heads is not None:
        rows = RowCheck(findings, evidence.manifest, evidence.heads, evidence.golden.rows)
        rows.check_activations(artifacts.activations(evidence.statements or {}))


def _nodes(findings: Findings, evidence: Evidence) -> None:
    """Check that a .pb's nodes are named; whether the names are right, the run of the .pb shows."""
    if evidence.checkpoint or not evidence.golden:
        return
    has_pb = any(artifact.format == "pb" for artifact in evidence.manifest.artifacts)
    for number, head in enumerate(evidence.manifest.outputs):
        if not head.pb_node:
            findings.refute(f"outputs[{number}].pb_node", "names no node")
        elif not has_pb:
            findings.doubt(f"outputs[{number}].pb_node", "is of a .pb, and there is none here")


def _unprovable(findings: Findings, evidence: Evidence) -> None:
    if evidence.checkpoint:
        findings.doubt("converters", NO_FILE)
    elif evidence.golden:
        reading.list_open(findings, evidence.reading)


CHECKS: tuple[Check, ...] = (
    _of_manifest(check_unknown),
    _listing,
    _of_manifest(derived.check_file_name),
    _of_manifest(reading.check_inputs),
    _of_manifest(reading.check_positions),
    _values,
    _of_manifest(reading.check_problems),
    _of_manifest(calculations.check_stated),
    _of_manifest(gates.check_search),
    _of_manifest(gates.check_strength),
    _drawn_again,
    _self_play,
    _original,
    _golden_rows,
    _choices,
    _marks,
    _calculations,
    _graph,
    _statements,
    _activations,
    _ranges,
    _nodes,
    _unprovable,
    _other_readings,
    _assumed_reading,
)
"""Every check. If two have a finding about one member, the first finding counts."""
