"""The options that say how networks play each other, in a match and after a sweep."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from . import options

if TYPE_CHECKING:
    from ...games.search_settings import SearchSettings

Option = Callable[[Any], Any]
SEARCH = "puct|gumbel|FILE"
SIMULATIONS = "Simulations of the search for each move; 0 plays the policy alone."
# The option of each setting, for messages.
NAMES = {"games": "--games", "simulations": "--simulations", "plies": "--opening-plies", "proves": "--proven"}


def simulations_option(about: str, least: int = 0) -> Option:
    """--simulations of a match, `least` of them or more; `about` is its help."""
    return options.number_option("--simulations", least, 50, about)


def workers_option() -> Option:
    """--workers of this machine."""
    return click.option("--workers", type=click.IntRange(1), help="Processes that play; by default one for each core.")


plies_option = click.option(
    "--opening-plies", "plies", metavar="LO-HI", help="Random plies per opening; the default depends on the game."
)
playing_options = options.together(
    options.number_option("--games", 1, 40, "Games for each two networks."),
    simulations_option(SIMULATIONS),
    plies_option,
    click.option(
        "--proven",
        "proves",
        is_flag=True,
        help="Count what the rules prove, as `azx play` does: wins at once are played, moves that allow one are not.",
    ),
)


def check_workers(workers: int | None, backend: str) -> None:
    """UsageError if --workers are given for games that are not played by processes of this machine."""
    from ...cluster.backends import LOCAL

    if workers is not None and backend not in LOCAL:
        raise click.UsageError("--workers counts processes of this machine: leave it out for a cluster.")


def search_of(text: str) -> SearchSettings:
    """The search for a value of --search; BundleError or GameError if its file holds no known search."""
    from ...bundle.contents.manifest import read_json
    from ...games.search_settings import USUAL, Gumbel, SearchSettings, read_settings

    known = {"puct": USUAL, "gumbel": SearchSettings(Gumbel())}
    if text in known:
        return known[text]
    missing = f"--search {text}: there is no such file: give puct, gumbel, or a file as docs/search.md describes it."
    return read_settings(read_json(Path(text), missing, do="write it as docs/search.md describes it"), text)


def check_not_given(without: str, names: Mapping[str, str] = NAMES, who: str = "networks play each other") -> None:
    """UsageError if an option in `names` is given although `without`, the option that starts games, is not."""
    context = click.get_current_context()
    for name, option in names.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{option} says how {who}: give {without} too.")


def pairs_of(games: int, multiple: int = 1) -> int:
    """The number of pairs of games; each pair plays one opening from both sides. Warns if that adds a game."""
    pairs = -(-games // 2)
    pairs += -pairs % multiple
    if 2 * pairs != games:
        click.echo(f"Openings are played twice, by either side first: {2 * pairs} games instead of {games}.", err=True)
    return pairs


def rules_of(chosen: dict[str, Any]) -> dict[str, Any]:
    """The options of the rules, removed from a command's options."""
    return {name: chosen.pop(name) for name in NAMES}
