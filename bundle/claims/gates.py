"""What a manifest says of lower precisions: gates, their limits and positions, scales, and what `auto` took."""

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

# What gates were judged on before their precisions were chosen on other positions than those that judge.
OLDER_COUNT = 2_000
# What another machine's kernels may take inside a gate, or outside, of what its closest figure may be.
AT_THE_EDGE = 0.9
# As far as a score in a manifest may be rounded.
HALF_A_DIGIT = 0.0006
# As `self_play` describes its positions.
_PLAYED = re.compile(
    r"([0-9,]{1,9}) distinct positions of [1-9][0-9,]{0,9} games of self-play, moves drawn by the policy, "
    r"seed ([0-9]{1,19})(?: \(all that were found of ([0-9,]{1,9})\))?"
)


def played(manifest: Manifest) -> tuple[int, int]:
    """How many positions of self-play gates were judged on, today's number or an older azx', and their seed."""
    lines = [line for artifact in manifest.artifacts if artifact.gate for line in artifact.gate.positions]
    told = [match for line in lines if (match := _PLAYED.fullmatch(line))]
    count = OLDER_COUNT if any(f"{OLDER_COUNT:,}" in match.group(1, 3) for match in told) else GATE_COUNT
    seed = manifest.positions.seed
    if seed is None and told and manifest.positions.source == FROM_FILE:
        seed = int(told[0][2])
    return count, seed or 0


def check_gate(found: Findings, member: str, manifest: Manifest, artifact: Artifact, *, failing: bool) -> None:
    """Check the gate's statements: float32 has none; any other precision has one, with limits that the user chose."""
    gate, precision = artifact.gate, PRECISIONS.get(artifact.precision)  # a manifest may say anything
    if artifact.precision == FP32:
        for name in ("gate", "float_layers", "calibration"):
            found.same(f"{member}.{name}", plain(getattr(artifact, name)), None, "as float32 has none")
        return
    if precision is not None and precision.calibrated != bool(artifact.calibration):
        says = "as its scales were found on some" if precision.calibrated else f"as {precision.name} has no scales"
        found.refute(f"{member}.calibration", f"is {shorten_value(artifact.calibration)}, {says}")
    elif precision is not None and precision.calibrated:
        found.doubt(f"{member}.calibration", "is what gave the scales: no file tells it")
    if gate is None:
        found.doubt(f"{member}.gate", "is not there: the artifact could not be run where it was written")
        return
    found.same(f"{member}.gate.passed", gate.passed, not failing, "as the file's name says")
    _check_limits(found, f"{member}.gate.limits", gate.limits)
    _check_lines(found, f"{member}.gate.positions", manifest, gate.positions)


def _check_limits(found: Findings, member: str, stated: Any) -> None:
    """Each limit is there and a number that it can be; another number than usual is its exporter's choice."""
    if lacking := [name for name in NAMES if name not in stated]:
        found.refute_if_current(member, f"lacks {', '.join(lacking)}: azx writes every limit that it judges by")
        return
    if more := [name for name in stated if name not in NAMES]:
        found.refute_if_current(member, f"has {', '.join(map(shorten_value, more))}, and a gate has no such limit")
        return
    try:
        limits = limits_from(stated)
    except AzxError as error:
        found.refute(member, f"are none: {str(error).rstrip('.')}")
        return
    if limits != Limits():
        found.doubt(member, "is not as usual, a choice of the exporter's")


def _check_lines(found: Findings, member: str, manifest: Manifest, lines: Sequence[str]) -> None:
    """A gate's positions: those that all artifacts are proved on, and before them those of self-play, if any."""
    said = manifest.positions
    if not lines or lines[-1] != said.description:
        stated = shorten_value(lines[-1]) if lines else "nothing"
        says = f"ends with {stated} and not {shorten_value(said.description)}, what artifacts are proved on"
        found.refute_if_current(member, says)
        return
    before = lines[:-1]
    told = [_PLAYED.fullmatch(line) for line in before]
    count, seed = played(manifest)
    if len(before) > 1 or not all(match and match.group(3) in (None, f"{count:,}") for match in told):
        found.refute_if_current(member, f"is {shorten_value(plain(tuple(before)))}, which azx writes of no self-play")
    elif any(match and (int(match[2]) != seed or (match[3] is None and match[1] != f"{count:,}")) for match in told):
        asked = f"{count:,} positions of self-play by seed {seed} are asked for"
        found.refute_if_current(member, f"is {shorten_value(before[0])}, and {asked}")
    elif before:
        found.doubt(member, "is what the network reached by playing itself: give the checkpoint with --against")


def check_played(found: Findings, manifest: Manifest, kinds: Sequence[str], scales: str | None) -> None:
    """Positions of gates and scales held to those drawn again.

    `kinds` describe those of self-play, `scales` what gives int8's, None if unknown.
    """
    for number, artifact in enumerate(manifest.artifacts):
        member = f"artifacts[{number}]"
        if artifact.gate is not None and not found.is_false(f"{member}.gate.positions"):
            found.proves(f"{member}.gate.positions")
            stated = list(artifact.gate.positions[:-1])
            if stated != list(kinds):
                says = f"is {shorten_value(stated)} and not {shorten_value(list(kinds))}, as the network plays itself"
                found.refute_if_current(f"{member}.gate.positions", says)
        if artifact.calibration is None or scales is None or " positions from " in artifact.calibration:
            continue
        found.proves(f"{member}.calibration")
        if artifact.calibration != scales:
            says = f"is {shorten_value(artifact.calibration)} and not {shorten_value(scales)}, as they are drawn again"
            found.refute_if_current(f"{member}.calibration", says)


def check_marks(found: Findings, manifest: Manifest, judged: Sequence[ArtifactResult]) -> None:
    """An artifact marked as failing is outside its gate, as it was judged again; one at the edge may be inside."""
    verdicts = {each.file: each.gate for each in judged if each.keep_failing and each.gate and each.gate.passed}
    for number, artifact in enumerate(manifest.artifacts):
        closest = verdict.closest if (verdict := verdicts.get(artifact.path)) else None
        if closest is not None:
            say = found.doubt if closest.used > AT_THE_EDGE else found.refute
            say(f"artifacts[{number}].gate.passed", f"is false, and it is inside the gate: {closest.clause}")


def check_search(found: Findings, manifest: Manifest) -> None:
    """How the network is searched: nothing but games tells which way is the better one."""
    _check_tuned(found, manifest)
    if manifest.search is None:
        return
    if (fault := fault_in(manifest.search.as_data())) is not None:
        found.refute(f"search.{fault}", "says what is not known here")
    found.doubt("search", "is a choice that games alone judge: azx match --search plays them")


def _check_tuned(found: Findings, manifest: Manifest) -> None:
    """Where the search comes from: nothing here plays those games again, but they are of this search and add up."""
    tuned = manifest.tuned
    if tuned is None:
        return
    found.doubt("tuned", "is what games gave: azx tune plays others")
    if tuned.search != manifest.search:
        found.doubt(
            "tuned.search", "is not the bundle's search: that is another one since, of which tuned tells nothing"
        )
    if tuned.won + tuned.drawn + tuned.lost != tuned.games:
        says = f"is {tuned.games}, and {tuned.won} won, {tuned.drawn} drawn and {tuned.lost} lost are not as many"
        found.refute("tuned.games", says)


def check_strength(found: Findings, manifest: Manifest) -> None:
    """What games gave: nothing here plays them again, but their numbers add up, and who played is here."""
    if manifest.strength is None:
        return
    if not manifest.strength:
        found.refute("strength", "is empty: it is there once games were played")
    found.doubt("strength", "is what games gave: give --strength to have them played")
    for number, each in enumerate(manifest.strength):
        member, points = f"strength[{number}]", each.won + each.drawn / 2
        if manifest.artifact(each.artifact) is None:
            found.refute(f"{member}.artifact", f"is {shorten_value(each.artifact)}, and no artifact here is called so")
        if each.won + each.drawn + each.lost != each.games:
            says = f"is {each.games}, and {each.won} won, {each.drawn} drawn and {each.lost} lost are not as many"
            found.refute(f"{member}.games", says)
        elif each.score.value is None or abs(each.score.value - points / each.games) > HALF_A_DIGIT:
            says = f"is {each.score.value}, and {points:g} points of {each.games} games are {points / each.games:.4g}"
            found.refute(f"{member}.score.value", says)


def check_auto(found: Findings, manifest: Manifest) -> None:
    """What `auto` took is there and inside its gate; what fell are the faster precisions, the fastest first."""
    if manifest.auto is None:
        if any(artifact.precision != FP32 for artifact in manifest.artifacts):
            found.doubt("auto", "is not there: nothing tells whether each precision was asked for by name")
        return
    formats = [chosen.format for chosen in manifest.auto]
    if not formats or len(set(formats)) < len(formats):
        found.refute("auto", f"lists {', '.join(formats) or 'no format'}, where each format that it tried stands once")
    tried = [name for name, entry in FORMATS.items() if len(entry.precisions) > 1]
    if formats != [name for name in tried if name in formats]:
        found.refute_if_current("auto", f"lists {', '.join(formats)}, which azx tries in another order")
    written = {artifact.format for artifact in manifest.artifacts if artifact.precision == FP32}
    if more := [name for name in tried if name in written and name not in formats]:
        found.doubt("auto", f"does not list {', '.join(more)}: nothing tells whether it was tried there")
    for number, chosen in enumerate(manifest.auto):
        _check_chosen(found, f"auto[{number}]", manifest, chosen)


def _check_chosen(found: Findings, member: str, manifest: Manifest, chosen: Chosen) -> None:
    entry = FORMATS.get(chosen.format)
    own = [artifact for artifact in manifest.artifacts if artifact.format == chosen.format]
    if entry is None or len(entry.precisions) < 2 or FP32 not in [artifact.precision for artifact in own]:
        found.refute(f"{member}.format", f"is {shorten_value(chosen.format)}, of which nothing is chosen here")
        return
    took = [artifact for artifact in own if artifact.precision == chosen.chosen]
    inside = [artifact for artifact in took if artifact.precision == FP32 or (artifact.gate and artifact.gate.passed)]
    if chosen.chosen not in entry.precisions or not inside:
        says = f"is {shorten_value(chosen.chosen)}, and no {entry.title} here is of that and inside its gate"
        found.refute(f"{member}.chosen", says)
        return
    faster = list(reversed(entry.precisions[entry.precisions.index(chosen.chosen) + 1 :]))
    fell = [each.precision for each in chosen.fell]
    if fell != faster:
        says = f"is {shorten_value(fell)} and not {shorten_value(faster)}, what is faster than {chosen.chosen}"
        found.refute_if_current(f"{member}.fell", says)
        return
    for at, each in enumerate(chosen.fell):
        why = "is empty" if not each.why else "is why an export left it out: only another export could show it"
        (found.doubt if each.why else found.refute)(f"{member}.fell[{at}].why", why)
