"""Checks the claims about lower precisions: gates, their limits and positions, scales, and the choice of `auto`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...errors import AzxError
from ...export.formats.precisions.precision import FP32, PRECISIONS
from ...export.formats.table import FORMATS
from ...games.search_settings import fault_in
from ...manifest import Artifact, Chosen, Manifest, plain
from ...validate.gate.limits import NAMES, Limits, limits_from
from ...validate.proof.proof import ArtifactResult
from ..contents.describe import FROM_FILE
from ..precision.reached import GATE_COUNT
from .findings import Findings, shorten_value

# The number of gate positions in bundles of an older azx, which judged precisions on the positions that chose them.
OLDER_COUNT = 2_000
# Another machine's kernels may move the closest figure by this share of its limit.
AT_THE_EDGE = 0.9
# The decimals of a score in a manifest.
HALF_A_DIGIT = 0.0006
# The form of a description of self-play.
_PLAYED = re.compile(
    r"([0-9,]{1,9}) distinct positions of [1-9][0-9,]{0,9} games of self-play, moves drawn by the policy, "
    r"seed ([0-9]{1,19})(?: \(all that were found of ([0-9,]{1,9})\))?"
)


def played(manifest: Manifest) -> tuple[int, int]:
    """The number of self-play positions on which the gates judged, by this azx or an older one, and their seed."""
    lines = [line for artifact in manifest.artifacts if artifact.gate for line in artifact.gate.positions]
    matches = [match for line in lines if (match := _PLAYED.fullmatch(line))]
    count = OLDER_COUNT if any(f"{OLDER_COUNT:,}" in match.group(1, 3) for match in matches) else GATE_COUNT
    seed = manifest.positions.seed
    if seed is None and matches and manifest.positions.source == FROM_FILE:
        seed = int(matches[0][2])
    return count, seed or 0


def check_gate(findings: Findings, member: str, manifest: Manifest, artifact: Artifact, *, failing: bool) -> None:
    """Check an artifact's gate: float32 has none; each other precision has one, with the user's limits."""
    gate, precision = artifact.gate, PRECISIONS.get(artifact.precision)  # a manifest may say anything
    if artifact.precision == FP32:
        for name in ("gate", "float_layers", "calibration"):
            findings.same(f"{member}.{name}", plain(getattr(artifact, name)), None, "as float32 has none")
        return
    if precision is not None and precision.calibrated != bool(artifact.calibration):
        says = "since its scales come from positions" if precision.calibrated else f"as {precision.name} has no scales"
        findings.refute(f"{member}.calibration", f"is {shorten_value(artifact.calibration)}, {says}")
    elif precision is not None and precision.calibrated:
        findings.doubt(f"{member}.calibration", "is the origin of the scales, which no file states")
    if gate is None:
        findings.doubt(f"{member}.gate", "is missing: the artifact could not be run during its export")
        return
    findings.same(f"{member}.gate.passed", gate.passed, not failing, "as the file's name says")
    _check_limits(findings, f"{member}.gate.limits", gate.limits)
    _check_lines(findings, f"{member}.gate.positions", manifest, gate.positions)


def _check_limits(findings: Findings, member: str, stated: Any) -> None:
    """Check that each limit is present and in range; an unusual number is the exporter's choice."""
    if lacking := [name for name in NAMES if name not in stated]:
        findings.refute_if_current(member, f"lacks {', '.join(lacking)}: azx writes every limit that it judges by")
        return
    if more := [name for name in stated if name not in NAMES]:
        findings.refute_if_current(member, f"has {', '.join(map(shorten_value, more))}, and a gate has no such limit")
        return
    try:
        limits = limits_from(stated)
    except AzxError as error:
        findings.refute(member, f"are none: {str(error).rstrip('.')}")
        return
    if limits != Limits():
        findings.doubt(member, "is not as usual, a choice of the exporter's")


def _check_lines(findings: Findings, member: str, manifest: Manifest, lines: Sequence[str]) -> None:
    """Check a gate's positions: those of self-play, if any, then those on which all artifacts are proved."""
    said = manifest.positions
    if not lines or lines[-1] != said.description:
        stated = shorten_value(lines[-1]) if lines else "nothing"
        says = f"ends with {stated} and not {shorten_value(said.description)}, the positions of the proof"
        findings.refute_if_current(member, says)
        return
    before = lines[:-1]
    matches = [_PLAYED.fullmatch(line) for line in before]
    count, seed = played(manifest)
    if len(before) > 1 or not all(match and match.group(3) in (None, f"{count:,}") for match in matches):
        findings.refute_if_current(
            member, f"is {shorten_value(plain(tuple(before)))}, which does not describe self-play"
        )
    elif any(match and (int(match[2]) != seed or (match[3] is None and match[1] != f"{count:,}")) for match in matches):
        asked = f"{count:,} positions of self-play by seed {seed} are asked for"
        findings.refute_if_current(member, f"is {shorten_value(before[0])}, and {asked}")
    elif before:
        findings.doubt(member, "are positions of self-play: give the checkpoint with --against to draw them again")


def check_played(findings: Findings, manifest: Manifest, kinds: Sequence[str], scales: str | None) -> None:
    """Compare the positions of gates and scales with those drawn again.

    `kinds` describe the gates' positions; `scales` describe the positions for int8's scales, None if unknown.
    """
    for number, artifact in enumerate(manifest.artifacts):
        member = f"artifacts[{number}]"
        if artifact.gate is not None and not findings.is_false(f"{member}.gate.positions"):
            findings.proves(f"{member}.gate.positions")
            stated = list(artifact.gate.positions[:-1])
            if stated != list(kinds):
                says = f"is {shorten_value(stated)} and not {shorten_value(list(kinds))}, as the network plays itself"
                findings.refute_if_current(f"{member}.gate.positions", says)
        if artifact.calibration is None or scales is None or " positions from " in artifact.calibration:
            continue
        findings.proves(f"{member}.calibration")
        if artifact.calibration != scales:
            says = f"is {shorten_value(artifact.calibration)} and not {shorten_value(scales)}, as they are drawn again"
            findings.refute_if_current(f"{member}.calibration", says)


def check_marks(findings: Findings, manifest: Manifest, judged: Sequence[ArtifactResult]) -> None:
    """Check that an artifact marked as failing fails its gate again; at the edge of a limit it may pass."""
    verdicts = {each.file: each.gate for each in judged if each.keep_failing and each.gate and each.gate.passed}
    for number, artifact in enumerate(manifest.artifacts):
        closest = verdict.closest if (verdict := verdicts.get(artifact.path)) else None
        if closest is not None:
            say = findings.doubt if closest.used > AT_THE_EDGE else findings.refute
            say(f"artifacts[{number}].gate.passed", f"is false, but it passes the gate: {closest.clause}")


def check_search(findings: Findings, manifest: Manifest) -> None:
    """Check the search settings; only games can show whether they are better."""
    _check_tuned(findings, manifest)
    if manifest.search is None:
        return
    if (fault := fault_in(manifest.search.as_data())) is not None:
        findings.refute(f"search.{fault}", "is a search that this azx does not know")
    findings.doubt("search", "is a choice that only games can judge: azx match --search plays them")


def _check_tuned(findings: Findings, manifest: Manifest) -> None:
    """Check the origin of the search: its games used this search, and their results add up; they are not replayed."""
    tuned = manifest.tuned
    if tuned is None:
        return
    findings.doubt("tuned", "is the result of games: azx tune plays others")
    if tuned.search != manifest.search:
        findings.doubt("tuned.search", "is not the bundle's search, which changed after these games")
    if tuned.won + tuned.drawn + tuned.lost != tuned.games:
        says = f"is {tuned.games}, but {tuned.won} won, {tuned.drawn} drawn and {tuned.lost} lost do not add up to it"
        findings.refute("tuned.games", says)


def check_strength(findings: Findings, manifest: Manifest) -> None:
    """Check the results of games: their numbers add up and their artifacts exist; they are not replayed."""
    if manifest.strength is None:
        return
    if not manifest.strength:
        findings.refute("strength", "is empty: azx writes it only with results of games")
    findings.doubt("strength", "is the result of games: give --strength to play them")
    for number, each in enumerate(manifest.strength):
        member, points = f"strength[{number}]", each.won + each.drawn / 2
        if manifest.artifact(each.artifact) is None:
            findings.refute(
                f"{member}.artifact", f"is {shorten_value(each.artifact)}, and the bundle has no such artifact"
            )
        if each.won + each.drawn + each.lost != each.games:
            says = f"is {each.games}, and {each.won} won, {each.drawn} drawn and {each.lost} lost are not as many"
            findings.refute(f"{member}.games", says)
        elif each.score.value is None or abs(each.score.value - points / each.games) > HALF_A_DIGIT:
            says = f"is {each.score.value}, and {points:g} points of {each.games} games are {points / each.games:.4g}"
            findings.refute(f"{member}.score.value", says)


def check_auto(findings: Findings, manifest: Manifest) -> None:
    """Check that the choice of `auto` passes its gate, and that the rejected precisions are faster, in order."""
    if manifest.auto is None:
        if any(artifact.precision != FP32 for artifact in manifest.artifacts):
            findings.doubt("auto", "is missing: whether each precision was asked for by name is unknown")
        return
    formats = [chosen.format for chosen in manifest.auto]
    if not formats or len(set(formats)) < len(formats):
        findings.refute(
            "auto", f"lists {', '.join(formats) or 'no format'}, but each format that it tried is listed once"
        )
    tried = [name for name, entry in FORMATS.items() if len(entry.precisions) > 1]
    if formats != [name for name in tried if name in formats]:
        findings.refute_if_current("auto", f"lists {', '.join(formats)}, which azx tries in another order")
    written = {artifact.format for artifact in manifest.artifacts if artifact.precision == FP32}
    if more := [name for name in tried if name in written and name not in formats]:
        findings.doubt("auto", f"does not list {', '.join(more)}: whether it was tried there is unknown")
    for number, chosen in enumerate(manifest.auto):
        _check_chosen(findings, f"auto[{number}]", manifest, chosen)


def _check_chosen(findings: Findings, member: str, manifest: Manifest, chosen: Chosen) -> None:
    entry = FORMATS.get(chosen.format)
    own = [artifact for artifact in manifest.artifacts if artifact.format == chosen.format]
    if entry is None or len(entry.precisions) < 2 or FP32 not in [artifact.precision for artifact in own]:
        findings.refute(f"{member}.format", f"is {shorten_value(chosen.format)}, for which `auto` chooses nothing")
        return
    took = [artifact for artifact in own if artifact.precision == chosen.chosen]
    inside = [artifact for artifact in took if artifact.precision == FP32 or (artifact.gate and artifact.gate.passed)]
    if chosen.chosen not in entry.precisions or not inside:
        says = f"is {shorten_value(chosen.chosen)}, but no {entry.title} in that precision passes its gate here"
        findings.refute(f"{member}.chosen", says)
        return
    faster = list(reversed(entry.precisions[entry.precisions.index(chosen.chosen) + 1 :]))
    fell = [each.precision for each in chosen.fell]
    if fell != faster:
        says = f"is {shorten_value(fell)} and not {shorten_value(faster)}, the precisions faster than {chosen.chosen}"
        findings.refute_if_current(f"{member}.fell", says)
        return
    for at, each in enumerate(chosen.fell):
        why = "is empty" if not each.why else "is why the export rejected it: only another export could show it"
        (findings.doubt if each.why else findings.refute)(f"{member}.fell[{at}].why", why)
