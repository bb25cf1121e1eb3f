"""`azx sweep`: many checkpoints to their bundles, each proved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import options, output
from ..export_options import export_options, gathered
from .playing import check_not_given, pairs_of, playing_options, rules_of

if TYPE_CHECKING:
    from ...sweeps.rated import Matches
    from .ratings_report import Games


@click.command()
@click.argument("checkpoints", nargs=-1, required=True, metavar="CHECKPOINT...")
@click.option("-o", "--output", "folder", type=options.FILE, metavar="DIR", help="Of the bundles; default bundles.")
@click.option("--jobs", type=click.IntRange(1), help="Exports at a time; by default one for each two cores.")
@options.backend_options
@export_options
@click.option("--match", "matched", is_flag=True, help="Then let the networks of each game play, and rate them.")
@playing_options
@options.loudness_options
@options.json_option
def sweep(
    checkpoints: tuple[str, ...],
    folder: Path | None,
    jobs: int | None,
    backend: str,
    scheduler: str | None,
    matched: bool,
    quiet: bool,
    verbose: bool,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Export every CHECKPOINT, each proved equal to the original.

    CHECKPOINT is what `azx export` takes, or a folder of such files, or a pattern in quotes as 'runs/**/*.h5'. One that
    fails stops no other; the exit code is the worst of all. What was done before with the same options, and is there
    still, is kept, so that a sweep that was stopped goes on when the same command is given again.

    Beside the bundles come results.csv, with a line for each artifact, and index.html.

    With --match the networks of each game play each other: up to six all against all, of more those games that tell
    most, until it is clear which is the best; --games is how many each two play at most. Their ratings stand in the
    tables. Games are kept too: the same command goes on, and one checkpoint more plays only its own games.
    """
    playing = rules_of(chosen)
    if not matched:
        check_not_given("--match")
    chosen = gathered(chosen)
    from ...cluster.backends import LOCAL

    if jobs is not None and backend not in LOCAL:
        raise click.UsageError("--jobs is of this machine: how many run at a time on a cluster, its workers say.")
    chosen |= {"backend": backend, "scheduler": scheduler}
    run(checkpoints, folder, jobs, options.loudness(quiet, verbose), as_json, chosen, playing if matched else None)


def run(
    checkpoints: Sequence[str],
    folder: Path | None,
    jobs: int | None,
    loudness: output.Loudness,
    as_json: bool,
    chosen: dict[str, Any],
    playing: dict[str, Any] | None = None,
) -> None:
    """Sweep and tell; raises SweepError, after the table, where a checkpoint failed.

    `playing` are the options of matches; None where there are none.
    """
    from ...bundle.export import BUNDLES
    from ...sweeps.run import SweepError, sweep
    from .sweep_report import as_data, progress, show

    place = BUNDLES if folder is None else folder
    with progress(loudness) as told:
        try:
            swept = sweep(
                checkpoints,
                output=place,
                jobs=jobs,
                on_begin=told.begin,
                on_step=told.step,
                on_outcome=told.outcome,
                matches=None if playing is None else _matches(playing, chosen["seed"], told.games),
                **chosen,
            )
        except (KeyboardInterrupt, SystemExit):
            told.games.stop()
            raise
    failed = SweepError(swept.outcomes) if any(outcome.code for outcome in swept.outcomes) else None
    if as_json:
        if failed is None:
            output.print_json(as_data(swept))
        else:
            failed.report = output.plain(as_data(swept))
    else:
        show(swept, loudness)
    if failed is not None:
        raise failed


def _matches(playing: dict[str, Any], seed: int, told: Games) -> Matches:
    from ...play.match import Rules
    from ...play.tournament.tournament import OPENINGS, Listener
    from ...sweeps.rated import Matches

    rules = Rules(simulations=playing["simulations"], seed=seed, proves=playing["proves"])
    return Matches(
        rules, pairs_of(playing["games"], OPENINGS), playing["plies"], listener=Listener(told.begin, told.game)
    )
