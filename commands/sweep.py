"""`azx sweep`: many checkpoints to their bundles, each proved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import options
from .options.from_fields import export_options, recipe_of
from .options.grouped import command
from .options.playing import check_not_given, pairs_of, playing_options, rules_of
from .printed import output

if TYPE_CHECKING:
    from ..sweeps.rated import Matches
    from ..sweeps.recipe import Recipe
    from .printed.ratings import Games


@dataclass(frozen=True)
class Place:
    """Where a sweep runs, and the folder of its bundles; None is the default."""

    folder: Path | None = None
    jobs: int | None = None
    backend: str = "local"
    scheduler: str | None = None


@command()
@click.argument("checkpoints", nargs=-1, required=True, metavar="CHECKPOINT...")
@options.file_option("-o", "--output", "folder", metavar="DIR", help="Folder of the bundles; default bundles.")
@click.option("--jobs", type=click.IntRange(1), help="Exports at a time; default one for every two cores.")
@options.backend_options
@click.option(
    "--verify", is_flag=True, help="On a cluster: prove each bundle on this machine too, before it is published."
)
@export_options
@click.option("--match", "matched", is_flag=True, help="Then let the networks of each game play, and rate them.")
@playing_options
@options.loudness_options
@options.json_option
def sweep(
    checkpoints: tuple[str, ...],
    matched: bool,
    verify: bool,
    quiet: bool,
    verbose: bool,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Export every CHECKPOINT, each proved equal to the original.

    CHECKPOINT is what `azx export` takes, a folder of such files, or a quoted pattern such as 'runs/**/*.h5'. If one
    fails, the others continue; the exit code is the worst of all. Earlier results with the same options are kept if
    they still exist. So the same command resumes a sweep that was stopped.

    Beside the bundles come results.csv, with a line for each artifact, and index.html.

    With --match the networks of each game play each other until the best one is clear. Up to six play all against all;
    for more, azx chooses the most informative games. --games is the most that any two of them play. Their ratings stand
    in the tables. Games are kept too: the same command resumes, and a new checkpoint plays only its own games.
    """
    playing = rules_of(chosen)
    if not matched:
        check_not_given("--match")
    from ..cluster.backends import LOCAL

    place = options.take(Place, chosen)
    if place.jobs is not None and place.backend not in LOCAL:
        raise click.UsageError("--jobs is for this machine: on a cluster the workers decide how many run at a time.")
    if verify and place.backend in LOCAL:
        raise click.UsageError("--verify is for a cluster, with --backend dask: this machine proves what it exports.")
    recipe = recipe_of(chosen, verify=verify)
    run(checkpoints, recipe, place, options.loudness(quiet, verbose), as_json, playing if matched else None)


def run(
    checkpoints: Sequence[str],
    recipe: Recipe,
    place: Place,
    loudness: output.Loudness,
    as_json: bool,
    playing: dict[str, Any] | None = None,
) -> None:
    """Sweep and print the outcome; raises SweepError, after the table, if a checkpoint failed.

    `playing` has the options of matches, None without --match.
    """
    from ..bundle.export import BUNDLES
    from ..sweeps.sweep import SweepError
    from ..verbs.sweeping import sweep_checkpoints
    from .printed.sweep import as_data, progress, show

    with progress(loudness) as shown:
        try:
            swept = sweep_checkpoints(
                checkpoints,
                recipe,
                output=BUNDLES if place.folder is None else place.folder,
                jobs=place.jobs,
                backend=place.backend,
                scheduler=place.scheduler,
                matches=None if playing is None else _matches(playing, recipe.settings.seed, shown.games),
                watcher=shown,
            )
        except (KeyboardInterrupt, SystemExit):
            shown.games.stop()
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


def _matches(playing: dict[str, Any], seed: int, games: Games) -> Matches:
    from ..match.games import Rules
    from ..match.tournament import OPENINGS, Listener
    from ..sweeps.rated import Matches

    rules = Rules(simulations=playing["simulations"], seed=seed, proves=playing["proves"])
    return Matches(
        rules, pairs_of(playing["games"], OPENINGS), playing["plies"], listener=Listener(games.begin, games.game)
    )
