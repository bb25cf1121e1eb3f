"""Checks the claims about lower precisions: gates, their limits and positions, scales, and the choice of `auto`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ...errors import AzxError
from ...export.formats.precisions.precision import FP32, PRECISIONS
from ...export.formats.table import FORMATS
from ...games.search_settings import fault_in
from ...manifest import Artifact, AutoChoice, Manifest, plain
from ...validate.gate.limits import NAMES, Limits, limits_from
from ..contents.describe import FROM_FILE
from ..precision.reached import GATE_COUNT
from .evidence import Evidence
from .findings import Finding, compare, differ, doubt, refute, refute_if_current, shorten_value

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


def check_gates(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Check each artifact's gate: float32 has none; any other precision has one, with the user's limits.

    With the checkpoint the positions of gates and scales are those drawn again.
    """
    kinds, scales = (evidence.checkpoint and evidence.checkpoint.self_play) or (None, None)
    for number, artifact in enumerate(manifest.artifacts):
        member, gate = f"artifacts[{number}]", artifact.gate
        if artifact.precision == FP32:
            for name in ("gate", "float_layers", "calibration"):
                yield from compare(f"{member}.{name}", plain(getattr(artifact, name)), None, "as float32 has none")
            continue
        yield from _check_scales(f"{member}.calibration", artifact, scales)
        if gate is None:
            yield doubt(f"{member}.gate", "is missing: the artifact could not be run during its export")
            continue
        _, failing = FORMATS[artifact.format].precision_of(artifact.path, manifest.name) or (None, False)
        yield from compare(f"{member}.gate.passed", gate.passed, not failing, "as the file's name says")
        yield from _check_limits(f"{member}.gate.limits", gate.limits)
        yield from _check_lines(f"{member}.gate.positions", manifest, gate.positions, kinds)


def _check_scales(member: str, artifact: Artifact, scales: str | None) -> Iterator[Finding]:
    """Check the positions of an artifact's scales; `scales` describes those drawn again, None if unknown."""
    stated, precision = artifact.calibration, PRECISIONS.get(artifact.precision)  # a manifest may say anything
    if precision is None:
        return
    if precision.calibrated != bool(stated):
        says = "since its scales come from positions" if precision.calibrated else f"as {precision.name} has no scales"
        yield refute(member, f"is {shorten_value(stated)}, {says}")
    elif stated and (scales is None or " positions from " in stated):
        yield doubt(member, "is the origin of the scales, which no file states")
    elif stated and stated != scales:
        yield refute_if_current(member, differ(stated, scales, "as they are drawn again"))


def _check_limits(member: str, stated: Any) -> Iterator[Finding]:
    """Check that each limit is present and in range; an unusual number is the exporter's choice."""
    if lacking := [name for name in NAMES if name not in stated]:
        yield refute_if_current(member, f"lacks {', '.join(lacking)}: azx writes every limit that it judges by")
        return
    if more := [name for name in stated if name not in NAMES]:
        yield refute_if_current(member, f"has {', '.join(map(shorten_value, more))}, and a gate has no such limit")
        return
    try:
        limits = limits_from(stated)
    except AzxError as error:
        yield refute(member, f"are none: {str(error).rstrip('.')}")
        return
    if limits != Limits():
        yield doubt(member, "is not as usual, a choice of the exporter's")


def _check_lines(
    member: str, manifest: Manifest, lines: Sequence[str], kinds: Sequence[str] | None
) -> Iterator[Finding]:
    """Check a gate's positions: those of self-play, if any, then those on which all artifacts are proved.

    `kinds` describe self-play's drawn again, None if unknown.
    """
    said = manifest.positions
    if not lines or lines[-1] != said.description:
        stated = shorten_value(lines[-1]) if lines else "nothing"
        says = f"ends with {stated} and not {shorten_value(said.description)}, the positions of the proof"
        yield refute_if_current(member, says)
        return
    before = list(lines[:-1])
    matches = [_PLAYED.fullmatch(line) for line in before]
    count, seed = played(manifest)
    if len(before) > 1 or not all(match and match.group(3) in (None, f"{count:,}") for match in matches):
        yield refute_if_current(member, f"is {shorten_value(before)}, which does not describe self-play")
    elif any(match and (int(match[2]) != seed or (match[3] is None and match[1] != f"{count:,}")) for match in matches):
        asked = f"{count:,} positions of self-play by seed {seed} are asked for"
        yield refute_if_current(member, f"is {shorten_value(before[0])}, and {asked}")
    elif kinds is not None and before != list(kinds):
        yield refute_if_current(member, differ(before, list(kinds), "as the network plays itself"))
    elif before and kinds is None:
        yield doubt(member, "are positions of self-play: give the checkpoint with --against to draw them again")


def check_marks(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Check that an artifact marked as failing fails its gate again; at the edge of a limit it may pass."""
    judged = (evidence.artifacts or ()) if evidence.checkpoint else ()
    verdicts = {each.file: each.gate for each in judged if each.keep_failing and each.gate and each.gate.passed}
    for number, artifact in enumerate(manifest.artifacts):
        closest = verdict.closest if (verdict := verdicts.get(artifact.path)) else None
        if closest is not None:
            says = f"is false, but it passes the gate: {closest.clause}"
            yield (doubt if closest.used > AT_THE_EDGE else refute)(f"artifacts[{number}].gate.passed", says)


def check_search(manifest: Manifest) -> Iterator[Finding]:
    """Check the search settings; only games can show whether they are better."""
    yield from _check_tuned(manifest)
    if manifest.search is None:
        return
    if (fault := fault_in(manifest.search.as_data())) is not None:
        yield refute(f"search.{fault}", "is a search that this azx does not know")
    yield doubt("search", "is a choice that only games can judge: azx match --search plays them")


def _check_tuned(manifest: Manifest) -> Iterator[Finding]:
    """Check the origin of the search: its games used this search, and their results add up; they are not replayed."""
    tuned = manifest.tuned
    if tuned is None:
        return
    yield doubt("tuned", "is the result of games: azx tune plays others")
    if tuned.search != manifest.search:
        yield doubt("tuned.search", "is not the bundle's search, which changed after these games")
    if tuned.won + tuned.drawn + tuned.lost != tuned.games:
        says = f"is {tuned.games}, but {tuned.won} won, {tuned.drawn} drawn and {tuned.lost} lost do not add up to it"
        yield refute("tuned.games", says)


def check_strength(manifest: Manifest) -> Iterator[Finding]:
    """Check the results of games: their numbers add up and their artifacts exist; they are not replayed."""
    if manifest.strength is None:
        return
    if not manifest.strength:
        yield refute("strength", "is empty: azx writes it only with results of games")
    yield doubt("strength", "is the result of games: give --strength to play them")
    for number, each in enumerate(manifest.strength):
        member, points = f"strength[{number}]", each.won + each.drawn / 2
        if manifest.artifact(each.artifact) is None:
            says = f"is {shorten_value(each.artifact)}, and the bundle has no such artifact"
            yield refute(f"{member}.artifact", says)
        if each.won + each.drawn + each.lost != each.games:
            says = f"is {each.games}, and {each.won} won, {each.drawn} drawn and {each.lost} lost are not as many"
            yield refute(f"{member}.games", says)
        elif each.score.value is None or abs(each.score.value - points / each.games) > HALF_A_DIGIT:
            says = f"is {each.score.value}, and {points:g} points of {each.games} games are {points / each.games:.4g}"
            yield refute(f"{member}.score.value", says)


def check_auto(manifest: Manifest) -> Iterator[Finding]:
    """Check that the choice of `auto` passes its gate, and that the rejected precisions are faster, in order."""
    if manifest.auto is None:
        if any(artifact.precision != FP32 for artifact in manifest.artifacts):
            yield doubt("auto", "is missing: whether each precision was asked for by name is unknown")
        return
    formats = [chosen.format for chosen in manifest.auto]
    if not formats or len(set(formats)) < len(formats):
        listed = ", ".join(formats) or "no format"
        yield refute("auto", f"lists {listed}, but each format that it tried is listed once")
    tried = [name for name, entry in FORMATS.items() if len(entry.precisions) > 1]
    if formats != [name for name in tried if name in formats]:
        yield refute_if_current("auto", f"lists {', '.join(formats)}, which azx tries in another order")
    written = {artifact.format for artifact in manifest.artifacts if artifact.precision == FP32}
    if more := [name for name in tried if name in written and name not in formats]:
        yield doubt("auto", f"does not list {', '.join(more)}: whether it was tried there is unknown")
    for number, chosen in enumerate(manifest.auto):
        yield from _check_chosen(f"auto[{number}]", manifest, chosen)


def _check_chosen(member: str, manifest: Manifest, chosen: AutoChoice) -> Iterator[Finding]:
    entry = FORMATS.get(chosen.format)
    own = [artifact for artifact in manifest.artifacts if artifact.format == chosen.format]
    if entry is None or len(entry.precisions) < 2 or FP32 not in [artifact.precision for artifact in own]:
        yield refute(f"{member}.format", f"is {shorten_value(chosen.format)}, for which `auto` chooses nothing")
        return
    took = [artifact for artifact in own if artifact.precision == chosen.chosen]
    inside = [artifact for artifact in took if artifact.precision == FP32 or (artifact.gate and artifact.gate.passed)]
    if chosen.chosen not in entry.precisions or not inside:
        says = f"is {shorten_value(chosen.chosen)}, but no {entry.title} in that precision passes its gate here"
        yield refute(f"{member}.chosen", says)
        return
    faster = list(reversed(entry.precisions[entry.precisions.index(chosen.chosen) + 1 :]))
    fell = [each.precision for each in chosen.fell]
    if fell != faster:
        says = f"is {shorten_value(fell)} and not {shorten_value(faster)}, the precisions faster than {chosen.chosen}"
        yield refute_if_current(f"{member}.fell", says)
        return
    for at, each in enumerate(chosen.fell):
        why = "is empty" if not each.why else "is why the export rejected it: only another export could show it"
        yield (doubt if each.why else refute)(f"{member}.fell[{at}].why", why)
