"""Checks the claim that a network's reading is assumed, and the other readings that are claimed to fit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ...errors import GameError
from ...games.game import Reading
from ...games.known import recognition
from ...manifest import Manifest, plain
from ..case.detection import Detection, game_of, policy_width
from ..contents.describe import assumed_of
from .evidence import CheckpointEvidence, Evidence
from .findings import Finding, doubt, refute, refute_if_current, shorten_value
from .reading import has_option

NAMES = "assumed.others"


def check_others(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Check that each other reading belongs to this game and these shapes, and has its right name."""
    claimed = evidence.reading
    if manifest.assumed is None:
        return
    if not manifest.game:
        yield refute("assumed", "is present, but no game is named")
    if claimed is None:
        return
    width = policy_width(evidence.heads)
    said, names = claimed.as_data(), [other.name for other in manifest.assumed.others]
    for number, other in enumerate(manifest.assumed.others):
        member = f"{NAMES}[{number}]"
        named = _named(manifest, claimed, other.name, width)
        if named is None:
            clause = f"is {shorten_value(other.name)}, which is not a reading of {claimed.game.title} for these shapes"
            yield refute_if_current(f"{member}.name", clause)
            continue
        for name in ("encoding", "actions"):
            value = plain(getattr(other, name))
            if value != named[name]:
                clause = f"is {shorten_value(value)}, and {other.name} has {shorten_value(named[name])}"
                yield refute_if_current(f"{member}.{name}", clause)
        if names.index(other.name) < number:
            yield refute(member, f"is {other.name}, which is listed twice")
        elif all(named[name] == said[name] for name in ("encoding", "actions")):
            yield replace(refute(member, f"is {other.name}, which is the assumed one"), unless=("encoding",))


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


def check_assumed(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Compare the claims about an assumed reading with the checkpoint, unless the reading itself is false."""
    known = evidence.checkpoint
    if known:
        for each in _compare_assumed(manifest, known, evidence.reading):
            yield replace(each, unless=("game", "encoding", "actions", "assumed"))
    elif evidence.golden and manifest.assumed is not None:
        yield doubt("assumed", "can be known only from the checkpoint")


def _compare_assumed(manifest: Manifest, known: CheckpointEvidence, claimed: Reading | None) -> Iterator[Finding]:
    derived_reading = _with_game(manifest, known).reading
    if has_option(manifest, "--encoding"):
        if manifest.assumed is not None:
            yield refute("assumed", "is present, although its exporter gave the encoding (--encoding)")
        elif derived_reading is not None and derived_reading.rivals is not None:
            yield doubt("assumed", "is missing: the encoding is its exporter's choice (--encoding)")
        return
    if claimed is None or derived_reading is None or derived_reading.as_data() != claimed.as_data():
        if manifest.assumed is not None:
            yield doubt("assumed", "belongs to a reading that its exporter chose")
        return
    derived = assumed_of(derived_reading)
    if manifest.assumed == derived:
        return
    ours, right = _names(plain(manifest.assumed)), _names(plain(derived))
    yield refute_if_current("assumed", f"is {ours} and not {right}, as the checkpoint is read again")


def _with_game(manifest: Manifest, known: CheckpointEvidence) -> Detection:
    """The detection with the game that the exporter named."""
    alone = known.alone.reading.game.name if known.alone.reading else None
    if has_option(manifest, "--game") and manifest.game and alone != manifest.game:
        with suppress(GameError):
            return game_of(known.graph, known.answers.heads, manifest.game)
    return known.alone


def _names(assumed: Any) -> str:
    """The names of the readings in the member; None if the network's reading is known."""
    return shorten_value(assumed and [other["name"] for other in assumed["others"]])
