"""Checks the claim that a network's reading is assumed, and the other readings that are claimed to fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from ...errors import GameError
from ...export.checkpoint.head import Head
from ...export.checkpoint.layer_graph import LayerGraph
from ...games.game import Reading
from ...games.known import recognition
from ...manifest import Manifest, plain
from ..case.detection import Detection, game_of
from ..contents.describe import assumed_of
from .findings import Findings, shorten_value
from .reading import has_option

NAMES = "assumed.others"


def check_others(findings: Findings, manifest: Manifest, claimed: Reading | None, width: int | None) -> None:
    """Check that each other reading belongs to this game and these shapes, and has its right name.

    `claimed` is the manifest's reading, None if it is false or no game is named; `width` is the policy's.
    """
    if manifest.assumed is None:
        return
    if not manifest.game:
        findings.refute("assumed", "is there, and no game is named")
    if claimed is None:
        return
    said, names = claimed.as_data(), [other.name for other in manifest.assumed.others]
    for number, other in enumerate(manifest.assumed.others):
        member = f"{NAMES}[{number}]"
        named = _named(manifest, claimed, other.name, width)
        if named is None:
            clause = f"is {shorten_value(other.name)}, which is no reading of {claimed.game.title} by these shapes"
            findings.refute_if_current(f"{member}.name", clause)
            continue
        for name in ("encoding", "actions"):
            value = plain(getattr(other, name))
            if value != named[name]:
                clause = f"is {shorten_value(value)}, and {other.name} has {shorten_value(named[name])}"
                findings.refute_if_current(f"{member}.{name}", clause)
        if names.index(other.name) < number:
            findings.refute(member, f"is {other.name}, which is listed twice")
        elif _is_same(named, said) and not findings.is_false("encoding"):
            findings.refute(member, f"is {other.name}, which is the assumed one")


def _named(manifest: Manifest, claimed: Reading, name: str, width: int | None) -> dict[str, Any] | None:
    """The members of the reading called `name`, if it fits these shapes and the same board; else None."""
    if not recognition.is_way(name):
        return None
    try:
        reading = recognition.in_way(name, [port.shape for port in manifest.inputs], width)
    except GameError:
        return None
    same = (reading.game.name, reading.settings) == (claimed.game.name, claimed.settings)
    return reading.as_data() if same else None


def _is_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return bool(one["encoding"] == other["encoding"] and one["actions"] == other["actions"])


def check_again(
    findings: Findings,
    manifest: Manifest,
    graph: LayerGraph,
    heads: Sequence[Head],
    alone: Detection,
    claimed: Reading | None,
) -> None:
    """Compare the claims about an assumed reading with the checkpoint; `alone` is the detection without options."""
    if any(findings.is_false(member) for member in ("game", "encoding", "actions", "assumed")):
        return
    derived_reading = _with_game(manifest, graph, heads, alone).reading
    if has_option(manifest, "--encoding"):
        if manifest.assumed is not None:
            findings.refute("assumed", "is present, although its exporter gave the encoding (--encoding)")
        elif derived_reading is not None and derived_reading.rivals is not None:
            findings.doubt("assumed", "is missing: the encoding is its exporter's choice (--encoding)")
        return
    if claimed is None or derived_reading is None or derived_reading.as_data() != claimed.as_data():
        if manifest.assumed is not None:
            findings.doubt("assumed", "belongs to a reading that its exporter chose")
        return
    derived = assumed_of(derived_reading)
    if manifest.assumed == derived:
        return
    ours, right = _names(plain(manifest.assumed)), _names(plain(derived))
    findings.refute_if_current("assumed", f"is {ours} and not {right}, as the checkpoint is read again")


def _with_game(manifest: Manifest, graph: LayerGraph, heads: Sequence[Head], alone: Detection) -> Detection:
    """The detection with the game that the exporter named."""
    known = alone.reading.game.name if alone.reading else None
    if has_option(manifest, "--game") and manifest.game and known != manifest.game:
        with suppress(GameError):
            return game_of(graph, heads, manifest.game)
    return alone


def _names(assumed: Any) -> str:
    """The names of the readings in the member; None if the network's reading is known."""
    return shorten_value(assumed and [other["name"] for other in assumed["others"]])
