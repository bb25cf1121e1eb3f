"""`azx play`: a person against a network."""

from __future__ import annotations

from typing import Any

import click

from ..verbs.defaults import SIDES
from .options import from_fields, options
from .options.grouped import command


@command()
@click.argument("net", required=False)
@options.game_option
@options.encoding_option
@click.option("--side", type=click.Choice(SIDES), default="random", show_default=True, help="Your side.")
@click.option(
    "--simulations",
    type=click.IntRange(min=0),
    metavar="N",
    help="Simulations per move; 0 plays by the policy alone.  [default: 200]",
)
@click.option(
    "--seconds", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Think no longer than this per move."
)
@click.option("--temperature", type=click.FloatRange(min=0), default=0.0, metavar="T", help="Draw the AI's moves.")
@click.option(
    "--level",
    metavar="1..8|NAME",
    help="How strong the AI plays, from 1 (beginner) to 8 (full), instead of the three above.",
)
@options.board_options
@options.symmetry_option("Let the network read each board as it is, or turned at random.")
@click.option("--trace", is_flag=True, help="Print the path of every simulation.")
@options.file_option("--log", help="Log the game here, as JSON lines.")
@options.file_option("--resume", help="Resume the game of a log.")
@options.file_option("--from", "record", help="Continue from a record: SGF, a line of moves or a link.")
@options.file_option("--save", help="Write a record at the end: game.sgf or game.txt.")
@click.option("--seed", type=int, metavar="N", help="Seed of the side, the AI's drawn moves and the symmetries.")
@from_fields.architecture_options
@from_fields.head_options
@from_fields.code_option
@options.json_option
def play(net: str | None, **chosen: Any) -> None:
    """Play against NET: a checkpoint, an artifact of any format, a bundle, or a shipped name (connect4).

    Type a move as it is named on the board, or undo, hint, moves, new, log, save FILE, estimate, resign, quit, ?.
    Ctrl-C while the AI thinks makes it move at once. Every move is logged, by default in ~/.local/state/azx/games.
    """
    from ..games.levels.table import level_number
    from ..play.terminal.screen import JsonView
    from ..verbs.game import play_game

    chosen["level"] = None if chosen["level"] is None else level_number(chosen["level"])
    own = (chosen["simulations"], chosen["seconds"], chosen["temperature"] or None)
    if chosen["level"] and any(value is not None for value in own):
        raise click.UsageError("--level says how the AI plays: leave --simulations, --seconds and --temperature out.")
    if chosen["record"] and chosen["resume"]:
        raise click.UsageError("--from begins a game and --resume continues one: give one of them.")
    if chosen["save"] and chosen["save"].exists():
        raise click.UsageError(f"'{chosen['save']}' is there already: choose another file for --save.")
    as_json = chosen.pop("as_json")
    play_game(
        net,
        settings=options.take_board(chosen),
        view=JsonView() if as_json else None,
        on_loading=(lambda name: None) if as_json else (lambda name: click.echo(f"Loading {name} ...", err=True)),
        **chosen,
    )
