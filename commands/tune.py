"""`azx tune`: the search that suits a network, found by games and noted in its bundle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .options import options
from .options.grouped import command
from .options.playing import (
    SEARCH,
    check_workers,
    pairs_of,
    plies_option,
    search_of,
    simulations_option,
    workers_option,
)
from .printed import output
from .printed.match import progress
from .printed.tune import as_data, show


@command()
@click.argument("net", metavar="BUNDLE")
@click.option("--hours", type=click.FloatRange(0, min_open=True), help="Stop after this time, with the result so far.")
@simulations_option("Simulations of both sides for each move: use your app's number.", least=1)
@options.number_option("--games", 2, 160, "Most games of each candidate; fewer if the result is clear earlier.")
@options.number_option("--confirming", 2, 200, "Games that confirm the best candidate, on other openings.")
@plies_option
@options.number_option("--seed", 0, 0, "Seed of the candidates' openings; the confirming games use the next number.")
@click.option(
    "--search",
    "searches",
    multiple=True,
    metavar=SEARCH,
    help="Try this search instead of azx's candidates; repeatable.",
)
@click.option("--dry-run", is_flag=True, help="Play and print the result, but leave the bundle as it is.")
@workers_option()
@options.backend_options
@options.json_option
def tune(net: str, searches: tuple[str, ...], dry_run: bool, as_json: bool, **chosen: Any) -> None:
    """Find the best search for the network of BUNDLE, and record it in its manifest.

    Candidates play against the bundle's present search, each opening from both sides, with proofs by the rules, as apps
    play. The best candidate then plays on new openings. Its search is written into manifest.json, with these games,
    only if they show that it is stronger. Everything else of the bundle stays as it is. BUNDLE is a bundle's folder, or
    the name of a shipped network that was exported here.

    Games are kept in azx-matches: the same command resumes.
    """
    from ..bundle.contents.manifest import read_manifest
    from ..cluster.players import players
    from ..match.candidates import CANDIDATES
    from ..match.players import Net
    from ..match.tuning import Terms, note_search
    from ..match.tuning import tune as find

    workers, backend, scheduler = (chosen.pop(name) for name in ("workers", "backend", "scheduler"))
    check_workers(workers, backend)
    folder = _folder_of(net)
    manifest = read_manifest(folder)
    pairs, confirming = pairs_of(chosen.pop("games")), pairs_of(chosen.pop("confirming"))
    terms = Terms(pairs=pairs, confirming=confirming, candidates=[*map(search_of, searches)] or CANDIDATES, **chosen)
    with players(backend, scheduler, workers) as seats:
        outcome = find(Net(str(folder)), terms, seats, progress)
    written = outcome.confirmed is not None and not dry_run
    if written:
        note_search(folder, manifest, outcome, terms)
    if as_json:
        output.print_json(as_data(folder, outcome, terms, written))
    else:
        show(folder, outcome, terms, written)


def _folder_of(net: str) -> Path:
    """The folder of the bundle `net`; BundleError if it is no bundle."""
    from ..bundle.contents.manifest import MANIFEST
    from ..bundle.export import BUNDLES
    from ..errors import BundleError
    from ..export.checkpoint.located import shipped_names

    for folder in (Path(net), BUNDLES / net):
        if (folder / MANIFEST).is_file() and (folder == Path(net) or net in shipped_names()):
            return folder
    raise BundleError(
        f"'{net}' is no bundle, and a search is recorded in a bundle's manifest: give the folder that azx export "
        f"wrote, or export the checkpoint first."
    )
