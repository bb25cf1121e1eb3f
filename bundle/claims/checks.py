"""The checks of a bundle's statements about itself, in one list: docs/adding-a-check.md is the recipe.

A check yields its findings about a manifest by the evidence. It finds nothing if the evidence that it needs is missing.
So the same list serves with the checkpoint and without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...manifest import Manifest
from . import artifacts, assumed, calculations, consequences, derived, gates, golden, reading
from .evidence import Evidence
from .findings import Claims, Finding, is_current, settle
from .table import check_unknown

Check = Callable[[Manifest, Evidence], Iterable[Finding]]


def run_checks(manifest: Manifest, evidence: Evidence, held_to: str) -> Claims:
    """The verdict of every check on the evidence; `held_to` says what the manifest is compared with."""
    findings = (finding for check in CHECKS for finding in check(manifest, evidence))
    return settle(findings, held_to, current=is_current(manifest))


def _of_manifest(check: Callable[[Manifest], Iterable[Finding]]) -> Check:
    """A check that needs only the manifest."""
    return lambda manifest, _: check(manifest)


CHECKS: tuple[Check, ...] = (
    _of_manifest(check_unknown),
    _of_manifest(consequences.check_consequences),
    _of_manifest(consequences.check_problems),
    _of_manifest(artifacts.check_names),
    artifacts.check_files,
    artifacts.check_stated,
    artifacts.check_nodes,
    _of_manifest(derived.check_file_name),
    derived.check_checkpoint,
    derived.check_roles,
    derived.check_degrees,
    derived.check_choices,
    derived.check_graph,
    reading.check_reading,
    _of_manifest(reading.check_inputs),
    _of_manifest(reading.check_positions),
    reading.check_drawn,
    reading.list_open,
    assumed.check_others,
    assumed.check_assumed,
    calculations.check_calculations,
    gates.check_gates,
    gates.check_marks,
    _of_manifest(gates.check_auto),
    _of_manifest(gates.check_search),
    _of_manifest(gates.check_strength),
    golden.check_golden,
    golden.check_activations,
    golden.check_ranges,
)
"""Every check. Their order does not matter."""
