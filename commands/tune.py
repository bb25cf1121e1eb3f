"""`azx tune`: the search that suits a network, found by games and noted in its bundle."""

from __future__ import annotations

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
    from ..verbs.matches import tune_search

    check_workers(chosen["workers"], chosen["backend"])
    settings = [*map(search_of, searches)]
    chosen |= {name: 2 * pairs_of(chosen[name]) for name in ("games", "confirming")}
    done = tune_search(net, searches=settings, write=not dry_run, watch=progress, **chosen)
    if as_json:
        output.print_json(as_data(done))
    else:
        show(done)
