"""Plays artifacts against their original after a validation, and prints their strength."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..options import options
from ..options.playing import check_not_given, pairs_of, simulations_option, workers_option
from . import output
from .match import progress

if TYPE_CHECKING:
    from ...bundle.case.checkpoint import Checkpoint
    from ...manifest import Manifest
    from ...match.against_original import ContestResults, Strength

GAMES = 200
# The option of each setting, for messages.
NAMES = {
    "strength_of": "--strength-of",
    "simulations": "--simulations",
    "workers": "--workers",
    "logs": "--log",
}
COLUMNS = ("artifact", "against", "equal", "simulations", "games", "won", "drawn", "lost", "Elo", "95 %")
RIGHT = COLUMNS[3:]


strength_options = options.together(
    click.option(
        "--strength",
        type=click.IntRange(2),
        is_flag=False,
        flag_value=GAMES,
        metavar="[GAMES]",
        help="Then let the artifacts play the original, GAMES games ({GAMES} if left out) with equal simulations "
        "and again with equal time, and record the Elo difference in the manifest.",
    ),
    click.option(
        "--strength-of",
        multiple=True,
        metavar="NAME",
        help="An artifact's file, a format or a precision that plays; may be repeated. Default: all.",
    ),
    simulations_option("Simulations of the original for each move.", least=1),
    click.option(
        "--seed",
        type=click.IntRange(0),
        metavar="N",
        help="Seed of the fresh positions: give the printed one to repeat a proof; drawn anew if left out. With "
        "--strength also the seed of the games (0 if left out).",
    ),
    workers_option(),
    options.file_option(
        "--log",
        "logs",
        metavar="DIR",
        help="Folder for the games, with a file for each match as `azx match --log` writes it; default azx-matches.",
    ),
)


def take_options(chosen: dict[str, Any]) -> dict[str, Any] | None:
    """The options of the games, removed from the command's; None without --strength.

    UsageError for such an option without it. --seed stays, because the proof uses it too.
    """
    games, options = chosen.pop("strength"), {name: chosen.pop(name) for name in NAMES}
    if games is None:
        check_not_given("--strength", NAMES, "artifacts play their original")
        return None
    return {"games": games, "seed": chosen["seed"] or 0, **options}


def play(
    folder: Path,
    manifest: Manifest,
    against: Checkpoint | None,
    playing: Mapping[str, Any],
    loudness: output.Loudness,
) -> ContestResults:
    """Let the artifacts of a bundle play their original, and record the result in its manifest.

    `against` is the original, None without --against; `playing` is the result of `take_options`.
    """
    from loky import cpu_count

    from ...match.against_original import Terms, note_strength, play_contests
    from ...match.opponents import as_the_bundle_reads, contests
    from ...match.players import LocalPlayers, Net

    terms = Terms(pairs_of(playing["games"]), playing["simulations"], playing["seed"], playing["logs"])
    net = Net(str(against.place), like=against) if against is not None else None
    step: output.Step = partial(click.echo, err=True) if loudness is not output.Loudness.QUIET else lambda name: None
    seats = partial(LocalPlayers, playing["workers"] or int(cpu_count()))
    with as_the_bundle_reads(net, manifest) if net else nullcontext(None) as original:
        listed = contests(folder, manifest, original, playing["strength_of"])
        played = play_contests(listed, terms, seats, partial(progress, loudness=loudness), step)
    note_strength(folder, manifest, played.strengths)
    _draw_again(folder)
    return played


def _draw_again(folder: Path) -> None:
    """Write the bundle's page again, with the games, if azx had written one."""
    from ...bundle.contents.manifest import REPORT
    from ...bundle.report import report_bundle
    from ...pages.bundle_page import is_report

    if is_report(folder / REPORT):
        report_bundle(folder)


def as_data(played: ContestResults) -> dict[str, Any]:
    """JSON types."""
    strengths = [{**each.as_data(), "log": each.log} for each in played.strengths]
    return {"strength": strengths, "not_played": dict(played.reasons)}


def show(played: ContestResults) -> None:
    """Print a line for each match, then what equal time means here and what was not played."""
    output.line("")
    output.table(COLUMNS, [_row(each) for each in played.strengths], title="Against the original", right=RIGHT)
    for each in played.strengths:
        if each.per_second is not None:
            one, other = each.per_second
            output.line(
                f"{each.artifact}: {one:,.0f} simulations a second, {each.against} {other:,.0f} "
                f"({' and '.join(dict.fromkeys(each.runtimes))})"
            )
        if each.distinct < each.pairing.pairs:
            output.warning(f"only {each.distinct} openings of {each.pairing.pairs} differ: the interval is too narrow")
    for artifact, reason in played.reasons.items():
        output.warning(f"{artifact}: {reason}")


def _row(each: Strength) -> tuple[object, ...]:
    total, elo = each.pairing.total, each.pairing.elo
    simulations = "{} to {}".format(*each.simulations)
    counts = total.games, total.won, total.drawn, total.lost
    interval = f"{elo.low:+.0f} to {elo.high:+.0f}"
    return each.artifact, each.against, each.equal, simulations, *counts, f"{elo.value:+.0f}", interval
