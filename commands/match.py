"""`azx match`: networks against each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..engine.table import PROTOCOLS
from ..verbs.defaults import ENGINE_SECONDS
from .options import options
from .options.grouped import command
from .options.playing import (
    SEARCH,
    check_not_given,
    check_workers,
    pairs_of,
    playing_options,
    search_of,
    workers_option,
)
from .printed.match import Question, check_plot, print_faults, progress, show, write_plot

if TYPE_CHECKING:
    from ..games.search_settings import SearchSettings
    from ..match.players import Net
    from ..match.rating.sprt import Sprt

FORMATS = ("table", "csv", "json")
# Settings for matches with --engine only, with their options.
ENGINE_ONLY = {
    "engine_protocol": "--engine-protocol",
    "engine_seconds": "--engine-seconds",
    "seconds": "--seconds",
    "level": "--level",
}
NETWORKS_ONLY = {
    "workers": "--workers",
    "backend": "--backend",
    "temperature": "--temperature",
    "best": "--best",
    "agreement": "--agreement",
    "plot": "--plot",
}
# Options that may be given for each network, as NET=..., or for all.
PER_NET = ("encodings", "configs", "builders", "presets", "boards", "value_heads", "policy_heads")


@dataclass(frozen=True)
class _Choices:
    """The command line's choice of networks, machines, length and output."""

    workers: int | None
    backend: str
    scheduler: str | None
    log: Path | None
    sprt: Sprt | None
    best: bool
    plot: Path | None
    shown: str
    as_json: bool

    @property
    def form(self) -> str:
        """The result's format; --json takes precedence over --format."""
        return "json" if self.as_json else self.shown


def _of_each(flag: str, name: str, metavar: str, about: str) -> Callable[[Any], Any]:
    """An option that each network may have a value of its own for; `about` is its help."""
    return click.option(flag, name, multiple=True, metavar=metavar, help=f"{about} May be repeated.")


@command()
@click.argument("nets", nargs=-1, required=True, metavar="NET NET...")
@playing_options
@options.number_option("--seed", 0, 0, "Seed of the openings and all drawn moves.")
@click.option(
    "--temperature", type=click.FloatRange(0), default=0.0, show_default=True, help="Draw moves from n^(1/T); 0: best."
)
@workers_option()
@options.backend_options
@options.game_option
@options.board_options
@_of_each(
    "--encoding",
    "encodings",
    "[NET=]FILE|NAME",
    "Encoding of NET; without NET, of all networks whose bundle does not state one.",
)
@_of_each(
    "--config", "configs", "[NET=]FILE", "Architecture as JSON of NET, or of all, for files that hold weights alone."
)
@_of_each(
    "--builder",
    "builders",
    "[NET=]MODULE:FUNCTION",
    "Function that returns the Keras model of NET, or of all, for weights alone. It is run.",
)
@_of_each("--preset", "presets", "[NET=]NAME", "Family of networks whose weights NET holds alone, or all of them.")
@_of_each("--board", "boards", "[NET=]9x9", "Rows and columns of NET, or of all, for a network that leaves them free.")
@_of_each("--allow-code", "trusted", "NET", "Run the Python code of Lambda layers in NET: only if you trust it.")
@_of_each(
    "--value-head", "value_heads", "[NET=]NAME", "The output of the checkpoint NET, or of all, that is the value."
)
@_of_each(
    "--policy-head", "policy_heads", "[NET=]NAME", "The output of the checkpoint NET, or of all, that is the policy."
)
@click.option(
    "--search",
    "searches",
    multiple=True,
    metavar=SEARCH,
    help="Search to use instead of the one in their bundles; repeat it to give each network its own, in order.",
)
@options.symmetry_option("Let the networks read each position as it is, or turned at random.")
@options.file_option("--log", help="File for the games; by default in azx-matches.")
@click.option(
    "--gate",
    "sprt",
    metavar="ELO0,ELO1",
    callback=lambda context, option, text: parse_sprt(text),
    help="For two networks: play until it is clear whether the first leads by ELO1 or only by ELO0; 5 % of such "
    "tests err.",
)
@click.option(
    "--best", is_flag=True, help="For several networks: play the most informative games until the best one is clear."
)
@options.file_option(
    "--plot", callback=check_plot, help="Draw the ratings in the order of the networks, as .png or .svg."
)
@click.option(
    "--engine",
    metavar="COMMAND",
    help='Instead of a second network: a program that azx starts and plays against, such as "gnugo --mode gtp".',
)
@click.option(
    "--engine-protocol", type=click.Choice(PROTOCOLS), help="What the program speaks, if not the game's usual protocol."
)
@click.option(
    "--engine-seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=ENGINE_SECONDS,
    show_default=True,
    metavar="S",
    help="The program's time for a move; it is killed after twice that and 5 s.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="With --engine: the network's time for a move, instead of --simulations or beside it.",
)
@click.option("--level", metavar="1..8|NAME", help="With --engine: the network plays at this level.")
@click.option("--agreement", is_flag=True, help="Count the positions in which both networks choose the same move.")
@click.option(
    "--format", "shown", type=click.Choice(FORMATS), default="table", show_default=True, help="Format of the result."
)
@options.json_option
def match(
    nets: tuple[str, ...],
    **chosen: Any,
) -> None:
    """Let networks play each other: checkpoints or artifacts of any format; more than two play a round robin.

    Every opening is played twice, each network beginning once. The games depend on the options and not on the number of
    workers. The same command resumes a match that was stopped. CSV is one line for two networks, or the rating table of
    more. With --gate or --best, --games is the most that any two of them play. With --engine one
    network plays another program (docs/engines.md); what the rules prove then counts, as in `azx play`.
    """
    from ..verbs.matches import match_networks

    asked = options.take(_Choices, chosen)
    check_workers(asked.workers, asked.backend)
    if chosen["engine"] is not None:
        play_engine(nets, asked, chosen)
        return
    check_not_given("--engine", ENGINE_ONLY, "a program plays")
    if len(nets) < 2:
        raise click.UsageError("A match needs two networks: name another one, or the same one again.")
    question = Question(asked.sprt, asked.best, len(nets))
    done = match_networks(
        _nets(nets, chosen),
        **{name: chosen[name] for name in ("simulations", "temperature", "seed", "plies", "proves", "agreement")},
        games=2 * pairs_of(chosen["games"]),
        settings=options.take_board(chosen),
        gate=asked.sprt,
        best=asked.best,
        workers=asked.workers,
        backend=asked.backend,
        scheduler=asked.scheduler,
        log=asked.log,
        watch=progress,
    )
    show(done, asked.form, question)
    if asked.plot is not None:
        write_plot(done, question, asked.plot)


def play_engine(nets: Sequence[str], asked: _Choices, chosen: dict[str, Any]) -> None:
    """Play one network against another program, and print the result."""
    from ..games.levels.table import level_number
    from ..verbs.matches import match_engine

    if len(nets) != 1:
        raise click.UsageError("With --engine one network plays: name one.")
    check_given_to_networks()
    source = click.get_current_context().get_parameter_source("simulations")
    only_time = chosen["seconds"] is not None and source is not ParameterSource.COMMANDLINE
    done = match_engine(
        _nets(nets, chosen)[0],
        chosen["engine"],
        **{name: chosen[name] for name in ("engine_seconds", "seconds", "seed", "plies")},
        protocol=chosen["engine_protocol"],
        games=2 * pairs_of(chosen["games"]),
        simulations=None if only_time else chosen["simulations"],
        level=None if chosen["level"] is None else level_number(chosen["level"]),
        settings=options.take_board(chosen),
        gate=asked.sprt,
        log=asked.log,
        watch=progress,
    )
    show(done, asked.form, Question(asked.sprt, False, 2))
    if asked.form == "table" and done.slowest is not None:
        print_faults(done)


def check_given_to_networks() -> None:
    """UsageError if an option was given that only a match between networks has."""
    context = click.get_current_context()
    for name, option in NETWORKS_ONLY.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{option} is for networks against each other: leave it or --engine out.")


def parse_sprt(text: str | None) -> Sprt | None:
    """The gate of an option's value, None for none; BadParameter for a text that is no gate."""
    from ..match.rating.sprt import parse_sprt

    try:
        return None if text is None else parse_sprt(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _nets(nets: Sequence[str], chosen: Mapping[str, Any]) -> list[Net]:
    """The networks, each with its options."""
    from ..bundle.case.checkpoint import Checkpoint
    from ..export.graph.names import Names
    from ..match.players import Net
    from ..play.network_files import TrainedNetwork, find_network

    searches = _searches(chosen["searches"], len(nets), chosen["temperature"])
    by_net = {name: _by_net(f"--{name[:-1].replace('_', '-')}", chosen[name], nets) for name in PER_NET}
    for net in chosen["trusted"]:
        if net not in nets:
            raise click.UsageError(f"--allow-code {net}: no network of this match is called '{net}'.")
    players = []
    for net, search in zip(nets, searches, strict=True):
        file = find_network(net)
        own = {name: values.get(net, values.get("")) for name, values in by_net.items()}
        # An option for all networks holds for those without their own.
        if file.manifest and file.manifest.encoding:
            own["encodings"] = by_net["encodings"].get(net)
        if not isinstance(file, TrainedNetwork):
            own |= {name: by_net[name].get(net) for name in ("value_heads", "policy_heads")}
        encoding, config = (Path(path) if path else None for path in (own["encodings"], own["configs"]))
        names = Names(own["value_heads"], own["policy_heads"])
        like = Checkpoint(
            config=config,
            builder=own["builders"],
            preset=own["presets"],
            board=options.BoardSize().convert(own["boards"], None, None) if own["boards"] else None,
            allow_code=net in chosen["trusted"],
        )
        players.append(Net(net, chosen["game"], encoding, chosen["symmetry"], chosen["seed"], names, like, search))
    return players


def _searches(texts: Sequence[str], count: int, temperature: float) -> list[SearchSettings | None]:
    """The search settings of each network; None stands for its bundle's."""
    from ..games.search_settings import USUAL

    if not texts:
        return [None] * count
    if len(texts) not in (1, count):
        raise click.UsageError(
            f"--search is given {len(texts)} times: give it once, or for each of the {count} networks."
        )
    settings: list[SearchSettings | None] = [search_of(text) for text in texts]
    if temperature and any(search != USUAL for search in settings):
        raise click.UsageError("--temperature draws moves by the visits of PUCT alone: leave it or --search out.")
    return settings * (count // len(settings))


def _by_net(option: str, texts: Sequence[str], nets: Sequence[str]) -> dict[str, str]:
    """The option's values by network; "" has the value for all networks."""
    values: dict[str, str] = {}
    for text in texts:
        # A network's path may have a "=" itself.
        net = next((net for net in nets if text.startswith(f"{net}=")), "")
        if not net and "=" in text and not Path(text).exists():
            raise click.UsageError(f"{option} {text}: no network of this match is called '{text.partition('=')[0]}'.")
        if net in values:
            raise click.UsageError(f"{option} is given twice for {net or 'all networks'}: give it once.")
        values[net] = text.removeprefix(f"{net}=") if net else text
    return values
