"""Derives the members of a manifest that follow from its other members, and compares them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...errors import GameError
from ...export.formats.precisions.precision import FP32
from ...manifest import Manifest, plain
from ..contents.describe import FROM_FILE, FROM_GAME, RANDOM, THREADS, recommend_artifacts, value_of
from ..contents.manifest import heads_in
from ..contents.playable import problems_of
from .findings import Finding, differ, doubt, refute, refute_if_current, shorten_value
from .table import ABSENT, diff


def check_consequences(manifest: Manifest) -> Iterator[Finding]:
    """Check precision, threads, recommended artifacts, the source of the positions, and how values are read."""
    said = manifest.positions
    source = said.source if said.source == FROM_FILE else FROM_GAME if manifest.game else RANDOM
    outputs = []
    for number, (stated, head) in enumerate(zip(manifest.outputs, heads_in(manifest), strict=True)):
        try:
            value = value_of(head, plain(stated.order))
            order = tuple(value["order"]) if "order" in value else None
            outputs.append(replace(stated, value_range=value.get("value_range"), order=order))
        except GameError as error:
            outputs.append(stated)
            yield refute(f"outputs[{number}].order", f"is {shorten_value(plain(stated.order))}: {error}".rstrip("."))
    described = replace(
        manifest,
        precision=FP32,
        threads=THREADS,
        recommended=recommend_artifacts(manifest.artifacts),
        positions=replace(said, source=source),
        outputs=tuple(outputs),
    )
    yield from diff(manifest, described, "which follows from the other members")


def check_problems(manifest: Manifest) -> Iterator[Finding]:
    """Compare the reasons why an app cannot play the bundle with the other members; older manifests have none."""
    stated, derived = manifest.problems, tuple(problems_of(manifest))
    if stated is None:
        yield doubt("problems", ABSENT)
    elif stated != derived:
        yield refute_if_current("problems", differ(plain(stated), plain(derived)))
